"""Why an argument falls: derivations, circles, and attackers that nobody can answer."""

from __future__ import annotations

from itertools import pairwise

import pytest

from upheld.errors import UnknownReference
from upheld.logic.argumentation.framework import framework_of
from upheld.logic.argumentation.semantics.explaining import Cause, Step, WhyOut, why_out
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.language.standing import Label


def pairs(text: str) -> list[tuple[str, str]]:
    """Attacks as ``ab bc``: a on b, and b on c."""
    return [(pair[0], pair[1]) for pair in text.split()]


def test_a_chain_of_attack_is_told_down_to_what_nobody_attacks() -> None:
    """Caminada (2006): out since b is in, in since c is out, out since d is in, which nobody attacks."""
    reason = why_out(framework_of("abcdx", pairs("ba cb dc xc")), "a")
    assert reason == WhyOut(
        argument="a",
        semantics=Semantics.GROUNDED,
        cause=Cause.REJECTED,
        label=Label.OUT,
        steps=(
            Step(argument="a", label=Label.OUT, attackers=("b",)),
            Step(argument="b", label=Label.IN, attackers=("c",)),
            Step(argument="c", label=Label.OUT, attackers=("d",)),
            Step(argument="d", label=Label.IN),
        ),
    )


def test_a_lost_premise_of_each_justification_is_named() -> None:
    """Definitions of ``framework.py``: c has two ways to stand, and x takes one premise of each."""
    framework = framework_of("cpqrx", pairs("xp xq"), {"c": ["p", "qr"]})
    reason = why_out(framework, "c")
    assert reason is not None
    assert reason.steps[0] == Step(argument="c", label=Label.OUT, premises=("p", "q"))
    assert {step.argument for step in reason.steps} == {"c", "p", "q", "x"}


def test_what_has_no_justification_falls_without_a_reason() -> None:
    """Definitions of ``framework.py``: one that has no alternative at all cannot stand."""
    reason = why_out(framework_of("a", (), {"a": []}), "a")
    assert reason is not None
    assert reason.steps == (Step(argument="a", label=Label.OUT),)


def test_of_several_reasons_the_nearest_is_told() -> None:
    """Our promise: a short chain is not hidden behind a long one."""
    framework = framework_of("abcdz", pairs("ba cb dc za"))
    reason = why_out(framework, "a")
    assert reason is not None
    assert [step.argument for step in reason.steps] == ["a", "z"]


def test_an_undecided_argument_leads_into_its_circle() -> None:
    """Caminada (2006): undecided since an attacker is, and so on round the odd circle."""
    reason = why_out(framework_of("pabc", pairs("ap ba cb ac")), "p")
    assert reason is not None
    assert reason.cause is Cause.CIRCULAR
    assert [step.argument for step in reason.steps] == ["p", "a", "b", "c"]
    assert reason.circle == ("a", "b", "c")


def test_a_circle_of_support_is_a_circle_too() -> None:
    """Definitions of ``framework.py``: what holds itself up in a circle is undecided."""
    reason = why_out(framework_of("ab", (), {"a": ["b"], "b": ["a"]}), "a")
    assert reason is not None
    assert reason.circle == ("a", "b")
    assert reason.steps[0] == Step(argument="a", label=Label.UNDECIDED, premises=("b",))


def test_what_stands_has_no_reason_to_fall() -> None:
    """Our promise: none is made up."""
    framework = framework_of("abcd", pairs("ab ba ac bc cd"))
    assert why_out(framework_of("a"), "a") is None
    assert why_out(framework, "d", Semantics.PREFERRED) is None
    assert why_out(framework, "a", Semantics.ADMISSIBLE) is None


def test_attackers_that_nobody_can_answer_are_named_and_no_others() -> None:
    """Our promise: x is answered by y; u and v can each be answered, but not together."""
    framework = framework_of("axyuvpq", pairs("xa yx ua va pu qv pq qp up vq"))
    reason = why_out(framework, "a", Semantics.PREFERRED)
    assert reason is not None
    assert reason.cause is Cause.INDEFENSIBLE
    assert reason.unanswered == ("u", "v")


def test_an_argument_without_possible_support_has_no_attacker_to_blame() -> None:
    """Our promise: when nothing that can stand holds it up, that is what is said."""
    for attacks in ("", "xa yx"):
        framework = framework_of("abxy", pairs(attacks), {"a": ["b"], "b": ["a"]})
        reason = why_out(framework, "a", Semantics.PREFERRED)
        assert reason is not None
        assert (reason.cause, reason.unanswered) == (Cause.INDEFENSIBLE, ())


def test_a_side_that_can_be_taken_against_it_is_shown() -> None:
    """Reiter and Criscuolo (1981): the hawk falls where the dove stands."""
    nixon = framework_of(["dove", "hawk"], [("dove", "hawk"), ("hawk", "dove")])
    for semantics in (Semantics.PREFERRED, Semantics.STABLE, Semantics.SEMI_STABLE, Semantics.IDEAL, Semantics.STAGE):
        reason = why_out(nixon, "hawk", semantics)
        assert reason == WhyOut(
            argument="hawk",
            semantics=semantics,
            cause=Cause.OMITTED,
            label=Label.OUT,
            extension=frozenset({"dove"}),
        )


def test_where_nothing_is_stable_that_is_the_reason() -> None:
    """Dung (1995): an odd circle elsewhere leaves no stable extension."""
    reason = why_out(framework_of("abxyz", pairs("ab ba xy yz zx")), "a", Semantics.STABLE)
    assert reason is not None
    assert reason.cause is Cause.NO_EXTENSION


def test_a_spent_budget_is_said_to_be_the_reason() -> None:
    """Our promise: what could not be decided is not explained away."""
    nixon = framework_of("ab", pairs("ab ba"))
    for semantics in (Semantics.ADMISSIBLE, Semantics.PREFERRED, Semantics.STAGE):
        reason = why_out(nixon, "a", semantics, conflict_budget=0)
        assert reason is not None
        assert reason.cause is Cause.UNSETTLED


def test_a_long_chain_is_explained_without_recursion() -> None:
    """Our promise: linear, whatever the length."""
    size = 20_000
    reason = why_out(framework_of(range(size), [(later, name) for name, later in pairwise(range(size))]), 0)
    assert reason is not None
    assert len(reason.steps) == size


def test_a_foreign_argument_is_refused() -> None:
    """Our promise: no reason is given for what nobody put forward."""
    with pytest.raises(UnknownReference, match="'z'"):
        why_out(framework_of("a"), "z")
