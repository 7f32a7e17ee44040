"""A server that is stopped or crashes under its writers: what was acknowledged is there, once, in order."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from threading import Event
from typing import Any

import pytest

from upheld.errors import StoreError
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Words
from upheld.record.ledger.store import Store
from upheld.record.ledger.verifying import verified

from .conftest import EXAMPLES

TALK = ConversationId("talk")
ROUNDS = max(1, round(1 * EXAMPLES))
PATIENCE = 60.0


@dataclass
class Told:
    """What a writer was told: the epoch of each key that was acknowledged, and why others were not at first."""

    epochs: dict[str, int] = field(default_factory=dict[str, int])
    refusals: list[str] = field(default_factory=list[str])


def write(store: Store, name: str, is_enough: Event) -> Told:
    """Append word after word; what is refused is tried again with its key until it is acknowledged."""
    told = Told()
    while not is_enough.is_set():
        key = f"{name}-{len(told.epochs)}"
        try:
            (entry,) = store.append(TALK, [Words(turn=TurnId(key), speaker=AgentId(name))], key=key)
        except StoreError as error:
            told.refusals.append(str(error))
        else:
            told.epochs[key] = entry.epoch
    return told


def grown(store: Store, count: int) -> None:
    """Wait until the ledger has so many more entries, whatever is refused meanwhile."""
    goal, deadline = 0, time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(StoreError):
            version = store.version(TALK)
            goal = goal or version + count
            if version >= goal:
                return
    pytest.fail("the writers do not go on")


def stop(server: Any) -> None:
    """Stop the server as its keeper would; sessions are ended in the middle of what they do."""
    server.stop()


def crash(server: Any) -> None:
    """End the server at once (SIGQUIT): nothing is written down any more, and the log is replayed at the next start."""
    process = server.get_postmaster_info().process
    os.kill(server.get_pid(), signal.SIGQUIT)
    process.wait(PATIENCE)


@pytest.mark.parametrize("end", [stop, crash])
def test_a_restart_of_the_server_loses_nothing_that_was_acknowledged(
    own_postgres: Any, end: Callable[[Any], None]
) -> None:
    """Our promise: every error is typed, a retry with the key is safe, and the same objects go on afterwards."""
    made = import_module("upheld.record.stores.postgres.store").PostgresStore
    chance = random.Random(0)
    is_enough = Event()
    with made(own_postgres.get_uri()) as one, made(own_postgres.get_uri()) as other, ThreadPoolExecutor() as threads:
        writers = [threads.submit(write, store, name, is_enough) for store, name in ((one, "ann"), (other, "ben"))]
        for _ in range(ROUNDS):
            grown(other, chance.randrange(5, 80))
            end(own_postgres)
            own_postgres.ensure_postgres_running()
        grown(other, 20)
        is_enough.set()
        told = [writer.result(PATIENCE) for writer in writers]
        entries = list(one.read(TALK))
        assert [entry.epoch for entry in entries] == list(range(1, len(entries) + 1))
        assert {entry.key: entry.epoch for entry in entries} == {**told[0].epochs, **told[1].epochs}
        assert len({entry.key for entry in entries}) == len(entries), "nothing twice"
        assert verified(other, TALK).faults == ()
        assert other.damage() == ()
        assert all(map(is_plain, told[0].refusals + told[1].refusals))


def is_plain(refusal: str) -> bool:
    """Tell whether a refusal says what happened to the server or the connection, in one line."""
    known = ("was stopped or restarted", "starting, stopping or recovering", "no connection", "nobody knows", "lost a")
    return any(words in refusal for words in known) and "\n" not in refusal


def test_a_follower_goes_on_after_a_restart(own_postgres: Any) -> None:
    """Our promise: who follows hears nothing while there is no server, and then all of it, in order, once."""
    made = import_module("upheld.record.stores.postgres.store").PostgresStore
    with (
        made(own_postgres.get_uri()) as writer,
        made(own_postgres.get_uri()) as reader,
        ThreadPoolExecutor(max_workers=1) as thread,
    ):
        following = reader.follow(TALK, timeout=PATIENCE)
        for epoch in (1, 2, 3):
            waiting = thread.submit(next, following)
            if epoch == 2:
                stop(own_postgres)
                own_postgres.ensure_postgres_running()
            writer.append(TALK, [Words(turn=TurnId(f"T{epoch}"), speaker=AgentId("ann"))])
            assert waiting.result(PATIENCE).epoch == epoch
