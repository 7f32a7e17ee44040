"""Verdicts by degrees: off unless asked for, and named where they decide."""

from __future__ import annotations

import pytest

from upheld import Conversation
from upheld.errors import MalformedInput, UnknownReference
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.standing import Label
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.logic.reasoning.grading import with_confidence, with_tolerance, without_weak_attacks


@pytest.fixture
def talk() -> Conversation:
    """A report that rests on three figures, one of which is taken back, and an objection to it."""
    talk = Conversation(agents={"ann": "", "bob": ""})
    for number in (1, 2, 3):
        talk.observe("ann", f"f{number}", f"Figure {number} is in the report.")
    talk.observe("ann", "r", "The report adds up.", depends_on=["f1", "f2", "f3"])
    talk.observe("bob", "s", "The summary is short.")
    talk.undermine("bob", "s", id="u", text="It has four pages.")
    return talk


def test_a_claim_survives_the_loss_of_a_minor_premise_when_asked_to(talk: Conversation) -> None:
    """Issue: partial dependency, off by default, named in the verdict."""
    talk.retract("f3")
    plain = talk.verify("r")
    assert (plain.reason, plain.variant) == (Reason.PREMISE_LOST, "")
    found = talk.verify("r", grading=with_tolerance(talk.state, 0.4))
    assert found.outcome is Outcome.GROUNDED
    assert found.variant == found.findings[0].variant == "partial dependency (tolerance 0.4)"
    strict = talk.verify("r", grading=with_tolerance(talk.state, 0.2))
    assert strict.reason is Reason.PREMISE_LOST
    assert strict.findings[0].variant == ""


def test_what_speakers_did_is_no_matter_of_degree(talk: Conversation) -> None:
    """Our promise: a tolerance brings back nothing that was taken back, and grounds nothing that nobody said."""
    talk.retract("f3")
    lenient = with_tolerance(talk.state, 0.9)
    assert talk.verify("f3", grading=lenient).reason is Reason.RETRACTED
    assert talk.verify("zzz", grading=lenient).reason is Reason.UNKNOWN
    assert talk.verify("~f3", grading=lenient).outcome is Outcome.GROUNDED


def test_a_doubtful_reading_makes_a_claim_too_weak(talk: Conversation) -> None:
    """Issue: confidence-calibrated grounding; the weakest ground decides."""
    doubts = {PropositionId("f1"): 0.6}
    grading = with_confidence(talk.state, doubts, at_least=0.7)
    assert talk.verify("r").outcome is Outcome.GROUNDED
    found = talk.verify("r", "f2", grading=grading)
    assert found.reason is Reason.TOO_WEAK
    assert found.findings[0].restored_if == "r or what it rests on is confirmed"
    assert "strength at least 0.7" in found.variant
    assert with_confidence(talk.state, doubts, at_least=0.6).label(PropositionId("r")) is Label.IN


def test_an_attack_that_weighs_little_is_overlooked(talk: Conversation) -> None:
    """Issue: weighted attacks."""
    assert talk.verify("s").reason is Reason.UNDERMINED
    weak = without_weak_attacks(talk.state, {("u", "s"): 0.2}, 0.5)
    assert talk.verify("s", grading=weak).outcome is Outcome.GROUNDED
    strong = without_weak_attacks(talk.state, {("u", "s"): 0.8}, 0.5)
    assert talk.verify("s", grading=strong).reason is Reason.UNDERMINED


def test_at_the_extremes_a_grading_says_what_plain_labels_say(talk: Conversation) -> None:
    """Our promise: no tolerance, full confidence and full weights change no label."""
    talk.retract("f2")
    state = talk.state
    for grading in (
        with_tolerance(state, 0),
        with_confidence(state, {}, at_least=1),
        without_weak_attacks(state, {}, 0),
    ):
        assert {id: grading.label(id) for id in state.nodes} == {id: state.label(id) for id in state.nodes}


def test_a_grading_that_means_nothing_is_refused(talk: Conversation) -> None:
    """Our promise: bad input gets a typed error."""
    with pytest.raises(MalformedInput):
        with_tolerance(talk.state, 1)
    with pytest.raises(MalformedInput):
        with_confidence(talk.state, {}, at_least=0)
    with pytest.raises(UnknownReference):
        with_confidence(talk.state, {PropositionId("zzz"): 0.5}, at_least=0.5)
