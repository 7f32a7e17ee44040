"""Sum and product: two numbers, one who knows their sum, one who knows their product, and four remarks.

Source: Freudenthal 1969, *Formulering van het som-en-product-probleem*, Nieuw Archief voor Wiskunde 17; van Ditmarsch,
Ruan and Verbrugge 2007, *Sum and Product in dynamic epistemic logic*, Journal of Logic and Computation 18(4).
"""

from __future__ import annotations

import pytest

from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom, Formula, Knows, KnowsWhether, Not, Or

PAIRS = [(x, y) for x in range(2, 100) for y in range(x + 1, 101 - x)]


def world(x: int, y: int) -> frozenset[str]:
    """A pair as a world: one atom for each number, one for the sum and one for the product."""
    return frozenset({f"x={x}", f"y={y}", f"sum={x + y}", f"product={x * y}"})


def knows_the_numbers(agent: str) -> Formula:
    """Who knows the smaller number beside the sum or the product knows both."""
    return And(tuple(KnowsWhether(agent, Atom(f"x={x}")) for x in sorted({x for x, _ in PAIRS})))


REMARKS: tuple[Formula, ...] = (
    Not(knows_the_numbers("product")),
    Knows("sum", Not(knows_the_numbers("product"))),
    knows_the_numbers("product"),
    knows_the_numbers("sum"),
)


@pytest.fixture(scope="module")
def start() -> PlausibilityModel:
    """All pairs of different numbers above 1 whose sum is at most 100."""
    worlds = [world(x, y) for x, y in PAIRS]
    atoms = frozenset[str]().union(*worlds)
    observes = {agent: {atom for atom in atoms if atom.startswith(f"{agent}=")} for agent in ("sum", "product")}
    return PlausibilityModel.among(worlds, observes=observes)


def test_four_and_thirteen_are_the_only_numbers_of_which_all_is_true(start: PlausibilityModel) -> None:
    """Van Ditmarsch, Ruan and Verbrugge 2007: the dialogue can be held of (4, 13) alone.

    The sum's owner *knew*: the second remark is judged where the first has not been made.
    """
    known_before = start.announced(REMARKS[1])
    afterwards = known_before.announced(REMARKS[2]).announced(REMARKS[3])
    assert afterwards.worlds == {world(4, 13)}
    assert len(start.worlds) == 2352
    assert len(known_before.worlds) == 145


def test_what_the_second_knew_is_not_what_the_second_knows(start: PlausibilityModel) -> None:
    """Van Ditmarsch, Ruan and Verbrugge 2007: after the first remark, that the other does not know is known to all.

    Read in the present tense the second remark takes nothing away, and the third is true of no pair.
    """
    assert start.extension(REMARKS[1]) <= start.extension(REMARKS[0])
    told = start.announced(REMARKS[0])
    assert len(told.worlds) == 1747
    assert told.extension(REMARKS[1]) == told.worlds
    assert not told.is_consistent_with(REMARKS[2])


def test_the_sums_of_which_the_second_remark_is_true(start: PlausibilityModel) -> None:
    """The list that solutions of the puzzle give: no way of parting the sum makes a product that gives it away."""
    sums = {atom for world in start.extension(REMARKS[1]) for atom in world if atom.startswith("sum=")}
    assert sums == {f"sum={number}" for number in (11, 17, 23, 27, 29, 35, 37, 41, 47, 53)}


def bits(name: str, number: int, width: int) -> Formula:
    """That a number has this value, in binary."""
    each = [Atom(f"{name}{place}") for place in range(width)]
    return And(tuple(bit if number >> place & 1 else Not(bit) for place, bit in enumerate(each)))


def test_decision_diagrams_over_binary_numbers_find_the_same_pair() -> None:
    """Our promise: knowledge structures leave the worlds that explicit worlds leave; numbers are bits there."""
    pytest.importorskip("oxidd", reason="the extra `epistemic` is not installed")
    widths = {"x": 7, "y": 7, "s": 7, "p": 12}
    law = Or(
        tuple(And((bits("x", x, 7), bits("y", y, 7), bits("s", x + y, 7), bits("p", x * y, 12))) for x, y in PAIRS)
    )
    atoms = {name: [f"{name}{place}" for place in range(width)] for name, width in widths.items()}
    told = KnowledgeStructure.over(
        [a for some in atoms.values() for a in some], observes={"s": atoms["s"], "p": atoms["p"]}, law=law
    )

    def knows(agent: str) -> Formula:
        return And(tuple(KnowsWhether(agent, Atom(atom)) for atom in atoms["x"]))

    sizes = [told.count_worlds()]
    for remark in (Knows("s", Not(knows("p"))), knows("p"), knows("s")):
        told = told.announced(remark)
        sizes.append(told.count_worlds())
    assert sizes == [2352, 145, 86, 1]
    assert told.is_valid(And((bits("x", 4, 7), bits("y", 13, 7))))
