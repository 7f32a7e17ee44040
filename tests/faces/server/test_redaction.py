"""With ``redact`` on, no route lets a secret into the store."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import Client, Start, observe

SECRET = "zoe.quill@example.org"
TEXT = f"Write to {SECRET} about it."

Act = Callable[[Client, str], Any]


def _import(client: Client, path: str) -> Any:
    transcript = {
        "format": "upheld/annotated-transcript@1",
        "id": path.rpartition("/")[2] + "-taken-in",
        "title": TEXT,
        "agents": [{"id": "ann", "name": SECRET, "role": TEXT}],
        "initial_propositions": [{"id": "p0", "text": TEXT}],
        "turns": [{"id": "T1", "speaker": "ann", "text": TEXT, "operations": [observe("o9", TEXT)]}],
    }
    return client.post("/v1/conversations/import", transcript)


def _import_chat(client: Client, path: str) -> Any:
    chat = [{"role": "user", "content": TEXT}, {"role": "assistant", "content": f"I shall write to {SECRET}."}]
    name = path.rpartition("/")[2] + "-chat"
    return client.ask("POST", f"/v1/conversations/import?id={name}", json.dumps(chat).encode())


def _begin(client: Client, path: str) -> Any:
    return client.post(
        "/v1/conversations",
        {
            "id": path.rpartition("/")[2] + "-begun",
            "title": TEXT,
            "agents": [{"id": "ann", "name": SECRET, "role": TEXT}],
            "initial_propositions": [{"id": "p0", "text": TEXT}],
        },
    )


ROUTES: dict[str, Act] = {
    "words of a turn": lambda client, path: client.post(f"{path}/turns", {"speaker": "ann", "text": TEXT}),
    "operations of a turn": lambda client, path: client.tell(path, "ann", observe("o2", TEXT)),
    "turns of a batch": lambda client, path: client.post(
        f"{path}/turns/batch", {"turns": [{"speaker": "ann", "text": TEXT, "operations": [observe("o3", TEXT)]}]}
    ),
    "an amendment": lambda client, path: client.post(
        f"{path}/turns/T1/amendments", {"operations": [observe("o1", TEXT)], "reason": TEXT, "by": "ann"}
    ),
    "the reason of a retraction": lambda client, path: client.post(
        f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}, "reason": TEXT}
    ),
    "the reason of an erasure": lambda client, path: client.post(f"{path}/turns/T1/erasure", {"reason": TEXT}),
    "a beginning": _begin,
    "an annotated transcript": _import,
    "a chat": _import_chat,
}


@pytest.mark.parametrize("route", ROUTES)
def test_no_route_lets_a_secret_into_the_store(start: Start, tmp_path: Path, name: str, route: str) -> None:
    """Issue 6: redaction by every route; looked for in the bytes of the file, the log of writes included."""
    running = start(store=f"sqlite:///{tmp_path}/t.db", redact=True)
    client = running.client()
    path = client.begin(name, {"id": "ann"})
    assert client.tell(path, "ann", observe("o1", "The pump is off.")).status == 201
    told = ROUTES[route](client, path)
    assert told.status in (200, 201), told.body
    kept = b"".join(each.read_bytes() for each in tmp_path.glob("t.db*"))
    assert SECRET.encode() not in kept
    assert b"pump is off" in kept, "the search of this test would find it"
    assert SECRET not in json.dumps(client.get(path).tree) + client.get(f"{path}/export").body.decode()


def test_the_same_address_has_the_same_placeholder_after_a_restart_with_the_key(start: Start, tmp_path: Path) -> None:
    """Our promise: what is said of somebody stays together, and two people never share a placeholder."""
    texts: list[str] = []
    for _ in range(2):
        running = start(store=f"sqlite:///{tmp_path}/t.db", redact=True, redaction_key="of the house")
        client = running.client()
        body = {"id": "talk", "title": TEXT, "agents": [{"id": "ann"}]}
        assert client.post("/v1/conversations", body).status in (200, 201)
        told = client.post("/v1/conversations/talk/turns", {"speaker": "ann", "text": TEXT}, idempotency_key="1")
        assert told.status in (200, 201), told.body
        texts += [turn["text"] for turn in client.get("/v1/conversations/talk/turns").tree["turns"]]
        running.stop()
    assert len(texts) == 2
    assert len(set(texts)) == 1
    assert SECRET not in texts[0]


def test_without_a_key_two_addresses_never_share_a_placeholder(start: Start, tmp_path: Path) -> None:
    """Our promise: counted placeholders would begin anew, and one person's word would count as another's."""
    texts: list[str] = []
    for address in ("zoe.quill@example.org", "max.pen@example.org"):
        running = start(store=f"sqlite:///{tmp_path}/t.db", redact=True)
        client = running.client()
        client.post("/v1/conversations", {"id": "talk", "agents": [{"id": "ann"}]})
        told = client.post("/v1/conversations/talk/turns", {"speaker": "ann", "text": f"Write to {address}."})
        assert told.status == 201
        texts = [turn["text"] for turn in client.get("/v1/conversations/talk/turns").tree["turns"]]
        running.stop()
    assert len(set(texts)) == 2
