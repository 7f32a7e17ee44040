"""Reasons of ungrounded verdicts, in shapes that the conformance suite does not ask for."""

from __future__ import annotations

from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import literal, literals
from upheld.logic.language.operations import (
    Hypothesize,
    Observe,
    Operation,
    Resolve,
    ResolveMode,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.turns import Falsify, Retract, Supersede, Turn, Withdraw
from upheld.logic.language.verdicts import Candidate, Finding, Modality, Outcome, Reason
from upheld.logic.reasoning.answers.verify import verify, verify_literal
from upheld.logic.reasoning.policy import EVERYONE, PEOPLE_AND_TOOLS
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.logic.reasoning.transition.step import opened, step

A, B, C, D, H = map(PropositionId, ("a", "b", "c", "d", "h"))


def observe(id: str, *premises: str) -> Observe:
    """An observation on joint premises."""
    return Observe(id=PropositionId(id), text=f"{id} is so", depends_on=literals(premises))


def told(*operations: Operation, speaker: str = "ann") -> State:
    """One turn each, everybody a source."""
    agents = (Agent(id=AgentId("ann"), authority=True), Agent(id=AgentId("bob")))
    state = opened(agents, policy=EVERYONE)
    for place, operation in enumerate(operations, start=1):
        turn = Turn(id=TurnId(f"T{place}"), speaker=AgentId(speaker), operations=(operation,))
        state = step(state, turn, is_lenient=True).state
    return state


def asked(state: State, text: str, modality: Modality = Modality.FACT) -> Finding:
    """The finding on one literal."""
    return verify_literal(state, Candidate(literal=literal(text), modality=modality))


def test_a_candidate_without_any_claim_is_not_grounded() -> None:
    """Semantics, section 6: unknown, nobody said it; there is no literal to carry a finding."""
    verdict = verify(told(), [])
    assert (verdict.outcome, verdict.findings, verdict.passes) == (Outcome.UNGROUNDED, (), False)


def test_the_failing_finding_comes_first() -> None:
    """Semantics, section 6: a candidate is grounded iff all its literals are."""
    verdict = verify(told(observe("a")), [Candidate(literal=literal(text)) for text in ("a", "nobody")])
    assert [finding.reason for finding in verdict.findings] == [Reason.UNKNOWN, None]
    assert verdict.reason is Reason.UNKNOWN


def test_a_value_that_its_successor_replaces_names_the_last_of_the_line() -> None:
    """Semantics, section 6: superseded, with the current value, however many have followed."""
    first = Observe(id=B, text="b", supersedes=(A,))
    state = told(observe("a"), first, Observe(id=C, text="c", supersedes=(B,)))
    found = asked(state, "a")
    assert (found.reason, found.current, found.because) == (Reason.SUPERSEDED, "c", ("c",))
    assert found.restored_if == "the current value c is used"


def test_a_line_of_values_that_runs_in_a_circle_ends() -> None:
    """Our promise: no lineage can hang a question; in a circle of values none is settled."""
    state = told(observe("a"), observe("b"))
    for older, newer in ((A, B), (B, A)):
        state = taken_back(state, Supersede(older=older, newer=newer))
    found = asked(state, "a")
    assert (found.reason, found.current) == (Reason.SUPERSEDED, "b")


def test_of_two_successors_the_one_that_stands_is_current() -> None:
    """Semantics, section 6: the newest that stands; when none does, the newest."""
    state = told(
        observe("a"), observe("b"), observe("c"), Revise(target=A, replacement=B), Revise(target=A, replacement=C)
    )
    assert asked(state, "a").current == "c"
    assert asked(taken_back(state, Retract(target=C)), "a").current == "b"


def test_what_the_keeper_of_the_record_falsified_is_contradicted() -> None:
    """Semantics, section 2: ~a is established; there is no claim that shows it."""
    state = taken_back(told(observe("a")), Falsify(target=A))
    found = asked(state, "a")
    assert (found.reason, found.because) == (Reason.CONTRADICTED, ())
    assert found.restored_if == "what stands against it is taken back"
    assert asked(state, "~a").outcome is Outcome.GROUNDED


def test_a_position_settled_against_is_denied_on_the_grounds_of_the_decision() -> None:
    """Semantics, section 4, resolve of a negation: the denial is grounded, and its provenance has the premises."""
    state = told(observe("a"), Hypothesize(id=H, text="h"), Resolve(target=literal("~h"), depends_on=literals(["a"])))
    assert asked(state, "~h").outcome is Outcome.GROUNDED
    assert asked(state, "h").reason is Reason.ABANDONED


def test_a_view_that_was_attacked_may_be_denied_as_a_view_and_not_as_fact() -> None:
    """Semantics, section 6: an undermine does not establish the negation."""
    state = told(observe("a"), Hypothesize(id=H, text="h"), Undermine(target=H, evidence=literals(["a"])))
    assert asked(state, "~h", Modality.HYPOTHESIS).outcome is Outcome.GROUNDED
    found = asked(state, "~h")
    assert (found.reason, found.because) == (Reason.OVERCLAIMED, ("a",))
    assert asked(told(Hypothesize(id=H, text="h")), "~h").reason is Reason.CONTRADICTED


def test_a_denial_of_what_was_withdrawn_without_being_denied_is_grounded() -> None:
    """Semantics, section 6: grounded when p was given up, retracted or falsified."""
    assert asked(told(observe("a"), Revise(target=A, withdrawn=True)), "~a").outcome is Outcome.GROUNDED
    assert asked(taken_back(told(observe("a")), Retract(target=A)), "~a").outcome is Outcome.GROUNDED


def test_a_denial_of_what_is_reopened_is_reopened_too() -> None:
    """Semantics, section 5: nobody holds it, nobody has a reason against it."""
    state = told(observe("a"), observe("b"), Revise(target=A, because=literals(["b"])))
    state = taken_back(state, Retract(target=B))
    assert [asked(state, text).reason for text in ("a", "~a")] == [Reason.REOPENED, Reason.REOPENED]
    assert asked(state, "a", Modality.HYPOTHESIS).reason is Reason.REOPENED


def test_a_settled_position_whose_decision_fell_names_what_fell_behind_it() -> None:
    """Semantics, section 5: a decision whose premises fell; its position may not be asserted as fact."""
    decision = Resolve(
        target=literal("h"), id=D, text="take h", mode=ResolveMode.AUTHORITATIVE, depends_on=literals(["a"])
    )
    state = told(observe("a"), Hypothesize(id=H, text="h"), decision)
    assert asked(state, "h").outcome is Outcome.GROUNDED
    found = asked(taken_back(state, Retract(target=A)), "h")
    assert (found.reason, found.path) == (Reason.PREMISE_LOST, ("h", "d", "a"))
    assert found.restored_if == "a stands again, or h gets another ground"


def test_a_reported_view_that_lost_its_own_premise_is_not_alive() -> None:
    """Semantics, section 6: alive when not given up and its creation premises are in; corroborations do not count."""
    guess = Hypothesize(id=H, text="h", depends_on=literals(["a"]))
    state = told(observe("a"), observe("b"), guess, Support(target=H, evidence=literals(["b"])))
    assert asked(taken_back(state, Retract(target=B)), "h", Modality.HYPOTHESIS).outcome is Outcome.GROUNDED
    assert asked(taken_back(state, Retract(target=B)), "h").reason is Reason.PREMISE_LOST
    assert asked(taken_back(state, Retract(target=A)), "h", Modality.HYPOTHESIS).reason is Reason.PREMISE_LOST


def test_what_is_caught_in_a_circle_of_attack_is_undecided_and_so_is_what_rests_on_it() -> None:
    """Semantics, section 6: cyclic conflict."""
    state = told(
        observe("a"), Undermine(target=A, id=B, text="b"), Undermine(target=B, id=C, text="c"),
        Undermine(target=C, id=D, text="d"), Undermine(target=D, id=PropositionId("e"), text="e"),
        Undermine(target=PropositionId("e"), id=PropositionId("f"), text="f", attacks=(D,)),
        Support(target=A, id=PropositionId("g"), text="g", attacks=(PropositionId("f"),), evidence=literals(["d"])),
        observe("z", "d"),
    )  # fmt: skip
    assert asked(state, "d").reason is Reason.UNDECIDED
    assert asked(state, "z").reason is Reason.UNDECIDED
    assert asked(state, "a").reason is Reason.UNDECIDED


def test_what_is_undecided_for_want_of_a_denial_lost_a_premise() -> None:
    """Semantics, section 2: ~a is undecided when nobody holds a any more; no circle is to blame."""
    state = taken_back(told(observe("a"), observe("b", "~a")), Retract(target=A))
    assert asked(state, "b").reason is Reason.PREMISE_LOST


def test_an_attack_that_is_itself_in_doubt_still_undermines() -> None:
    """Semantics, section 6: undermined by an undefeated attack, here one that waits for a denial."""
    attack = Undermine(target=B, id=C, text="c", evidence=literals(["~a"]))
    state = taken_back(told(observe("a"), observe("b"), attack), Retract(target=A))
    found = asked(state, "b")
    assert (found.reason, found.because) == (Reason.UNDERMINED, ("c",))


def test_a_claim_without_any_source_left_is_unknown() -> None:
    """Semantics, section 2: withdrawing a source removes every operation that came from it."""
    assert asked(taken_back(told(observe("a")), Withdraw(source="T1")), "a").reason is Reason.UNKNOWN


def test_the_provenance_of_a_denial_is_what_establishes_it() -> None:
    """Semantics, section 6: the whole provenance, down to turns, of a negated premise too."""
    rival = Observe(id=B, text="b", contradicts=(A,), depends_on=literals(["c"]))
    state = told(observe("a"), observe("c"), rival, observe("d", "~a"))
    found = asked(state, "d")
    assert [(str(ground.literal), ground.depth) for ground in found.grounds] == [
        ("d", 0),
        ("~a", 1),
        ("b", 2),
        ("c", 3),
    ]
    assert [ground.turn for ground in found.grounds] == ["T4", "T1", "T3", "T2"]


def test_an_assistant_says_what_it_has_no_ground_for_and_the_policy_is_named() -> None:
    """Semantics, section 10: kept as its commitment, out of standing; the policy decides and is named."""
    bot = Agent(id=AgentId("bot"), kind=AgentKind.ASSISTANT)
    turn = Turn(id=TurnId("T1"), speaker=bot.id, operations=(observe("a"),))
    state = step(opened([bot], policy=PEOPLE_AND_TOOLS), turn).state
    found = asked(state, "a")
    assert (found.reason, found.policy) == (Reason.OVERCLAIMED, PEOPLE_AND_TOOLS.name)
