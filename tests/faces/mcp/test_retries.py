"""An idempotency key given to a tool means what the header means over HTTP: done once, answered alike."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from upheld.faces.mcp.calling import PROBLEM, TOOLS, called
from upheld.faces.mcp.tools.asking import ASKING
from upheld.faces.server.house import opened_house
from upheld.faces.server.settings import settings_from

from .conftest import Desk, speak
from .test_stdio import program

TEXT = "The hose of the left bed is broken."
CHANGE = {"act": "retract", "target": "o1"}
WRITTEN: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "say": ({"text": TEXT}, {"text": "The gate is shut."}),
    "observe": ({"text": TEXT, "source": "file:log.txt"}, {"text": TEXT}),
    "propose": ({"text": TEXT, "explains": ["o1"]}, {"text": TEXT, "explains": ["o2"]}),
    "support": ({"target": "h3", "text": TEXT}, {"target": "h3", "text": TEXT, "specific": True}),
    "undermine": ({"target": "h3", "evidence": ["o2"]}, {"target": "h3"}),
    "revise": ({"target": "o1"}, {"target": "o1", "withdrawn": True}),
    "question": ({"text": "Who repairs it?"}, {"text": "Who repairs it?", "about": ["o1"]}),
    "expand_awareness": ({"text": "Moles are about."}, {"text": "Mice are about."}),
    "decide": ({"target": "o1", "text": "So it is."}, {"target": "o2", "text": "So it is."}),
    "retract": ({"change": CHANGE, "by": "ann"}, {"change": CHANGE, "by": "ben"}),
}
"""What each tool that writes is called with, and something else."""

MOVING = ("version", "is_repeated", "effects")
"""What a repeated answer says anew: where the record is now, and that nothing was done."""


def called_by(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with a speaker, where the tool has one."""
    return arguments if tool == "retract" else {"speaker": "ann", **arguments}


def kept(answer: Any) -> dict[str, Any]:
    """What the same key is answered with each time."""
    return {name: value for name, value in answer.items() if name not in MOVING}


def problem(desk: Desk, tool: str, **arguments: Any) -> str:
    """Call a tool that refuses, and give the sort of problem; nothing is changed."""
    before = desk.version
    meta = desk.call(tool, **arguments).meta
    assert meta is not None
    assert desk.version == before
    return meta[PROBLEM]["type"]


def test_every_tool_that_writes_takes_a_key() -> None:
    """Our promise: all of them; `begin` has the name that it begins, which is one already."""
    writing = {name for name, tool in TOOLS.items() if tool not in ASKING}
    assert writing - {"begin"} == set(WRITTEN)
    assert {name for name in TOOLS if "idempotency_key" in TOOLS[name].model_fields} == set(WRITTEN)


@pytest.mark.parametrize("tool", WRITTEN)
def test_a_call_that_is_sent_again_under_its_key_is_done_once_and_answered_alike(desk: Desk, tool: str) -> None:
    """Our promise (docs/how-to/serve-over-mcp.md): a made id is the same as well, whatever was said in between."""
    sent, other = (called_by(tool, each) for each in WRITTEN[tool])
    first = desk.ask(tool, **sent, idempotency_key="k")
    assert first["is_repeated"] is False
    desk.ask("observe", speaker="ben", text="The shed is locked.")
    version = desk.version
    again = desk.ask(tool, **sent, idempotency_key="k")
    assert (again["is_repeated"], again["version"], desk.version) == (True, version, version)
    assert kept(again) == kept(first)
    assert problem(desk, tool, **other, idempotency_key="k") == "urn:upheld:problem:repeated-identity"


def test_beginning_the_very_same_again_changes_nothing(desk: Desk) -> None:
    """Our promise: the name of a conversation is its key."""
    begun = [desk.ask("begin", id=f"{desk.conversation}-new", agents=[{"id": "ann"}]) for _ in range(2)]
    assert begun[0] == begun[1]
    other = {"id": f"{desk.conversation}-new", "agents": [{"id": "ben"}]}
    assert problem(desk, "begin", **other) == "urn:upheld:problem:repeated-identity"


