"""What the base is made of: one update of plausibility, with the place where it was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from rpds import List

from upheld.logic.language.formulas import Formula, atoms_of


class Mode(StrEnum):
    """How an update changes plausibility (Baltag and Smets 2008; the paper's Definition E.1)."""

    HARD = "hard"
    """``!f``: worlds without f are gone."""
    RADICAL = "radical"
    """``⇑f``: every f-world becomes more plausible than every other."""
    CONSERVATIVE = "conservative"
    """``↑f``: the best f-worlds, as of that moment, become the best of all."""


@dataclass(slots=True)
class Notes:
    """What a judge found out about an entry, and would only find out again.

    ``cube`` are its literals, when they are all that it says; ``literal`` stands for it in an encoding, where
    ``shape`` is its formula if that is flat. ``atoms`` are those of its formula.
    """

    has_cube: bool = False
    cube: Mapping[str, bool] | None = None
    literal: tuple[object, int] | None = None
    shape: tuple[object, tuple[str, tuple[int, ...]] | None] | None = None
    atoms: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entry:
    """One update under its key.

    ``position`` is its place in the order of creation, kept for ever. ``promoted`` are the entries that a conservative
    update found kept: with ``formula`` they say which worlds it lifted. Entries are compared by identity: what a
    conservative one promotes depends on what stands before it, so one key may have several.
    """

    key: str
    position: int
    mode: Mode
    formula: Formula
    promoted: tuple[Entry, ...] = ()
    notes: Notes = field(default_factory=Notes, repr=False)


NOWHERE = "\0"
"""Stands in for the atoms of a formula that has none."""


def atoms_in(entry: Entry) -> frozenset[str]:
    """Give the atoms that an entry speaks of; never none."""
    found = entry.notes.atoms
    if found is None:
        found = entry.notes.atoms = atoms_of(entry.formula) or frozenset({NOWHERE})
    return found


def atom_of(entry: Entry) -> str:
    """Give one of the atoms that an entry speaks of, always the same."""
    return min(atoms_in(entry))


Core = frozenset[int]
"""Positions of entries that cannot hold together."""

Entries: TypeAlias = "List[Entry]"
"""Entries newest first, sharing their tail with the values that they grew from."""

NO_ENTRIES: Entries = List()


def newest_first(entries: Sequence[Entry]) -> Entries:
    """Give a list that is already in order in its shared form."""
    return List(entries)
