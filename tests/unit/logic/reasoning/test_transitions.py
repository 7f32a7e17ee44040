"""Steps, what they refuse, and what is taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import pytest

from upheld.errors import MalformedInput, RefusedTurn, RepeatedIdentity, SelfSupport, UnknownReference
from upheld.logic.language.agents import Agent
from upheld.logic.language.formulas import Atom
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal, literals
from upheld.logic.language.operations import (
    ExpandAwareness,
    Hypothesize,
    Observe,
    Operation,
    Question,
    Resolve,
    ResolveMode,
    Revise,
    Support,
    Undermine,
)
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.provenance import Provenance
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Falsify, Retract, Supersede, Turn, Withdraw
from upheld.logic.reasoning.answers.changes import affected, directly_affected, review
from upheld.logic.reasoning.laws import violations
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.logic.reasoning.transition.step import joined, opened, step

Hear = Callable[..., State]
A, B, C, H = map(PropositionId, ("a", "b", "c", "h"))


def observe(id: str, *premises: str) -> Observe:
    """An observation on joint premises."""
    return Observe(id=PropositionId(id), text=f"{id} is so", depends_on=literals(premises))


REFUSED: list[tuple[Operation, type[Exception], str]] = [
    (observe("a", "nobody"), UnknownReference, "nobody introduced 'nobody'"),
    (observe("b", "b"), SelfSupport, "'b' is given as its own ground"),
    (Support(target=A, evidence=(Literal(A),)), SelfSupport, "'a' is given as its own ground"),
    (Revise(target=A, because=(Literal(A),)), SelfSupport, "'a'"),
    (Observe(id=A, text="something else"), RepeatedIdentity, "'a' is already observation 'a is so'"),
    (Observe(id=A, text="a is so", kind=Kind.FACT), RepeatedIdentity, "use an id of its own"),
    (Support(target=A, depends_on_any=(literals(["b"]),)), MalformedInput, "give it an id"),
]


@pytest.mark.parametrize(("operation", "error", "message"), REFUSED)
def test_an_operation_that_cannot_mean_anything_is_refused_even_leniently(
    start: State, hear: Hear, operation: Operation, error: type[Exception], message: str
) -> None:
    """Semantics, section 4: a file that cannot mean anything is refused."""
    state = hear(start, observe("a"), observe("z") if isinstance(operation, Observe) else observe("b"))
    with pytest.raises(error, match=message):
        hear(state, operation)


def test_a_turn_is_told_once_and_by_somebody_who_is_there(start: State, hear: Hear) -> None:
    """Our promise: an identity names one thing."""
    state = hear(start, observe("a"))
    with pytest.raises(RepeatedIdentity, match="told already"):
        step(state, Turn(id=TurnId("T1"), speaker=AgentId("ann")))
    with pytest.raises(UnknownReference, match="speaker of T2"):
        hear(state, observe("b"), by="eve")
    assert hear(joined(state, [Agent(id=AgentId("eve"))]), observe("b"), by="eve").label(B) is Label.IN


def test_a_failed_precondition_names_its_operation_and_leaves_nothing(start: State) -> None:
    """Semantics, section 4: all or none; the third failing leaves the state as before the turn."""
    operations = (observe("a"), observe("b"), Undermine(target=A, evidence=literals(["~b"])))
    turn = Turn(id=TurnId("T1"), speaker=AgentId("ann"), operations=operations)
    with pytest.raises(RefusedTurn) as refused:
        step(start, turn)
    assert (refused.value.failure, refused.value.turn, refused.value.operation) == ("does_not_lower", "T1", 2)
    assert not len(start.propositions)
    assert [each.operation for each in step(start, turn, is_lenient=True).findings] == [2]


def test_a_hypothesis_is_believed_already_only_when_it_is_said_again(start: State, hear: Hear) -> None:
    """Semantics, section 4, Hypothesize: not already believed."""
    guess = Hypothesize(id=H, text="h", explains=(A,))
    state = hear(start, observe("a"), guess)
    again = step(state, Turn(id=TurnId("T2"), speaker=AgentId("bob"), operations=(guess,)), is_lenient=True)
    assert [each.failure.name.value for each in again.findings] == ["already_believed"]


def test_what_is_in_view_from_the_beginning_stands(hear: Hear) -> None:
    """Layout of annotated files: initial propositions are in view before the first turn."""
    state = opened([Agent(id=AgentId("ann"))], initial=[Proposition(id=A, text="a", kind=Kind.ASSUMPTION)])
    assert (state.label(A), lifecycle_of(state, A)) == (Label.IN, Lifecycle.STANDING)
    assert hear(state, observe("b", "a")).label(B) is Label.IN


def test_closing_what_was_closed_changes_nothing(start: State, hear: Hear) -> None:
    """Our promise: an issue may be resolved twice; the second finds nothing open."""
    issue = PropositionId("i")
    settle = Resolve(target=Literal(A), issue=issue)
    state = hear(start, observe("a"), Question(id=issue, text="a?", about=(A,)), settle)
    assert not len(state.problems)
    assert violations(hear(state, settle)) == ()


def test_a_state_finds_what_was_said_and_says_what_it_does_not_know(start: State, hear: Hear) -> None:
    """Our promise: an id that nobody introduced is an error, and its negation is undecided."""
    state = hear(start, observe("a"))
    assert state.said_as("  A is SO!") == A
    for look_up in (state.node, state.proposition):
        with pytest.raises(UnknownReference):
            look_up(C)
    assert state.label(Literal(C, negated=True)) is Label.UNDECIDED
    assert state.label(Literal(A, negated=True)) is Label.OUT


def test_a_denial_waits_for_an_answer_that_is_undecided(start: State, hear: Hear) -> None:
    """Semantics, section 2: the same label whether or not somebody rests on the denial and it has a vertex."""
    state = hear(start, observe("a"), observe("b"), Revise(target=A))
    assert state.label(Literal(A, negated=True)) is Label.IN
    state = hear(state, Support(target=A, evidence=literals(["~b"]), specific=True), Revise(target=B, withdrawn=True))
    assert state.label(Literal(A, negated=True)) is Label.UNDECIDED
    assert violations(hear(state, observe("c", "~a"))) == ()


def test_what_is_given_up_for_a_reason_is_reopened_when_that_falls_even_if_no_label_moves(
    start: State, hear: Hear
) -> None:
    """Semantics, section 7: what was given up for a reason that fell; here all was undecided in a circle."""
    against = Undermine(target=A, id=C, text="c speaks against a")
    state = hear(start, observe("a"), against, Revise(target=C, because=literals(["a"])))
    assert (state.label(A), state.label(C)) == (Label.UNDECIDED, Label.UNDECIDED)
    assert affected(state, Retract(target=A)).reopened == (C,)


def test_an_alternative_that_the_change_itself_brings_to_life_keeps_a_claim(start: State, hear: Hear) -> None:
    """Semantics, section 7: lost has no complete justification left; c rests on a, or on its falsity."""
    either = Observe(id=C, text="c", depends_on_any=(literals(["a"]), literals(["~a"])))
    state = hear(start, observe("a"), either)
    assert [item.id for item in affected(state, Falsify(target=A)).thinned] == [C]
    assert [item.id for item in affected(state, Retract(target=A)).lost] == [C]


def test_a_withdrawn_source_takes_its_corroborations_with_it(start: State, hear: Hear) -> None:
    """Semantics, section 2: what it corroborated stands as before; only what it put forward is gone."""
    state = hear(
        hear(start, observe("a"), observe("c", "a")), observe("b"), Support(target=A, evidence=literals(["b"]))
    )
    delta = affected(state, Withdraw(source="T2"))
    assert (delta.lost, [item.id for item in delta.thinned]) == ((), [A])
    assert taken_back(state, Withdraw(source="T2")).label(C) is Label.IN
    with pytest.raises(UnknownReference, match="withdraw"):
        affected(state, Withdraw(source="doc:unheard"))


def test_a_document_is_withdrawn_with_all_that_it_gave(start: State, hear: Hear) -> None:
    """Semantics, section 2: a source is a turn or a document."""
    quoted = Observe(id=A, text="a is so", source=Provenance(uri="doc:1"))
    other = Observe(id=A, text="a is so", source=Provenance(uri="doc:2"))
    state = hear(hear(start, quoted), other)
    assert taken_back(state, Withdraw(source="doc:1")).label(A) is Label.IN
    neither = taken_back(taken_back(state, Withdraw(source="doc:1")), Withdraw(source="doc:2"))
    assert (neither.label(A), lifecycle_of(neither, A)) == (Label.OUT, Lifecycle.RETRACTED)


def test_a_value_is_replaced_for_as_long_as_its_successor_stands(start: State, hear: Hear) -> None:
    """Semantics, sections 2 and 5: lineage, without anybody's saying so; a value that fell replaces nothing."""
    state = hear(start, observe("a"), observe("b"), observe("c", "a"))
    change = Supersede(older=A, newer=B)
    assert [item.id for item in affected(state, change).lost] == [C]
    replaced = taken_back(state, change)
    assert (replaced.label(A), lifecycle_of(replaced, A)) == (Label.OUT, Lifecycle.SUPERSEDED)
    assert taken_back(replaced, Retract(target=B)).label(A) is Label.IN
    assert affected(taken_back(state, Retract(target=B)), change).lost == ()
    with pytest.raises(SelfSupport):
        taken_back(state, Supersede(older=A, newer=A))


