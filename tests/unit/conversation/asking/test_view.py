"""A state as interpreters and matchers read it."""

from __future__ import annotations

from upheld.conversation.asking.view import StateView
from upheld.conversation.conversation import Conversation
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import Label, Lifecycle


def test_a_view_gives_what_is_known_in_the_order_in_which_it_was_said(outage: Conversation) -> None:
    """Demanded by the protocol (`View`): who put it forward first, when, and how it stands."""
    known = list(StateView(outage.state).known())
    assert [(each.proposition.id, each.label, each.lifecycle, each.speaker, each.turn) for each in known] == [
        ("o8", Label.IN, Lifecycle.STANDING, "alice", "T1"),
        ("h2", Label.OUT, Lifecycle.ABANDONED, "bob", "T2"),
        ("o9", Label.IN, Lifecycle.STANDING, "alice", "T3"),
    ]


def test_one_is_found_by_its_id_and_an_act_is_no_proposition(outage: Conversation) -> None:
    """Demanded by the protocol (`View`): ``None`` when nobody put it forward."""
    view = StateView(outage.state)
    found = view.get(PropositionId("h2"))
    assert found is not None
    assert found.proposition.text == "The Redis failure makes auth fail."
    assert view.get(PropositionId("nowhere")) is None
    assert PropositionId("T4#1") in outage.state.nodes
    assert view.get(PropositionId("T4#1")) is None


def test_what_was_there_before_anybody_spoke_has_no_speaker() -> None:
    """Our promise: no turn and no speaker are made up."""
    initial = Proposition(id=PropositionId("m1"), text="It is wet.", kind=Kind.HYPOTHESIS)
    (known,) = StateView(Conversation(initial=[initial]).state).known()
    assert (known.speaker, known.turn) == (None, None)
