"""The interpreter with a language model against the suite that we ship, with a scripted one, and on whole files.

No figure is reported from scripted replies: they say what the labels say, so that the way from a reply to operations
is checked, and nothing of how well a language model reads.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from upheld.conversation.asking.view import StateView
from upheld.errors import RefusedTurn
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import ExpandAwareness, Observe, Operation, Question, Revise
from upheld.logic.language.plain import Tree, read_operation
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.policy import EVERYONE
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import opened, step
from upheld.speech.formats.reading import read_transcript
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.interpreter import Interpreter, Objection
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.speech.interpretation.llm.naming import local_names, on_the_wire
from upheld.speech.interpretation.llm.requesting import Asking, Condition, Dependencies
from upheld.speech.models.request import Request
from upheld.testing.interpreter_contract import FOREIGN, TURNS, InterpreterContract
from upheld.testing.scripted_model import ScriptedModel

REPOSITORY = Path(__file__).parents[2]
SHARED = Path(os.environ.get("UPHELD_SHARED", REPOSITORY.parent / "shared")) / "corpus"
COPIES = REPOSITORY / "tests" / "conversations"
FILES = {
    path.stem: path for place in (SHARED, COPIES) for folder in ("paper", "dev") for path in (place / folder).glob("*")
}
FIRST_ALONE = Asking(has_second_look=False, has_retrospect=False, trusts_tools=True)
"""One call a turn, and tools that may conclude: the labels let them."""

PHASE2 = "phase2-debugging"

NONE: list[Tree] = []
READINGS: Mapping[str, list[Tree]] = {
    TURNS[0].text: [{"op": "observe", "id": "n1", "text": "The train to Porto leaves from platform 3."}],
    TURNS[1].text: [
        {"op": "revise", "target": "o1", "replacement": "n1", "because": [], "withdrawn": False},
        {"op": "observe", "id": "n1", "text": "The train to Porto leaves at 10:15.", "supersedes": ["o1"]},
    ],
    TURNS[2].text: [
        {"op": "observe", "id": "n1", "text": "The timetable on the wall names a closed station.", "kind": "fact"},
        {"op": "hypothesize", "id": "n2", "text": "The timetable is old.", "depends_on": ["n1"], "explains": ["n1"]},
    ],
    TURNS[5].text: [{"op": "resolve", "target": "h1", "mode": "consensual", "id": None, "text": None}],
    FOREIGN[0].text: [{"op": "observe", "id": "n1", "text": FOREIGN[0].text}],
    FOREIGN[1].text: [{"op": "question", "text": FOREIGN[1].text, "id": None, "about": ["o1"]}],
    FOREIGN[2].text: [{"op": "observe", "id": "n1", "text": FOREIGN[2].text}],
}


def scripted(request: Request) -> Tree:
    """Answer with the reading of the turn at hand; nothing is given up at a second look, and nothing is added."""
    assert request.shape is not None
    nothing: Mapping[str, Tree] = {"second_look": {"given_up": []}, "retrospective": {"explained": [], "grounds": []}}
    if request.shape.name in nothing:
        return nothing[request.shape.name]
    to_read = request.messages[1].text.rsplit("<turn-to-read>", 1)[1]
    return {"operations": next((reading for words, reading in READINGS.items() if words in to_read), NONE)}


class TestLlmInterpreter(InterpreterContract):
    """With the state in view, and the further calls."""

    @pytest.fixture
    def interpreter(self) -> Interpreter:
        """Give one with scripted replies."""
        return LlmInterpreter(ScriptedModel(scripted))


class TestVotingLlmInterpreter(InterpreterContract):
    """With definitions alone, and several samples."""

    @pytest.fixture
    def interpreter(self) -> Interpreter:
        """Give one with scripted replies."""
        return LlmInterpreter(
            ScriptedModel(scripted),
            condition=Condition.DEFINITIONS,
            asking=Asking(dependencies=Dependencies.SELF_CONSISTENCY, samples=3),
        )


@pytest.fixture(params=sorted(FILES), ids=str)
def transcript(request: pytest.FixtureRequest) -> Transcript:
    """Give every labelled file there is."""
    return read_transcript(FILES[request.param])


def sayable(operation: Operation) -> Operation:
    """Give an operation without what no reading may say: a meaning in logic, and a source outside."""
    tree: dict[str, Any] = {"formula": None, "source": None}
    return operation if isinstance(operation, Revise | Question) else replace(operation, **tree)


def labelled(turn: Turn, view: StateView) -> tuple[Tree, dict[PropositionId, str]]:
    """Give the labels of a turn as a reply, and its local names."""
    operations = [sayable(operation) for operation in turn.operations]
    names = local_names(operations, view)
    reply = {"operations": [on_the_wire(operation, names) for operation in operations]}
    return reply, {PropositionId(id): name for id, name in names.items()}


def given_ids(operations: tuple[Operation, ...], ids: Mapping[str, str]) -> list[Operation]:
    """Give operations with the ids of the labels for those that the interpreter made."""
    return [read_operation(on_the_wire(operation, ids)) for operation in operations]


def test_the_labels_of_a_file_come_back_from_replies_that_say_them(transcript: Transcript) -> None:
    """Annotated-transcript format: the wire has the names and fields of the labels, so that every label can be said."""
    state = opened(transcript.agents, initial=transcript.initial, policy=EVERYONE)
    for turn in transcript.turns:
        view = StateView(state)
        reply, names = labelled(turn, view)
        interpreter = LlmInterpreter(ScriptedModel([reply]), asking=FIRST_ALONE)
        read = interpreter.interpret(turn, view)
        ids = {f"{turn.id}.{number}": id for number, id in enumerate(names, 1)}
        assert given_ids(read.operations, ids) == [sayable(operation) for operation in turn.operations], turn.id
        state = step(state, turn, is_lenient=True).state


def test_a_session_reads_a_file_as_its_turns_would(transcript: Transcript) -> None:
    """Session-batched: one call, order and audiences kept, the same operations turn by turn."""
    view = StateView(opened(transcript.agents, initial=transcript.initial, policy=EVERYONE))
    names: dict[str, str] = {}
    entries: list[Tree] = []
    for turn in transcript.turns:
        operations = [sayable(operation) for operation in turn.operations]
        fresh = [id for id in local_names(operations, view) if id not in names]
        names.update({id: f"n{number}" for number, id in enumerate(fresh, len(names) + 1)})
        entries.append({"turn": turn.id, "operations": [on_the_wire(operation, names) for operation in operations]})
    said = ScriptedModel([{"turns": entries}])
    readings = LlmInterpreter(said, asking=FIRST_ALONE).interpret_session(transcript.turns, view)
    assert len(said.asked) == 1
    for turn, reading in zip(transcript.turns, readings, strict=True):
        assert reading.abstained == "", turn.id
        assert len(reading.operations) == len(turn.operations)
        assert [type(operation) for operation in reading.operations] == [type(each) for each in turn.operations]


def before(turn: str) -> tuple[State, Turn]:
    """Give the paper's incident as it stands before a turn, and the turn."""
    transcript = read_transcript(FILES[PHASE2])
    state = opened(transcript.agents, initial=transcript.initial, policy=EVERYONE)
    for told in transcript.turns:
        if told.id == turn:
            return state, told
        state = step(state, told, is_lenient=True).state
    raise AssertionError(turn)


