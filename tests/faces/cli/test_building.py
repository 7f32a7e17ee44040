"""From a conversation to what the report shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from upheld.conversation.checking.replaying import check_replies
from upheld.conversation.conversation import Conversation
from upheld.faces.report.building import LINES, report_of
from upheld.faces.report.contents import Report, StandingState
from upheld.faces.report.report import render_report
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.verdicts import Outcome
from upheld.speech.formats.reading import read_transcript

CONVERSATIONS = sorted((Path(__file__).resolve().parents[2] / "conversations").glob("[dp]*/[dp]*.yaml"))


def states_at(report: Report, turn: str) -> dict[PropositionId, StandingState]:
    """Add the changes up to a turn."""
    shown: dict[PropositionId, StandingState] = {}
    order = [each.id for each in report.turns]
    for change in report.changes:
        if order.index(change.turn) <= order.index(TurnId(turn)):
            shown.update(change.states)
    return shown


@pytest.mark.parametrize("file", CONVERSATIONS, ids=lambda file: file.stem)
def test_the_changes_of_the_report_add_up_to_the_state_of_every_turn(file: Path) -> None:
    """Our promise: the slider shows what the engine says as of that turn."""
    check = check_replies(read_transcript(file))
    conversation = check.conversation
    report = report_of(conversation, check=check)
    assert [each.id for each in report.turns] == list(conversation.timeline.turns)
    for turn in conversation.timeline.turns[::3] + conversation.timeline.turns[-1:]:
        snapshot = conversation.at(turn)
        shown = states_at(report, turn)
        for each in snapshot.propositions:
            status = snapshot.status(each.id)
            assert (shown[each.id].label, shown[each.id].lifecycle) == (status.standing, status.lifecycle)


def test_the_verdicts_of_a_check_are_in_the_report(outage: Path) -> None:
    """The issue: the report shows each reply with its verdict."""
    check = check_replies(read_transcript(outage))
    first, second = report_of(check.conversation, check=check).verdicts
    assert (first.turn, first.outcome, first.reason) == ("T14", Outcome.UNGROUNDED, "abandoned")
    assert first.because == ("h2", "o9")
    assert [str(each) for each in first.claims[0].literals] == ["h2"]
    assert "was given up at T9 by Alice because of o9" in first.summary
    assert (second.outcome, second.summary) == (Outcome.GROUNDED, "h4 ← h3 ← o5 (T2), o6 (T2), o9 (T7)")


def test_what_the_keeper_took_back_belongs_to_the_turn_before() -> None:
    """Docstring of Report: what happened outside any turn."""
    talk = Conversation(agents={"ana": ""})
    talk.observe("ana", "o1", "The disk is full.")
    talk.falsify("o1")
    talk.observe("ana", "o2", "The disk is old.")
    report = report_of(talk)
    states = {str(id): each.label.value for id, each in report.changes[0].states.items()}
    assert report.changes[0].turn == "T1"
    assert states["o1"] == "out"
    assert any(each.id == "o1#falsified" for each in report.propositions)


def test_what_was_in_view_before_is_shown_at_the_first_turn() -> None:
    """Docstring of report_of; the paper's puzzle begins with what all know."""
    rain = Proposition(id=PropositionId("p"), text="It rains.", kind=Kind.HYPOTHESIS)
    talk = Conversation(agents={"ana": ""}, initial=[rain])
    talk.observe("ana", "o1", "The street is wet.")
    report = report_of(talk)
    assert {each.id: each.turn for each in report.propositions} == {"p": "T1", "o1": "T1"}
    assert {"p", "o1"} <= report.changes[0].states.keys()


def test_a_conversation_without_turns_has_a_report() -> None:
    """Our promise: nothing said yet is a state of the page."""
    rain = Proposition(id=PropositionId("p"), text="It rains.", kind=Kind.HYPOTHESIS)
    report = report_of(Conversation(agents={"ana": ""}, initial=[rain]))
    assert (report.turns, report.propositions, report.edges) == ((), (), ())
    assert render_report(report)


def test_a_claim_with_alternative_grounds_carries_the_engines_explanation() -> None:
    """Docstring of Report: the page could not tell from the edges which of the alternatives stands."""
    talk = Conversation(agents={"ana": ""})
    for id in ("o1", "o2", "o3"):
        talk.observe("ana", id, f"The fact {id} holds.")
    talk.hypothesize("ana", "h1", "Something is up.", depends_on_any=[["o1"], ["o2"]], explains=["o3"])
    talk.retract("o1")
    report = report_of(talk)
    assert [str(line.id) for line in report.explanations[PropositionId("h1")]] == ["h1", "o2"]
    assert PropositionId("o3") not in report.explanations


def test_an_explanation_is_cut_where_the_page_would_cut_it() -> None:
    """Our promise: a chain of any length neither recurses nor fills the page."""
    talk = Conversation(agents={"ana": ""})
    talk.observe("ana", "o0", "Step 0.")
    for step in range(1, 3 * LINES):
        talk.observe("ana", f"o{step}", f"Step {step}.", depends_on=[f"o{step - 1}"])
    last = f"o{3 * LINES - 1}"
    talk.observe("ana", "end", "The end.", depends_on_any=[[last], ["o0"]])
    assert len(report_of(talk).explanations[PropositionId("end")]) == LINES
