"""Ledgers in Postgres that somebody tampered with, and what the verifier says of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from upheld.errors import StoreError, UnreadableEntry
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.chain import Head, linked
from upheld.record.ledger.entry import Words
from upheld.record.ledger.verifying import verified

Opened = Callable[..., Any]
RunSql = Callable[..., list[Any]]
TALK = ConversationId("talk")
LENGTH = 300


def said(number: int) -> Words:
    """Give the words of turn ``number``."""
    return Words(turn=TurnId(f"T{number}"), speaker=AgentId("alice"), text=f"words {number}, and some more of them")


@pytest.fixture
def head(opened: Opened) -> Head:
    """Write a ledger, and give the head that an honest keeper took away."""
    with opened() as store:
        store.append(TALK, [said(number) for number in range(1, LENGTH + 1)])
        return store.head(TALK)


def faults(opened: Opened, expected: Head | None = None) -> list[tuple[str, int]]:
    """Give what the verifier finds when it may not write."""
    with opened(is_read_only=True) as store:
        return [(fault.kind.value, fault.epoch) for fault in verified(store, TALK, expected=expected).faults]


def test_a_ledger_that_nobody_touched_is_whole(opened: Opened, head: Head) -> None:
    """Our promise: with the head that was kept, and without; and below the entries too."""
    assert faults(opened) == faults(opened, head) == []
    with opened() as store:
        assert store.damage() == ()


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE contents SET body = overlay(body PLACING 'X' FROM 30) WHERE epoch = 7", [("edited", 7)]),
        ("UPDATE contents SET salt = 'ff' WHERE epoch = 7", [("edited", 7)]),
        ("DELETE FROM contents WHERE epoch = 7", [("emptied", 7)]),
        ("UPDATE entries SET turn = 'T9' WHERE epoch = 7", [("forged", 7)]),
        ("UPDATE entries SET recorded_at = '2020-01-01' WHERE epoch = 300", [("forged", 300)]),
        ("UPDATE entries SET chain = 'ff' WHERE epoch = 7", [("forged", 7)]),
        ("DELETE FROM entries WHERE epoch IN (7, 8, 9, 101)", [("missing", 7), ("missing", 101)]),
        ("DELETE FROM entries WHERE epoch > 298", [("truncated", 299)]),
        ("DELETE FROM entries", [("truncated", 1)]),
        ("UPDATE heads SET epoch = 299", [("rewritten", 299)]),
        ("UPDATE heads SET epoch = 9000000000000000", [("truncated", 301)]),
        ("UPDATE entries SET epoch = 9000000000000000 WHERE epoch = 300", [("missing", 300), ("emptied", 9 * 10**15)]),
    ],
)
def test_what_was_done_to_the_rows_is_named(
    opened: Opened, sql: RunSql, head: Head, statement: str, found: list[tuple[str, int]]
) -> None:
    """Our promise: each kind of tampering by its name and place, and no other entry is blamed."""
    sql(statement)
    named = faults(opened)
    assert [fault for fault in named if fault[0] != "rewritten" or fault in found] == found
    assert faults(opened, head)


def test_a_chain_that_was_computed_anew_is_found_by_the_head_that_was_kept(
    opened: Opened, sql: RunSql, head: Head
) -> None:
    """Our promise, and its limit: who may write the database may write all of it; what was kept elsewhere tells."""
    sql("UPDATE entries SET turn = 'T9' WHERE epoch = 290")
    with opened() as store:
        kept = list(store.kept(TALK, after=288))
    chain = kept[0].chain
    for entry in kept[1:]:
        chain = linked(chain, entry.envelope)
        sql("UPDATE entries SET chain = %s WHERE epoch = %s", chain, entry.envelope.epoch)
    sql("UPDATE heads SET chain = %s", chain)
    assert faults(opened) == []
    assert faults(opened, head) == [("rewritten", LENGTH)]


def test_a_reader_does_not_pass_over_what_is_missing(opened: Opened, sql: RunSql, head: Head) -> None:
    """Our promise: the fold of a ledger with a hole is another fold, so reading ends with an error at the hole."""
    assert head.epoch == LENGTH
    sql("DELETE FROM entries WHERE epoch IN (150, 300)")
    with opened() as store:
        assert len(list(store.read(TALK, upto=149))) == 149
        for start, gone in ((0, 150), (150, 300)):
            with pytest.raises(UnreadableEntry, match=f"entry {gone} .*missing"):
                list(store.read(TALK, after=start))
        assert store.append(TALK, [said(1)])[0].epoch == 301, "an append does not close over the hole"


def test_rows_that_belong_to_nothing_are_damage(opened: Opened, sql: RunSql, head: Head) -> None:
    """Our promise: entries that no reader comes upon, a head without entries, a content without its entry."""
    assert head.epoch == LENGTH
    for place in ("'hidden', 1", "'talk', 0"):
        sql(f"INSERT INTO entries SELECT {place}, turn, key, recorded_at, digest, chain FROM entries WHERE epoch = 7")
    sql("INSERT INTO heads VALUES ('bodiless', 3, 'ff')")
    sql("INSERT INTO contents VALUES ('talk', 301, '{}', '')")
    with opened() as store:
        assert store.damage() == (
            "conversation 'hidden' has entries that no reader comes upon",
            "conversation 'talk' has entries that no reader comes upon",
            "conversation 'bodiless' has a head and no entries",
            "conversation 'talk' has a content for entry 301, which is not there",
        )
        with pytest.raises(StoreError):
            store.append(ConversationId("hidden"), [said(1)])


def test_a_head_that_was_set_back_lets_nobody_write_over_an_entry(opened: Opened, sql: RunSql, head: Head) -> None:
    """Our promise: below the lock there is the primary key, which takes no epoch twice."""
    sql("UPDATE heads SET epoch = epoch - 1")
    with opened() as store:
        with pytest.raises(StoreError, match="duplicate key"):
            store.append(TALK, [said(1)])
        assert next(store.read(TALK, after=298)).epoch == 299
    assert head.epoch == LENGTH


def test_an_erasure_that_no_act_covers_is_missing(opened: Opened, sql: RunSql, head: Head) -> None:
    """Our promise: the index of erasures is a short cut and no excuse; the act itself is asked."""
    with opened() as store:
        act = store.erase(TALK, [7], reason="asked for")
        sql("DELETE FROM contents WHERE epoch = 8")
        for place in (act.epoch, 8, 3, 999):
            sql("DELETE FROM erasures WHERE epoch = 8")
            sql("INSERT INTO erasures VALUES ('talk', 8, %s)", place)
            with pytest.raises(UnreadableEntry, match=r"entry 8 .*missing"):
                list(store.read(TALK, after=7, upto=8))
    assert faults(opened, head) == [("emptied", 8)]


def test_indexes_are_looked_into_where_amcheck_is_installed(opened: Opened, sql: RunSql, head: Head) -> None:
    """Our promise: a row that its index does not know is damage, which no reader by index can see."""
    assert head.epoch == LENGTH
    if not sql("SELECT 1 FROM pg_available_extensions WHERE name = 'amcheck'"):
        pytest.skip("this server has no amcheck")
    sql("CREATE EXTENSION IF NOT EXISTS amcheck SCHEMA public")
    with opened() as store:
        assert store.damage() == ()
        # An index that is not kept up: rows that are written meanwhile are missing in it.
        switch = "UPDATE pg_index SET indisready = %s WHERE indexrelid = 'entries_by_key'::regclass"
        sql(switch, False)
        store.append(TALK, [said(301)], key="k")
        sql(switch, True)
        (line,) = store.damage()
        assert "entries_by_key" in line


def test_a_page_of_rubbish_is_damage(own_postgres: Any) -> None:
    """Our promise: what the disk has lost is named, by its table, and no error of the driver gets out."""
    psycopg = import_module("psycopg")
    made = import_module("upheld.record.stores.postgres.store").PostgresStore
    with made(own_postgres.get_uri()) as store:
        store.append(TALK, [said(number) for number in range(1, LENGTH + 1)])
    with psycopg.connect(own_postgres.get_uri()) as connection:
        question = "SELECT pg_relation_filepath('upheld_default.contents'), current_setting('data_checksums')"
        name, checksums = connection.execute(question).fetchone()
    if checksums != "on":
        pytest.skip("this server keeps no checksums, so a page says nothing of itself")
    own_postgres.stop()
    path = own_postgres.pgdata / name
    content = bytearray(path.read_bytes())
    assert len(content) > 2 * 8192
    content[8192 + 4000 : 8192 + 4400] = b"\xa5" * 400
    path.write_bytes(content)
    own_postgres.ensure_postgres_running()
    with made(own_postgres.get_uri(), is_read_only=True) as store:
        (line,) = store.damage()
        assert "damaged" in line
        assert "invalid page" in line
        with pytest.raises(StoreError, match="damaged"):
            list(store.kept(TALK))


def test_the_statements_that_read_use_an_index(opened: Opened, sql: RunSql, head: Head) -> None:
    """Our promise: no read or append walks over a whole table, once there is more of it than of an index."""
    assert head.epoch == LENGTH
    statements = import_module("upheld.record.stores.postgres.statements")
    walks: list[tuple[str, str]] = []
    with opened() as store, store._database.writing(TALK) as transaction:
        transaction.tell("SET LOCAL enable_seqscan = off")
        for name, values in (
            ("BETWEEN", (TALK, 3, 9, 100)),
            ("BY_KEY", (TALK, "k")),
            ("ERASING_ACT", (TALK, 3)),
            ("HEAD", (TALK,)),
            ("NEWEST_ENTRY", (TALK,)),
            ("NEWEST_ERASURE", (TALK,)),
            ("CHAIN_AT", (TALK, 3)),
            ("SNAPSHOT", (TALK, 3)),
        ):
            plan = transaction.rows(f"EXPLAIN {getattr(statements, name)}", values)
            walks += [(name, step) for (step,) in plan if "Seq Scan" in step]
            conditions = [step for (step,) in plan if "Index Cond" in step]
            assert conditions, (name, plan)
            assert "conversation" in "".join(conditions), (name, plan)
    assert walks == []
