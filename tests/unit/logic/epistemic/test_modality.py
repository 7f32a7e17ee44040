"""Statements about one agent, asked of a base."""

from __future__ import annotations

import pytest

from upheld.errors import CouldNotCheck
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.formulas import Formula, Knows, Not, Top
from upheld.logic.language.notation import parse_formula

BASE = OrderedBase().announce("o", parse_formula("o")).upgrade("h", parse_formula("h & (c -> d)"), Mode.RADICAL)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("K_i o & B_i h", True),
        ("K_i h | Kw_i h", False),
        ("Kw_i o & Kw_i ~o", True),
        ("~K_i h -> B_i h", True),
        ("K_i o -> K_i h", False),
        ("K_i h <-> Kw_i h", True),
        ("B_i^(~h) o & ~B_i^(c) ~d & B_i^(c) d", True),
        ("true & ~false", True),
        ("A_i (o & h)", True),
        ("A_i (o & z)", False),
    ],
)
def test_combinations_of_statements_are_evaluated(text: str, holds: bool) -> None:
    """Source: semantics, section 3; awareness is having every atom in view (Fagin and Halpern 1988)."""
    assert BASE.holds(parse_formula(text), aware=frozenset({"o", "h"})) is holds


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("K_a K_b o", "knowledge structure"),
        ("B_a^(K_b o) h", "knowledge structure"),
        ("C o", "group"),
        ("D_{a,b} o", "group"),
        ("K_a o & o", "bare fact"),
        ("A_a o", "in view"),
    ],
)
def test_what_one_base_cannot_answer_is_an_error_and_no_verdict(text: str, says: str) -> None:
    """Our promise: "could not check" never passes as checked."""
    with pytest.raises(CouldNotCheck, match=says):
        BASE.holds(parse_formula(text))


def test_a_deep_combination_does_not_recurse() -> None:
    """Our promise: nothing recurses over what a stranger wrote."""
    deep: Formula = Knows("i", Top())
    for _ in range(100_000):
        deep = Not(deep)
    assert BASE.holds(deep)