def test_a_claim_of_which_no_source_is_left_counts_as_given_up(start: State, hear: Hear) -> None:
    """Semantics, section 5: the last act decides; with no act left, nobody stands behind it."""
    state = hear(hear(start, observe("a")), Hypothesize(id=H, text="h", explains=(A,)))
    assert lifecycle_of(taken_back(state, Withdraw(source="T2")), H) is Lifecycle.ABANDONED


def test_a_resolve_that_falls_with_its_decision_gives_the_position_back(start: State, hear: Hear) -> None:
    """Semantics, section 5: revising a decision takes back what it resolved, to what it was before."""
    decision = Resolve(target=Literal(H), id=PropositionId("d"), text="we take h", mode=ResolveMode.AUTHORITATIVE)
    state = hear(start, observe("a"), Hypothesize(id=H, text="h", explains=(A,)), decision)
    assert lifecycle_of(state, H) is Lifecycle.RESOLVED
    assert lifecycle_of(hear(state, Revise(target=PropositionId("d"))), H) is Lifecycle.ACTIVE


@pytest.mark.xfail(strict=True, reason="answers are kept by decision, not by the time that it was taken")
def test_a_decision_that_was_taken_again_and_withdrawn_answers_what_it_did_before(start: State, hear: Hear) -> None:
    """Semantics, section 2, a pinned gap: the second taking accepts a later attack; its withdrawal should undo that."""
    decision = Resolve(target=Literal(A), id=C, text="we take a", mode=ResolveMode.AUTHORITATIVE)
    state = hear(hear(start, observe("a"), decision), Undermine(target=A))
    assert state.label(A) is Label.OUT
    assert taken_back(hear(state, decision), Withdraw(source="T3")).label(A) is Label.OUT


