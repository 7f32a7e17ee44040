"""Conversations over HTTP: begun, listed, and where they are."""

from __future__ import annotations

import pytest

from .conftest import Client, Start, garden, observe


def test_a_conversation_is_begun_once_and_the_same_beginning_again_changes_nothing(client: Client) -> None:
    """Our promise (docs/how-to/run-the-service.md): 201, then 200; another beginning under the name is refused."""
    begun = {
        "id": "incident 7",
        "title": "Night shift",
        "agents": [{"id": "ann", "role": "on call", "authority": True}, {"id": "bot", "kind": "assistant"}],
        "initial_propositions": [{"id": "p0", "text": "Deploys are frozen.", "kind": "constraint"}],
    }
    first = client.post("/v1/conversations", begun)
    again = client.post("/v1/conversations", begun)
    assert (first.status, again.status, first.tree) == (201, 200, again.tree)
    assert (first.tree["version"], first.tree["title"]) == (1, "Night shift")
    assert [(each["id"], each["kind"]) for each in first.tree["agents"]] == [("ann", "person"), ("bot", "assistant")]
    other = client.post("/v1/conversations", begun | {"title": "Day shift"})
    assert (other.status, other.problem) == (409, "repeated-identity")
    assert client.get("/v1/conversations/incident%207").tree["title"] == "Night shift"


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"id": "a/b"}, "id"),
        ({"id": ".."}, "id"),
        ({"id": " "}, "id"),
        ({"id": "x" * 201}, "id"),
        ({"id": "a\x00b"}, "id"),
        ({}, "id"),
        ({"id": "a", "agent": []}, "agent"),
        ({"id": "a", "agents": [{"id": "ann", "kind": "ghost"}]}, "agents[0].kind"),
        ({"id": "a", "agents": [{"id": "an n"}]}, "agents[0].id"),
        ({"id": "a", "initial_propositions": [{"id": "p", "formula": "(("}]}, "initial_propositions[0].formula"),
    ],
)
def test_a_beginning_that_means_nothing_is_refused_with_its_key(client: Client, wrong: object, key: str) -> None:
    """Our promise: a 422 names the field, and nothing is begun."""
    told = client.post("/v1/conversations", wrong)
    assert (told.status, told.problem) == (422, "malformed-input")
    named = [each["key"] for each in told.tree.get("errors", ())] or [told.tree["key"]]
    assert key in named
    assert client.get("/v1/conversations/a").problem == "unknown-conversation"


def test_the_list_goes_on_where_its_page_ended(client: Client) -> None:
    """Our promise: paging by name neither leaves out nor repeats."""
    names = [f"page-{number}" for number in range(5)]
    for name in names:
        client.begin(name)
    seen: list[str] = []
    after = "page-"
    while after is not None:
        page = client.get(f"/v1/conversations?after={after}&limit=2").tree
        seen += [each["id"] for each in page["conversations"]]
        after = page["next"]
    assert [name for name in seen if name.startswith("page-")] == names
    assert client.get("/v1/conversations?limit=0").problem == "malformed-input"


def test_the_list_tells_titles_and_what_waits_for_a_decision(start: Start) -> None:
    """Our promise to whoever chooses a conversation: its title, and whether somebody is waited for."""
    client = start().client()
    client.post("/v1/conversations", {"id": "pumps", "title": "Pumps of the left bed"})
    client.begin("untitled")
    for text in ("The pump is off.", "The pump is on."):
        assert client.post("/v1/conversations/pumps/flags", {"text": text}).status == 201
    client.post("/v1/conversations/pumps/flags/F1/decision", {"outcome": "grounded", "by": "rita"})
    listed = client.get("/v1/conversations").tree["conversations"]
    assert listed == [
        {"id": "pumps", "title": "Pumps of the left bed", "version": 4, "open_flags": 1},
        {"id": "untitled", "title": "", "version": 1, "open_flags": 0},
    ]


def test_a_status_counts_what_stands_and_lists_it(client: Client) -> None:
    """Our promise: version, counts, what stands, and what nobody answered."""
    path = garden(client, "status")
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}})
    client.tell(path, "ann", {"op": "question", "text": "Who waters on Sunday?"})
    told = client.get(path).tree
    assert (told["version"], told["turns"]) == (12, 5)
    assert told["counts"]["standing"] == {"in": 2, "out": 2, "undecided": 0}
    assert [each["id"] for each in told["stands"]] == ["c1", "o2"]
    assert told["open_questions"] == ["Who waters on Sunday?"]
    assert client.get("/v1/conversations/nobody-began-it").problem == "unknown-conversation"


def test_claims_are_listed_as_of_a_turn_for_one_agent_and_by_standing(client: Client) -> None:
    """Semantics, section 8: what was said in private is in nobody else's list."""
    path = garden(client, "claims")
    client.tell(path, "ann", observe("s1", "The key is under the pot."), audience=["ben"])
    client.post(f"{path}/retractions", {"change": {"act": "falsify", "target": "o2"}})

    def listed(query: str) -> list[str]:
        return [each["id"] for each in client.get(f"{path}/claims?{query}").tree["claims"]]

    assert listed("") == ["o1", "o2", "h1", "c1", "s1"]
    assert listed("at=T2") == ["o1", "o2"]
    assert listed("agent=bot") == ["o1", "o2", "h1", "c1"]
    assert listed("standing=out") == ["o2"]
    first = client.get(f"{path}/claims?limit=2").tree
    assert (first["next"], listed("limit=2&after=o2")) == ("o2", ["h1", "c1"])
    assert client.get(f"{path}/claims?at=T99").problem == "unknown-reference"
    assert client.get(f"{path}/claims?after=x9").problem == "unknown-reference"
    assert client.get(f"{path}/claims?agent=zoe").problem == "unknown-reference"
