"""The fold with its past: every state after every turn."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from upheld.conversation.events import Joined, Took
from upheld.conversation.timeline import STRIDE, Timeline
from upheld.errors import UnknownReference
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Observe, Operation
from upheld.logic.language.turns import Retract, Turn
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import opened

ALICE, BOB = AgentId("alice"), AgentId("bob")
FactsOf = Callable[[State], dict[str, object]]


def turn(number: int, *operations: Operation, audience: frozenset[AgentId] | None = None) -> Turn:
    """Give a turn of Alice's."""
    return Turn(id=TurnId(f"T{number}"), speaker=ALICE, operations=operations, audience=audience)


def chained(number: int) -> Observe:
    """Give an observation that rests on the one before."""
    grounds = (Literal(PropositionId(f"o{number - 1}")),) if number > 1 else ()
    return Observe(id=PropositionId(f"o{number}"), text=f"Claim {number}.", depends_on=grounds)


def timeline(count: int) -> Timeline:
    """Give a chain of claims, a turn each."""
    line = Timeline(opened([Agent(id=ALICE), Agent(id=BOB)]))
    for number in range(1, count + 1):
        line.add(turn(number, chained(number)))
    return line


@pytest.mark.parametrize("count", [1, STRIDE - 1, STRIDE, STRIDE + 1, 2 * STRIDE, 2 * STRIDE + 5])
def test_the_state_after_and_before_each_turn_is_found_again(count: int, facts: FactsOf) -> None:
    """Demanded by semantics, section 1: `at=t` answers as of t; compared with a fold that ends there."""
    line = timeline(count)
    for number in {1, 2, STRIDE - 1, STRIDE, STRIDE + 1, count - 1, count} & set(range(1, count + 1)):
        here = TurnId(f"T{number}")
        assert facts(line.at(here)) == facts(timeline(number).now)
        assert facts(line.before(here)) == facts(timeline(number - 1).now)


def test_an_unknown_turn_has_no_state() -> None:
    """Our promise: a named error."""
    line = timeline(2)
    for ask in (line.at, line.before, line.told):
        with pytest.raises(UnknownReference):
            ask(TurnId("T3"))


def test_other_events_count_for_the_past_and_are_no_turns(facts: FactsOf) -> None:
    """Demanded by semantics, section 1: retractions are entries; the state after a turn is that before they came."""
    line = timeline(3)
    untouched = line.now
    line.add(Took(retraction=Retract(target=PropositionId("o1")), by=BOB, reason="measured again"))
    line.add(Joined(agents=(Agent(id=AgentId("carol")),)))
    line.add(turn(4))
    assert line.turns == ("T1", "T2", "T3", "T4")
    assert line.length == len(line.turns)
    assert line.at(TurnId("T3")) is not line.now
    assert facts(line.at(TurnId("T3"))) == facts(untouched)
    assert "carol" in line.before(TurnId("T4")).agents
    assert "carol" not in line.at(TurnId("T3")).agents


@pytest.mark.parametrize("place", [1, STRIDE, STRIDE + 1, STRIDE + 8])
def test_an_amendment_gives_what_a_fold_with_it_gives(place: int, facts: FactsOf) -> None:
    """Demanded by semantics, section 1: compared with the slow and obvious fold of all events, the new one in place."""
    line = timeline(STRIDE + 8)
    before = facts(line.now)
    reworded = Observe(id=PropositionId(f"o{place}"), text="Reworded.")
    fresh = line.amended(turn(place, reworded))
    slow = Timeline(opened([Agent(id=ALICE), Agent(id=BOB)]))
    for number in range(1, STRIDE + 9):
        slow.add(turn(number, reworded if number == place else chained(number)))
    assert fresh.events == slow.events
    assert fresh.turns == slow.turns
    assert facts(fresh.now) == facts(slow.now)
    for number in (1, place, STRIDE, STRIDE + 1, STRIDE + 7):
        assert facts(fresh.at(TurnId(f"T{number}"))) == facts(slow.at(TurnId(f"T{number}"))), number
    assert facts(line.now) == before, "the timeline that was amended is untouched"
    assert line.told(TurnId(f"T{place}")) != fresh.told(TurnId(f"T{place}"))


def test_a_view_of_an_agent_is_the_fold_of_what_it_heard(facts: FactsOf) -> None:
    """Demanded by semantics, section 8: private turns are left out, and so is what leans on them, whole turns of it."""
    line = timeline(2)
    line.add(turn(3, chained(3), audience=frozenset[AgentId]()))
    leaning = Observe(id=PropositionId("o5"), text="Beside it.")
    line.add(turn(4, leaning, chained(4)))
    line.add(Took(retraction=Retract(target=PropositionId("o3"))))
    heard = line.for_agent(BOB)
    assert set(heard.propositions) == {"o1", "o2"}
    assert set(line.for_agent(ALICE).propositions) == {"o1", "o2", "o3", "o4", "o5"}
    assert facts(line.for_agent(BOB, upto=TurnId("T1"))) == facts(timeline(1).now)


def test_the_common_state_is_everybodys_while_nothing_is_private() -> None:
    """Our promise (`seen_by`): no fold of its own where there is nothing to leave out."""
    line = timeline(3)
    assert line.seen_by(BOB) is line.now
    assert line.seen_by(BOB, upto=TurnId("T3")) is line.now
    assert set(line.seen_by(BOB, upto=TurnId("T2")).propositions) == {"o1", "o2"}
    line.add(turn(4, chained(4), audience=frozenset[AgentId]()))
    assert set(line.seen_by(BOB).propositions) == {"o1", "o2", "o3"}
    open_again = line.amended(turn(4, chained(4)))
    assert open_again.seen_by(BOB) is open_again.now
    private = timeline(3).amended(turn(2, chained(2), audience=frozenset[AgentId]()))
    assert set(private.seen_by(BOB).propositions) == {"o1"}
    line.add(turn(5))
    assert set(line.amended(turn(5, Observe(id=PropositionId("o5"), text="Beside it."))).seen_by(BOB).propositions) == {
        "o1",
        "o2",
        "o3",
        "o5",
    }
