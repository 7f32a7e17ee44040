"""A state as a bare framework: the theory's own labelling must give what the engine gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from upheld.conversation.asking.picturing import steps
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.logic.argumentation.formats.apx import read_apx
from upheld.logic.argumentation.grounded import grounded
from upheld.logic.language.standing import Label
from upheld.logic.reasoning.answers.framing import apx_of_state, framework_of_state
from upheld.logic.reasoning.state import State
from upheld.speech.formats.reading import read_transcript

CONVERSATIONS = sorted((Path(__file__).resolve().parents[4] / "conversations").glob("[dp]*/[dp]*.yaml"))


def assert_alike(state: State) -> None:
    """Hold the labels of every vertex against those of the framework."""
    labels = grounded(framework_of_state(state))
    vertices = list(state.network.rules)
    assert {key: labels[key] for key in vertices} == {key: state.network.label(key) for key in vertices}


@pytest.mark.parametrize("file", CONVERSATIONS, ids=lambda file: file.stem)
def test_the_grounded_labelling_of_the_framework_is_that_of_the_state(file: Path) -> None:
    """The semantics, section 2: a Dung framework with necessary supports; after every turn of every conversation."""
    conversation = loaded(read_transcript(file))
    for _, _, after in steps(conversation.timeline):
        assert_alike(after)


def test_a_reopened_claim_is_undecided_in_the_framework_too() -> None:
    """The semantics, section 2: a target whose revise nodes have all fallen is undecided, not in."""
    talk = Conversation(agents={"ana": ""})
    talk.observe("ana", "o1", "The disk is full.")
    talk.hypothesize("ana", "h1", "The log fills the disk.", depends_on=["o1"], explains=["o1"])
    talk.observe("ana", "o2", "The log is empty.")
    talk.revise("ana", "h1", because=["o2"])
    talk.retract("o2")
    assert talk.state.label("h1") is Label.UNDECIDED
    assert_alike(talk.state)


def test_an_answered_attack_does_not_bite_in_the_framework() -> None:
    """The semantics, section 2: a specific support without an id answers the earlier attacks on its target."""
    talk = Conversation(agents={"ana": ""})
    talk.observe("ana", "o1", "The disk is full.")
    talk.hypothesize("ana", "h1", "The log fills the disk.", depends_on=["o1"], explains=["o1"])
    talk.undermine("ana", "h1", evidence=["o1"])
    assert_alike(talk.state)
    talk.observe("ana", "o2", "The log grew tonight.")
    talk.support("ana", "h1", evidence=["o2"], specific=True)
    assert talk.state.label("h1") is Label.IN
    assert_alike(talk.state)


def test_a_negated_premise_is_said_in_the_framework() -> None:
    """The semantics, section 2: ``~a`` is in when a is established false, out when a is in, else undecided."""
    talk = Conversation(agents={"ana": ""})
    talk.observe("ana", "o1", "The disk is full.")
    talk.observe("ana", "o2", "The log is empty.")
    talk.hypothesize("ana", "h1", "The disk is fine.", depends_on=["~o1"], explains=["o2"])
    assert_alike(talk.state)
    retracted = talk.what_if().retract("o1").then.state
    falsified = talk.what_if().falsify("o1").then.state
    assert (retracted.label("h1"), falsified.label("h1")) == (Label.UNDECIDED, Label.IN)
    assert_alike(retracted)
    assert_alike(falsified)


def test_apx_names_are_plain_and_their_vertices_are_told() -> None:
    """The ICCMA format: a name is letters, digits and underscores; ids of people may be anything without blanks."""
    talk = Conversation(agents={"ana": ""})
    talk.observe("ana", "o.1", "The disk is full.")
    talk.observe("ana", "o_1", "The disk is old.")
    talk.revise("ana", "o.1", because=["o_1"])
    text = apx_of_state(talk.state)
    labels = grounded(read_apx(text))
    legend = dict(line.removeprefix("% ").split(" = ") for line in text.splitlines() if line.startswith("%"))
    names = {key: name for name, key in legend.items()}
    first, second = (names.get(key, key) for key in ("o.1", "o_1"))
    assert (labels[first], labels[second]) == (Label.OUT, Label.IN)
    assert names["T3#1"] == "T3_1"
