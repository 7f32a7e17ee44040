"""Many who listen at once: no thread for each, nothing lost, and woken whoever wrote."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import ExitStack

from upheld import Conversation
from upheld.conversation.wiring import opened_store

from .conftest import PATIENCE, Client, Start, garden, observe

CROWD = 200


def listening(client: Client, path: str) -> socket.socket:
    """Ask for a stream, and leave it to be read later."""
    raw = socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE)
    raw.sendall(f"GET {path}/events?after=9 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return raw


def heard(raw: socket.socket, what: bytes) -> bytes:
    """All that was received up to something."""
    got = b""
    while what not in got:
        part = raw.recv(65536)
        assert part, got
        got += part
    return got


def test_a_crowd_that_listens_takes_one_thread_and_hears_within_a_second(start: Start) -> None:
    """Our promise: a listener costs no thread, so that there may be a thousand; also of what other processes write."""
    running = start(requests_a_minute=0)
    client = running.client()
    paths = [garden(client, f"crowd-{number}") for number in range(4)]
    before = threading.active_count()
    with ExitStack() as stack:
        crowd = [stack.enter_context(listening(client, paths[number % 4])) for number in range(CROWD)]
        for each in crowd:
            heard(each, b"retry:")
        while running.house.audience.count < CROWD:
            time.sleep(0.01)
        # The watcher, the readers of news, and threads of requests, which come and go.
        assert threading.active_count() - before < 20
        begun = time.monotonic()
        with opened_store(running.house.settings.store) as store:
            Conversation(id="crowd-1", store=store).observe("ben", "o9", "It rains elsewhere.")
        for each in crowd[1::4]:
            assert b"event: words" in heard(each, b"id: 11\n")
        assert time.monotonic() - begun < 2
        client.tell(paths[2], "ann", observe("o9"))
        for each in crowd[2::4]:
            assert heard(each, b"id: 11\n").count(b"event: words") == 1
        told = client.get("/metrics").body.decode()
        assert f"upheld_live_streams {float(CROWD)}" in told
    deadline = time.monotonic() + PATIENCE
    while running.house.audience.count:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_nothing_is_lost_between_joining_and_the_first_look(client: Client) -> None:
    """Our promise: an entry that comes while a listener comes is told, once, however the two fall."""
    path = garden(client, "racing")
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            assert client.tell(path, "ann", observe(f"r{number}")).status == 201

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(15):
            after = client.get(path).tree["version"]
            with client.stream(f"{path}/events?after={after}") as events:
                seen = [int(next(events)["id"]) for _ in range(4)]
            assert seen == list(range(after + 1, after + 5))
    finally:
        stop.set()
        writer.join()
