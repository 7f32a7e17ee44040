"""The tables of an SQLite ledger as numbered migrations. A shipped one is never edited: a change is a new one."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from upheld.errors import StoreError
from upheld.record.ledger.store import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step of the schema, applied whole or not at all."""

    name: str
    statements: tuple[str, ...]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        name="entries, and their contents apart from them",
        statements=(
            # The envelope outlives the content: a row of contents can be erased, order and digest stay.
            """CREATE TABLE entries (
                conversation TEXT NOT NULL,
                epoch INTEGER NOT NULL,
                turn TEXT,
                key TEXT NOT NULL,
                recorded_at TEXT NOT NULL,
                digest TEXT NOT NULL,
                PRIMARY KEY (conversation, epoch)
            ) WITHOUT ROWID""",
            # With rowid: large rows make a table without rowid slow (SQLite, withoutrowid.html).
            """CREATE TABLE contents (
                conversation TEXT NOT NULL,
                epoch INTEGER NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (conversation, epoch)
            )""",
        ),
    ),
    Migration(
        name="an append is found by its key",
        statements=("CREATE INDEX entries_by_key ON entries (conversation, key) WHERE key <> ''",),
    ),
)
"""Number n is the n-th of them, counted from 1."""


def migrate(connection: sqlite3.Connection, clock: Clock) -> None:
    """Apply what the file lacks, in one transaction.

    Raises:
        StoreError: the file was written by a newer version.
    """
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations"
            " (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)"
        )
        # Writes nothing, but only where writing is allowed: a read-only file is refused now, not at the first append.
        connection.execute("DELETE FROM migrations WHERE number IS NULL")
        (applied,) = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone()
        if applied > len(MIGRATIONS):
            raise StoreError(f"the file has schema {applied}, this version knows {len(MIGRATIONS)}: upgrade upheld")
        for number, migration in enumerate(MIGRATIONS[applied:], start=applied + 1):
            for statement in migration.statements:
                connection.execute(statement)
            connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (number, migration.name, clock()))
