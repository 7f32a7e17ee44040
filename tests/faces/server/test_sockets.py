"""A conversation over a WebSocket: the events of the stream, keys that a page can send, and codes that say why."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

pytest.importorskip("websockets", reason="the extra 'server' is not installed")

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from .conftest import PATIENCE, Keys, Running, Start, garden, observe


@contextmanager
def opened(
    running: Running, path: str, *, key: str = "", protocols: tuple[str, ...] = (), origin: str = ""
) -> Generator[ClientConnection]:
    """Open a socket, with a key in a header or among the protocols."""
    with connect(
        f"ws://127.0.0.1:{running.port}{path}",
        additional_headers={"authorization": f"Bearer {key}"} if key else None,
        subprotocols=[Subprotocol(each) for each in protocols] or None,
        origin=Origin(origin) if origin else None,
        open_timeout=PATIENCE,
        close_timeout=PATIENCE,
        proxy=None,
    ) as socket:
        yield socket


def told(socket: ClientConnection) -> Any:
    """The next event."""
    return json.loads(socket.recv(PATIENCE))


def ending(socket: ClientConnection) -> tuple[int, str]:
    """Code and reason with which the service closes; what it says before is passed over."""
    with suppress(ConnectionClosed):
        while True:
            socket.recv(PATIENCE)
    assert socket.close_code is not None
    return socket.close_code, socket.close_reason or ""


@pytest.fixture(scope="module")
def running(start: Start) -> Running:
    """One service without keys for the tests that need no other."""
    return start()


def test_a_socket_tells_what_a_stream_tells_and_resumes_after_an_entry(running: Running) -> None:
    """Our promise: the same events with the same fields, as JSON, each once and in order."""
    client = running.client()
    path = garden(client, "socket")
    with client.stream(f"{path}/events?after=6") as events, opened(running, f"{path}/live?after=6") as socket:
        streamed = [json.loads(next(events)["data"]) for _ in range(3)]
        assert [told(socket) for _ in range(3)] == streamed
        assert [each["epoch"] for each in streamed] == [7, 8, 9]
        begun = time.monotonic()
        client.tell(path, "ann", observe("o8"))
        assert [told(socket)["kind"], told(socket)["kind"]] == ["words", "meaning"]
        assert time.monotonic() - begun < 1
    with opened(running, f"{path}/live") as socket:
        assert [told(socket)["epoch"] for _ in range(11)] == list(range(1, 12))


def test_a_verdict_is_told_to_those_who_listen_and_to_nobody_later(running: Running) -> None:
    """Our promise: outcome, reasons and the ids of claims, and none of the words; it has no id to resume after."""
    client = running.client()
    path, other = garden(client, "judged"), garden(client, "judged-elsewhere")
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}})
    with (
        client.stream(f"{path}/events?after=10") as events,
        opened(running, f"{path}/live?after=10") as socket,
        opened(running, f"{other}/live?after=9") as elsewhere,
    ):
        while running.house.audience.count < 3:
            time.sleep(0.01)
        asked = {"claims": [{"literal": "h1", "modality": "hypothesis"}, {"literal": "o2"}], "speaker": "bot"}
        answer = client.post(f"{path}/verify", asked).tree
        expected = {
            "kind": "verdict",
            "version": 10,
            "speaker": "bot",
            "outcome": "ungrounded",
            "reasons": answer["reasons"],
            "claims": ["h1", "o2"],
        }
        assert told(socket) == expected
        event = next(events)
        assert (event["event"], json.loads(event["data"]), "id" in event) == ("verdict", expected, False)
        client.post(f"{path}/verify", {"claims": [{"literal": "o2"}], "at": "T3"})
        client.tell(path, "ann", observe("o9"))
        assert told(socket)["kind"] == "words", "how it stood earlier is no news"
        client.tell(other, "ann", observe("o9"))
        assert told(elsewhere)["kind"] == "words", "a verdict elsewhere is none of theirs"
    with client.stream(f"{path}/events?after=10") as events:
        assert next(events)["event"] == "words", "a verdict is in no record"


def test_a_socket_passes_the_same_gate_as_a_request(start: Start, keys: Keys) -> None:
    """Our promise: no key, no socket; a page names its key among the protocols, and `upheld` comes back."""
    running = start(keys=keys.path, tenants=True)
    reader, other = keys.texts["acme/reader"], keys.texts["globex/admin"]
    path = garden(running.client(keys.texts["acme/writer"]), "gated")
    with opened(running, f"{path}/live", key=reader) as socket:
        assert (told(socket)["kind"], socket.subprotocol) == ("opening", None)
    with opened(running, f"{path}/live", protocols=("upheld", f"bearer.{reader}")) as socket:
        assert (told(socket)["kind"], socket.subprotocol) == ("opening", "upheld")
    with opened(running, f"{path}/live", key=other) as socket:
        assert ending(socket) == (1008, "unknown-conversation"), "another tenant's conversation does not exist"
    refused = [
        {"key": ""},
        {"key": "upheld_acme_guess"},
        {"protocols": ("upheld", "bearer.upheld_acme_guess")},
        {"protocols": ("upheld", reader)},
        {"key": reader, "origin": "https://elsewhere.example"},
    ]
    statuses: list[int] = []
    for each in refused:
        with pytest.raises(InvalidStatus) as caught, opened(running, f"{path}/live", **each):  # pyright: ignore[reportArgumentType]
            pass
        statuses.append(caught.value.response.status_code)
        assert caught.value.response.headers["content-type"] == "application/problem+json"
    assert statuses == [401, 401, 401, 401, 403]
    with pytest.raises(InvalidStatus), opened(running, f"{path}/live?key={reader}"):
        pass  # a key in an address would stand in every log on the way


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/v1/conversations/nobody-began-it/live", (1008, "unknown-conversation")),
        ("/v1/conversations/%00/live", (1008, "malformed-input")),
        ("/v1/conversations/codes/live?after=-1", (1008, "malformed-input")),
        ("/v1/conversations/codes/live?after=x", (1008, "malformed-input")),
        (f"/v1/conversations/codes/live?after={'9' * 30}", (1008, "malformed-input")),
    ],
)
def test_a_socket_that_cannot_begin_says_why(running: Running, path: str, expected: tuple[int, str]) -> None:
    """RFC 6455, 7.4: 1008 is what will not do however often it is tried; the reason is the type of the problem."""
    running.client().post("/v1/conversations", {"id": "codes"})
    with opened(running, path) as socket:
        assert ending(socket) == expected


def test_nothing_is_read_from_a_socket_but_pings(running: Running) -> None:
    """Our promise: it is no second way in; whoever speaks is shown out."""
    path = running.client().begin("quiet")
    for message, codes in (("hello", {1008}), (b"\0", {1008}), ("x" * 5000, {1009, 1008})):
        with opened(running, f"{path}/live") as socket:
            assert told(socket)["kind"] == "opening"
            assert socket.ping().wait(PATIENCE)
            socket.send(message)
            assert ending(socket)[0] in codes
    deadline = time.monotonic() + PATIENCE
    while running.house.audience.count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_one_socket_too_many_is_told_to_try_again(start: Start) -> None:
    """Our promise: 1013 is what may do later; a place that was left is free."""
    running = start(most_live=1)
    path = running.client().begin("full")
    with opened(running, f"{path}/live") as first:
        assert told(first)["kind"] == "opening"
        with opened(running, f"{path}/live") as second:
            assert ending(second) == (1013, "too-many-streams")
    deadline = time.monotonic() + PATIENCE
    while running.house.audience.count:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    with opened(running, f"{path}/live") as again:
        assert told(again)["kind"] == "opening"


def test_a_store_that_goes_away_ends_a_socket_with_try_again(start: Start) -> None:
    """Our promise: whoever comes again learns whether it is back; no page that is kept tells them that all is well."""
    running = start(heartbeat=0.05)
    client = running.client()
    path = client.begin("lost", {"id": "ann"})
    with opened(running, f"{path}/live") as socket:
        assert told(socket)["kind"] == "opening"
        assert client.tell(path, "ann", observe("o1")).status == 201
        assert [told(socket)["kind"] for _ in range(2)] == ["words", "meaning"]
        # It looks again at each heartbeat, and by then what comes next is a page that is kept.
        time.sleep(0.5)
        running.house.tenancy.close()
        assert ending(socket) == (1013, "store")
    assert b'upheld_store_errors_total{kind="store"} 1.0' in running.client().get("/metrics").body


def test_sockets_end_when_the_service_ends(start: Start) -> None:
    """Our promise: a listener does not hold up a stop, and learns that it is one."""
    running = start()
    path = running.client().begin("ending")
    with opened(running, f"{path}/live") as socket:
        assert told(socket)["kind"] == "opening"
        begun = time.monotonic()
        stopping = threading.Thread(target=running.stop)
        stopping.start()
        assert ending(socket)[0] in {1001, 1012}
        stopping.join()
        assert time.monotonic() - begun < 5
