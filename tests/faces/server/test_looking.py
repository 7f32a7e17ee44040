"""What a page draws a conversation from, over HTTP."""

from __future__ import annotations

from typing import Any

from upheld.faces.server.models.looking import History

from .conftest import Client, garden, observe


def replayed(changes: list[dict[str, Any]], place: int) -> dict[str, str]:
    """How all claims stand at a place, by the log of changes."""
    return {each["claim"]: each["standing"] for each in changes if each["place"] <= place}


def test_a_history_fits_its_description_and_replays_to_what_stands(client: Client, name: str) -> None:
    """Our promise to pages: one answer is enough to draw a conversation as of any moment."""
    path = garden(client, name)
    client.post(
        f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}, "by": "ann", "reason": "wrong bed"}
    )
    told = client.get(f"{path}/history")
    assert (told.status, told.headers["content-type"]) == (200, "application/json")
    history = History.model_validate_json(told.body)
    assert (history.place, [each.kind for each in history.moments]) == (5, ["turn"] * 4 + ["retraction"])
    assert history.moments[-1].reason == "wrong bed"
    assert {(each.source, each.target, each.group) for each in history.edges} == {
        ("o1", "h1", "h1/1"),
        ("o1", "c1", "c1/1"),
        ("o2", "c1", "c1/2"),
    }
    changes = told.tree["changes"]
    now = {each["id"]: each["standing"] for each in client.get(f"{path}/claims").tree["claims"]}
    assert replayed(changes, 5) == now
    then = {each["id"]: each["standing"] for each in client.get(f"{path}/claims?at=T4").tree["claims"]}
    assert replayed(changes, 4) == then != now


def test_only_what_came_later_is_given(client: Client, name: str) -> None:
    """Our promise: who has all up to a place gets what is new, and nothing twice but edges."""
    path = garden(client, name)
    before = client.get(f"{path}/history").tree
    assert client.get(f"{path}/history?after=4").tree["moments"] == []
    client.tell(path, "dee", observe("o3", "It rains.", depends_on=["o2"]), text="As ben says, it rains.")
    more = client.get(f"{path}/history?after={before['place']}").tree
    assert [each["kind"] for each in more["moments"]] == ["joined", "turn"]
    assert more["moments"][1]["claims"] == [{"id": "o3", "span": [13, 21], "act": "observe"}]
    assert [each["id"] for each in more["claims"]] == ["o3"]
    assert [(each["source"], each["target"]) for each in more["edges"]] == [("o2", "o3")]
    whole = client.get(f"{path}/history").tree
    for part in ("moments", "claims", "edges", "changes"):
        assert before[part] + more[part] == whole[part]


def test_words_that_were_erased_are_in_no_history(client: Client, name: str) -> None:
    """Issue 6: what was erased is read nowhere, however often somebody looked before."""
    path = client.begin(name, {"id": "ann"})
    client.tell(path, "ann", observe("o1", "The code is 4711."), text="Ann says: the code is 4711.")
    assert b"Ann says" in client.get(f"{path}/history").body
    client.post(f"{path}/turns/T1/erasure", {"reason": "a secret", "meaning": True})
    told = client.get(f"{path}/history")
    assert b"4711" not in told.body
    assert told.tree["moments"][0]["is_erased"]


def test_a_conversation_that_nobody_began_has_no_history(client: Client) -> None:
    """Our promise: a problem that says so."""
    assert client.get("/v1/conversations/nobody/history").problem == "unknown-conversation"
