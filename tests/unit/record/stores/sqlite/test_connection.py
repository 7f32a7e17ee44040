"""Opening files, good and bad."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import StoreError
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Words
from upheld.record.stores.sqlite import connection as sqlite_connection
from upheld.record.stores.sqlite.store import SqliteStore

TALK = ConversationId("talk")


def said(number: int) -> Words:
    """Give the words of turn ``number``."""
    return Words(turn=TurnId(f"T{number}"), speaker=AgentId("alice"), text=f"words {number}")


def test_the_log_is_written_ahead_and_synchronised_in_full(path: Path) -> None:
    """Our promise: readers do not wait for writers, and what ``append`` returned outlives a power cut."""
    with SqliteStore(path) as store:
        store.append(TALK, [said(1)])
        assert path.with_name("ledger.db-wal").stat().st_size > 0
        with closing(sqlite_connection.connected(path, busy_timeout=0)) as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert not path.with_name("ledger.db-wal").exists()


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    """Our promise: a typed error that names the file, which stays as it was."""
    path.write_text("Minutes of the meeting. " * 200)
    with pytest.raises(StoreError, match=r"ledger\.db: the file is no SQLite database"):
        SqliteStore(path)
    assert path.read_text() == "Minutes of the meeting. " * 200


def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    """Our promise: a typed error for a folder, and for a folder that is not there."""
    for place in (tmp_path, tmp_path / "absent" / "ledger.db"):
        with pytest.raises(StoreError, match="cannot be opened or created"):
            SqliteStore(place)


def test_a_file_that_the_driver_opens_read_only_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise, as above, for whoever runs this: SQLite itself is told that the file is read-only."""
    connect: Any = sqlite3.connect

    def read_only(path: Path, **rest: Any) -> Any:
        return connect(f"file:{path}?mode=ro", uri=True, **rest)

    with SqliteStore(path):
        monkeypatch.setattr(sqlite3, "connect", read_only)
        with pytest.raises(StoreError, match="read-only"):
            SqliteStore(path)


def test_an_unlocked_moment_is_waited_for_when_the_file_is_fresh(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Demanded by SQLite: the switch to write-ahead logging does not wait by itself; a second process must."""
    refusals: Iterator[bool] = iter([True, True, False])

    class Reluctant(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            if "journal_mode" in statement and next(refusals, False):
                error = sqlite3.OperationalError("database is locked")
                error.sqlite_errorname = "SQLITE_BUSY"
                raise error
            return super().execute(statement, *values)

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Reluctant))
    with SqliteStore(path) as store:
        store.append(TALK, [said(1)])
    assert next(refusals, None) is None
    refusals = iter([True])
    with pytest.raises(StoreError, match="another process is writing"):
        SqliteStore(path, busy_timeout=0)
