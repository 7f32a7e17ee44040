"""Several processes on one address: they share the work, are started again when they end, and end together."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from upheld.errors import MalformedInput
from upheld.faces.server.settings import Settings, settings_from

from .conftest import Answer, observe
from .processes import GONE, Service, service, until

pytest.importorskip("typer", reason="the extra 'cli' is not installed")
pytestmark = pytest.mark.skipif(
    not Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists(),
    reason="which processes a process has started is asked of Linux",
)

WORKERS = 3


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Generator[Service]:
    """A service of several workers, which the tests of this module share."""
    with service(f"sqlite:///{tmp_path_factory.mktemp('store')}/t.db", "--workers", str(WORKERS)) as made:
        made.start()
        until(lambda: len(serving(made)) == WORKERS)
        yield made


def serving(served: Service) -> set[int]:
    """The workers that have the store open, which is when they begin to take requests."""
    found: set[int] = set()
    for worker in served.workers():
        with suppress(OSError):
            files = {os.readlink(each) for each in Path(f"/proc/{worker}/fd").iterdir()}
            found |= {worker} if any(each.endswith("t.db") for each in files) else set()
    return found


def answered(served: Service, path: str) -> Answer:
    """Ask until somebody answers: what a worker had in hand when it was killed is lost, as with any service."""
    while True:
        with suppress(*GONE):
            return served.client.get(path)


def test_twenty_writers_on_one_conversation_are_all_let_in_whichever_worker_they_meet(served: Service) -> None:
    """Our promise: who names no version is told after the others, also where these are in another process."""
    client = served.client
    path = client.begin("crowd")

    def writes(writer: int) -> list[Answer]:
        bodies = [{"speaker": f"w{writer}", "operations": [observe(f"o{writer}-{number}")]} for number in range(3)]
        return [client.post(f"{path}/turns", body, idempotency_key=f"{writer}-{at}") for at, body in enumerate(bodies)]

    with ThreadPoolExecutor(20) as pool:
        told = [answer for answers in pool.map(writes, range(20)) for answer in answers]
    assert {answer.status for answer in told} == {201}
    turns = client.get(f"{path}/turns?limit=1000").tree["turns"]
    assert sorted(turn["id"] for turn in turns) == sorted(answer.tree["turn"] for answer in told)
    # Any worker gives the same answer, for each has read what the others wrote.
    assert len({client.get(path).body for _ in range(20)}) == 1


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_what_was_taken_back_at_one_worker_is_grounded_at_none(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    """Our promise: who has the answer to a change finds it at every worker, whoever shares a look at the store."""
    if kind == "postgres":
        pytest.importorskip("psycopg_pool", reason="the extra 'postgres' is not installed")
    store = f"sqlite:///{tmp_path}/t.db" if kind == "sqlite" else str(request.getfixturevalue("postgres"))
    with service(store, "--workers", "2") as made, ThreadPoolExecutor(12) as pool:
        made.start()
        client = made.client
        path = client.begin(f"taken-back-{os.getpid()}")

        def outcome(claim: str) -> str:
            body = {"claims": [{"literal": claim}]}
            return str(client.post(f"{path}/verify", body).tree["outcome"])

        def outcomes(claim: str) -> set[str]:
            return set(pool.map(outcome, [claim] * 24))

        for claim in (f"o{number}" for number in range(25)):
            assert client.tell(path, "ann", observe(claim)).status == 201
            assert outcomes(claim) == {"grounded"}
            taken = {"change": {"act": "retract", "target": claim}, "reason": "misread"}
            assert client.post(f"{path}/retractions", taken).status == 201
            assert outcomes(claim) == {"ungrounded"}


def test_a_stream_hears_what_is_told_to_another_worker(served: Service) -> None:
    """Our promise: a position means the same to every worker; the store tells, not the process."""
    client = served.client
    path = client.begin("heard")
    with client.stream(f"{path}/events?after=1") as events:
        for number in range(8):
            assert client.tell(path, "ann", observe(f"o{number}")).status == 201
        heard = [int(next(events)["id"]) for _ in range(8)]
    assert heard == list(range(2, 10))


def test_a_worker_that_ends_is_started_again_and_nobody_is_turned_away_meanwhile(served: Service) -> None:
    """Our promise: the socket is that of all; what the kernel has taken is answered by who is still there."""
    path = served.client.begin("ended")
    before = serving(served)
    for number, end in enumerate((signal.SIGKILL, signal.SIGTERM)):
        os.kill(sorted(before)[number], end)
        for _ in range(10):
            assert answered(served, path).status == 200
    until(lambda: len(serving(served)) == WORKERS and len(serving(served) & before) == WORKERS - 2)
    assert any("ended (SIGKILL)" in line for line in served.lines)


def test_told_to_end_all_end_and_what_was_in_hand_is_answered(tmp_path: Path) -> None:
    """Our promise: SIGTERM is the end of all, streams included; the status is 0."""
    with service(f"sqlite:///{tmp_path}/t.db", "--workers", "2") as made:
        made.start()
        path = made.client.begin("end")
        until(lambda: len(serving(made)) == 2)
        workers = made.workers()
        with made.client.stream(f"{path}/events") as events:
            assert next(events)["event"] == "opening"
            assert made.stop() == 0
            assert list(events) == []
        assert [worker for worker in workers if is_there(worker)] == []


def test_workers_do_not_outlive_their_keeper(tmp_path: Path) -> None:
    """Our promise: nothing serves that nobody keeps, even where the keeper was killed."""
    with service(f"sqlite:///{tmp_path}/t.db", "--workers", "2") as made:
        made.start()
        until(lambda: len(serving(made)) == 2)
        workers = made.workers()
        os.kill(made.pid, signal.SIGKILL)
        until(lambda: not any(map(is_there, workers)))


def is_there(process: int) -> bool:
    """Tell whether a process runs; one that ended and was not asked after does not."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text("ascii")
    except OSError:
        return False


def test_memory_has_one_worker(tmp_path: Path) -> None:
    """Our promise: two processes with a memory each would answer differently, so that is refused."""
    with pytest.raises(MalformedInput, match="workers: memory is of one process"):
        settings_from(environment={}, flags={"store": "ephemeral:", "workers": 2})
    assert settings_from(environment={}, flags={"store": "ephemeral:", "workers": 1}) == Settings(store="ephemeral:")
    assert settings_from(environment={}, flags={"store": f"sqlite:///{tmp_path}/t.db", "workers": 2}).workers == 2
