"""The database restarts under the service: clients are told to come again, and nothing of what was told is lost."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from upheld.faces.server.errors import RETRY_AFTER

from .conftest import running_service
from .processes import Listener, Writer, assert_once, count_of, until

EXAMPLES = float(os.environ.get("UPHELD_EXAMPLES", "1"))
ROUNDS = max(1, round(1 * EXAMPLES))
WRITERS = 3
SOON = 5.0
"""Seconds within which whoever asks in vain is told: two, and room for a busy machine."""


def stop(server: Any) -> None:
    """Stop the server as its keeper would; sessions are ended in the middle of what they do."""
    server.stop()


def crash(server: Any) -> None:
    """End the server at once (SIGQUIT): its log is replayed at the next start."""
    process = server.get_postmaster_info().process
    os.kill(server.get_pid(), signal.SIGQUIT)
    process.wait(60)


@pytest.mark.parametrize("end", [stop, crash])
def test_while_the_database_restarts_clients_are_told_to_come_again_and_nothing_is_lost(
    own_postgres: Any, end: Callable[[Any], None]
) -> None:
    """Our promise: 503 with Retry-After and never 500, each turn once, and the service goes on by itself."""
    chance = random.Random(0)
    with (
        running_service(store=own_postgres.get_uri(), requests_a_minute=0, interpreter="none") as running,
        ThreadPoolExecutor(WRITERS + 1) as threads,
    ):
        client = replace(running.client(), patience=60.0)
        path = client.begin("restarted")
        writers = [Writer(client=client, path=path, of=f"w{number}") for number in range(WRITERS)]
        listener = Listener(client=client, path=path)
        told = [threads.submit(each.run) for each in (*writers, listener)]
        try:
            for _ in range(ROUNDS):
                goal = count_of(writers) + chance.randrange(5, 60)
                until(lambda goal=goal: count_of(writers) >= goal)
                end(own_postgres)
                if end is stop:
                    # Whoever asks while there is no server at all is told so, after the two seconds that a store waits.
                    for place in ("/health/ready", path):
                        begun = time.monotonic()
                        refused = client.get(place)
                        assert (refused.status, refused.headers["retry-after"]) == (503, str(RETRY_AFTER))
                        assert time.monotonic() - begun < SOON
                own_postgres.ensure_postgres_running()
            goal = count_of(writers) + 20
            until(lambda: count_of(writers) >= goal)
            for each in writers:
                each.is_enough.set()
            for each in told[:-1]:
                each.result(60)
            version = client.get(path).tree["version"]
            until(lambda: bool(listener.heard) and listener.heard[-1] >= version)
        finally:
            for each in (*writers, listener):
                each.is_enough.set()
        assert client.get("/health/ready").status == 200
        assert_once(client, path, writers)
        assert listener.heard == list(range(1, version + 1))
        refused = [answer for writer in writers for answer in writer.refused]
        assert {(answer.status, answer.problem) for answer in refused} <= {(503, "store")}
        assert {answer.headers["retry-after"] for answer in refused} <= {str(RETRY_AFTER)}