def test_direct_dependents_and_a_review_say_more_and_less_than_affected(start: State, hear: Hear) -> None:
    """Semantics, section 7: three modes of one question."""
    value = Revise(target=PropositionId("old"), replacement=A)
    state = hear(start, observe("old"), observe("a"), observe("b", "a"), observe("c", "b"), value)
    assert directly_affected(state, A) == (B,)
    assert review(state, A) == (B, C)
    assert set(affected(state, Retract(target=A)).affected) == {B, C}
    for question in (directly_affected, review):
        with pytest.raises(UnknownReference):
            question(state, H)


def test_widened_awareness_is_in_view_once(start: State, hear: Hear) -> None:
    """Semantics, section 4, Expand-Awareness: p in nobody's view."""
    wider = ExpandAwareness(id=H, text="h, which nobody thought of", reinterprets=(A,), formula=Atom("x"))
    state = hear(start, observe("a"), wider)
    assert state.node(H).reinterprets == (A,)
    again = step(state, Turn(id=TurnId("T2"), speaker=AgentId("bob"), operations=(wider,)), is_lenient=True)
    assert [each.failure.name.value for each in again.findings] == ["already_in_view"]


def test_only_dissent_of_others_that_still_stands_is_an_objection(start: State, hear: Hear) -> None:
    """Semantics, section 4, Resolve: nobody objects, by recorded dissent or otherwise."""
    dissent = Observe(id=C, text="I am against a", kind=Kind.DISSENT, against=(A,))
    state = hear(hear(start, observe("a")), dissent, by="bob")
    settle = (Resolve(target=Literal(A)),)

    def failing(at: State, speaker: str) -> list[str]:
        turn = Turn(id=TurnId("last"), speaker=AgentId(speaker), operations=settle)
        return [each.failure.name.value for each in step(at, turn, is_lenient=True).findings]

    assert failing(state, "ann") == ["objection"]
    assert failing(state, "bob") == []
    assert failing(taken_back(state, Retract(target=C)), "ann") == []


