"""What the store in Postgres does besides the contract of every store."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import pytest

from upheld.errors import MalformedInput, StoreError, UnreadableEntry
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.chain import linked
from upheld.record.ledger.entry import Words, envelope_of
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.verifying import verified
from upheld.testing.store_materials import HERE, PATIENCE, at_once, said, texts_of

Opened = Callable[..., Any]
RunSql = Callable[..., list[Any]]
TALK = ConversationId("talk")

FOLLOWER = """
import sys
from upheld.record.stores.postgres.store import PostgresStore

with PostgresStore(sys.argv[1], tenant=sys.argv[2], is_read_only=True) as store:
    for entry in store.follow("talk", timeout=20):
        print(entry.epoch, flush=True)
"""

FORKING = """
import os, sys
from upheld.errors import StoreError
from upheld.record.ledger.entry import Words
from upheld.record.stores.postgres.store import PostgresStore

store = PostgresStore(sys.argv[1], tenant=sys.argv[2])
following = store.follow("talk", timeout=20)
store.append("talk", [Words(turn="T1", speaker="ann")])
next(following)
if (child := os.fork()) == 0:
    try:
        store.version("talk")
    except StoreError as error:
        store.close()
        del store, following
        sys.exit(0 if "open it anew in the child" in str(error) else 1)
    sys.exit(2)
print(os.waitpid(child, 0)[1], store.append("talk", [Words(turn="T2", speaker="ann")])[0].epoch)
"""
"""Forks, and at its end closes nothing."""


def test_tenants_do_not_see_each_other(opened: Opened, tenant: str) -> None:
    """Our promise: ids, entries, keys, versions and news of one are nothing to another."""
    with opened() as here, opened(tenant=f"{tenant}_2") as there:
        (mine,) = here.append(TALK, [said(1)], key="k")
        assert there.conversations() == ()
        assert list(there.read(TALK)) == list(there.kept(TALK)) == []
        (theirs,) = there.append(TALK, [said(2)], key="k", expected=0)
        assert texts_of(here.read(TALK)) == ["words 1"]
        assert texts_of(there.read(TALK)) == ["words 2"]
        assert here.erase(TALK, [1], reason="asked for") is not None
        assert list(there.read(TALK)) == [theirs]
        assert mine.epoch == theirs.epoch == 1


def test_appends_of_two_stores_and_eight_threads_are_kept_in_order(opened: Opened) -> None:
    """Our promise: one writer a conversation at a time, whichever machine it is on; nothing is lost or doubled."""

    def appending(store: Any, name: str) -> Callable[[], list[str]]:
        def run() -> list[str]:
            contents = [Words(turn=TurnId(f"T{number}"), speaker=AgentId(name)) for number in range(50)]
            return [store.append(TALK, [content], key=f"{name} {content.turn}")[0].chain for content in contents]

        return run

    with opened() as one, opened(pool_size=2) as other:
        told = at_once([appending((one, other)[number % 2], f"w{number}") for number in range(8)])
        entries = list(one.read(TALK))
        assert [entry.epoch for entry in entries] == list(range(1, 401))
        for number, chains in enumerate(told):
            own = [entry for entry in entries if entry.content.speaker == f"w{number}"]
            assert [entry.turn for entry in own] == [f"T{count}" for count in range(50)]
            assert [entry.chain for entry in own] == chains
        for before, entry in pairwise(entries):
            assert entry.chain == linked(before.chain, envelope_of(entry))
        assert verified(other, TALK).faults == ()


def test_writers_of_different_conversations_do_not_wait_for_each_other(opened: Opened) -> None:
    """Our promise: the lock is that of a conversation, and readers take none."""
    with opened() as store, opened() as other, ThreadPoolExecutor(max_workers=1) as thread, ExitStack() as lock:
        (first,) = store.append(TALK, [said(1)])
        lock.enter_context(store._database.writing(TALK)).begin()
        waiting = thread.submit(other.append, TALK, [said(2)])
        assert len(other.append(HERE, [said(1)])) == 1
        assert list(other.read(TALK)) == [first]
        with pytest.raises(TimeoutError):
            waiting.result(0.2)
        lock.close()
        assert waiting.result(PATIENCE)[0].epoch == 2


def test_a_follower_in_another_process_is_woken_by_a_notice(opened: Opened, postgres: str, tenant: str) -> None:
    """Our promise: news cross machines at once, not at the next look, which comes once a second."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", FOLLOWER, postgres, tenant]
    with (
        opened() as store,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as follower,
    ):
        assert follower.stdout is not None
        spent: list[float] = []
        for epoch in range(1, 12):
            start = time.monotonic()
            store.append(TALK, [said(epoch)])
            assert follower.stdout.readline() == f"{epoch}\n"
            spent.append(time.monotonic() - start)
        follower.kill()
        assert statistics.median(spent) < 0.3


