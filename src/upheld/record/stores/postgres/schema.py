"""The tables of a ledger in Postgres as numbered migrations. A shipped one is never edited: a change is a new one."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.errors import StoreError
from upheld.record.ledger.store import Clock
from upheld.record.stores.postgres.connection import Connection, begin_reading, begin_writing, lock_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step of the schema, applied whole or not at all."""

    name: str
    statements: tuple[str, ...]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        name="entries chained, contents apart from them, heads, erasures and snapshots",
        statements=(
            # COLLATE "C": ids are sorted by code point, and no index depends on the collations of an operating system.
            # The envelope outlives the content: a row of contents can be erased, order and digest stay.
            """CREATE TABLE entries (
                conversation text COLLATE "C" NOT NULL,
                epoch bigint NOT NULL,
                turn text COLLATE "C",
                key text COLLATE "C" NOT NULL,
                recorded_at text COLLATE "C" NOT NULL,
                digest text COLLATE "C" NOT NULL,
                chain text COLLATE "C" NOT NULL,
                PRIMARY KEY (conversation, epoch)
            )""",
            "CREATE INDEX entries_by_key ON entries (conversation, key) WHERE key <> ''",
            # Bytes: whatever was done to a body, it can be fetched, and its digest tells.
            """CREATE TABLE contents (
                conversation text COLLATE "C" NOT NULL,
                epoch bigint NOT NULL,
                body bytea NOT NULL,
                salt text COLLATE "C" NOT NULL,
                PRIMARY KEY (conversation, epoch)
            )""",
            """CREATE TABLE heads (
                conversation text COLLATE "C" PRIMARY KEY,
                epoch bigint NOT NULL,
                chain text COLLATE "C" NOT NULL
            )""",
            # Which act erased an entry. An index only: a reader asks the act itself, which is chained.
            """CREATE TABLE erasures (
                conversation text COLLATE "C" NOT NULL,
                epoch bigint NOT NULL,
                act bigint NOT NULL,
                PRIMARY KEY (conversation, epoch)
            )""",
            """CREATE TABLE snapshots (
                conversation text COLLATE "C" NOT NULL,
                epoch bigint NOT NULL,
                chain text COLLATE "C" NOT NULL,
                fingerprint text COLLATE "C" NOT NULL,
                body bytea NOT NULL,
                PRIMARY KEY (conversation, epoch)
            )""",
        ),
    ),
    Migration(
        name="claims are found by their words, and by their meaning",
        statements=(
            # Never a number twice: a vector that is held in memory under one must not become another's.
            # Of the text a digest: it may be longer than what an index holds.
            """CREATE TABLE claims (
                number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                conversation text COLLATE "C" NOT NULL,
                proposition text COLLATE "C" NOT NULL,
                digest bytea NOT NULL,
                kind text COLLATE "C" NOT NULL,
                text text COLLATE "C" NOT NULL,
                words tsvector NOT NULL,
                UNIQUE (conversation, proposition, digest)
            )""",
            "CREATE INDEX claims_by_words ON claims USING gin (words)",
            # How a claim stood from one epoch to before another; without an end: how it stands.
            """CREATE TABLE standings (
                claim bigint NOT NULL REFERENCES claims ON DELETE CASCADE,
                since bigint NOT NULL,
                recorded_at text COLLATE "C" NOT NULL,
                upto bigint,
                ended_at text COLLATE "C",
                label text COLLATE "C" NOT NULL,
                lifecycle text COLLATE "C" NOT NULL,
                PRIMARY KEY (claim, since)
            )""",
            "CREATE INDEX standings_now ON standings (claim) WHERE upto IS NULL",
            """CREATE TABLE shelves (
                conversation text COLLATE "C" PRIMARY KEY,
                filed bigint NOT NULL
            )""",
            # Arrays, and no type of an extension: a schema can be read where pgvector is not, or not any more.
            """CREATE TABLE vectors (
                number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                claim bigint NOT NULL REFERENCES claims ON DELETE CASCADE,
                embedder text COLLATE "C" NOT NULL,
                vector real[] NOT NULL,
                UNIQUE (embedder, claim)
            )""",
            # Numbers without a pattern: to try to compress them would be in vain.
            "ALTER TABLE vectors ALTER COLUMN vector SET STORAGE EXTERNAL",
            "CREATE INDEX vectors_of_claims ON vectors (claim)",
        ),
    ),
    Migration(
        name="flags are found without reading every record",
        statements=(
            # The steps of reviews: no schema from before has any.
            """CREATE TABLE reviews (
                conversation text COLLATE "C" NOT NULL,
                epoch bigint NOT NULL,
                flag text COLLATE "C" NOT NULL,
                kind text COLLATE "C" NOT NULL,
                urgency integer,
                recorded_at text COLLATE "C" NOT NULL,
                whom text COLLATE "C",
                PRIMARY KEY (conversation, epoch)
            )""",
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
                name text COLLATE "C" PRIMARY KEY,
                conversation text COLLATE "C" NOT NULL,
                turn text COLLATE "C" NOT NULL
            )""",
            "CREATE INDEX bookmarks_of_conversations ON bookmarks (conversation)",
        ),
    ),
)
"""Number n is the n-th of them, counted from 1."""


def migrate(connection: Connection, schema: str, clock: Clock) -> None:
    """Make the schema if need be and apply what it lacks, in a transaction that others wait for.

    It ends with the connection: committed where that is left in peace, rolled back where it is left by an error.

    Raises:
        StoreError: written by a newer version, a database that is not in UTF-8, or one that cannot be written to.
    """
    # No conversation is without a name, so this lock is nobody else's.
    connection.execute(begin_writing(schema, lock_of(schema, "")))
    _refuse_unfit(connection)
    # Asked first: IF NOT EXISTS needs the right to create even where there is nothing to do.
    if not connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone():
        connection.execute(f'CREATE SCHEMA "{schema}"'.encode())
    if not has_ledger(connection, schema):
        connection.execute(
            "CREATE TABLE migrations (number integer PRIMARY KEY, name text NOT NULL, applied_at text NOT NULL)"
        )
    applied = _applied(connection)
    for number, migration in enumerate(MIGRATIONS[applied:], start=applied + 1):
        for statement in migration.statements:
            connection.execute(statement.encode())
        connection.execute("INSERT INTO migrations VALUES (%s, %s, %s)", (number, migration.name, clock()))


def refuse_other_schema(connection: Connection, schema: str) -> None:
    """Refuse a schema that would have to be made or migrated, for whoever may not write.

    Raises:
        StoreError: no ledger, an older one, or one written by a newer version.
    """
    connection.execute(begin_reading(schema))
    if not has_ledger(connection, schema):
        raise StoreError(f"the schema {schema} holds no ledger")
    applied = _applied(connection)
    if applied < len(MIGRATIONS):
        raise StoreError(f"{schema} is at schema {applied} of {len(MIGRATIONS)}: open it for writing once")


def has_ledger(connection: Connection, schema: str) -> bool:
    """Tell whether there is a ledger in a schema, of whatever version."""
    found = connection.execute("SELECT to_regclass(%s) IS NOT NULL", (f'"{schema}".migrations',)).fetchone()
    return found == (True,)


def _refuse_unfit(connection: Connection) -> None:
    row = connection.execute(
        "SELECT current_setting('server_encoding'), current_setting('transaction_read_only')"
    ).fetchone()
    encoding, is_read_only = row or ("", "")
    if encoding != "UTF8":
        raise StoreError(f"the database keeps texts in {encoding}: create one with ENCODING 'UTF8'")
    if is_read_only == "on":
        raise StoreError("the database is read-only (a standby?): open it for reading only, or take the primary")


def _applied(connection: Connection) -> int:
    row = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone()
    applied = int(row[0]) if row else 0
    if applied > len(MIGRATIONS):
        raise StoreError(f"the ledger has schema {applied}, this version knows {len(MIGRATIONS)}: upgrade upheld")
    return applied