RECORDED = [each.name for each in fields(State) if each.name not in ("network", "dependencies", "plausibility")]
"""What a state has on record, apart from what is compared more closely."""


def test_operations_that_settle_together_do_what_they_do_one_by_one(
    start: State, hear: Hear, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Semantics, section 4: a turn's operations apply in order, whether or not anybody looks in between."""
    plain = (
        observe("a"),
        Hypothesize(id=H, text="h", depends_on=literals(["a"]), explains=(A,)),
        observe("b", "h", "~a"),
        Observe(id=C, text="c", contradicts=(A,), supersedes=(H,)),
        Revise(target=B, because=literals(["a"])),
        Revise(target=A, replacement=C),
        Question(id=PropositionId("q"), text="what next?"),
    )
    before = hear(start, Question(text="why?", about=()), by="bob")
    together = hear(before, *plain)

    def never(*_: object) -> bool:
        return False

    monkeypatch.setattr("upheld.logic.reasoning.transition.step.is_plain", never)
    apart = hear(before, *plain)
    assert violations(together) == ()
    assert {name: getattr(together, name) for name in RECORDED} == {name: getattr(apart, name) for name in RECORDED}
    assert together.dependencies == apart.dependencies
    assert together.network.rules == apart.network.rules
    assert all(together.label(key) is apart.label(key) for key in together.network.rules)
    assert all(together.plausibility.is_active(id) is apart.plausibility.is_active(id) for id in (A, B, C, H))


def test_a_bare_support_adds_to_the_belief_in_a_claim_for_as_long_as_that_stands(start: State, hear: Hear) -> None:
    """Semantics, sections 2 and 4: a support without an id is no ground of its own, and an entry follows its node."""
    guess = Hypothesize(id=H, text="h", depends_on=literals(["a"]), explains=(A,))
    for is_specific in (False, True):
        support = Support(target=H, evidence=literals(["b"]), specific=is_specific)
        state = hear(hear(hear(start, observe("a")), guess), observe("b"), support)
        assert state.plausibility.believes(Atom("h"))
        without = taken_back(state, Retract(target=A))
        assert without.label("T3#2") is Label.IN
        assert not without.plausibility.believes(Atom("h"))
        again = hear(without, observe("a"))
        assert again.plausibility.believes(Atom("h"))
        assert [violations(each) for each in (state, without, again)] == [()] * 3


def test_a_support_of_its_own_is_a_ground_for_belief_whatever_becomes_of_the_claim(start: State, hear: Hear) -> None:
    """Semantics, section 4: with an id it is an argument node, and its entry follows that one alone."""
    guess = Hypothesize(id=H, text="h", depends_on=literals(["a"]), explains=(A,))
    support = Support(id=C, text="c", target=H, evidence=literals(["b"]))
    state = hear(hear(hear(start, observe("a")), guess), observe("b"), support)
    assert taken_back(state, Retract(target=A)).plausibility.believes(Atom("h"))
    assert not taken_back(state, Retract(target=B)).plausibility.is_active("c supports")


def test_a_bare_support_that_is_withdrawn_leaves_the_belief_to_the_claim(start: State, hear: Hear) -> None:
    """Semantics, section 2: with its turn goes every entry that came from it, and nothing else."""
    guess = Hypothesize(id=H, text="h", depends_on=literals(["a"]), explains=(A,))
    state = hear(hear(hear(start, observe("a")), guess), observe("b"), Support(target=H, evidence=literals(["b"])))
    left = taken_back(state, Withdraw(source="T3"))
    assert not left.plausibility.is_active("T3#2 supports")
    assert left.plausibility.believes(Atom("h"))


def test_a_turn_that_only_asks_can_be_withdrawn(start: State, hear: Hear) -> None:
    """Semantics, section 2: every turn is a source, whatever it touched."""
    asked = hear(start, Question(text="why?"))
    assert TurnId("T1") in taken_back(asked, Withdraw(source="T1")).withdrawn
