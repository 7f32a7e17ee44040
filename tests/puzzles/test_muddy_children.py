"""Muddy children: knowledge grows from what others do not know (Fagin, Halpern, Moses and Vardi 1995, chapter 1)."""

from __future__ import annotations

import pytest

from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom, CommonKnowledge, Formula, Knows, KnowsWhether, Not, Or
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


def muddy(n: int) -> list[str]:
    """The atoms of any number of children."""
    return [f"m{i}" for i in range(n)]


def seen(n: int) -> dict[str, list[str]]:
    """Each child sees all others."""
    return {str(i): [mud for mud in muddy(n) if mud != f"m{i}"] for i in range(n)}


def nobody_knows(n: int) -> Formula:
    """What the silence of a round says."""
    return And(tuple(Not(KnowsWhether(str(i), Atom(f"m{i}"))) for i in range(n)))


def rounds_until_known(start: PlausibilityModel | KnowledgeStructure, n: int, k: int) -> int:
    """In which round the first k children, who are the muddy ones, know that they are."""
    actual, told = frozenset(muddy(k)), start.announced(Or(tuple(map(Atom, muddy(n)))))
    count = 1
    while not told.holds_at(actual, Knows("0", Atom("m0"))):
        told, count = told.announced(nobody_knows(n)), count + 1
    return count


@pytest.mark.parametrize(("n", "k"), [(n, k) for n in range(1, 6) for k in range(1, n + 1)])
def test_the_muddy_know_in_the_round_of_their_number(n: int, k: int) -> None:
    """Fagin et al. 1995, chapter 1: k muddy children answer yes in round k, whoever else is there."""
    start = PlausibilityModel.over(muddy(n), observes=seen(n))
    assert rounds_until_known(start, n, k) == k


@pytest.mark.parametrize(("n", "k"), [(3, 2), (12, 7), (30, 1), (30, 30)])
def test_decision_diagrams_count_the_rounds_of_many_children(n: int, k: int) -> None:
    """Van Benthem, van Eijck, Gattinger and Su 2018 (benchmarks): at sizes where no list of worlds has room."""
    pytest.importorskip("oxidd", reason="the extra `epistemic` is not installed")
    start = KnowledgeStructure.over(muddy(n), observes=seen(n))
    assert start.count_worlds() == 2**n
    assert rounds_until_known(start, n, k) == k


def test_after_the_last_round_it_is_common_knowledge_who_is_muddy() -> None:
    """Fagin et al. 1995, chapter 1: with all muddy, the world that is left is known to all to be the one."""
    pytest.importorskip("oxidd", reason="the extra `epistemic` is not installed")
    n = 20
    told = KnowledgeStructure.over(muddy(n), observes=seen(n)).announced(Or(tuple(map(Atom, muddy(n)))))
    for _ in range(n - 1):
        told = told.announced(nobody_knows(n))
    assert told.count_worlds() == 1
    assert told.is_valid(CommonKnowledge((), And(tuple(map(Atom, muddy(n))))))
    assert told.announced(nobody_knows(n)) is told
