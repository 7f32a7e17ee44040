"""What the values of a clause and of a report allow, before any network is asked."""

from __future__ import annotations

import pytest

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import Label, Lifecycle
from upheld.speech.interpretation.trained.replacing import may_replace
from upheld.speech.view import Known


def report(text: str) -> Known:
    """Give a report that stands."""
    proposition = Proposition(id=PropositionId("o1"), text=text, kind=Kind.OBSERVATION)
    return Known(proposition=proposition, label=Label.IN, lifecycle=Lifecycle.STANDING)


@pytest.mark.parametrize(
    ("said", "clause"),
    [
        ("The user paid 45 euros.", "45, as I said."),
        ("We need three movers on 3 June.", "Three, please."),
        ("The goods go to 70 Tannery Lane.", "No, 70 Tannery Lane."),
        ("The appointment is on Monday.", "I can't on Monday."),
    ],
)
def test_the_same_value_said_again_replaces_nothing(said: str, clause: str) -> None:
    """Our promise: whoever insists on a value has not given it up."""
    assert not may_replace(clause, report(said))


@pytest.mark.parametrize(
    ("said", "clause"),
    [
        ("The user paid 45 euros.", "I waited on the phone for 30 minutes."),
        ("The order is ORD-2041.", "We meet at 14:20."),
        ("Deliver to 14 Quay Street.", "Call me at 16:30."),
    ],
)
def test_a_value_of_another_sort_replaces_nothing(said: str, clause: str) -> None:
    """Our promise: a time does not take the place of an amount, nor a time that of an address."""
    assert not may_replace(clause, report(said))


@pytest.mark.parametrize(
    ("said", "clause"),
    [
        ("The meeting is at 14:00.", "Make it 15:30."),
        ("The meeting is at 14:00, not at 13:00.", "Half past three suits everyone."),
        ("The meeting is at 14:00, not at 13:00.", "13:00 it is after all."),
        ("The table is for four people.", "Six, then."),
        ("The user is a vegetarian.", "I eat fish these days."),
        ("The user lives in Graz.", "It is Linz now, since 3 May."),
    ],
)
def test_another_value_of_the_sort_or_none_at_all_leaves_it_to_the_network(said: str, clause: str) -> None:
    """A rule that knows nothing against it says nothing."""
    assert may_replace(clause, report(said))