def test_a_follower_hears_again_after_its_connection_was_cut(opened: Opened, sql: RunSql) -> None:
    """Our promise: who listens connects anew by itself, and what was missed meanwhile is looked for."""
    with opened() as store:
        following = store.follow(TALK, timeout=PATIENCE)
        store.append(TALK, [said(1)])
        assert next(following).epoch == 1
        with ThreadPoolExecutor(max_workers=1) as thread:
            for epoch in (2, 3):
                waiting = thread.submit(next, following)
                assert cut(sql, "query LIKE 'LISTEN%'") == 1
                store.append(TALK, [said(epoch)])
                assert waiting.result(PATIENCE).epoch == epoch


def test_whoever_waits_for_any_conversation_misses_nothing_while_nothing_is_heard(opened: Opened, sql: RunSql) -> None:
    """Our promise: while the connection that listens is cut, the mark says that nobody can be sure."""
    with opened() as store, opened() as other, ThreadPoolExecutor(max_workers=1) as thread:
        mark = store.stirred(timeout=PATIENCE)
        for _ in range(3):
            mark = store.stirred(mark, timeout=0.1)
            waiting = thread.submit(store.stirred, mark, timeout=PATIENCE)
            assert cut(sql, "query LIKE 'LISTEN%'") >= 1
            other.append(TALK, [said(1)])
            begun = time.monotonic()
            assert waiting.result(PATIENCE) != mark
            assert time.monotonic() - begun < PATIENCE / 2


def test_two_looks_while_nothing_is_heard_have_different_marks() -> None:
    """Our promise: whoever waits looks for themselves until somebody listens again."""

    class Away:
        schema = "away"

        def connected(self) -> None:
            """Fail as a server that is away does."""
            raise StoreError("the server is away")

    listening: Any = pytest.importorskip("upheld.record.stores.postgres.news")
    news = listening.News(Away())
    marks = [0]
    for _ in range(3):
        marks.append(news.mark(marks[-1], timeout=0.01))
    assert len(set(marks)) == 4
    news.close()


def cut(sql: RunSql, which: str) -> int:
    """Cut the sessions of the test's stores that a condition means, once they are there, and tell how many."""
    deadline = time.monotonic() + PATIENCE
    found: list[Any] = []
    while not found and time.monotonic() < deadline:
        found = sql(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            f" WHERE {which} AND 'upheld_' || application_name = current_schema()"
        )
    return len(found)


def test_a_notice_that_means_nothing_is_a_reason_to_look(opened: Opened, sql: RunSql) -> None:
    """Our promise: anybody who may connect can send a notice; it ends no follower."""
    with opened() as store, ThreadPoolExecutor(max_workers=1) as thread:
        waiting = thread.submit(next, store.follow(TALK, timeout=PATIENCE))
        sql("SELECT pg_notify(current_schema()::text, 'rubbish')")
        store.append(TALK, [said(1)])
        assert waiting.result(PATIENCE).epoch == 1


