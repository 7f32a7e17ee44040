"""The tables of an SQLite ledger as numbered migrations. A shipped one is never edited: a change is a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from upheld.errors import StoreError
from upheld.logic.language.identities import ConversationId, Epoch, TurnId
from upheld.record.ledger.chain import BEGINNING, linked
from upheld.record.ledger.entry import Envelope
from upheld.record.ledger.store import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step of the schema, applied whole or not at all; ``fill`` computes what no statement could."""

    name: str
    statements: tuple[str, ...]
    fill: Callable[[sqlite3.Connection], None] | None = None


def _chain_what_is_there(connection: sqlite3.Connection) -> None:
    """Compute the links of entries from before there were any, and note the heads.

    They prove that nothing was changed since this day, and nothing about the days before.
    """
    rows = connection.execute(
        "SELECT conversation, epoch, turn, key, recorded_at, digest FROM entries ORDER BY conversation, epoch"
    )
    heads: dict[str, tuple[int, str]] = {}
    for conversation, epoch, turn, key, recorded_at, digest in rows:
        _, chain = heads.get(conversation, (0, BEGINNING.chain))
        envelope = Envelope(
            conversation=ConversationId(conversation),
            epoch=Epoch(epoch),
            turn=None if turn is None else TurnId(turn),
            key=key,
            recorded_at=recorded_at,
            digest=digest,
        )
        heads[conversation] = (epoch, linked(chain, envelope))
        connection.execute("INSERT INTO chains_to_be VALUES (?, ?, ?)", (conversation, epoch, heads[conversation][1]))
    connection.execute(
        "UPDATE entries SET chain = (SELECT chain FROM chains_to_be AS new"
        " WHERE new.conversation = entries.conversation AND new.epoch = entries.epoch)"
    )
    connection.execute("DROP TABLE chains_to_be")
    connection.executemany(
        "INSERT INTO heads VALUES (?, ?, ?)", [(conversation, *head) for conversation, head in heads.items()]
    )


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
    Migration(
        name="entries are chained, contents are salted and can be erased",
        statements=(
            "ALTER TABLE entries ADD COLUMN chain TEXT NOT NULL DEFAULT ''",
            # Empty for contents from before: their digests stand in the chain, and were taken without a salt.
            "ALTER TABLE contents ADD COLUMN salt TEXT NOT NULL DEFAULT ''",
            "CREATE TABLE heads (conversation TEXT PRIMARY KEY, epoch INTEGER NOT NULL, chain TEXT NOT NULL)"
            " WITHOUT ROWID",
            # Which act erased an entry. An index only: a reader asks the act itself, which is chained.
            """CREATE TABLE erasures (
                conversation TEXT NOT NULL,
                epoch INTEGER NOT NULL,
                act INTEGER NOT NULL,
                PRIMARY KEY (conversation, epoch)
            ) WITHOUT ROWID""",
            "CREATE TEMPORARY TABLE chains_to_be"
            " (conversation TEXT, epoch INTEGER, chain TEXT, PRIMARY KEY (conversation, epoch)) WITHOUT ROWID",
        ),
        fill=_chain_what_is_there,
    ),
    Migration(
        name="snapshots beside the ledger",
        statements=(
            """CREATE TABLE snapshots (
                conversation TEXT NOT NULL,
                epoch INTEGER NOT NULL,
                chain TEXT NOT NULL,
                fingerprint TEXT NOT NULL,
                body BLOB NOT NULL,
                PRIMARY KEY (conversation, epoch)
            )""",
        ),
    ),
    Migration(
        name="claims are found by their words, and by their meaning",
        statements=(
            # Never a number twice: a vector that is held in memory under one must not become another's.
            """CREATE TABLE claims (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                conversation TEXT NOT NULL,
                proposition TEXT NOT NULL,
                kind TEXT NOT NULL,
                text TEXT NOT NULL,
                UNIQUE (conversation, proposition, text)
            )""",
            """CREATE TABLE vectors (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                claim INTEGER NOT NULL,
                embedder TEXT NOT NULL,
                vector BLOB NOT NULL,
                UNIQUE (embedder, claim)
            )""",
            "CREATE INDEX vectors_of_claims ON vectors (claim)",
            # How a claim stood from one epoch to before another; without an end: how it stands.
            """CREATE TABLE standings (
                claim INTEGER NOT NULL,
                since INTEGER NOT NULL,
                recorded_at TEXT NOT NULL,
                upto INTEGER,
                ended_at TEXT,
                label TEXT NOT NULL,
                lifecycle TEXT NOT NULL,
                PRIMARY KEY (claim, since)
            ) WITHOUT ROWID""",
            "CREATE TABLE shelves (conversation TEXT PRIMARY KEY, filed INTEGER NOT NULL) WITHOUT ROWID",
            "CREATE VIRTUAL TABLE words_of_claims USING fts5"
            " (text, content='claims', content_rowid='number', tokenize='porter unicode61 remove_diacritics 2')",
        ),
    ),
    Migration(
        name="flags are found without reading every record",
        statements=(
            # The steps of reviews: no file from before has any.
            """CREATE TABLE reviews (
                conversation TEXT NOT NULL,
                epoch INTEGER NOT NULL,
                flag TEXT NOT NULL,
                kind TEXT NOT NULL,
                urgency INTEGER,
                recorded_at TEXT NOT NULL,
                whom TEXT,
                PRIMARY KEY (conversation, epoch)
            ) WITHOUT ROWID""",
            "CREATE INDEX reviews_of_flags ON reviews (conversation, flag, kind, epoch)",
            "CREATE INDEX reviews_in_order ON reviews (urgency, recorded_at DESC, conversation, epoch DESC)"
            " WHERE kind = 'flagged'",
        ),
    ),
    Migration(
        name="places are found by names that others gave them",
        statements=(
            # Beside the record, as snapshots are: nothing rests on it.
            """CREATE TABLE bookmarks (
                name TEXT PRIMARY KEY,
                conversation TEXT NOT NULL,
                turn TEXT NOT NULL
            ) WITHOUT ROWID""",
            "CREATE INDEX bookmarks_of_conversations ON bookmarks (conversation)",
        ),
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
        for number, migration in enumerate(MIGRATIONS[_applied(connection) :], start=_applied(connection) + 1):
            for statement in migration.statements:
                connection.execute(statement)
            if migration.fill is not None:
                migration.fill(connection)
            connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (number, migration.name, clock()))


def refuse_other_schema(connection: sqlite3.Connection) -> None:
    """Refuse a file that would have to be migrated, for whoever may not write to it.

    Raises:
        StoreError: no ledger, an older one, or one written by a newer version.
    """
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone():
        raise StoreError("the file holds no ledger")
    applied = _applied(connection)
    if applied < len(MIGRATIONS):
        raise StoreError(f"the file has schema {applied} of {len(MIGRATIONS)}: open it for writing once")


def _applied(connection: sqlite3.Connection) -> int:
    (applied,) = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone()
    if applied > len(MIGRATIONS):
        raise StoreError(f"the file has schema {applied}, this version knows {len(MIGRATIONS)}: upgrade upheld")
    return int(applied)
