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


def test_two_moments_differ_in_what_is_new_and_what_stands_otherwise(client: Client, name: str) -> None:
    """Our promise: without names, the beginning is compared with now."""
    path = garden(client, name)
    client.tell(path, "ann", {"op": "revise", "target": "o1", "because": ["o2"]})
    found = client.get(f"{path}/compare?from=T3").tree
    assert [each["id"] for each in found["new"]] == ["c1"]
    assert found["gone"] == []
    told = {each["claim"]: (each["before"]["standing"], each["after"]["standing"]) for each in found["changed"]}
    assert told == {"o1": ("in", "out"), "h1": ("in", "out")}
    assert len(client.get(f"{path}/compare").tree["new"]) == 4
    assert client.get(f"{path}/compare?from=T99").problem == "unknown-reference"


def test_two_conversations_share_what_is_put_in_the_same_words(client: Client, name: str) -> None:
    """Issue 6, section 5: claims of two conversations are the same by their words, whatever their numbers."""
    path = garden(client, name)
    other = client.begin(f"{name}-other", {"id": "cy"})
    client.tell(other, "cy", observe("z9", "the soil of the left bed  is dry"))
    client.tell(other, "cy", observe("o2", "The gate is open."))
    found = client.get(f"{path}/compare?with={name}-other").tree
    assert [each["id"] for each in found["new"]] == ["o2"]
    assert [each["id"] for each in found["gone"]] == ["o2", "h1", "c1"]
    assert found["changed"] == []
    client.tell(other, "cy", {"op": "revise", "target": "z9"})
    (changed,) = client.get(f"{path}/compare?with={name}-other").tree["changed"]
    assert (changed["claim"], changed["after"]["id"], changed["after"]["standing"]) == ("o1", "z9", "out")


def test_a_claim_is_shown_with_its_past(client: Client, name: str) -> None:
    """Our promise: since when it stands as it does, what was done to it, its earlier values, what rests on it."""
    path = garden(client, name)
    client.tell(path, "ben", {"op": "undermine", "target": "o1", "id": "u1", "text": "The probe was in the sun."})
    client.tell(path, "ann", observe("o9", "The soil of the left bed is wet."))
    client.tell(path, "ann", {"op": "revise", "target": "o1", "replacement": "o9"})
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o2"}, "by": "ben"})
    told = client.get(f"{path}/claims/o1").tree
    assert told["status"]["lifecycle"] == "superseded"
    assert told["mentions"] == [
        {"turn": "T1", "act": "observe", "speaker": "ann"},
        {"turn": "T5", "act": "undermine", "speaker": "ben"},
        {"turn": "T7", "act": "revise", "speaker": "ann"},
    ]
    assert [(each["id"], each["turn"]) for each in told["values"]] == [("o1", "T1"), ("o9", "T6")]
    assert sorted(told["rests_on_it"]) == ["c1", "h1"]
    assert (told["lifecycle_turn"], told["standing_turn"]) == ("T7", "T5")
    then = client.get(f"{path}/claims/o1?at=T4").tree
    assert (then["status"]["standing"], then["standing_turn"], len(then["mentions"])) == ("in", "T1", 1)
    assert client.get(f"{path}/claims/o2").tree["mentions"][-1] == {"turn": None, "act": "retract", "speaker": "ben"}
    assert client.get(f"{path}/claims/nothing").problem == "unknown-reference"


def test_a_sample_is_taken_in_once(client: Client) -> None:
    """Our promise: pressing twice is no harm, and what was said in it since stays."""
    listed = client.get("/v1/samples").tree
    assert [each["id"] for each in listed] == ["greenhouse", "hall", "moving"]
    assert all(each["title"] and each["about"] for each in listed)
    first = client.post("/v1/samples/hall", {})
    assert (first.status, first.tree["id"], first.tree["turns"]) == (201, "sample-hall", 8)
    path = "/v1/conversations/sample-hall"
    client.tell(path, "paul", observe("o9", "The organ is broken."))
    again = client.post("/v1/samples/hall", {})
    assert (again.status, again.tree["turns"]) == (200, 9)
    assert client.post("/v1/samples/nothing", {}).problem == "unknown-reference"


def test_the_samples_show_what_they_are_said_to_show(client: Client) -> None:
    """Our promise: a decision to look at again, and assistants whose last reply rests on what fell."""
    for name in ("greenhouse", "hall", "moving"):
        client.post(f"/v1/samples/{name}", {})
    decision = client.get("/v1/conversations/sample-hall/claims/d1").tree["status"]
    assert decision["needs_reevaluation"]
    for name, text in (("greenhouse", "The mister has a clogged nozzle."), ("moving", "You move on 10 June.")):
        told = client.post(f"/v1/conversations/sample-{name}/verify", {"text": text})
        assert told.tree["outcome"] == "ungrounded", told.tree
    (flag,) = client.get("/v1/queue?conversation=sample-greenhouse").tree["flags"]
    assert (flag["outcome"], flag["speaker"], flag["turn"]) == ("ungrounded", "aide", "T7")
    assert flag["line"], "it is said why"
    moments = client.get("/v1/conversations/sample-greenhouse/history").tree["moments"]
    spans = [
        each["span"] for moment in moments for each in moment["claims"] if each["act"] in {"observe", "hypothesize"}
    ]
    assert None not in spans
