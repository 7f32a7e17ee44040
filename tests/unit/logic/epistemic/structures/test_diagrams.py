"""The table of decision diagrams: counts, limits, and what is said when the library is absent."""

from __future__ import annotations

import itertools

import pytest

from upheld.errors import LimitExceeded, MissingExtra
from upheld.logic.epistemic.structures import diagrams as room
from upheld.logic.epistemic.structures.diagrams import Diagrams, within_limits
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom, Formula, Iff, Not

pytest.importorskip("oxidd", reason="decision diagrams are not installed: pip install 'upheld[epistemic]'")


def test_without_the_library_the_line_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise (errors.MissingExtra)."""

    def absent(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(room, "import_module", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'upheld\[epistemic\]'"):
        KnowledgeStructure.over(["p"])


@pytest.mark.parametrize("expected", [1, 20, 60])
def test_a_table_works_with_each_size_of_cache(expected: int) -> None:
    """Our promise: how much is expected changes nothing but speed."""
    table = Diagrams(expected=expected)
    p, q = table.variable("p"), table.variable("q")
    assert table.some(p, q, table.cube(["q"])) == p
    assert len(table) > 0


def test_folding_gives_the_whole_of_any_number_of_parts() -> None:
    """Our promise: an odd one is not lost, and nothing at all is neutral."""
    table = Diagrams(expected=8)
    parts = [table.variable(name) for name in "abcde"]
    assert table.all_of([]) == table.top
    assert table.any_of([]) == table.bottom
    assert table.all_of(parts) == table.cube("abcde")
    assert table.any_of(parts) == ~table.all_of([~part for part in parts])


def test_a_variable_and_its_primed_twin_lie_next_to_each_other() -> None:
    """Burch and others 1990: relations stay small when they are interleaved."""
    table = Diagrams(expected=2)
    assert [table.number(name) for name in ("p", "q", "p")] == [0, 2, 0]
    primed = table.variable("p").substitute(table.priming(["p"]))
    assert primed == table.cube(["p"], primed=True)
    assert primed.node_var() == 1


def test_what_does_not_fit_the_table_is_refused_and_changes_nothing() -> None:
    """Our promise (LimitExceeded): never passed silently, and never a crash."""
    atoms = [f"{side}{number}" for side in "lr" for number in range(12)]
    small = KnowledgeStructure.over(atoms, nodes=500)
    # All pairs of twins at once, in the worst order there is: exponential in their number.
    equal = And(tuple(Iff(Atom(f"l{number}"), Atom(f"r{number}")) for number in range(12)))
    with pytest.raises(LimitExceeded, match="more than 500 nodes"):
        small.announced(equal)
    assert small.count_worlds() == 2**24
    assert small.announced(Atom("l0")).count_worlds() == 2**23


def test_nodes_of_abandoned_structures_make_room_for_others() -> None:
    """Our promise: a full table is cleaned before anything is refused."""
    structure = KnowledgeStructure.over([f"a{number}" for number in range(40)], nodes=600)

    def chain(start: int, step: int) -> Formula:
        pairs = [(f"a{start + number}", f"a{start + number + step}") for number in range(6)]
        return And(tuple(Not(Iff(Atom(one), Atom(other))) for one, other in pairs))

    sizes = [
        structure.extension(chain(start, step)).node_count()
        for start, step in itertools.product(range(30), range(1, 4))
    ]
    assert sum(sizes) > 2000
    structure.diagrams.collect()
    assert len(structure.diagrams) < 100


def test_a_method_that_fits_after_cleaning_is_run_again() -> None:
    """Our promise (within_limits): once more, and no more than once."""

    class Greedy:
        def __init__(self, failures: int) -> None:
            self.diagrams = Diagrams(expected=1)
            self.failures = failures

        @within_limits
        def answer(self) -> str:
            self.failures -= 1
            if self.failures >= 0:
                raise MemoryError
            return "done"

    assert Greedy(0).answer() == Greedy(1).answer() == "done"
    with pytest.raises(LimitExceeded):
        Greedy(2).answer()
