"""The service as a process of its own, which may be killed, and those who use it meanwhile."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO

from upheld.faces.service.running import listening

from .conftest import NUMBERS, PATIENCE, Answer, Client, observe

ROOT = Path(__file__).resolve().parents[3]
GONE = (OSError, http.client.HTTPException)
"""What a client meets while there is no service, or when it is killed in the middle of an answer."""


@dataclass(slots=True, kw_only=True)
class Service:
    """``upheld serve`` on one port and one store, started again and again."""

    store: str
    port: int
    flags: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list[str])
    _process: subprocess.Popen[str] | None = None
    _reader: threading.Thread | None = None

    @property
    def client(self) -> Client:
        """Give a client, which need not know whether the service runs."""
        return Client(port=self.port)

    @property
    def pid(self) -> int:
        """The process that was started, which keeps the workers where there are several."""
        assert self._process is not None
        return self._process.pid

    def start(self, *flags: str) -> None:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-m", "upheld.faces.cli", "serve", "--store", self.store, "--port", str(self.port)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("UPHELD_")}
        self._process = subprocess.Popen(
            [*command, "--quiet", *self.flags, *flags],
            cwd=ROOT / "src",
            env=environment,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.lines.append(line)
            if "listening on" in line:
                break
        else:
            raise AssertionError(f"it did not start: {self.lines}")
        # Read to its end, or a full pipe would hold it up.
        self._reader = threading.Thread(target=self._read, args=(self._process.stderr,), daemon=True)
        self._reader.start()

    def kill(self) -> None:
        """Kill it with all its workers, at once (SIGKILL)."""
        self._end(lambda: os.killpg(self.pid, signal.SIGKILL))

    def stop(self) -> int:
        """Tell it to end, and give its status."""
        return self._end(lambda: os.kill(self.pid, signal.SIGTERM))

    def workers(self) -> list[int]:
        """Give the processes that it has started, as Linux tells them."""
        with suppress(OSError):
            children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text("ascii")
            return [int(each) for each in children.split()]
        return []

    def _read(self, stream: IO[str]) -> None:
        with stream:
            self.lines.extend(stream)

    def _end(self, send: Callable[[], None]) -> int:
        assert self._process is not None
        with suppress(ProcessLookupError):
            send()
        status = self._process.wait(2 * PATIENCE)
        assert self._reader is not None
        self._reader.join(PATIENCE)
        return status


@contextmanager
def service(store: str, *flags: str) -> Generator[Service]:
    """Give a service that was not started yet, on a port that is free; it is killed at the end."""
    with listening("127.0.0.1", 0) as bound:
        port = bound.getsockname()[1]
    made = Service(store=store, port=port, flags=flags)
    try:
        yield made
    finally:
        with suppress(AssertionError):
            made.kill()


@contextmanager
def own_database(address: str) -> Generator[str]:
    """Give a database of its own on a server, which goes at the end."""
    connect = import_module("psycopg").connect
    name = f"upheld_{os.getpid()}_{next(NUMBERS)}"
    head, _, query = address.partition("?")
    with connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0")
        try:
            yield f"{head.rpartition('/')[0]}/{name}" + (f"?{query}" if query else "")
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def until(is_so: Callable[[], bool], patience: float = 6 * PATIENCE) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < deadline, "it does not come about"
        time.sleep(0.005)


@dataclass(slots=True, kw_only=True)
class Writer:
    """Tells one turn after the other, each under a key of its own, again and again until it is acknowledged."""

    client: Client
    path: str
    of: str
    acknowledged: dict[str, str] = field(default_factory=dict[str, str])
    refused: list[Answer] = field(default_factory=list[Answer])
    is_enough: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Tell until it is enough; the turn that is under way is told to its end."""
        while not self.is_enough.is_set():
            key = f"{self.of}-{len(self.acknowledged)}"
            self.acknowledged[key] = self._told(key, {"speaker": self.of, "operations": [observe(f"o-{key}")]})

    def _told(self, key: str, body: Mapping[str, object]) -> str:
        deadline = time.monotonic() + 9 * PATIENCE
        while time.monotonic() < deadline:
            with suppress(*GONE):
                answer = self.client.post(f"{self.path}/turns", body, idempotency_key=key)
                if answer.status in {200, 201}:
                    return str(answer.tree["turn"])
                self.refused.append(answer)
            # Who is refused or finds nobody waits a moment, as a client would.
            time.sleep(0.02)
        raise AssertionError(f"{key} was not acknowledged: {self.refused[-1:]}")


@dataclass(slots=True, kw_only=True)
class Listener:
    """Follows a conversation, and resumes by position wherever the stream breaks."""

    client: Client
    path: str
    heard: list[int] = field(default_factory=list[int])
    is_enough: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Follow until it is enough."""
        while not self.is_enough.is_set():
            with suppress(*GONE, AssertionError):
                last = {"last_event_id": str(self.heard[-1])} if self.heard else {}
                with self.client.stream(f"{self.path}/events", **last) as events:
                    for event in events:
                        if "id" in event and "data" in event:
                            self.heard.append(int(event["id"]))
                        if self.is_enough.is_set():
                            return
            time.sleep(0.02)


def count_of(writers: list[Writer]) -> int:
    """How many turns were acknowledged."""
    return sum(len(each.acknowledged) for each in writers)


def assert_once(client: Client, path: str, writers: list[Writer]) -> None:
    """Tell that each acknowledged turn is on record once, under the id that was told."""
    on_record: dict[str, str] = {}
    after = 0
    while page := client.get(f"{path}/turns?after={after}&limit=1000").tree:
        for turn in page["turns"]:
            name = turn["operations"][0]["id"]
            assert name not in on_record, "nothing twice"
            on_record[name] = turn["id"]
        if len(page["turns"]) < 1000:
            break
        after = page["next"]
    told = {f"o-{key}": turn for writer in writers for key, turn in writer.acknowledged.items()}
    assert on_record == told
