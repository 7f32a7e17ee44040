"""The tools, called as a host calls them; the client holds each answer against the schema that it was told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client

from upheld.faces.mcp.calling import PROBLEM, TOOLS, called
from upheld.faces.mcp.tools.asking import ASKING
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.house import House, opened_house
from upheld.faces.server.settings import settings_from

from .conftest import ERAS, Desk, speak, words


@pytest.mark.parametrize("era", ERAS)
def test_a_language_model_is_told_when_to_call_each_tool_and_what_comes_back(desk: Desk, era: str) -> None:
    """Our promise (docs/how-to/serve-over-mcp.md): a description, both schemas, and whether it changes anything."""
    listed = speak(desk.server, Client.list_tools, mode=era).tools
    assert [each.name for each in listed] == list(TOOLS)
    for each in listed:
        assert each.title
        assert "Call it " in (each.description or "")
        assert each.input_schema["type"] == each.output_schema["type"] == "object" if each.output_schema else False
        hints = each.annotations
        assert hints is not None
        assert hints.read_only_hint is (TOOLS[each.name] in ASKING)
        assert hints.destructive_hint is (each.name in {"retract", "revise"})


def test_what_is_told_is_verified_explained_and_taken_back(desk: Desk) -> None:
    """Issue 6, section 4: tell, verify, affected, explain, brief, retract, each as structured output."""
    told = desk.ask("observe", speaker="ann", text="The tank is empty.", supersedes=["o2"], source="file:tank.log")
    assert told["operations"][0]["source"] == {"uri": "file:tank.log"}
    assert told["effects"]["defeated"] == ["o2"]
    decided = desk.ask("decide", speaker="ben", target="h3", text="We repair the pump.", depends_on=["o1"])
    assert decided["operations"][0]["op"] == "resolve"
    grounded = desk.ask("verify", text="The soil of the left bed is dry.", speaker="bot")
    assert (grounded["outcome"], grounded["claims"][0]["findings"][0]["by"]) == ("grounded", "ann")
    change = {"act": "falsify", "target": "o1"}
    delta = desk.ask("affected", change=change)["delta"]
    assert {each["id"] for each in delta["lost"]} >= {"h3"}
    assert desk.ask("explain", claim="h3")["nodes"][0]["premises"]
    assert [each["text"] for each in desk.ask("brief", change=change)["decisions"]] == ["We repair the pump."]
    assert desk.ask("retract", change=change, by="ann", reason="the probe was broken")["delta"] == delta
    after = desk.ask("verify", claims=[{"literal": "h3"}])
    assert (after["outcome"], after["reasons"]) == ("ungrounded", ["premise_lost"])
    assert "o1" not in {each["id"] for each in desk.ask("status")["stands"]}


def test_claims_and_conversations_are_found(desk: Desk) -> None:
    """Our promise: a name is listed, a claim is searched, and what was given up is found only when it is asked for."""
    page = desk.ask("list_conversations", limit=1000)
    assert desk.conversation in {each["id"] for each in page["conversations"]}
    desk.ask("retract", change={"act": "retract", "target": "o2"})
    here = {"words": "right bed", "conversation": desk.conversation}
    assert "o2" not in {each["id"] for each in desk.ask("search", **here)["hits"]}
    assert "o2" in {each["id"] for each in desk.ask("search", include="superseded", **here)["hits"]}
    claims = desk.ask("list_claims", standing="in", agent="bot")["claims"]
    assert [each["id"] for each in claims] == ["o1", "h3"]


def test_words_are_read_and_kept_where_they_cannot_be(desk: Desk) -> None:
    """Our promise: say has the words read; what could not be read is on record all the same, and said to be."""
    read = desk.ask("say", speaker="ann", text="The hose of the left bed is broken.")
    assert [each["op"] for each in read["operations"]] == ["observe"]
    unread = desk.ask("say", speaker="ann", text="Der Schlauch am linken Beet ist seit gestern kaputt.")
    assert (unread["operations"], bool(unread["abstained"])) == ([], True)
    assert desk.ask("status")["turns"] == 5


def test_an_id_is_made_where_none_is_given(desk: Desk) -> None:
    """Our promise: a made id is free, also beside those that somebody chose, and a chosen one is kept."""
    chosen = desk.ask("observe", speaker="ann", text="The gate is shut.", id="o5")
    made = desk.ask("observe", speaker="ann", text="The shed is locked.")
    assert [each["operations"][0]["id"] for each in (chosen, made)] == ["o5", "o6"]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("explain", {"claim": "o99"}, "nobody introduced 'o99'"),
        ("explain", {}, "claim: Field required"),
        ("status", {"conversation": "nowhere"}, "there is no conversation 'nowhere'"),
        ("status", {"conversaton": "x"}, "conversaton: Extra inputs are not permitted"),
        ("observe", {"speaker": "ann", "text": "The left bed is wet.", "kind": "rumour"}, "kind: Input should be"),
        ("observe", {"speaker": "ann", "text": "x" * 501}, "501 characters, and the most is 500"),
        ("observe", {"speaker": "ann", "text": "The left bed is wet.", "id": "h3"}, "h3"),
        ("observe", {"speaker": "ann", "text": "The bed is wet.", "depends_on": ["o99"]}, "nobody introduced 'o99'"),
        ("observe", {"speaker": "ann", "text": "The bed is wet.", "expected_version": 1}, "read it and retry"),
        (
            "propose",
            {"speaker": "ann", "text": "It is.", "id": "p", "depends_on": ["p"]},
            "'p' is given as its own ground",
        ),
        ("decide", {"speaker": "ann", "target": "o1", "text": "So.", "mode": "authoritative"}, "authority"),
        ("verify", {}, "give a text or claims, one of the two"),
        ("verify", {"text": "The bed is dry.", "speaker": "eve"}, "nobody introduced 'eve'"),
        ("affected", {"change": {"act": "forget", "target": "o1"}}, "'retract', 'falsify', 'withdraw', 'supersede'"),
        ("search", {"words": "bed", "as_of": "yesterday"}, "yesterday"),
        ("begin", {"id": "a/b"}, "id: String should match pattern"),
        ("forget", {}, "there is no tool 'forget'; there are begin, say"),
    ],
)
def test_a_refusal_says_what_to_do_and_changes_nothing(
    desk: Desk, tool: str, arguments: dict[str, Any], told: str
) -> None:
    """Our promise: an error is an answer of the tool, in the words of the library, and the record is as before."""
    assert told in desk.refused(tool, **arguments)


def test_a_refusal_has_its_problem_details_for_programs(desk: Desk) -> None:
    """RFC 9457, as over HTTP: the same tree, beside the words."""
    meta = desk.call("explain", claim="o99").meta
    assert meta is not None
    problem = meta[PROBLEM]
    assert (problem["type"], problem["reference"]) == ("urn:upheld:problem:unknown-reference", "o99")


def test_who_may_only_read_is_shown_and_given_reading_tools_alone(desk: Desk) -> None:
    """Issue 6: a reader asks; whatever would write is not listed, and is refused when it is called all the same."""
    reader = replace(desk, role=Role.READER)
    listed = speak(reader.server, Client.list_tools).tools
    assert {each.name for each in listed} == {each.called() for each in ASKING}
    assert reader.ask("status")["turns"] == 3
    refused = reader.refused("observe", speaker="ann", text="The left bed is wet.")
    assert refused == "this needs a key of the role writer; this one is of reader"


def test_without_a_conversation_of_its_own_each_call_names_one(desk: Desk) -> None:
    """Our promise: the schema asks for it, and a call without one is told so."""
    server = replace(desk, conversation="").server

    async def act(client: Client) -> tuple[Any, Any]:
        tools = await client.list_tools()
        schema = next(each.input_schema for each in tools.tools if each.name == "status")
        return schema["required"], await client.call_tool("status", {})

    required, result = speak(server, act)
    assert required == ["conversation"]
    assert (result.is_error, words(result)) == (True, "This cannot mean anything: conversation: Field required")


def test_of_a_fault_inside_only_the_sort_is_told(desk: Desk) -> None:
    """Our promise: addresses and words of a store stay in the log."""
    closed = opened_house(settings_from(environment={}, flags={"store": "ephemeral:"}))
    closed.close()
    result = replace(desk, house=closed).call("status")
    assert (result.is_error, words(result).startswith("The record could not be read or written")) == (True, True)


def test_half_a_character_does_not_end_the_session(desk: Desk) -> None:
    """Our promise: a lone surrogate, which no message can carry, is replaced where it would be told back."""
    result = called(desk.visit, "explain", {"claim": "o\ud800"}, conversation=desk.conversation)
    assert result.is_error
    assert result.model_dump_json()
    result = called(desk.visit, "say", {"speaker": "ann", "text": "half \ud800"}, conversation=desk.conversation)
    assert result.model_dump_json()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "o1", "h3", "~o1", "ann", "T1", "\x00", "é"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["act", "target", "literal"]), inner),
    max_leaves=4,
)
FIELDS = sorted({name for tool in ASKING for name in tool.model_fields} - {"conversation"})


@pytest.fixture(scope="module")
def beds(house: House) -> Desk:
    """One desk for all examples of a law."""
    made = Desk(house=house, conversation="law")
    made.ask("begin", id="law", agents=[{"id": "ann"}])
    made.ask("observe", speaker="ann", text="The soil of the left bed is dry.", id="o1")
    made.ask("propose", speaker="ann", text="The pump is off.", id="h3", explains=["o1"], depends_on=["o1"])
    return made


@given(tool=st.sampled_from(ASKING), arguments=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=3))
def test_whatever_a_reading_tool_is_sent_it_answers_and_changes_nothing(
    beds: Desk, tool: type[Any], arguments: dict[str, Any]
) -> None:
    """A law: an answer of its shape or a refusal in the library's words; never a fault, never a change."""
    before = beds.version
    result = called(beds.visit, tool.called(), arguments, conversation="law")
    if result.is_error:
        assert "a fault of the service" not in words(result)
    else:
        tool.gives.model_validate_json(words(result))
    assert beds.version == before
