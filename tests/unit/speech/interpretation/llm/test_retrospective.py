from __future__ import annotations

import pytest

from upheld.conversation.asking.view import StateView
from upheld.conversation.conversation import Conversation
from upheld.errors import UnusableReply
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import literal
from upheld.logic.language.operations import Observe, Operation, Resolve, Support
from upheld.logic.language.plain import Tree
from upheld.speech.interpretation.llm.retrospective import (
    is_retrospect_due,
    read_retrospective,
    retrospective_request,
)
from upheld.testing.interpreter_contract import ANN, spoken

TURN = spoken("T9", ANN, "Agreed: the shaft is bent.")
SETTLED = Resolve(target=literal("h2"))


def pump() -> StateView:
    """Give a diagnosis: h1 (the bearing), h2 (the shaft), h3 (given up), h4 which rests on h2."""
    talk = Conversation(agents={"ann": "engineer"})
    talk.observe("ann", "o1", "The pump is hot.")
    talk.observe("ann", "o2", "The shaft wobbles.")
    talk.hypothesize("ann", "h1", "A worn bearing heats the pump.", explains=["o1"])
    talk.hypothesize("ann", "h2", "The shaft is bent.", explains=["o1"], depends_on=["o2"])
    talk.hypothesize("ann", "h3", "The room is too warm.", explains=["o1"])
    talk.hypothesize("ann", "h4", "The bent shaft wears the bearing.", explains=["o1"], depends_on=["h2"])
    talk.revise("ann", "h3")
    return StateView(talk.state)


VIEW = pump()


def reply(explained: list[tuple[str, str]] | None = None, grounds: list[tuple[str, str]] | None = None) -> Tree:
    """Give a reply with additions: (claim, by) and (settled, on)."""
    return {
        "explained": [{"why": "", "claim": claim, "by": by} for claim, by in explained or []],
        "grounds": [{"why": "", "settled": settled, "on": on} for settled, on in grounds or []],
    }


def resolved(content: Tree, *operations: Operation) -> Resolve:
    """Give the first resolve of a reading after additions."""
    read = read_retrospective(content, operations or (SETTLED,), VIEW)
    return next(operation for operation in read if isinstance(operation, Resolve))


def test_it_is_asked_only_when_something_is_settled_and_something_else_is_there() -> None:
    """Appendix J: on each turn whose reading contains a resolve."""
    assert is_retrospect_due((SETTLED,), VIEW)
    assert not is_retrospect_due((Observe(id=PropositionId("T9.1"), text="x"),), VIEW)
    assert not is_retrospect_due((Resolve(target=literal("~h2")),), VIEW)
    lonely = Conversation(agents={"ann": "engineer"})
    lonely.observe("ann", "o1", "The pump is hot.")
    lonely.hypothesize("ann", "h2", "The shaft is bent.", explains=["o1"])
    assert not is_retrospect_due((SETTLED,), StateView(lonely.state))


def test_an_empty_answer_changes_nothing() -> None:
    """Appendix J: empty updates are common and acceptable, and the instructions say so."""
    assert resolved(reply()) == SETTLED
    request = retrospective_request(TURN, (SETTLED,), VIEW, budget=5_000)
    assert "empty answer is common" in request.messages[0].text


def test_what_the_settled_story_explains_is_subsumed() -> None:
    """Algorithm 1, Resolve: the earlier claim is now explained by the settled one."""
    assert resolved(reply([("h1", "h2")])).subsumes == ("h1",)
    twice = resolved(
        reply([("h1", "h2"), ("h1", "h2")]), Resolve(target=literal("h2"), subsumes=(PropositionId("h1"),))
    )
    assert twice.subsumes == ("h1",)


def test_a_further_ground_is_added_to_the_resolve_and_recorded_ones_stay() -> None:
    """Additions to existing dependencies, never removals."""
    settled = Resolve(target=literal("h2"), depends_on=(literal("o2"),))
    assert resolved(reply(grounds=[("h2", "o1"), ("h2", "o2")]), settled).depends_on == (literal("o2"), literal("o1"))


def test_nothing_is_made_to_hold_itself_up() -> None:
    """Semantics, section 2: nothing holds itself up in a circle; h4 rests on h2 already."""
    assert resolved(reply(grounds=[("h2", "h4"), ("h2", "h2")])) == SETTLED
    support = Support(target=PropositionId("h1"), evidence=(literal("h4"),))
    assert resolved(reply(grounds=[("h2", "h1")]), support, SETTLED) == SETTLED


def test_neither_a_fact_nor_what_was_given_up_is_explained_away() -> None:
    """A claim that is subsumed counts as resolved: what was given up must not come back by that door."""
    assert resolved(reply([("h3", "h2"), ("o1", "h2"), ("h2", "h2")])) == SETTLED


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({}, "explained: missing"),
        ({"explained": [], "grounds": {}}, "grounds: a list was asked for"),
        (reply([("h1", "h4")]), "'h4' was not settled"),
        (reply([("h9", "h2")]), "nobody introduced 'h9'"),
        ({"explained": [{"claim": "h1"}], "grounds": []}, "by: missing"),
    ],
)
def test_an_answer_that_cannot_be_read_says_why(content: Tree, said: str) -> None:
    """A fault is named, so that the one repair can mend it."""
    with pytest.raises(UnusableReply, match=said):
        read_retrospective(content, (SETTLED,), VIEW)


def test_a_claim_of_the_same_turn_has_its_local_name() -> None:
    """What the turn itself puts forward is shown, and referred to, by the name that it had in the reply."""
    own = Observe(id=PropositionId("T9.1"), text="The wobble is at the shaft's end.")
    request = retrospective_request(TURN, (own, SETTLED), VIEW, budget=5_000)
    assert "&quot;id&quot;: &quot;n1&quot;" in request.messages[1].text
    assert resolved(reply(grounds=[("h2", "n1")]), own, SETTLED).depends_on == (literal("T9.1"),)