def test_an_append_that_the_server_refuses_halfway_leaves_nothing(opened: Opened, sql: RunSql) -> None:
    """Our promise: one transaction an append; and a full disk is said to be one."""
    with opened() as store:
        store.append(TALK, [said(1)])
        sql("CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE 'no space left' USING ERRCODE = 'disk_full'; END $$")  # fmt: skip
        sql("CREATE TRIGGER full_disk BEFORE INSERT ON contents FOR EACH ROW EXECUTE FUNCTION full_disk()")
        with pytest.raises(StoreError, match=r"disk is full; nothing was written: make room .*no space left"):
            store.append(TALK, [said(2), said(3)], key="k")
        assert store.version(TALK) == 1
        sql("DROP TRIGGER full_disk ON contents")
        assert [entry.epoch for entry in store.append(TALK, [said(2)], key="k")] == [2]


@pytest.mark.parametrize(
    "trigger",
    [
        "TRIGGER cut BEFORE INSERT ON heads",
        "CONSTRAINT TRIGGER cut AFTER INSERT ON heads DEFERRABLE INITIALLY DEFERRED",
    ],
    ids=["before the commit", "in the commit"],
)
def test_an_append_whose_connection_breaks_says_what_is_known(opened: Opened, sql: RunSql, trigger: str) -> None:
    """Our promise: what is written goes with its commit, so nobody knows. With its key, a retry is safe."""
    with opened() as store:
        sql("CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(1); RETURN NEW; END $$")  # fmt: skip
        sql(f"CREATE {trigger} FOR EACH ROW EXECUTE FUNCTION cut()")
        with pytest.raises(StoreError, match="nobody knows"):
            store.append(TALK, [said(1)], key="k")
        sql("DROP TRIGGER cut ON heads")
        assert [entry.epoch for entry in store.append(TALK, [said(1)], key="k")] == [1]
        assert store.version(TALK) == 1


def test_connections_that_broke_unused_are_replaced(opened: Opened, sql: RunSql) -> None:
    """Our promise: after a restart of the server, the next read and the next append succeed."""
    with opened() as store:
        store.append(TALK, [said(1)])
        assert cut(sql, "state = 'idle'") >= 1
        assert store.version(TALK) == 1
        assert cut(sql, "state = 'idle'") >= 1
        assert store.append(TALK, [said(2)])[0].epoch == 2