def test_the_fourth_turn_of_the_incident_turns_from_observe_to_expand_awareness_when_asked_again() -> None:
    """Issue 4, section 6, number 2; the paper, section 4.1 and Appendix C, T4."""
    state, turn = before("T4")
    view = StateView(state)
    observed = {
        "op": "observe",
        "id": "n1",
        "text": "The alarm is about Redis.",
        "kind": "fact",
        "reinterprets": ["o3"],
    }
    widened = {"op": "expand_awareness", "id": "n1", "text": "The alarm is about Redis.", "reinterprets": ["o3"]}
    said = ScriptedModel([{"operations": [observed]}, {"operations": [widened]}])
    interpreter = LlmInterpreter(said, asking=Asking(has_second_look=False))
    first = interpreter.interpret(turn, view)
    assert isinstance(first.operations[0], Observe)
    with pytest.raises(RefusedTurn) as refused:
        step(state, replace(turn, operations=first.operations))
    failure = refused.value
    objection = Objection(failure=failure.failure, message=failure.reason, operation=failure.operation)
    again = interpreter.reinterpret(turn, view, first, objection)
    assert isinstance(again.operations[0], ExpandAwareness)
    assert "use expand_awareness" in said.asked[1].messages[-1].text
    after = step(state, replace(turn, operations=again.operations)).state
    assert after.proposition(PropositionId("T4.1")).text == "The alarm is about Redis."


def test_the_edge_of_the_incident_that_only_the_resolve_can_add_comes_from_the_retrospect() -> None:
    """The paper, Appendices I and J: h1 → h4 is not set at the creation of h4 but at T13, by a call of its own."""
    state, turn = before("T13")
    first = {"operations": [{"op": "resolve", "target": "h4", "mode": "consensual"}]}
    added = {"explained": [{"why": "h4 brings about what h1 starts from", "claim": "h1", "by": "h4"}], "grounds": []}

    def script(request: Request) -> Tree:
        return added if request.shape is not None and request.shape.name == "retrospective" else first

    read = LlmInterpreter(ScriptedModel(script), asking=Asking(has_second_look=False)).interpret(turn, StateView(state))
    after = step(state, replace(turn, operations=read.operations)).state
    lone = LlmInterpreter(ScriptedModel(script), asking=FIRST_ALONE)
    without = step(state, replace(turn, operations=lone.interpret(turn, StateView(state)).operations)).state
    h1, h4 = PropositionId("h1"), PropositionId("h4")
    assert h1 in after.dependencies.explained_by(h4)
    assert h1 not in without.dependencies.explained_by(h4)


def test_no_request_of_a_file_holds_what_is_said_outside_a_quotation(transcript: Transcript) -> None:
    """What people said is data: the instructions of every turn of a condition are the same, whatever is said."""
    state = opened(transcript.agents, initial=transcript.initial, policy=EVERYONE)
    interpreter = LlmInterpreter(ScriptedModel([]))
    seen: set[str] = set()
    for turn in transcript.turns:
        for request in interpreter.requests_for(turn, StateView(state)):
            seen.add(request.messages[0].text)
            assert json.dumps(request.messages[1].text)
        state = step(state, turn, is_lenient=True).state
    assert len(seen) <= 2
