"""Muddy children: knowledge grows from what others do not know (Fagin, Halpern, Moses and Vardi 1995, chapter 1)."""

from __future__ import annotations

import pytest

from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.language.formulas import And
from upheld.logic.language.notation import parse_formula

CHILDREN = {"alice": "m_a", "bob": "m_b", "carol": "m_c"}
ACTUAL = frozenset({"m_a", "m_b"})
SOMEBODY_IS_MUDDY = parse_formula("m_a | m_b | m_c")
UNSURE = {child: parse_formula(f"~K_{child} {mud} & ~K_{child} ~{mud}") for child, mud in CHILDREN.items()}


@pytest.fixture
def children() -> PlausibilityModel:
    """Three children, each seeing the other two; nothing said yet."""
    muds = set(CHILDREN.values())
    return PlausibilityModel.over(muds, observes={child: muds - {mud} for child, mud in CHILDREN.items()})


def test_two_muddy_children_know_after_one_round(children: PlausibilityModel) -> None:
    """Source: the paper's Figure 3, worlds 8, 7, 4, 1; the answers of a round are one announcement."""
    sizes = [len(children.worlds)]
    announced = children.announced(SOMEBODY_IS_MUDDY)
    sizes.append(len(announced.worlds))
    first_round = announced.announced(And(tuple(UNSURE.values())))
    sizes.append(len(first_round.worlds))
    answers = parse_formula("K_alice m_a & K_bob m_b & ~Kw_carol m_c")
    assert first_round.holds_at(ACTUAL, answers)
    second_round = first_round.announced(answers)
    sizes.append(len(second_round.worlds))
    assert sizes == [8, 7, 4, 1]
    assert second_round.holds_at(ACTUAL, parse_formula("C (m_a & m_b & ~m_c)"))


def test_answers_given_one_after_the_other_are_not_all_true(children: PlausibilityModel) -> None:
    """Source: design notes on Figure 3: read one after the other, Bob's "I do not know" is false where they are."""
    heard = children.announced(SOMEBODY_IS_MUDDY).announced(UNSURE["alice"])
    assert len(heard.worlds) == 6
    assert not heard.holds_at(ACTUAL, UNSURE["bob"])
    assert len(heard.announced(UNSURE["bob"]).worlds) == 4


def test_before_the_father_speaks_nobody_knows_and_that_is_common_knowledge(children: PlausibilityModel) -> None:
    """Source: Fagin et al., chapter 1: what all see is still not common knowledge."""
    assert children.holds_at(ACTUAL, parse_formula("C (~Kw_alice m_a & ~Kw_bob m_b & ~Kw_carol m_c)"))
    assert children.holds_at(ACTUAL, parse_formula("K_carol (m_a | m_b) & ~C (m_a | m_b | m_c)"))
    assert children.holds_at(ACTUAL, parse_formula("D (m_a & m_b & ~m_c) & ~K_alice K_bob (m_a | m_b | m_c)"))
