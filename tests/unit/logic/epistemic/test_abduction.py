"""Which hypotheses explain what surprises."""

from __future__ import annotations

from upheld.logic.epistemic.abduction import (
    abduce,
    abductive_problem,
    is_already_believed,
    is_consistent,
    is_explanatory,
    is_solution,
    is_surprising,
    is_trivial,
)
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.formulas import Formula
from upheld.logic.language.notation import parse_formula


def f(text: str) -> Formula:
    """Read a formula, shortly."""
    return parse_formula(text)


# The debugging dialogue of the paper's Phase 2 in small: a hypothesis is an atom with a definition.
DIALOGUE = (
    OrderedBase()
    .announce("d2", f("h2 -> redis & (redis -> auth) & s503"))
    .announce("d3", f("h3 -> token & (token -> auth)"))
    .announce("o1", f("auth"))
)


def test_an_observation_surprises_when_nothing_but_its_own_entry_leads_to_it() -> None:
    """Source: Definition E.2, read on the base without the observation (semantics, section 3)."""
    assert is_surprising(DIALOGUE, f("auth"), ["o1"])
    assert not is_surprising(DIALOGUE, f("auth"))
    supported = DIALOGUE.upgrade("h2", f("h2"), Mode.RADICAL)
    assert not is_surprising(supported, f("auth"), ["o1"])


def test_only_candidates_that_meet_every_condition_qualify() -> None:
    """Source: Definition E.2, conditions 1 to 3."""
    candidates = [f(text) for text in ("h2", "h3", "auth", "auth & true", "true", "weather", "false")]
    assert abduce(DIALOGUE, f("auth"), candidates, owners=["o1"]) == (f("h2"), f("h3"))
    assert abduce(DIALOGUE, f("auth"), candidates) == ()


def test_each_condition_can_fail_alone() -> None:
    """Source: Definition E.2; each condition is its own predicate."""
    base = DIALOGUE.upgrade("not h2", f("~h2"), Mode.RADICAL).upgrade("view", f("weather"), Mode.RADICAL)
    problem = abductive_problem(base, f("auth"), ["o1"])
    assert not is_consistent(problem, f("h2"))
    assert is_explanatory(problem, f("h2"))
    assert is_consistent(problem, f("sun"))
    assert not is_explanatory(problem, f("sun"))
    assert is_already_believed(problem, f("weather"))
    assert not is_already_believed(problem, f("h3"))
    assert is_trivial(problem, f("~~auth"))
    assert is_trivial(problem, f("p | ~p"))
    assert not is_trivial(problem, f("h2"))
    assert is_solution(problem, f("h3"))
    assert not is_solution(problem, f("h2"))


def test_a_refuted_hypothesis_is_known_false_and_comes_back_with_the_retraction() -> None:
    """Source: design notes, section 3, on Phase 2: o9 is "not 503"; h2 must predict 503 for it to bite."""
    base = DIALOGUE.upgrade("h2", f("h2"), Mode.RADICAL).announce("o9", f("~s503"))
    assert base.knows(f("~h2"))
    assert base.with_activity({"o9": False}).believes(f("h2"))


def test_a_bare_implication_explains_nothing() -> None:
    """Source: design notes, section 3: (redis -> auth) is known as soon as auth is."""
    problem = abductive_problem(OrderedBase().announce("o1", f("auth")), f("auth"), ["o1"])
    assert not is_explanatory(problem, f("redis -> auth"))
