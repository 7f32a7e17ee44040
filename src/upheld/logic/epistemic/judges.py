"""Whether entries can hold together, and if not, which of them cannot.

Two ways, the same answer. While every formula is a conjunction of literals (most propositions are their own atom),
agreement of assignments decides. Otherwise a SAT solver does: one literal an entry, assumed or not, so that what the
solver learns holds for every base that ever asks it, and bases that grew apart may share it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Protocol

from upheld.logic.epistemic.encoding import Encoding
from upheld.logic.epistemic.entries import Core, Entry
from upheld.logic.language.formulas import And, Atom, Bottom, Formula, Implies, Not, Or, Top


class Judge(Protocol):
    """Decides joint consistency."""

    def conflict(self, held: Sequence[Entry], added: Sequence[Entry]) -> Core | None:
        """Give a core of the conflict, or ``None`` when all can hold; ``held`` alone is known to be consistent."""
        ...


class SatJudge:
    """Judges by assignments where it can, by a solver where it must. Append-only, so sharing it is safe."""

    def __init__(self, *, is_passing: bool = False) -> None:
        """Start with nothing encoded; the solver is made when first needed.

        A passing judge is for one question, and leaves no notes on the entries in place of their own judge's.
        """
        self._is_passing = is_passing
        self._encoding: Encoding | None = None
        self._lock = Lock()

    def conflict(self, held: Sequence[Entry], added: Sequence[Entry]) -> Core | None:
        """Give a core of the conflict, or ``None``.

        Cost: linear in the entries, for conjunctions of literals; else one call of the solver.
        """
        if self._encoding is None:
            entries = [*held, *added]
            cubes = _cubes_of(entries)
            if cubes is not None:
                return _clash(entries, cubes)
        with self._lock:
            if self._encoding is None:
                self._encoding = Encoding(is_passing=self._is_passing)
            return self._encoding.conflict(held, added)


def _cubes_of(entries: Iterable[Entry]) -> list[Mapping[str, bool]] | None:
    cubes: list[Mapping[str, bool]] = []
    for entry in entries:
        notes = entry.notes
        if not notes.has_cube:
            notes.cube, notes.has_cube = _cube_of_entry(entry), True
        cube = notes.cube
        if cube is None:
            return None
        cubes.append(cube)
    return cubes


def _clash(entries: Sequence[Entry], cubes: Sequence[Mapping[str, bool]]) -> Core | None:
    if len(cubes) < 2:
        return None
    merged: dict[str, bool] = {}
    for place, cube in enumerate(cubes):
        for atom, sign in cube.items():
            if merged.setdefault(atom, sign) is not sign:
                first = next(index for index, earlier in enumerate(cubes) if earlier.get(atom) is (not sign))
                return frozenset({entries[first].position, entries[place].position})
    return None


def _cube_of_entry(entry: Entry) -> Mapping[str, bool] | None:
    """Give the literals that the entry says, or ``None`` when they are not all that it says."""
    cube = cube_of(entry.formula)
    if cube is None or not entry.promoted:
        return cube
    others = _cubes_of(entry.promoted)
    if others is None:
        return None
    for other in others:
        cube |= other
    return cube


def cube_of(formula: Formula) -> dict[str, bool] | None:
    """Give the literals of a formula that says just that they hold; ``None`` for any other, or if two exclude it."""
    cube: dict[str, bool] = {}
    pending: list[tuple[Formula, bool]] = [(formula, True)]
    while pending:
        node, sign = pending.pop()
        match node:
            case Atom(name):
                if cube.setdefault(name, sign) is not sign:
                    return None
            case Not(operand):
                pending.append((operand, not sign))
            case And(operands) if sign or len(operands) == 1:
                pending.extend((operand, sign) for operand in operands)
            case Or(operands) if not sign or len(operands) == 1:
                pending.extend((operand, sign) for operand in operands)
            case Implies(antecedent, consequent) if not sign:
                pending.extend(((antecedent, True), (consequent, False)))
            case Top() | Bottom() if isinstance(node, Top) is sign:
                pass
            case _:
                return None
    return cube
