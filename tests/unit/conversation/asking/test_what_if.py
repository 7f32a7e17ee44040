"""A branch to try changes on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from upheld.conversation.conversation import Conversation
from upheld.errors import UnknownReference
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Falsify, Retract, Supersede, Withdraw
from upheld.logic.language.verdicts import Reason
from upheld.logic.reasoning.state import State


def test_a_what_if_changes_nothing(outage: Conversation, facts: Callable[[State], dict[str, object]]) -> None:
    """Our promise (programs.md, 2): a read-only branch."""
    state, version, before = outage.state, outage.version, facts(outage.state)
    with outage.what_if() as branch:
        branch.retract("o9").falsify("o8").withdraw("T2")
        assert branch.verify("o9").reason is Reason.RETRACTED
    assert outage.state is state
    assert facts(outage.state) == before
    assert outage.version == version


def test_a_branch_answers_as_the_conversation_would_after_the_change(
    outage: Conversation, facts: Callable[[State], dict[str, object]]
) -> None:
    """Compare with the slow and obvious: doing it."""
    branch = outage.what_if()
    assert branch.retract("o9").status("h2").lifecycle is Lifecycle.ABANDONED
    assert branch.status("h2").standing is Label.UNDECIDED
    outage.retract("o9")
    assert facts(branch.then.state) == facts(outage.state)
    branch.withdraw("T4")
    outage.withdraw("T4")
    assert facts(branch.then.state) == facts(outage.state)


def test_each_kind_of_change_is_taken_and_listed(outage: Conversation) -> None:
    """Our promise: the branch says what it supposes, in order."""
    branch = outage.what_if()
    branch.retract("o8").falsify("o9").withdraw("T4").supersede("o8", "o9")
    assert branch.changes == [
        Retract(target=PropositionId("o8")),
        Falsify(target=PropositionId("o9")),
        Withdraw(source="T4"),
        Supersede(older=PropositionId("o8"), newer=PropositionId("o9")),
    ]
    assert branch.verify("o9", speaker="bob").reason is Reason.CONTRADICTED


def test_a_supposition_about_nothing_is_refused_and_leaves_the_branch(outage: Conversation) -> None:
    """Our promise: a failed operation leaves everything as before."""
    branch = outage.what_if()
    with pytest.raises(UnknownReference):
        branch.retract("o99")
    assert branch.changes == []
    assert branch.verify("o9").passes
