"""The tables of the store in a file, and files that another version made."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import StoreError
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.chain import linked
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Words, envelope_of
from upheld.record.ledger.verifying import FaultKind, verified
from upheld.record.stores.sqlite.schema import MIGRATIONS
from upheld.record.stores.sqlite.store import SqliteStore

RunSql = Callable[..., list[Any]]
Put = Callable[[int, str, str], None]
TALK = ConversationId("talk")

FIRST_SCHEMA = """
    CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL);
    INSERT INTO migrations VALUES (1, 'entries, and their contents apart from them', '2026-01-01T00:00:00');
    CREATE TABLE entries (
        conversation TEXT NOT NULL, epoch INTEGER NOT NULL, turn TEXT, key TEXT NOT NULL, recorded_at TEXT NOT NULL,
        digest TEXT NOT NULL, PRIMARY KEY (conversation, epoch)
    ) WITHOUT ROWID;
    CREATE TABLE contents (
        conversation TEXT NOT NULL, epoch INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (conversation, epoch)
    );
"""
"""A file as the first schema made it, frozen here: the migrations of the package must lead up from it."""


def said(number: int) -> Words:
    """Give the words of turn ``number``."""
    return Words(turn=TurnId(f"T{number}"), speaker=AgentId("alice"), text=f"words {number}")


def test_an_older_file_is_brought_up_to_date(path: Path, sql: RunSql, put: Put) -> None:
    """Our promise: migrations are numbered, applied once, and lose nothing."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FIRST_SCHEMA)
    put(1, Codec().encode(said(1)), "k")
    for _ in range(2):
        with SqliteStore(path, clock=lambda: "2026-02-02T00:00:00") as store:
            assert [entry.content for entry in store.read(TALK)] == [said(1)]
            assert store.append(TALK, [said(1)], key="k")[0].epoch == 1
    rows = sql("SELECT number, name, applied_at FROM migrations ORDER BY number")
    assert [row[:2] for row in rows] == [(number, step.name) for number, step in enumerate(MIGRATIONS, start=1)]
    assert [row[2] for row in rows] == ["2026-01-01T00:00:00", *["2026-02-02T00:00:00"] * (len(MIGRATIONS) - 1)]


def test_entries_from_before_the_chain_are_linked_when_the_file_is_brought_up_to_date(
    path: Path, sql: RunSql, put: Put
) -> None:
    """Our promise: from that day on nothing can be changed unnoticed; what was changed before is not seen."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FIRST_SCHEMA)
    for epoch in (1, 2, 3):
        put(epoch, Codec().encode(said(epoch)), "")
    sql("INSERT INTO entries SELECT 'other', epoch, turn, key, recorded_at, digest FROM entries WHERE epoch < 3")
    sql("INSERT INTO contents SELECT 'other', epoch, body FROM contents WHERE epoch < 3")
    with SqliteStore(path) as store:
        for name, count in (("talk", 3), ("other", 2)):
            found = verified(store, ConversationId(name))
            assert (found.faults, found.entries, found.unsalted) == ((), count, count)
        (entry,) = store.append(TALK, [said(4)], expected=3)
        assert entry.chain == linked(list(store.kept(TALK))[2].chain, envelope_of(entry))
        found = verified(store, TALK)
        assert (found.faults, found.unsalted, found.head.epoch) == ((), 3, 4)
        store.erase(TALK, [1], reason="asked for")
        assert verified(store, TALK).faults == ()
        sql("UPDATE entries SET turn = 'T9' WHERE epoch = 2 AND conversation = 'talk'")
        assert [(fault.kind, fault.epoch) for fault in verified(store, TALK).faults] == [(FaultKind.FORGED, 2)]


def test_an_older_file_and_a_new_one_have_the_same_tables(path: Path) -> None:
    """Our promise: a shipped migration is never edited, else files of one schema number would differ."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FIRST_SCHEMA)
    fresh = path.with_name("fresh.db")
    schemas: list[list[str]] = []
    for file in (path, fresh):
        SqliteStore(file).close()
        with closing(sqlite3.connect(file)) as connection:
            rows = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
        schemas.append([f"{kind} {name} {''.join(str(text).split())}" for kind, name, text in rows])
    older, newer = schemas
    assert older == newer
    assert len(newer) > len(MIGRATIONS)


def test_a_newer_file_is_refused_and_left_alone(path: Path, sql: RunSql) -> None:
    """Our promise: an older program does not write into what it does not understand."""
    SqliteStore(path).close()
    sql("INSERT INTO migrations VALUES (99, 'from the future', '2030-01-01T00:00:00')")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"schema 99.*upgrade"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_somebody_elses_database_is_left_as_it_was(path: Path, sql: RunSql) -> None:
    """Our promise: a migration is applied whole or not at all."""
    sql("CREATE TABLE contents (theirs TEXT)")
    with pytest.raises(StoreError, match="already exists"):
        SqliteStore(path)
    assert sql("SELECT name FROM sqlite_master") == [("contents",)]
