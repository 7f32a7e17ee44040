"""Cases from public threads that belong to the engine, each under its id: a small input and the one right answer."""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest

from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal, literals
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Revise
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Falsify, Retract, Turn, Withdraw
from upheld.logic.language.verdicts import Candidate, Outcome, Reason
from upheld.logic.reasoning.answers.changes import affected
from upheld.logic.reasoning.answers.conflicts import Nogood, nogoods
from upheld.logic.reasoning.answers.explain import explain
from upheld.logic.reasoning.answers.verify import verify_literal
from upheld.logic.reasoning.laws import violations
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.policy import EVERYONE
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.logic.reasoning.transition.step import opened, step

MULTIPLIER = float(os.environ.get("UPHELD_EXAMPLES", "1"))
LENGTH = 100_000 if MULTIPLIER >= 10 else 10_000
ANN = AgentId("ann")


def heard(state: State, *operations: Operation, turn: str = "") -> State:
    """The state after one more turn of Ann's."""
    id = TurnId(turn or f"T{len(state.turns) + 1}")
    return step(state, Turn(id=id, speaker=ANN, operations=operations), is_lenient=True).state


def start() -> State:
    """A conversation in which Ann is a source."""
    return opened([Agent(id=ANN)], policy=EVERYONE)


def observe(id: str, *premises: str, text: str = "", contradicts: Iterable[str] = ()) -> Observe:
    """An observation on joint premises."""
    return Observe(
        id=PropositionId(id),
        text=text or f"{id} is so",
        depends_on=literals(premises),
        contradicts=tuple(map(PropositionId, contradicts)),
    )


def on_either(id: str, *alternatives: tuple[str, ...]) -> Hypothesize:
    """A hypothesis on alternatives, each joint."""
    groups = tuple(literals(list(group)) for group in alternatives)
    return Hypothesize(id=PropositionId(id), text=f"perhaps {id}", depends_on_any=groups)


def claim(id: str) -> Candidate:
    """The claim, as fact."""
    return Candidate(literal=Literal(PropositionId(id)))


def lost(state: State, id: str) -> dict[str, str]:
    """What taking a claim back would do to what rests on it."""
    delta = affected(state, Retract(target=PropositionId(id)))
    return {item.id: item.effect.value for item in (*delta.lost, *delta.thinned)}


def test_c_01_a_fact_that_another_source_still_supports_stands() -> None:
    """C-01 (semantica #1542): Eligible rests on s1 or s2; without s1 it is thinned, without both it is lost."""
    state = heard(start(), observe("s1"), observe("s2"), on_either("Eligible", ("s1",), ("s2",)))
    assert lost(state, "s1") == {"Eligible": "thinned"}
    state = taken_back(state, Retract(target=PropositionId("s1")))
    assert state.label("Eligible") is Label.IN
    assert lost(state, "s2") == {"Eligible": "lost"}
    assert taken_back(state, Retract(target=PropositionId("s2"))).label("Eligible") is Label.OUT


def test_c_02_a_claim_stands_through_its_other_alternative_and_says_which() -> None:
    """C-02 (the paper's Proposition 2.1 against C-01): h rests on o1 and o2 together, or on o3."""
    state = heard(start(), observe("o1"), observe("o2"), observe("o3"), on_either("h", ("o1", "o2"), ("o3",)))
    assert lost(state, "o1") == {"h": "thinned"}
    state = taken_back(state, Retract(target=PropositionId("o1")))
    assert state.label("h") is Label.IN
    explanation = explain(state, PropositionId("h"))
    assert [str(node.literal) for node in explanation.nodes] == ["h", "o3"]
    assert explanation.breaks_if == ("o3",)


def test_c_06_two_claims_that_clash_name_the_premise_that_both_rest_on() -> None:
    """C-06 (Gaia #58): the shared premise is the sole suspect, and nothing is retracted unasked."""
    state = heard(start(), observe("p"), observe("c1", "p"), observe("c2", "p", contradicts=["c1"]))
    assert nogoods(state) == (
        Nogood(claims=(PropositionId("c1"), PropositionId("c2")), culprits=(PropositionId("p"),)),
    )
    assert (state.label("p"), lifecycle_of(state, PropositionId("p"))) == (Label.IN, Lifecycle.STANDING)


def test_c_06_of_several_shared_premises_each_is_a_suspect() -> None:
    """C-06: two candidates, so list both; without a shared one, list none."""
    both = heard(
        start(), observe("q"), observe("r"), observe("c1", "q", "r"), observe("c2", "q", "r", contradicts=["c1"])
    )
    assert [each.culprits for each in nogoods(both)] == [("q", "r")]
    neither = heard(start(), observe("q"), observe("r"), observe("c1", "q"), observe("c2", "r", contradicts=["c1"]))
    assert [each.culprits for each in nogoods(neither)] == [()]


def moved_house() -> State:
    """Kiran lives in Whitefield (T1); Kiran moved, which closes the first (T2)."""
    state = heard(start(), observe("e1", text="Kiran lives in Whitefield"))
    replaced = Revise(target=PropositionId("e1"), replacement=PropositionId("e2"))
    return heard(state, observe("e2", text="Kiran moved to Electronic City"), replaced)


