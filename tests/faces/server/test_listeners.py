"""Many who listen at once: no thread for each, nothing lost, and woken whoever wrote."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from contextlib import ExitStack, suppress

import pytest

from upheld import Conversation
from upheld.conversation.wiring import opened_store
from upheld.errors import StoreError
from upheld.faces.server.answering import THREADS
from upheld.faces.server.live.pages import KEPT, Page, Pages, Place, Sought
from upheld.logic.language.identities import ConversationId

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
        # The watcher, the readers of news, and the threads of requests, which are no more for a greater crowd.
        assert threading.active_count() - before < THREADS + 10 < CROWD
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


def sought(after: int, version: int) -> Sought:
    """A page of one conversation."""
    return Sought(tenant="t", conversation=ConversationId("c"), record="r", after=after, version=version)


class Looks:
    """Counts how often somebody looks, and gives a page that says which time it was."""

    def __init__(self, *failing: int) -> None:
        """Fail these times."""
        self.count = 0
        self._failing = failing

    def __call__(self) -> Page:
        """Look."""
        self.count += 1
        time.sleep(0.02)
        if self.count in self._failing:
            raise StoreError("away")
        return Page(events=(), end=Place(after=self.count, events=0, words=None))


def test_those_who_seek_the_same_page_look_once() -> None:
    """Our promise: a crowd costs one look, and a page is of one version: what is sought later is looked for again."""

    async def crowd() -> None:
        pages, look = Pages(4), Looks()
        found = await asyncio.gather(*(pages.page(sought(3, 5), look) for _ in range(50)))
        assert (look.count, {page.end.after for page in found}) == (1, {1})
        assert (await pages.page(sought(3, 6), look)).end.after == 2
        assert (await pages.page(sought(4, 6), look)).end.after == 3
        unknown = await asyncio.gather(*(pages.page(sought(3, 0), look) for _ in range(3)))
        assert (look.count, len(unknown)) == (6, 3)

    asyncio.run(crowd())


def test_who_leaves_takes_no_page_away_and_a_failure_is_not_kept() -> None:
    """Our promise: the others get what was looked for; after a fault the next one looks again."""

    async def crowd() -> None:
        pages, look = Pages(4), Looks(2)
        leaving, staying = (asyncio.create_task(pages.page(sought(1, 2), look)) for _ in range(2))
        await asyncio.sleep(0)
        leaving.cancel()
        assert (await staying).end.after == 1
        with suppress(asyncio.CancelledError):
            await leaving
        with pytest.raises(StoreError):
            await pages.page(sought(1, 3), look)
        assert (await pages.page(sought(1, 3), look)).end.after == 3

    asyncio.run(crowd())


def test_pages_of_the_past_are_let_go() -> None:
    """Our promise: a service that runs for months keeps no more pages than it says."""

    async def long() -> None:
        pages = Pages(4)
        place = Page(events=(), end=Place(after=0, events=0, words=None))
        for number in range(KEPT + 10):
            await pages.page(sought(number, 1), lambda: place)
        look = Looks()
        await pages.page(sought(KEPT + 9, 1), look)
        assert look.count == 0
        await pages.page(sought(0, 1), look)
        assert look.count == 1

    asyncio.run(long())
