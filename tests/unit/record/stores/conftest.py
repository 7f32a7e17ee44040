"""A file for a store, and ways to write to it behind the store's back."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the path of a file that is not there yet."""
    return tmp_path / "ledger.db"


@pytest.fixture
def sql(path: Path) -> Callable[..., list[Any]]:
    """Run one statement on the file, and give its rows."""

    def run(statement: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(path)) as connection, connection:
            return connection.execute(statement, values).fetchall()

    return run


@pytest.fixture
def put(sql: Callable[..., list[Any]]) -> Callable[[int, str, str], None]:
    """Write an entry of ``talk`` (epoch, JSON text, key) as some other version of the program would have."""

    def write(epoch: int, body: str, key: str) -> None:
        digest = sha256(body.encode()).hexdigest()
        columns = "conversation, epoch, turn, key, recorded_at, digest"
        row = "'talk', ?, 'T1', ?, '2026-01-01T00:00:00', ?"
        sql(f"INSERT INTO entries ({columns}) VALUES ({row})", epoch, key, digest)
        sql("INSERT INTO contents (conversation, epoch, body) VALUES ('talk', ?, ?)", epoch, body)
        if sql("SELECT 1 FROM sqlite_master WHERE name = 'heads'"):
            sql("INSERT OR REPLACE INTO heads VALUES ('talk', ?, '')", epoch)

    return write
