"""What an event did to claims that were there before it."""

from __future__ import annotations

import pytest

from upheld import Conversation
from upheld.conversation.asking.effects import Effects, effects_of
from upheld.errors import UnknownReference
from upheld.logic.language.identities import PropositionId


def told() -> Conversation:
    """A garden: two readings, a guess on both together, a plan on either."""
    talk = Conversation({"ann": "gardener", "ben": "botanist"}, id="garden")
    talk.observe("ann", "o1", "The soil of the left bed is dry.")
    talk.observe("ben", "o2", "The soil of the right bed is dry.")
    talk.hypothesize("ben", "h1", "The pump is off.", explains=["o1"], depends_on=["o1", "o2"])
    talk.observe("ann", "c1", "Both beds want water.", kind="fact", depends_on_any=[["o1"], ["o2"]])
    return talk


def ids(*names: str) -> tuple[PropositionId, ...]:
    """Names of claims."""
    return tuple(map(PropositionId, names))


def last(talk: Conversation) -> Effects:
    """What the newest event did."""
    return effects_of(*talk.timeline.around(talk.timeline.count - 1))


def test_what_is_said_new_does_nothing_to_what_was_there() -> None:
    """Our promise (docs/how-to/run-the-service.md): effects are those on earlier claims."""
    talk = told()
    assert [effects_of(*talk.timeline.around(place)) for place in range(4)] == [Effects()] * 4
    with pytest.raises(UnknownReference):
        talk.timeline.around(talk.timeline.count)


def test_a_turn_that_gives_a_claim_up_loses_what_rests_on_it_and_thins_what_has_another_ground() -> None:
    """Semantics, section 7: lost and thinned, said of a turn."""
    talk = told()
    talk.revise("ann", "o1", because=["o2"])
    assert last(talk) == Effects(given_up=ids("o1"), lost=ids("h1"), thinned=ids("c1"))


def test_an_attack_defeats_and_an_answer_to_it_reinstates() -> None:
    """Semantics, section 2: a specific support answers what speaks against its target."""
    talk = told()
    talk.observe("ann", "o3", "The pump hums.")
    talk.undermine("ann", "h1", evidence=["o3"], specific=True)
    assert last(talk) == Effects(defeated=ids("h1"))
    talk.observe("ben", "o4", "The hum is the fan.")
    talk.support("ben", "h1", evidence=["o4"], specific=True)
    assert last(talk) == Effects(reinstated=ids("h1"))


def test_a_retraction_by_the_keeper_does_what_affected_said_it_would() -> None:
    """Our promise: one answer, before and after."""
    talk = told()
    expected = talk.affected("o1")
    talk.retract("o1")
    assert last(talk) == Effects(
        lost=tuple(each.id for each in expected.lost), thinned=tuple(each.id for each in expected.thinned)
    )
    assert last(talk).lost == ("h1",)