def test_a_key_is_good_for_one_call_of_whatever_tool(desk: Desk) -> None:
    """Our promise: a key that was a turn's is no retraction's, nor another turn's."""
    desk.ask("observe", speaker="ann", text=TEXT, idempotency_key="turn")
    desk.ask("retract", change=CHANGE, idempotency_key="act")
    desk.ask("support", speaker="ann", target="o2", evidence=["o4"], idempotency_key="bare")
    taken = "urn:upheld:problem:repeated-identity"
    assert problem(desk, "retract", change=CHANGE, idempotency_key="turn") == taken
    assert problem(desk, "propose", speaker="ann", text=TEXT, idempotency_key="turn") == taken
    for key in ("act", "bare"):
        assert problem(desk, "observe", speaker="ann", text=TEXT, idempotency_key=key) == taken
        assert problem(desk, "observe", speaker="ann", text=TEXT, id="x1", idempotency_key=key) == taken


def test_the_version_that_was_expected_the_first_time_does_not_stop_a_retry(desk: Desk) -> None:
    """Our promise: the first try moved the version on, and the retry cannot know."""
    sent = {"speaker": "ann", "text": TEXT, "expected_version": desk.version, "idempotency_key": "k"}
    assert [desk.ask("observe", **sent)["is_repeated"] for _ in range(2)] == [False, True]


def test_without_a_key_the_same_words_are_said_twice(desk: Desk) -> None:
    """Our promise: an empty key is none."""
    ids = [desk.ask("observe", speaker="ann", text=TEXT, idempotency_key="")["operations"][0]["id"] for _ in range(2)]
    assert len(set(ids)) == 2


def test_a_key_outlives_the_program_that_a_host_starts(address: str) -> None:
    """Our promise: over standard input and output too, the record has the keys, and no process."""
    arguments = {"speaker": "ann", "text": TEXT, "idempotency_key": "k"}

    async def act(client: Client) -> Any:
        told = await client.call_tool("observe", arguments)
        await client.call_tool("observe", {"speaker": "ann", "text": "The shed is locked."})
        return told.structured_content

    first, again = (speak(program("--store", address, "--conversation", "keys"), act) for _ in range(2))
    assert (first["is_repeated"], again["is_repeated"]) == (False, True)
    assert again["operations"] == first["operations"]


def test_processes_that_are_sent_one_call_at_once_tell_it_once(tmp_path: Path) -> None:
    """A fault that was found: who lost the race was refused, for the id that was free had been taken in between."""
    flags = {"store": f"sqlite:///{tmp_path / 't.db'}"}
    houses = [opened_house(settings_from(environment={}, flags=flags)) for _ in range(2)]
    desks = [Desk(house=each, conversation="race") for each in houses]
    desks[0].ask("begin", id="race", agents=[{"id": "ann"}])

    def told(number: int) -> tuple[str, ...]:
        desk = replace(desks[number % 2])
        said = {"speaker": "ann", "text": f"Bed {number} is dry."}
        assert not called(
            desk.visit, "observe", said | {"idempotency_key": f"own {number}"}, conversation="race"
        ).is_error
        shared = {"speaker": "ann", "text": TEXT, "idempotency_key": f"shared {number // 4}"}
        result = called(desk.visit, "observe", shared, conversation="race")
        assert result.structured_content is not None, result
        return tuple(each["id"] for each in result.structured_content["operations"])

    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(told, range(24)))
        assert all(len(set(found[start : start + 4])) == 1 for start in range(0, 24, 4))
        assert len(set(found)) == 6
        assert desks[0].ask("status")["turns"] == 24 + 6
    finally:
        for each in houses:
            each.close()
