"""Many writers at once, and a service that is killed: what was acknowledged is there, once and in order."""

from __future__ import annotations

import http.client
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from upheld.faces.server.admission.keys import Role, new_key

from .conftest import Answer, Client, Start, garden, observe, process

pytest.importorskip("typer", reason="the extra 'cli' is not installed")

WRITERS = 20


def test_twenty_writers_lose_nothing_and_repeat_nothing(client: Client) -> None:
    """Our promise: a conversation has one lock, and each acknowledged turn is on record once, in some one order."""
    path = client.begin("crowd")

    def writes(writer: int) -> list[Answer]:
        answers: list[Answer] = []
        for number in range(3):
            body = {"speaker": f"w{writer}", "operations": [observe(f"o{writer}-{number}")]}
            key = f"{writer}-{number}"
            answers.append(client.post(f"{path}/turns", body, idempotency_key=key))
            answers.append(client.post(f"{path}/turns", body, idempotency_key=key))
        return answers

    with ThreadPoolExecutor(WRITERS) as pool:
        answered = list(pool.map(writes, range(WRITERS)))
    assert {told.status for each in answered for told in each} == {200, 201}
    turns = client.get(f"{path}/turns?limit=1000").tree["turns"]
    there = {turn["operations"][0]["id"]: turn for turn in turns}
    assert len(turns) == len(there) == WRITERS * 3
    for writer, answers in enumerate(answered):
        acknowledged = [told.tree["turn"] for told in answers]
        assert acknowledged[::2] == acknowledged[1::2]
        places = [there[f"o{writer}-{number}"]["position"] for number in range(3)]
        assert places == sorted(places)
        assert [there[f"o{writer}-{number}"]["id"] for number in range(3)] == acknowledged[::2]


def test_an_answer_on_an_open_connection_does_not_wait_for_company(client: Client) -> None:
    """Our promise: answers are sent at once; held back by the kernel (Nagle), each would take 40 ms."""
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=5)
    taken: list[float] = []
    for _ in range(10):
        begun = time.perf_counter()
        connection.request("GET", "/health/live")
        connection.getresponse().read()
        taken.append(time.perf_counter() - begun)
    connection.close()
    assert min(taken[1:]) < 0.03


def test_a_service_that_was_killed_has_every_turn_that_it_acknowledged(tmp_path: Path, root: Path) -> None:
    """Our promise: a 201 is sent when the turn is on the disk; a retry by key finds it after the kill."""
    store = f"sqlite:///{tmp_path}/t.db"
    with process(root, "--store", store) as running:
        client = running.client()
        path = client.begin("killed")
        told = [
            client.post(
                f"{path}/turns", {"speaker": "ann", "operations": [observe(f"o{n}")]}, idempotency_key=f"k{n}"
            ).tree["turn"]
            for n in range(8)
        ]
        running.process.send_signal(signal.SIGKILL)
        running.process.wait(10)
    with process(root, "--store", store) as running:
        client = running.client()
        assert [turn["id"] for turn in client.get(f"{path}/turns").tree["turns"]] == told
        again = client.post(f"{path}/turns", {"speaker": "ann", "operations": [observe("o7")]}, idempotency_key="k7")
        assert (again.status, again.tree["turn"], again.tree["is_repeated"]) == (200, told[7], True)
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(10) in {0, -signal.SIGTERM}


def test_a_tenant_in_postgres_is_served_as_one_in_a_file_is(
    start: Start, postgres: str, tenant: str, tmp_path: Path
) -> None:
    """Our promise: a program does not see which store it has; a stream is woken there as well."""
    made = new_key(tenant, Role.WRITER)
    (tmp_path / "keys.toml").write_text(f"[keys]\n{made.line}\n", "utf-8")
    running = start(store=postgres, tenants=True, keys=tmp_path / "keys.toml")
    client = running.client(made.text)
    path = garden(client, "served")
    with client.stream(f"{path}/events?after=9") as events:
        told = client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}})
        assert (told.status, next(events)["event"]) == (201, "retraction")
    assert client.tell(path, "ann", observe("o9"), expected_version=3).problem == "version-conflict"
    assert client.get("/v1/conversations").tree["conversations"] == [
        {"id": "served", "title": "", "version": 10, "open_flags": 0}
    ]
    running.stop()
