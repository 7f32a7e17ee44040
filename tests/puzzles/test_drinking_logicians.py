"""Three logicians are asked whether all want a beer: "I do not know", "I do not know", "Yes", in this order.

Source: the cartoon *Three logicians walk into a bar*, Spiked Math 445, as an epistemic puzzle in Gattinger 2018.
"""

from __future__ import annotations

import pytest

from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom, CommonKnowledge, Formula, Knows, KnowsWhether, Not


def wants(n: int) -> list[Atom]:
    """That the first wants a beer, the second, and so on."""
    return [Atom(f"wants{i}") for i in range(n)]


def everyone(n: int) -> Formula:
    """All want one."""
    return And(tuple(wants(n)))


def observed(n: int) -> dict[str, list[str]]:
    """Everybody knows the own wish."""
    return {str(i): [wish.name] for i, wish in enumerate(wants(n))}


def test_the_last_one_knows_what_all_want() -> None:
    """Source: the cartoon: eight ways of wishing, then four, then two, then one."""
    told = PlausibilityModel.over([wish.name for wish in wants(3)], observes=observed(3))
    sizes = [len(told.worlds)]
    for agent in "01":
        told = told.announced(Not(KnowsWhether(agent, everyone(3))))
        sizes.append(len(told.worlds))
    assert told.worlds == told.extension(KnowsWhether("2", everyone(3)))
    told = told.announced(Knows("2", everyone(3)))
    assert [*sizes, len(told.worlds)] == [8, 4, 2, 1]


def test_who_wants_none_knows_that_not_all_do() -> None:
    """Source: the cartoon, turned round: the first who wants none could not have said "I do not know"."""
    start = PlausibilityModel.over([wish.name for wish in wants(3)], observes=observed(3))
    sober = start.extension(Not(wants(3)[0]))
    assert sober <= start.extension(Knows("0", Not(everyone(3))))


@pytest.mark.parametrize("n", [3, 20, 60])
def test_any_number_of_logicians_is_served(n: int) -> None:
    """Our promise: what is said by each in turn is cheap on decision diagrams; 2^60 wishes are no list."""
    pytest.importorskip("oxidd", reason="the extra `epistemic` is not installed")
    told = KnowledgeStructure.over([wish.name for wish in wants(n)], observes=observed(n))
    assert told.count_worlds() == 2**n
    for i in range(n - 1):
        told = told.announced(Not(KnowsWhether(str(i), everyone(n))))
    assert told.count_worlds() == 2
    assert told.announced(Knows(str(n - 1), everyone(n))).is_valid(CommonKnowledge((), everyone(n)))
