"""What the store in a file does besides the contract of every store."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import MalformedInput, RepeatedIdentity, StoreError, UnreadableEntry
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.logic.language.plain import Tree
from upheld.record.ledger.chain import digest_of
from upheld.record.ledger.codec import SCHEMAS, Codec
from upheld.record.ledger.entry import Words
from upheld.record.stores.sqlite.store import SqliteStore

RunSql = Callable[..., list[Any]]
Put = Callable[[int, str, str], None]
TALK = ConversationId("talk")

WRITER = """
import sys
from upheld.errors import VersionConflict
from upheld.record.ledger.entry import Words
from upheld.record.stores.sqlite.store import SqliteStore

path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
with SqliteStore(path) as store:
    store.append("shared", [Words(turn="T1", speaker="all", text="once")], key="once")
    for number in range(count):
        store.append("talk", [Words(turn=f"T{number}", speaker=name)] * 2)
        while True:
            try:
                store.append("guarded", [Words(turn=f"T{number}", speaker=name)], expected=store.version("guarded"))
                break
            except VersionConflict:
                pass
"""


def said(number: int) -> Words:
    """Give the words of turn ``number``."""
    return Words(turn=TurnId(f"T{number}"), speaker=AgentId("alice"), text=f"words {number}")


def test_processes_append_at_the_same_time(path: Path) -> None:
    """Our promise: several processes may write, to a file that none of them finds; nothing is lost or doubled."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [
        subprocess.Popen(
            [*command, name, "25"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        for name in ("a", "b", "c")
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    with SqliteStore(path) as store:
        assert store.version(ConversationId("shared")) == 1
        for name, copies in (("talk", 2), ("guarded", 1)):
            entries = list(store.read(ConversationId(name)))
            assert [entry.epoch for entry in entries] == list(range(1, 75 * copies + 1))
            for speaker in ("a", "b", "c"):
                turns = [e.turn for e in entries if isinstance(e.content, Words) and e.content.speaker == speaker]
                assert turns == [f"T{number}" for number in range(25) for _ in range(copies)]


def test_a_reader_does_not_wait_for_a_writer_of_another_process(path: Path) -> None:
    """Our promise: while somebody writes, everything committed can be read, and an append says that it has to wait."""
    with SqliteStore(path, busy_timeout=0) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        store.append(TALK, [said(1)])
        other.execute("BEGIN IMMEDIATE")
        assert store.version(TALK) == len(list(store.read(TALK))) == 1
        with pytest.raises(StoreError, match="another process is writing"):
            store.append(TALK, [said(2)])
        other.execute("ROLLBACK")
        store.append(TALK, [said(2)])
        assert store.version(TALK) == 2


def test_an_append_that_the_disk_refuses_halfway_leaves_nothing(path: Path, sql: RunSql) -> None:
    """Our promise: one transaction an append; envelope and content are kept together or not at all."""
    with SqliteStore(path) as store:
        store.append(TALK, [said(1)])
        sql("CREATE TRIGGER full BEFORE INSERT ON contents BEGIN SELECT raise(ABORT, 'no space'); END")
        with pytest.raises(StoreError, match="no space"):
            store.append(TALK, [said(2), said(3)], key="k")
        assert store.version(TALK) == 1
        sql("DROP TRIGGER full")
        assert [entry.epoch for entry in store.append(TALK, [said(2)], key="k")] == [2]


@pytest.mark.parametrize("path", ["", ":memory:"])
def test_no_file_is_no_store(path: str) -> None:
    """Our promise: SQLite's nameless databases are one a connection, so a store over one would see half of itself."""
    with pytest.raises(MalformedInput, match="EphemeralStore"):
        SqliteStore(path)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE contents SET body = replace(body, 'words 2', 'words 3') WHERE epoch = 2", "damaged"),
        ("UPDATE contents SET body = substr(body, 1, 20) WHERE epoch = 2", "damaged"),
        ("UPDATE contents SET body = CAST(x'7bff' AS TEXT) WHERE epoch = 2", "damaged"),
        ("UPDATE contents SET body = x'00ff' WHERE epoch = 2", "damaged"),
        ("DELETE FROM contents WHERE epoch = 2", "missing"),
    ],
    ids=["altered", "truncated", "not utf-8", "blob", "erased"],
)
def test_a_damaged_entry_is_named_and_its_neighbours_are_read(path: Path, sql: RunSql, damage: str, why: str) -> None:
    """Our promise: damage is noticed by the digest, even where the JSON still reads, and said with its place."""
    with SqliteStore(path) as store:
        store.append(TALK, [said(1), said(2), said(3)])
        sql(damage)
        reading = store.read(TALK)
        assert next(reading).content == said(1)
        with pytest.raises(UnreadableEntry, match=f"entry 2 of conversation 'talk': its content .*{why}"):
            next(reading)
        assert [entry.content for entry in store.read(TALK, after=2)] == [said(3)]


def test_an_entry_of_a_newer_version_is_named(path: Path, put: Put) -> None:
    """Our promise: sound, but of a schema that this version does not know."""
    with SqliteStore(path) as store:
        put(1, '{"kind":"words","schema":2,"tone":"dry"}', "")
        with pytest.raises(UnreadableEntry, match=r"entry 1 of conversation 'talk': .*newer"):
            list(store.read(TALK))


def test_an_older_entry_is_lifted_and_keeps_its_digest_and_key(path: Path, sql: RunSql, put: Put) -> None:
    """Our promise: upcasting changes what is read, never what is stored, and a retry after an upgrade is a retry."""

    def with_text(tree: Tree) -> Tree:
        return {**{name: value for name, value in tree.items() if name != "utterance"}, "text": tree["utterance"]}

    first = '{"kind":"words","schema":1,"speaker":"alice","turn":"T1","utterance":"words 1"}'
    codec = Codec(schemas={**SCHEMAS, "words": 2}, upcasts={("words", 1): with_text})
    with SqliteStore(path, codec=codec) as store:
        put(1, first, "k")
        (entry,) = store.read(TALK)
        assert (entry.content, entry.digest) == (said(1), digest_of(first))
        assert store.append(TALK, [said(1)], key="k") == (entry,)
        with pytest.raises(RepeatedIdentity):
            store.append(TALK, [said(2)], key="k")
    assert sql("SELECT body FROM contents") == [(first,)]


def test_a_store_does_not_outlive_a_fork(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Demanded by SQLite (howtocorrupt.html, section 2.6): a connection must not be carried across a fork."""
    with SqliteStore(path) as store:
        with monkeypatch.context() as child:
            child.setattr(os, "getpid", lambda: -1)
            calls: list[Callable[[], object]] = [lambda: store.append(TALK, [said(1)]), lambda: store.version(TALK)]
            for call in calls:
                with pytest.raises(StoreError, match="open it anew in the child"):
                    call()
            store.close()
        assert store.version(TALK) == 0


def test_the_path_is_that_of_the_moment_of_opening(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: a relative path is not looked up again when the working folder changes."""
    monkeypatch.chdir(path.parent)
    with SqliteStore("ledger.db") as store:
        monkeypatch.chdir("/")
        store.append(TALK, [said(1)])
    assert path.exists()
