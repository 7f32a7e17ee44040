"""Dining cryptographers: all learn whether one of them paid, and nobody learns who did.

Around a table each two neighbours share a coin. Each says whether the two coins seen differ, and lies when having
paid. Source: Chaum 1988, *The dining cryptographers problem*, Journal of Cryptology 1(1); the epistemic conditions
after van der Meyden and Su 2004, *Symbolic model checking the knowledge of the dining cryptographers*.
"""

from __future__ import annotations

import itertools

import pytest

from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom, CommonKnowledge, Formula, Iff, Knows, Not, Or


def paid(i: int) -> Atom:
    """That the i-th paid."""
    return Atom(f"paid{i}")


def coin(i: int, n: int) -> Atom:
    """The coin that the i-th shares with the one before, heads up."""
    return Atom(f"coin{i % n}")


def seen_by(i: int, n: int) -> list[str]:
    """What the i-th sees: the own purse, and the coins to both sides."""
    return [paid(i).name, coin(i, n).name, coin(i + 1, n).name]


def says_different(i: int, n: int) -> Formula:
    """What the i-th says: that the coins differ, turned round when the i-th paid."""
    return Not(Iff(paid(i), Not(Iff(coin(i, n), coin(i + 1, n)))))


def at_most_one_paid(n: int) -> Formula:
    """Nobody (so their master), or one of them, and then no other."""
    return And(tuple(Not(And((paid(i), paid(j)))) for i, j in itertools.combinations(range(n), 2)))


def statements(n: int, *, payer: int | None) -> Formula:
    """All that is said when every coin shows tails: only a payer says that the coins differ."""
    return And(tuple(says_different(i, n) if i == payer else Not(says_different(i, n)) for i in range(n)))


def secret(n: int, payer: int) -> Formula:
    """Nobody but the payer knows of anybody else whether it is the one."""
    return And(tuple(Not(Knows(str(i), paid(payer))) for i in range(n) if i != payer))


def common_knowledge(n: int, formula: Formula) -> Formula:
    """All know it, and that they do."""
    return CommonKnowledge(tuple(str(i) for i in range(n)), formula)


@pytest.fixture
def three() -> PlausibilityModel:
    """Three at the table: four ways of paying, eight of the coins."""
    atoms = [atom for i in range(3) for atom in (paid(i).name, coin(i, 3).name)]
    return PlausibilityModel.over(atoms, observes={str(i): seen_by(i, 3) for i in range(3)}).announced(
        at_most_one_paid(3)
    )


def test_all_learn_that_one_of_them_paid_and_not_who(three: PlausibilityModel) -> None:
    """Chaum 1988: the differences said are odd in number exactly when one of them paid."""
    after = three.announced(statements(3, payer=1))
    assert [len(three.worlds), len(after.worlds)] == [32, 6]
    somebody = Or(tuple(paid(i) for i in range(3)))
    assert after.worlds == after.extension(common_knowledge(3, somebody))
    assert after.worlds == after.extension(And(tuple(Or((Not(paid(i)), secret(3, i))) for i in range(3))))


def test_all_learn_that_none_of_them_paid(three: PlausibilityModel) -> None:
    """Chaum 1988: an even number of differences says that their master paid."""
    after = three.announced(statements(3, payer=None))
    assert len(after.worlds) == 2
    assert after.worlds == after.extension(common_knowledge(3, And(tuple(Not(paid(i)) for i in range(3)))))


def test_a_coin_seen_by_a_third_gives_the_payer_away(three: PlausibilityModel) -> None:
    """Chaum 1988, on collusion: the secret rests on the coins; who sees both coins of another knows what it did."""
    peeking = {**three.observes, "0": three.observes["0"] | {coin(2, 3).name}}
    seen = PlausibilityModel.among(three.worlds, observes=peeking).announced(statements(3, payer=1))
    assert seen.worlds != seen.extension(And(tuple(Or((Not(paid(i)), secret(3, i))) for i in range(3))))


@pytest.mark.parametrize("n", [3, 12, 40])
def test_decision_diagrams_keep_the_secret_at_large_tables(n: int) -> None:
    """Source: as above, for tables at which no list of worlds has room (n = 40: 41 times 2^40 of them)."""
    pytest.importorskip("oxidd", reason="the extra `epistemic` is not installed")
    atoms = [atom for i in range(n) for atom in (paid(i).name, coin(i, n).name)]
    start = KnowledgeStructure.over(atoms, observes={str(i): seen_by(i, n) for i in range(n)}, law=at_most_one_paid(n))
    assert start.count_worlds() == (n + 1) * 2**n
    after = start.announced(statements(n, payer=1))
    assert after.count_worlds() == 2 * n
    assert after.is_valid(common_knowledge(n, Or(tuple(paid(i) for i in range(n)))))
    assert after.is_valid(Or((Not(paid(1)), secret(n, 1))))
    assert start.announced(statements(n, payer=None)).is_valid(common_knowledge(n, Not(paid(0))))
