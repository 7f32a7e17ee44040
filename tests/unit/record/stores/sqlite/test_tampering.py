"""Files that somebody tampered with, or that were torn, and what the verifier says of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import DamagedStore, StoreError, UnreadableEntry
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.chain import Head, linked, salted_digest
from upheld.record.ledger.entry import Words
from upheld.record.ledger.verifying import verified
from upheld.record.stores.sqlite import statements as sqlite_statements
from upheld.record.stores.sqlite.store import SqliteStore

RunSql = Callable[..., list[Any]]
TALK = ConversationId("talk")
LENGTH = 300


def said(number: int) -> Words:
    """Give the words of turn ``number``."""
    return Words(turn=TurnId(f"T{number}"), speaker=AgentId("alice"), text=f"words {number}, and some more of them")


@pytest.fixture
def head(path: Path) -> Head:
    """Write a ledger, and give the head that an honest keeper took away."""
    with SqliteStore(path) as store:
        store.append(TALK, [said(number) for number in range(1, LENGTH + 1)])
        return store.head(TALK)


def faults(path: Path, expected: Head | None = None) -> list[tuple[str, int]]:
    """Give what the verifier finds in a file that it may not write to."""
    with SqliteStore(path, is_read_only=True) as store:
        assert store.damage() == ()
        return [(fault.kind.value, fault.epoch) for fault in verified(store, TALK, expected=expected).faults]


def rechain(path: Path, start: int) -> None:
    """Compute the chain anew from an epoch on, and the head with it, as an intruder would who has read this code."""
    with SqliteStore(path) as store:
        kept = list(store.kept(TALK))
    chain = kept[start - 2].chain
    with closing(sqlite3.connect(path)) as connection, connection:
        for entry in kept[start - 1 :]:
            chain = linked(chain, entry.envelope)
            connection.execute("UPDATE entries SET chain = ? WHERE epoch = ?", (chain, entry.envelope.epoch))
        connection.execute("UPDATE heads SET chain = ?, epoch = ?", (chain, kept[-1].envelope.epoch))


def test_a_file_that_nobody_touched_is_whole(path: Path, head: Head) -> None:
    """Our promise: with the head that was kept, and without."""
    assert faults(path) == faults(path, head) == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE contents SET body = replace(body, 'some', 'much') WHERE epoch = 7", [("edited", 7)]),
        ("UPDATE contents SET salt = 'ff' WHERE epoch = 7", [("edited", 7)]),
        ("UPDATE contents SET body = x'ff00' WHERE epoch = 7", [("edited", 7)]),
        ("DELETE FROM contents WHERE epoch = 7", [("emptied", 7)]),
        ("UPDATE entries SET turn = 'T9' WHERE epoch = 7", [("forged", 7)]),
        ("UPDATE entries SET recorded_at = '2020-01-01' WHERE epoch = 300", [("forged", 300)]),
        ("UPDATE entries SET key = 'k' WHERE epoch = 1", [("forged", 1)]),
        ("UPDATE entries SET chain = 'ff' WHERE epoch = 7", [("forged", 7)]),
        ("DELETE FROM entries WHERE epoch = 7", [("missing", 7)]),
        ("DELETE FROM entries WHERE epoch IN (7, 8, 9, 101)", [("missing", 7), ("missing", 101)]),
        ("DELETE FROM entries WHERE epoch > 298", [("truncated", 299)]),
        ("DELETE FROM entries", [("truncated", 1)]),
        ("UPDATE heads SET epoch = 299", [("rewritten", 299)]),
        ("UPDATE heads SET epoch = 9000000000000000", [("truncated", 301)]),
        ("UPDATE entries SET epoch = 9000000000000000 WHERE epoch = 300", [("missing", 300), ("emptied", 9 * 10**15)]),
    ],
)
def test_what_was_done_to_the_rows_is_named(
    path: Path, sql: RunSql, head: Head, statement: str, found: list[tuple[str, int]]
) -> None:
    """Our promise: each kind of tampering by its name and place, and no other entry is blamed."""
    sql(statement)
    named = faults(path)
    assert [fault for fault in named if fault[0] != "rewritten" or fault in found] == found
    with SqliteStore(path) as store:
        assert verified(store, TALK, expected=head).faults


def test_rows_that_were_swapped_are_named(path: Path, sql: RunSql, head: Head) -> None:
    """Our promise: envelopes with their contents exchanged, or the contents alone."""
    for table in ("entries", "contents"):
        for old, new in ((7, 0), (9, 7), (0, 9)):
            sql(f"UPDATE {table} SET epoch = ? WHERE epoch = ?", new, old)
    assert faults(path, head) == [("reordered", 7), ("reordered", 9)]
    for old, new in ((7, 0), (9, 7), (0, 9)):
        sql("UPDATE entries SET epoch = ? WHERE epoch = ?", new, old)
    assert faults(path, head) == [("edited", 7), ("edited", 9)]


def test_a_body_that_was_edited_with_its_digest_is_named(path: Path, sql: RunSql, head: Head) -> None:
    """Our promise: forged, whoever computes digests; the reader takes it, so that only the verifier sees it."""
    ((body, salt),) = sql("SELECT CAST(body AS BLOB), salt FROM contents WHERE epoch = 7")
    forged = body.replace(b"words 7", b"nothing")
    sql("UPDATE contents SET body = CAST(? AS TEXT) WHERE epoch = 7", forged)
    sql("UPDATE entries SET digest = ? WHERE epoch = 7", salted_digest(forged, salt))
    assert faults(path) == faults(path, head) == [("forged", 7)]


def test_a_chain_that_was_computed_anew_is_found_by_the_head_that_was_kept(path: Path, sql: RunSql, head: Head) -> None:
    """Our promise, and its limit: who may write the file may write all of it; what was kept elsewhere tells."""
    sql("UPDATE entries SET turn = 'T9' WHERE epoch = 7")
    rechain(path, 7)
    assert faults(path) == []
    assert faults(path, head) == [("rewritten", LENGTH)]


def test_an_end_that_was_cut_off_with_its_head_is_found_by_the_head_that_was_kept(
    path: Path, sql: RunSql, head: Head
) -> None:
    """Our promise, as above."""
    sql("DELETE FROM entries WHERE epoch > 290")
    sql("UPDATE heads SET epoch = 290, chain = (SELECT chain FROM entries WHERE epoch = 290)")
    assert faults(path) == []
    assert faults(path, head) == [("truncated", 291)]


def test_a_reader_does_not_pass_over_what_is_missing(path: Path, sql: RunSql, head: Head) -> None:
    """Our promise: the fold of a ledger with a hole is another fold, so reading ends with an error at the hole."""
    assert head.epoch == LENGTH
    sql("DELETE FROM entries WHERE epoch IN (150, 300)")
    with SqliteStore(path) as store:
        assert len(list(store.read(TALK, upto=149))) == 149
        for start, gone in ((0, 150), (150, 300)):
            with pytest.raises(UnreadableEntry, match=f"entry {gone} .*missing"):
                list(store.read(TALK, after=start))
        (entry,) = store.append(TALK, [said(1)])
        assert entry.epoch == 301, "an append does not close over the hole"


def test_entries_that_no_reader_comes_upon_are_damage(path: Path, sql: RunSql, head: Head) -> None:
    """Our promise: before the first, or of a conversation that is not listed."""
    assert head.epoch == LENGTH
    for place in ("'hidden', 1", "'talk', 0"):
        sql(f"INSERT INTO entries SELECT {place}, turn, key, recorded_at, digest, chain FROM entries WHERE epoch = 7")
    with SqliteStore(path) as store:
        assert sorted(line.split("'")[1] for line in store.damage()) == ["hidden", "talk"]
        with pytest.raises(StoreError):
            store.append(ConversationId("hidden"), [said(1)])


def test_an_erasure_that_no_act_covers_is_missing(path: Path, sql: RunSql, head: Head) -> None:
    """Our promise: the index of erasures is a short cut and no excuse; the act itself is asked."""
    with SqliteStore(path) as store:
        act = store.erase(TALK, [7], reason="asked for")
        assert act is not None
        sql("DELETE FROM contents WHERE epoch = 8")
        for place in (act.epoch, 8, 3, 999):
            sql("INSERT OR REPLACE INTO erasures VALUES ('talk', 8, ?)", place)
            with pytest.raises(UnreadableEntry, match=r"entry 8 .*missing"):
                list(store.read(TALK, after=7, upto=8))
    assert faults(path, head) == [("emptied", 8)]


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_file_that_was_cut_is_damaged(path: Path, head: Head, kept: float) -> None:
    """Our promise: named, by the reader and the verifier, and no crash of the driver."""
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    assert is_damage_named(path, head)


@pytest.mark.parametrize("page", range(2, 12))
def test_a_page_of_rubbish_is_damage(path: Path, head: Head, page: int) -> None:
    """Our promise: whatever page it is that the disk has lost."""
    content = bytearray(path.read_bytes())
    assert len(content) >= 12 * 4096
    content[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    path.write_bytes(content)
    assert is_damage_named(path, head)


def is_damage_named(path: Path, head: Head) -> bool:
    """Tell whether opening, the medium, or the audit names damage; any other error leaves this function."""
    try:
        with SqliteStore(path, is_read_only=True) as store:
            audited = verified(store, TALK, expected=head)
            return bool(store.damage()) or bool(audited.faults)
    except DamagedStore:
        return True


def test_the_statements_that_read_use_an_index(path: Path, sql: RunSql, head: Head) -> None:
    """Our promise: no read or append walks over a whole table."""
    assert head.epoch == LENGTH
    for statement, count in (
        (sqlite_statements.BETWEEN, 4),
        (sqlite_statements.BY_KEY, 2),
        (sqlite_statements.ERASING_ACT, 2),
        (sqlite_statements.HEAD, 1),
        (sqlite_statements.NEWEST_ENTRY, 1),
        (sqlite_statements.NEWEST_ERASURE, 1),
        (sqlite_statements.SNAPSHOT, 2),
    ):
        plan = [row[3] for row in sql(f"EXPLAIN QUERY PLAN {statement}", *["1"] * count)]
        assert not [step for step in plan if step.startswith("SCAN") and "CONSTANT" not in step], (statement, plan)
