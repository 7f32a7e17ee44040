"""The paper's two conversations over HTTP, each turn read against the state that the labels give before it.

The replies are scripted after the labels, so that no figure is taken from them: what is shown is that a capable reading
gets through, and when.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.conversation.reading.against_labels import reading_against_labels
from upheld.conversation.reading.reader import Reader
from upheld.conversation.reading.turns import Reading
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.operations import ExpandAwareness, Resolve
from upheld.logic.language.turns import Retract
from upheld.logic.reasoning.answers.changes import affected
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import step
from upheld.speech.formats.reading import read_transcript
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.speech.models.gateway.asking import Gateway
from upheld.testing.scripted_server import ScriptedServer

REPOSITORY = Path(__file__).parents[2]
SHARED = Path(os.environ.get("UPHELD_SHARED", REPOSITORY.parent / "shared")) / "corpus"
PLACES = (REPOSITORY / "tests" / "conversations" / "paper", SHARED / "paper")
H1, H4 = PropositionId("h1"), PropositionId("h4")


def conversation(name: str) -> Conversation:
    """Give a labelled conversation of the paper, told to its end."""
    path = next((place / f"{name}.yaml" for place in PLACES if (place / f"{name}.yaml").exists()), None)
    if path is None:
        pytest.skip(f"{name} is not in this checkout")
    return loaded(read_transcript(path))


def read_alone(talk: Conversation, turn: str, llm: Gateway) -> Reading:
    """Read one turn against the labels before it."""
    return reading_against_labels(talk.timeline, TurnId(turn), Reader(interpreter=LlmInterpreter(llm)))


def after(talk: Conversation, reading: Reading) -> State:
    """Give the state after a reading."""
    return step(talk.timeline.before(reading.turn.id), reading.turn, is_lenient=True).state


def on_the_wire(operations: Sequence[Any]) -> dict[str, Any]:
    """Give a scripted reading."""
    return {"operations": list(operations)}


def test_the_fourth_turn_turns_from_observe_to_expand_awareness_by_the_objection(loop: Any) -> None:
    """Issue 4, gate 2; the paper, section 4.1 and Appendix C, T4."""
    talk = conversation("phase2-debugging")
    said = {"id": "n1", "text": "The alarm named database is about Redis.", "reinterprets": ["o3"]}

    def answers(body: Any) -> Any:
        if loop.shape_of(body) != "reading":
            return {"given_up": []}
        is_asked_again = "use_expand_awareness" in body["messages"][-1]["content"]
        return on_the_wire([{"op": "expand_awareness" if is_asked_again else "observe", **said}])

    with ScriptedServer(answers) as server:
        reading = read_alone(talk, "T4", loop.gateway(server))
    assert [type(each) for each in reading.turn.operations] == [ExpandAwareness]
    assert [(each.failure, each.operation) for each in reading.objections] == [("use_expand_awareness", 0)]
    assert reading.usage == server.usage
    assert "T4.1" in after(talk, reading).propositions


def test_the_edge_from_h1_to_h4_comes_with_the_resolve_and_not_before(loop: Any) -> None:
    """Issue 4, gate 3, by a scripted reply; the paper, Appendix J (E1c): additions to Dep are found at the resolve."""
    talk = conversation("phase2-debugging")
    added = {"explained": [{"why": "h4 brings about what h1 starts from", "claim": "h1", "by": "h4"}], "grounds": []}

    def answers(body: Any) -> Any:
        shape: str = loop.shape_of(body)
        if shape == "retrospective":
            return added
        return (
            {"given_up": []}
            if shape == "second_look"
            else on_the_wire([{"op": "resolve", "target": "h4", "mode": "consensual"}])
        )

    with ScriptedServer(answers) as server:
        reading = read_alone(talk, "T13", loop.gateway(server))
    before, state = talk.timeline.before(TurnId("T13")), after(talk, reading)
    assert H1 not in before.dependencies.explained_by(H4)
    assert H1 in state.dependencies.explained_by(H4)
    # Along it no loss travels, but a person is shown what its larger story was (semantics, section 7).
    told_without = replace(reading.turn, operations=tuple(_without_additions(each) for each in reading.turn.operations))
    plain = step(talk.timeline.before(TurnId("T13")), told_without, is_lenient=True).state
    change = Retract(target=H4)
    assert H1 in affected(state, change).explained_by
    assert H1 not in affected(plain, change).explained_by


def test_a_vote_adds_nothing_to_what_was_argued(loop: Any) -> None:
    """Issue 4, gate 3; the paper, Appendix J, the Phase-3 negative: an empty answer leaves every ground as it was."""
    talk = conversation("phase3-deliberation")
    turn = next(
        turn
        for turn in talk.timeline.turns
        if any(isinstance(each, Resolve) for each in talk.timeline.told(turn).operations)
    )
    target = next(each.target for each in talk.timeline.told(turn).operations if isinstance(each, Resolve)).proposition

    def answers(body: Any) -> Any:
        shape: str = loop.shape_of(body)
        nothing: dict[str, dict[str, Any]] = {
            "retrospective": {"explained": [], "grounds": []},
            "second_look": {"given_up": []},
        }
        return nothing.get(shape) or on_the_wire([{"op": "resolve", "target": target, "mode": "authoritative"}])

    with ScriptedServer(answers) as server:
        reading = read_alone(talk, turn, loop.gateway(server))
        asked = [loop.shape_of(body) for body in server.bodies]
    assert "retrospective" in asked
    (resolve,) = (each for each in reading.turn.operations if isinstance(each, Resolve))
    assert (resolve.subsumes, resolve.depends_on) == ((), ())
    assert reading.usage == server.usage


def _without_additions(operation: Any) -> Any:
    return replace(operation, subsumes=()) if isinstance(operation, Resolve) else operation