def test_c_08_withdrawing_the_source_that_closed_a_fact_reinstates_it() -> None:
    """C-08 (graphiti 0.31.2): the closing turn is withdrawn with its revise, so the old fact stands again."""
    state = moved_house()
    closed = verify_literal(state, claim("e1"))
    assert (closed.reason, closed.current, closed.turn) == (Reason.SUPERSEDED, "e2", "T2")
    withdrawal = Withdraw(source="T2")
    assert affected(state, withdrawal).reinstated == ("e1",)
    state = taken_back(state, withdrawal)
    assert (state.label("e1"), lifecycle_of(state, PropositionId("e1"))) == (Label.IN, Lifecycle.STANDING)
    assert verify_literal(state, claim("e1")).outcome is Outcome.GROUNDED
    assert verify_literal(state, claim("e2")).reason is Reason.UNKNOWN
    assert [act.kind.value for act in state.node(PropositionId("e1")).acts] == ["introduced", "replaced"]


def test_c_08_taking_back_the_claim_alone_leaves_the_old_fact_reopened() -> None:
    """C-08, note of cases.md: the revise is a speech act and does not undo itself."""
    change = Retract(target=PropositionId("e2"))
    assert affected(moved_house(), change).reopened == ("e1",)
    assert verify_literal(taken_back(moved_house(), change), claim("e1")).reason is Reason.REOPENED


def test_c_11_a_hundred_sources_added_and_withdrawn_leave_nothing_that_stands() -> None:
    """C-11 (graphiti #1083): what stands, and what rests on what, returns to where it was; the state is sound."""
    state = heard(start(), observe("kept"))
    standing, edges = _standing(state), _edges(state)
    for count in range(100):
        source = f"S{count}"
        state = heard(state, observe(f"o{count}"), observe(f"d{count}", f"o{count}", "kept"), turn=source)
        assert _edges(state) == edges + 2
        state = taken_back(state, Withdraw(source=source))
    assert (_standing(state), _edges(state)) == (standing, edges)
    assert lost(state, "kept") == {}
    assert violations(state) == ()


def _standing(state: State) -> set[PropositionId]:
    return {id for id in state.propositions if state.label(id) is Label.IN}


def _edges(state: State) -> int:
    return sum(len(nodes) for nodes in state.dependencies.dependents.values())


def test_c_23_the_same_thing_said_twice_is_one_claim_with_two_turns() -> None:
    """C-23 (mem0 #1674): it stands, and it still stands when either turn is withdrawn."""
    state = heard(heard(start(), observe("x")), observe("x"))
    node = state.node(PropositionId("x"))
    assert len(state.propositions) == 1
    assert [item.origin.turn for item in node.introductions] == ["T1", "T2"]
    assert state.label("x") is Label.IN
    for turn in ("T1", "T2"):
        assert taken_back(state, Withdraw(source=turn)).label("x") is Label.IN
    both = taken_back(taken_back(state, Withdraw(source="T1")), Withdraw(source="T2"))
    assert both.label("x") is Label.OUT


@pytest.fixture(scope="module")
def chain() -> State:
    """c0, and each further claim on the one before it."""
    state = heard(start(), observe("c0"))
    for place in range(1, LENGTH):
        state = heard(state, observe(f"c{place}", f"c{place - 1}"))
    return state


def test_c_55_a_long_chain_falls_whole_and_is_explained_to_its_end(chain: State) -> None:
    """C-55 (ftl-reasons 0.57): retract the first, and all are lost; explain the last; no recursion anywhere."""
    last = f"c{LENGTH - 1}"
    # Every lost claim carries the way to it, so that the answer itself is quadratic: it is asked over 10,000 at most.
    reach = min(LENGTH, 10_000)
    delta = affected(chain, Retract(target=PropositionId(f"c{LENGTH - reach}")))
    assert len(delta.lost) == reach - 1
    assert len(delta.lost[-1].path) == reach
    explanation = explain(chain, PropositionId(last))
    assert (len(explanation.nodes), len(explanation.breaks_if)) == (LENGTH, LENGTH - 1)
    assert explanation.roots == frozenset({("c0", "ann")})
    found = verify_literal(chain, claim(last))
    assert (found.outcome, len(found.grounds)) == (Outcome.GROUNDED, LENGTH)


def test_c_55_the_far_end_of_a_long_chain_names_the_first_fallen_premise(chain: State) -> None:
    """C-55: after the retraction the way from the last claim to the first is given; the near end costs nothing."""
    for change in (Retract(target=PropositionId("c0")), Falsify(target=PropositionId("c0"))):
        fallen = taken_back(chain, change)
        found = verify_literal(fallen, claim(f"c{LENGTH - 1}"))
        assert (found.reason, found.because, len(found.path)) == (Reason.PREMISE_LOST, ("c0",), LENGTH)
        assert verify_literal(fallen, claim("c1")).path == ("c1", "c0")
    last = PropositionId(f"c{LENGTH - 1}")
    assert affected(chain, Retract(target=last)).affected == ()
    assert len(explain(chain, PropositionId("c0")).nodes) == 1
