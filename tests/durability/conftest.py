"""Writers in processes of their own, which are killed in the middle of their work."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import IO

import pytest

from upheld.logic.language.identities import AgentId, TurnId
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Words
from upheld.record.ledger.store import Store
from upheld.record.stores.sqlite.store import SqliteStore

EXAMPLES = float(os.environ.get("UPHELD_EXAMPLES", "1"))
SPIN = 40_000
"""Most turns of an empty loop between an acknowledgement and the kill: some appends long on a fast disk."""


OLDER_FILE = """
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
"""A file as the first schema made it: without a chain, salts or heads."""


@dataclass
class Writer:
    """A process that says its number before it opens the file, and then a line for each thing that is kept."""

    pipe: IO[str]
    lines: list[str] = field(default_factory=list[str])

    def listen(self, count: int) -> None:
        """Wait until it has said ``count`` lines."""
        while len(self.lines) < count and self._has_said_more():
            pass

    def killed_after(self, count: int, chance: random.Random) -> list[str]:
        """Kill it (SIGKILL) at some moment after it has said ``count`` lines, and give all that it said."""
        self.listen(max(count, 1))
        for _ in range(chance.randrange(SPIN)):
            pass
        self.kill()
        return self.lines[1:]

    def kill(self) -> None:
        """End it, if it has not been ended before, and read what it has said until then."""
        if not self.pipe.closed:
            self.listen(1)
            os.kill(int(self.lines[0]), signal.SIGKILL)
            while self._has_said_more():
                pass
            self.pipe.close()

    def _has_said_more(self) -> bool:
        line = self.pipe.readline()
        # What has no end was not said: the kill came first.
        if line.endswith("\n"):
            self.lines.append(line.rstrip("\n"))
        return line.endswith("\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a ledger is kept, as writers are told, and a way to open it; ``folder`` has all of it, if anything has."""

    name: str
    opened: Callable[[], Store]
    folder: Path | None


Start = Callable[[str, str, str, int], Writer]
Kills = Callable[[int], int]
Older = Callable[[Path, list[str]], None]


@pytest.fixture
def start(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start a writer: its program, the place of the ledger, a name, and a seed."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    pipes = tmp_path_factory.mktemp("pipes")
    numbers = count()
    writers: list[Writer] = []
    script = [sys.executable, str(Path(__file__).with_name("writers.py"))]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    with subprocess.Popen(script, stdin=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdin is not None
        lines = parent.stdin

        def run(program: str, place: str, name: str, seed: int) -> Writer:
            pipe = pipes / str(next(numbers))
            os.mkfifo(pipe)
            lines.write("\t".join((str(pipe), program, place, name, str(seed))) + "\n")
            lines.flush()
            writers.append(Writer(pipe=pipe.open(encoding="utf-8")))
            return writers[-1]

        yield run
        for writer in writers:
            writer.kill()


@pytest.fixture(params=["file", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Give a place of each kind, with nothing in it yet."""
    if request.param == "file":
        path = tmp_path / "ledger.db"
        return Place(name=str(path), opened=partial(SqliteStore, path), folder=tmp_path)
    address, tenant = request.getfixturevalue("postgres"), request.getfixturevalue("tenant")
    made = import_module("upheld.record.stores.postgres.store").PostgresStore
    return Place(name=f"{address}#{tenant}", opened=partial(made, address, tenant=tenant), folder=None)


@pytest.fixture
def kills() -> Kills:
    """Give how many kills are asked for, scaled by ``UPHELD_EXAMPLES``."""
    return lambda usual: max(1, round(usual * EXAMPLES))


@pytest.fixture
def older() -> Older:
    """Write a file of the first schema, with these words."""

    def write(path: Path, texts: list[str]) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.executescript(OLDER_FILE)
            for epoch, text in enumerate(texts, start=1):
                sealed = Codec().sealed(Words(turn=TurnId(f"T{epoch}"), speaker=AgentId("ann"), text=text))
                row = ("talk", epoch, f"T{epoch}", "", "2026-01-01T00:00:00", sealed.digest)
                connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", row)
                connection.execute("INSERT INTO contents VALUES (?, ?, ?)", ("talk", epoch, sealed.text))

    return write
