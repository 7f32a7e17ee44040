"""The service on loopback over real HTTP, and a client of the standard library alone."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra 'server' is not installed")
pytest.importorskip("uvicorn", reason="the extra 'server' is not installed")

from upheld.faces.server.admission.keys import Role, new_key
from upheld.faces.server.house import House
from upheld.faces.server.settings import settings_from
from upheld.faces.service.app import service_app
from upheld.faces.service.running import Server, listening

PATIENCE = 30
"""Seconds after which a test gives up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def tree(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)

    @property
    def problem(self) -> str:
        """The sort of problem that it tells of."""
        assert self.headers["content-type"] == "application/problem+json"
        assert self.tree["status"] == self.status
        return str(self.tree["type"]).removeprefix("urn:upheld:problem:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Asks a service, each time on a connection of its own."""

    port: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    patience: float = PATIENCE

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send one request; what is no bytes is sent as JSON."""
        sent = dict(self.headers) | {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None and not isinstance(body, bytes):
            sent = {"content-type": "application/json"} | sent
            body = json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        try:
            connection.request(method, path, body=body, headers=sent)
            response = connection.getresponse()
            told = {name.lower(): value for name, value in response.getheaders()}
            return Answer(status=response.status, headers=told, body=response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        """Ask for something."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        """Send something."""
        return self.ask("POST", path, body, **headers)

    def begin(self, name: str, *agents: Mapping[str, Any]) -> str:
        """Begin a conversation, and give its path."""
        told = self.post("/v1/conversations", {"id": name, "agents": list(agents)})
        assert told.status == 201, told.body
        return f"/v1/conversations/{name}"

    def tell(self, path: str, speaker: str, *operations: Mapping[str, Any], **more: Any) -> Answer:
        """Tell a turn with these operations."""
        return self.post(f"{path}/turns", {"speaker": speaker, "operations": list(operations), **more})

    @contextmanager
    def stream(self, path: str, **headers: str) -> Generator[Iterator[dict[str, str]]]:
        """Follow a stream of events; comments come as events with nothing but ``comment``."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        try:
            sent = dict(self.headers) | {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request("GET", path, headers=sent)
            response = connection.getresponse()
            assert (response.status, response.getheader("content-type")) == (200, "text/event-stream; charset=utf-8")
            yield _events(response)
        finally:
            connection.close()


def _events(response: http.client.HTTPResponse) -> Iterator[dict[str, str]]:
    event: dict[str, str] = {}
    while line := response.readline().decode():
        name, _, value = line.rstrip("\n").partition(":")
        if line.startswith(":"):
            event["comment"] = value.strip()
        elif name:
            event[name] = value.strip()
        elif event:
            if event.keys() != {"retry"}:
                yield event
            event = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A service that runs in a thread of this process."""

    port: int
    house: House
    _server: Server
    _thread: threading.Thread

    def client(self, key: str = "") -> Client:
        """Give a client, with a key or without."""
        return Client(port=self.port, headers={"authorization": f"Bearer {key}"} if key else {})

    def stop(self) -> None:
        """End it as a signal would."""
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


Start = Callable[..., Running]


def _started(**flags: object) -> Running:
    settings = settings_from(environment={}, flags={"port": 0, **flags})
    app = service_app(settings)
    bound: socket.socket = listening("127.0.0.1", settings.port)
    server = Server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + PATIENCE
    while not server.started and thread.is_alive() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert server.started
    return Running(port=bound.getsockname()[1], house=app.state.house, _server=server, _thread=thread)


@contextmanager
def running_service(**flags: object) -> Generator[Running]:
    """Give a service with these settings, for tests of other folders; it ends at the end."""
    running = _started(**flags)
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Generator[Start]:
    """Start a service on a new file, with these settings; all of them end with the module."""
    with ExitStack() as stack:

        def started(**flags: object) -> Running:
            there = tmp_path_factory.mktemp("store") / "t.db"
            running = _started(**({"store": f"sqlite:///{there}"} | flags))
            stack.callback(running.stop)
            return running

        yield started


@pytest.fixture(scope="module")
def client(start: Start) -> Client:
    """Ask one service that all tests of a module share."""
    return start().client()


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A service that runs as a process of its own, and all that it wrote to standard error."""

    process: subprocess.Popen[str]
    port: int
    lines: list[str]
    _reading: threading.Thread

    def client(self, key: str = "") -> Client:
        """Give a client, with a key or without."""
        return Client(port=self.port, headers={"authorization": f"Bearer {key}"} if key else {})

    def written(self, what: str) -> str:
        """Wait for a line that has this in it."""
        deadline = time.monotonic() + PATIENCE
        while True:
            found = [line for line in tuple(self.lines) if what in line]
            if found:
                return found[0]
            assert time.monotonic() < deadline, self.lines
            time.sleep(0.02)

    def ended(self) -> str:
        """Wait until it has ended, and give all that it wrote."""
        self.process.wait(PATIENCE)
        self._reading.join(PATIENCE)
        return "".join(self.lines)


@contextmanager
def process(root: Path, *flags: str, **environment: str) -> Generator[Process]:
    """Run ``upheld serve`` with these flags, and these variables of the environment."""
    command = [sys.executable, "-m", "upheld.faces.cli", "serve", "--port", "0", *flags]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("UPHELD_")}
    with subprocess.Popen(
        command,
        cwd=root / "src",
        env=kept | environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as running:
        assert running.stderr is not None
        try:
            lines = [next(line for line in running.stderr if "listening on" in line)]
            port = int(lines[0].split("127.0.0.1:")[1].split(";")[0])
            reading = threading.Thread(target=lines.extend, args=(running.stderr,), daemon=True)
            reading.start()
            yield Process(process=running, port=port, lines=lines, _reading=reading)
            # Told to end here too, so that its last lines are read before its pipe is closed.
            running.terminate()
            reading.join(PATIENCE)
        finally:
            running.kill()


NUMBERS = itertools.count()


@pytest.fixture
def name() -> str:
    """A name that no other test gives to a conversation."""
    return f"talk-{next(NUMBERS)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """A file of keys, and their texts by tenant and role: ``acme/writer``."""

    path: Path
    texts: Mapping[str, str]


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    """Keys of two tenants, in every role."""
    texts: dict[str, str] = {}
    lines = ["[keys]"]
    for tenant in ("acme", "globex"):
        for role in Role:
            made = new_key(tenant, role)
            texts[f"{tenant}/{role.value}"] = made.text
            lines.append(made.line)
    path = tmp_path_factory.mktemp("keys") / "keys.toml"
    path.write_text("\n".join(lines), "utf-8")
    return Keys(path=path, texts=texts)


def observe(id: str, text: str = "", **more: Any) -> dict[str, Any]:
    """An observation as it is sent."""
    return {"op": "observe", "id": id, "text": text or f"This is {id}.", **more}


GARDEN = (
    ("ann", observe("o1", "The soil of the left bed is dry.")),
    ("ben", observe("o2", "The soil of the right bed is dry.")),
    ("ben", {"op": "hypothesize", "id": "h1", "text": "The pump is off.", "explains": ["o1"], "depends_on": ["o1"]}),
    ("ann", observe("c1", "The beds want water.", kind="fact", depends_on_any=[["o1"], ["o2"]])),
)


def garden(client: Client, name: str) -> str:
    """Begin a talk about two beds, and give its path: h1 rests on o1, and c1 on o1 or o2."""
    path = client.begin(name, {"id": "ann"}, {"id": "ben"}, {"id": "bot", "kind": "assistant"})
    for speaker, operation in GARDEN:
        assert client.tell(path, speaker, operation).status == 201
    return path
