"""Search, and whole conversations out and in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from upheld.conversation.checking.replaying import loaded
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Words
from upheld.speech.formats.reading import parse_transcript

from .conftest import Client, Start, garden


def test_a_search_finds_what_stands_and_names_what_it_could_not_look_into(start: Start) -> None:
    """Our promise: what was taken back is not found a moment longer, unless one asks for it."""
    running = start()
    client = running.client()
    path = garden(client, "searched")
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}})

    def found(query: str) -> list[str]:
        told = client.get(f"/v1/search?words=soil+dry{query}")
        assert told.status == 200, told.body
        return sorted(each["id"] for each in told.tree["hits"])

    assert found("") == ["o2"]
    assert found("&include=superseded") == ["o1", "o2"]
    assert found("&conversation=searched&as_of=9") == ["o1", "o2"]
    assert found("&as_of=2001-01-01") == []
    assert found("&limit=1&conversation=nobody") == []
    store = running.house.tenancy.host("default").store
    store.append(ConversationId("by-hand"), [Words(turn=TurnId("T1"), speaker=AgentId("zoe"), text="Dry soil.")])
    assert client.get("/v1/search?words=soil").tree["unsearched"] == ["by-hand"]
    for query in (
        "",
        "?words=",
        "?words=+",
        "?words=x&limit=0",
        "?words=x&as_of=soon",
        "?words=x&as_of=4",
        "?words=x&include=all",
    ):
        assert client.get(f"/v1/search{query}").problem == "malformed-input"


def test_a_conversation_is_exported_and_imported_again_as_it_was(client: Client) -> None:
    """Our promise: json and yaml keep everything that a transcript can hold."""
    path = garden(client, "original")
    for form, kind in (("json", "application/json"), ("yaml", "text/plain; charset=utf-8")):
        told = client.get(f"{path}/export?form={form}")
        assert (told.status, told.headers["content-type"], told.headers["upheld-left-out"]) == (200, kind, "0")
        name = f"copy-{form}"
        taken = client.post(f"/v1/conversations/import?id={name}", told.body, content_type="application/octet-stream")
        assert (taken.status, taken.tree["id"], taken.tree["turns"], taken.tree["unread"]) == (201, name, 4, [])
        there = client.get(f"/v1/conversations/{name}").tree
        assert there["counts"] == client.get(path).tree["counts"]
        again = client.get(f"/v1/conversations/{name}/export?form=json").tree
        assert {**again, "id": "original"} == client.get(f"{path}/export?form=json").tree
        assert name in {each["conversation"] for each in client.get("/v1/search?words=soil").tree["hits"]}
    client.post(f"{path}/retractions", {"change": {"act": "retract", "target": "o1"}})
    assert client.get(f"{path}/export?form=text").headers["upheld-left-out"] == "1"
    wrong = client.get(f"{path}/export?form=pdf")
    assert (wrong.status, wrong.problem) == (422, "malformed-input")


def test_what_was_exported_means_the_same_to_the_library(client: Client) -> None:
    """Our promise: one reader for files and for HTTP."""
    path = garden(client, "same")
    transcript = parse_transcript(client.get(f"{path}/export").body.decode(), source="body.json")
    assert loaded(transcript).explain("h1").held_by == ("ben",)


def test_a_chat_is_read_by_the_interpreter_and_a_name_is_taken_once(client: Client, root: Path) -> None:
    """Our promise: an import is whole or nothing, and never overwrites."""
    chat = (root / "examples" / "oven-chat.json").read_bytes()
    told = client.post("/v1/conversations/import?id=oven", chat)
    assert told.status == 201, told.body
    assert (told.tree["form"], told.tree["turns"] > 3) == ("openai", True)
    assert sum(client.get("/v1/conversations/oven").tree["counts"]["standing"].values()) > 0
    again = client.post("/v1/conversations/import?id=oven", chat)
    assert (again.status, again.problem) == (409, "version-conflict")


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("id=bad", b""),
        ("id=bad", b"\xff\xfe\x00"),
        ("id=bad", b'{"format": "upheld/annotated-transcript@9", "turns": []}'),
        ("id=bad&form=nix", b"[]"),
        ("id=b%2Fd", b"Ann: It rains."),
        ("id=bad&conversation=x", b'[{"role": "user", "content": 5}]'),
    ],
)
def test_an_import_that_means_nothing_leaves_nothing(client: Client, query: str, body: bytes) -> None:
    """Our promise: what cannot mean anything is refused before the store is touched."""
    told = client.post(f"/v1/conversations/import?{query}", body)
    assert (told.status, told.problem) == (422, "malformed-input")
    assert client.get("/v1/conversations/bad").status == 404


def test_a_file_of_several_conversations_says_which_there_are(client: Client, name: str) -> None:
    """Our promise: a program can let somebody choose, by title, and the words say how over HTTP."""
    turn = {"from": "human", "value": "The pump is off."}
    sent = [{"id": each, "conversations": [turn]} for each in ("one", "two")]
    told = client.post(f"/v1/conversations/import?id={name}", sent)
    assert (told.status, told.problem) == (422, "malformed-input")
    assert told.tree["conversations"] == {"one": "", "two": ""}
    assert "name one as conversation; they are one, two" in told.tree["detail"]
    assert client.get(f"/v1/conversations/{name}").status == 404
    assert client.post(f"/v1/conversations/import?id={name}&conversation=two", sent).status == 201


def test_an_annotated_file_with_a_dangling_reference_is_refused_with_its_place(client: Client) -> None:
    """Our promise: the place of the mistake is named, and no path of the machine is."""
    turns = [{"id": "T1", "speaker": "ann", "operations": [{"op": "support", "target": "x9"}]}]
    tree = {"format": "upheld/annotated-transcript@1", "id": "t", "agents": [{"id": "ann"}], "turns": turns}
    told = client.post("/v1/conversations/import?id=dangling", json.dumps(tree).encode())
    assert (told.status, told.problem) == (422, "malformed-input")
    assert "turns[0]" in told.tree["detail"]
