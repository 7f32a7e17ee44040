"""The service is killed again and again under load: what it acknowledged is there, once, and streams go on."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from upheld.conversation.wiring import opened_store
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.verifying import verified

from .processes import Listener, Service, Writer, assert_once, count_of, own_database, service, until

pytest.importorskip("typer", reason="the extra 'cli' is not installed")

EXAMPLES = float(os.environ.get("UPHELD_EXAMPLES", "1"))
KILLS = max(1, round(5 * EXAMPLES))
TALK = ConversationId("killed")
WRITERS = 3


@pytest.fixture(params=["file", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    """An address of each kind, with nothing in it yet."""
    if request.param == "file":
        yield f"sqlite:///{tmp_path}/t.db"
    else:
        with own_database(request.getfixturevalue("postgres")) as address:
            yield address


def kill_under_load(served: Service, writers: list[Writer]) -> None:
    """Start it anew after each kill, each third time with two workers, while everybody goes on."""
    chance = random.Random(0)
    for number in range(KILLS):
        has_two = number % 3 == 1
        served.start("--workers", str(1 + has_two))
        goal = count_of(writers) + chance.randrange(1, 25)
        until(lambda goal=goal: count_of(writers) >= goal)
        if has_two:
            # One of two alone first: the other goes on, with what the kernel had for both.
            os.kill(served.workers()[0], signal.SIGKILL)
            until(lambda goal=goal: count_of(writers) >= goal + 2)
        for _ in range(chance.randrange(40_000)):
            pass
        served.kill()
    served.start()
    goal = count_of(writers) + 10
    until(lambda: count_of(writers) >= goal)
    for each in writers:
        each.is_enough.set()


def test_killed_under_load_again_and_again_it_loses_and_repeats_nothing(store: str) -> None:
    """Our promise: a 201 outlives a kill, a key tells a turn once, and a stream resumes without gap or repeat."""
    with service(store) as served, ThreadPoolExecutor(WRITERS + 1) as threads:
        served.start()
        path = served.client.begin(TALK)
        served.kill()
        writers = [Writer(client=served.client, path=path, of=f"w{number}") for number in range(WRITERS)]
        listener = Listener(client=served.client, path=path)
        running = [threads.submit(each.run) for each in (*writers, listener)]
        try:
            kill_under_load(served, writers)
            for each in running[:-1]:
                each.result(60)
            version = served.client.get(path).tree["version"]
            until(lambda: bool(listener.heard) and listener.heard[-1] >= version)
        finally:
            for each in (*writers, listener):
                each.is_enough.set()
            if not all(each.done() for each in running[:-1]):
                served.kill()
        listener.is_enough.set()
        assert_once(served.client, path, writers)
        assert listener.heard == list(range(1, version + 1))
        assert [each.status for writer in writers for each in writer.refused if each.status not in {409, 503}] == []
        served.stop()
    with opened_store(store, is_read_only=True) as kept:
        found = verified(kept, TALK)
        assert (found.faults, kept.damage()) == ((), ())