def test_when_all_connections_are_in_use_that_is_said(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: a call does not wait for ever, and the message says what to change."""
    with opened(pool_size=1) as store:
        monkeypatch.setattr("upheld.record.stores.postgres.connection._ABSENCE", 0.1)
        monkeypatch.setattr("upheld.record.stores.postgres.connection._PATIENCE", 0.2)
        with store._database.writing(TALK), pytest.raises(StoreError, match="larger pool_size"):
            store.version(TALK)
        assert store.version(TALK) == 0


def test_a_store_for_reading_only_writes_and_makes_nothing(opened: Opened, sql: RunSql) -> None:
    """Our promise: everything is read as it is; what would write is refused, and so is a schema that is not there."""
    with pytest.raises(StoreError, match="holds no ledger"):
        opened(is_read_only=True)
    assert sql("SELECT current_schema()") == [(None,)]
    with opened() as store:
        (entry,) = store.append(TALK, [said(1)])
        with opened(is_read_only=True) as reader:
            assert reader.is_read_only
            assert list(reader.read(TALK)) == [entry]
            assert verified(reader, TALK).faults == ()
            assert reader.damage() == ()
            calls: list[Callable[[], object]] = [
                lambda: reader.append(TALK, [said(2)]),
                lambda: reader.erase(TALK, [1], reason="asked for"),
                lambda: reader.save_snapshot(TALK, Snapshot(epoch=1, chain=entry.chain, fingerprint="f", body=b"")),
            ]
            for call in calls:
                with pytest.raises(StoreError, match="opened for reading only"):
                    call()
        assert store.version(TALK) == 1


def test_a_store_does_not_outlive_a_fork(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Demanded by libpq: a connection must not be carried across a fork; closing in the child closes nothing."""
    with opened() as store:
        with monkeypatch.context() as child:
            child.setattr(os, "getpid", lambda: -1)
            calls: list[Callable[[], object]] = [lambda: store.append(TALK, [said(1)]), lambda: store.version(TALK)]
            for call in calls:
                with pytest.raises(StoreError, match="open it anew in the child"):
                    call()
            store.close()
        assert store.version(TALK) == 0


def test_a_forked_child_takes_nothing_from_its_parent_and_nobody_hangs_at_the_end(postgres: str, tenant: str) -> None:
    """Our promise, as above, by a real fork; and a program that forgets to close its store ends all the same."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", FORKING, postgres, tenant]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
    assert (run.returncode, run.stdout) == (0, "0 2\n"), run.stderr


def test_a_name_that_no_index_can_hold_is_refused_and_said_so(opened: Opened) -> None:
    """Our promise: nothing is written of what Postgres cannot keep, and the message says what is too long."""
    long = "".join(chr(0x4E00 + number * 7 % 20_000) for number in range(5_000))
    with opened() as store:
        for name, key in ((ConversationId(long), ""), (TALK, long)):
            with pytest.raises(StoreError, match="too long for an index"):
                store.append(name, [said(1)], key=key)
        assert store.conversations() == ()


def test_ids_are_sorted_by_code_point_whatever_the_language_of_the_database(opened: Opened) -> None:
    """Our promise: as Python sorts them, not as a dictionary would."""
    names = [ConversationId(name) for name in ("b", "B", "a", "Ä", "z", "\U0001f600", "\uffee", "a b", "a-b")]
    with opened() as store:
        for name in names:
            store.append(name, [said(1)])
        assert store.conversations() == tuple(sorted(names))


def test_what_was_erased_is_in_no_row(opened: Opened, sql: RunSql) -> None:
    """Our promise: body and salt are deleted, with every snapshot, and the dead rows are given back at once."""
    with opened() as store:
        (entry,) = store.append(TALK, [said(1, "a secret")])
        store.save_snapshot(TALK, Snapshot(epoch=1, chain=entry.chain, fingerprint="f", body=b"a secret"))
        assert store.erase(TALK, [1], reason="asked for") is not None
        for table in ("contents", "snapshots"):
            assert sql(f"SELECT count(*) FROM {table} WHERE position('a secret'::bytea IN body) > 0") == [(0,)]
        assert sql("SELECT count(*) FROM contents WHERE epoch = 1") == [(0,)]
        ((vacuumed,),) = sql("SELECT pg_stat_get_vacuum_count('contents'::regclass)")
        assert vacuumed == 1


def test_an_erasure_stands_where_cleaning_up_is_not_possible(opened: Opened, sql: RunSql) -> None:
    """Our promise: the act is on record when ``erase`` returns, and a failure to tidy is none of it."""
    with opened() as store:
        store.append(TALK, [said(1)])
        sql("ALTER TABLE snapshots RENAME TO others")
        sql("CREATE VIEW snapshots AS SELECT * FROM others")
        assert store.erase(TALK, [1], reason="asked for").epoch == 2
        assert store.version(TALK) == 2


@pytest.mark.parametrize("body", [b"\x7b\xff", b"", b'{"kind":"words","schema":1,"speaker":"eve","turn":"T2"}'])
def test_a_damaged_entry_is_named_and_its_neighbours_are_read(opened: Opened, sql: RunSql, body: bytes) -> None:
    """Our promise: a body that was changed behind the store's back is found by its digest, whatever its bytes are."""
    with opened() as store:
        store.append(TALK, [said(1), said(2), said(3)])
        sql("UPDATE contents SET body = %s WHERE epoch = 2", body)
        reading = store.read(TALK)
        assert next(reading).content == said(1)
        with pytest.raises(UnreadableEntry, match="entry 2 of conversation 'talk': its content was damaged"):
            next(reading)
        assert texts_of(store.read(TALK, after=2)) == ["words 3"]


@pytest.mark.parametrize("size", [0, -1])
def test_a_pool_of_no_size_is_refused(opened: Opened, size: int) -> None:
    """Our promise: said at once, where it stands."""
    with pytest.raises(MalformedInput, match="pool_size"):
        opened(pool_size=size)
