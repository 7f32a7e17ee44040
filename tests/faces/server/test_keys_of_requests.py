"""Idempotency keys: whatever writes is done once under a key, however often it is sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Client, Start, garden, observe

RETRACT = {"change": {"act": "retract", "target": "o1"}, "by": "ann", "reason": "the gauge was broken"}
AMEND = {"operations": [observe("o9", "Both beds are wet.")], "by": "ann", "reason": "misheard"}
ERASE = {"reason": "asked for", "by": "ann"}


@pytest.mark.parametrize(
    ("route", "sent", "status", "other"),
    [
        ("retractions", RETRACT, 201, RETRACT | {"reason": "for another reason"}),
        ("retractions", RETRACT, 201, RETRACT | {"change": {"act": "falsify", "target": "o1"}}),
        ("turns/T4/amendments", AMEND, 201, AMEND | {"operations": []}),
        ("turns/T4/amendments", AMEND, 201, AMEND | {"by": "ben"}),
        ("turns/T4/erasure", ERASE, 200, ERASE | {"reason": "for another reason"}),
        ("turns/T4/erasure", ERASE | {"meaning": True}, 200, ERASE),
        ("turns", {"speaker": "ann", "text": "It rains."}, 201, {"speaker": "ann", "text": "It pours."}),
    ],
)
def test_a_request_that_is_sent_again_under_its_key_is_done_once_and_answered_alike(
    client: Client, name: str, route: str, sent: dict[str, Any], status: int, other: dict[str, Any]
) -> None:
    """Our promise: a request that got no answer is sent again, and anything else under its key is refused."""
    path = garden(client, name)
    first = client.post(f"{path}/{route}", sent, idempotency_key="k1")
    assert (first.status, first.tree["is_repeated"]) == (status, False), first.body
    client.tell(path, "ben", observe("o7"))
    version = client.get(path).tree["version"]
    again = client.post(f"{path}/{route}", sent, idempotency_key="k1")
    assert (again.status, again.tree["is_repeated"], again.tree["version"]) == (200, True, version), again.body
    told = {"is_repeated", "version", "effects"}
    assert {key: each for key, each in again.tree.items() if key not in told} == {
        key: each for key, each in first.tree.items() if key not in told
    }
    refused = client.post(f"{path}/{route}", other, idempotency_key="k1")
    assert (refused.status, refused.problem) == (409, "repeated-identity")
    assert client.get(path).tree["version"] == version


def test_a_key_is_good_for_one_request_of_whatever_sort(client: Client) -> None:
    """Our promise: a key that was a turn's is no retraction's, and the other way round."""
    path = garden(client, "sorts")
    sent: dict[str, Any] = {"turns": {"speaker": "ann", "text": "It rains."}, "retractions": RETRACT}
    sent |= {"turns/T4/amendments": AMEND, "turns/T4/erasure": ERASE}
    for route, body in sent.items():
        assert client.post(f"{path}/{route}", body, idempotency_key=route).status in {200, 201}
    for route, body in sent.items():
        for key in sent.keys() - {route}:
            told = client.post(f"{path}/{route}", body, idempotency_key=key)
            assert (told.status, told.problem) == (409, "repeated-identity"), (route, key)


def test_the_version_that_was_expected_the_first_time_does_not_stop_a_retry(client: Client) -> None:
    """Our promise: the first try moved the version on, and the retry cannot know."""
    path = garden(client, "expecting")
    version = client.get(path).tree["version"]
    sent = RETRACT | {"expected_version": version}
    statuses = [client.post(f"{path}/retractions", sent, idempotency_key="r").status for _ in range(2)]
    assert statuses == [201, 200]
    assert client.post(f"{path}/retractions", sent, idempotency_key="s").problem == "version-conflict"


def test_a_key_outlives_the_process_and_a_snapshot(start: Start, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Our promise: a retry may reach the service after it was started anew."""
    store = f"sqlite:///{tmp_path_factory.mktemp('kept')}/t.db"
    first = start(store=store)
    path = garden(first.client(), "kept")
    answers = [
        first.client().post(f"{path}/retractions", RETRACT, idempotency_key="r"),
        first.client().post(f"{path}/turns/T2/erasure", ERASE, idempotency_key="e"),
    ]
    with first.house.tenancy.host("default").entered("kept") as room:
        room.conversation.keep_snapshot()
    again = start(store=store).client()
    assert again.post(f"{path}/retractions", RETRACT, idempotency_key="r").tree["delta"] == answers[0].tree["delta"]
    assert again.post(f"{path}/turns/T2/erasure", ERASE, idempotency_key="e").tree["epoch"] == answers[1].tree["epoch"]
    assert again.post(f"{path}/retractions", RETRACT, idempotency_key="e").problem == "repeated-identity"


def test_an_import_is_taken_in_once_under_its_key(client: Client) -> None:
    """Our promise: whole or not at all, and a retry is answered as the first time."""
    chat = json.dumps([{"role": "user", "content": "The pump is off."}]).encode()
    where = "/v1/conversations/import?id=taken"
    first = client.post(where, chat, idempotency_key="i")
    again = client.post(where, chat, idempotency_key="i")
    assert (first.status, again.status, again.tree["is_repeated"]) == (201, 200, True)
    assert again.tree | {"is_repeated": False} == first.tree
    other = client.post(where, chat.replace(b"off", b"on"), idempotency_key="i")
    assert (other.status, other.problem) == (409, "repeated-identity")
    assert client.post(where, chat, idempotency_key="j").problem == "version-conflict"
    assert client.post(where, chat).problem == "version-conflict"
