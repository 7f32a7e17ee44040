"""In which order a formula is evaluated: subformulas first, each object once."""

from __future__ import annotations

from upheld.logic.language.formulas import Atom, Aware, Formula, parts_of

Reading = tuple[tuple[Formula, tuple[int, ...]], ...]
"""Subformulas, each with the places of its parts, which stand before it; the formula itself stands last."""

_REMEMBERED = 64


class Readings:
    """The readings of the last formulas, for what is asked of one structure after the other.

    Formulas are told apart as objects: comparing them by value would recurse as deep as they are.
    """

    def __init__(self) -> None:
        """Remember nothing yet."""
        self._known: dict[int, tuple[Formula, Reading]] = {}

    def of(self, formula: Formula) -> Reading:
        """Give the reading of a formula. Cost: linear, the first time."""
        known = self._known.get(id(formula))
        if known is not None:
            return known[1]
        if len(self._known) >= _REMEMBERED:
            del self._known[next(iter(self._known))]
        # The formula is kept beside its reading, so that nothing else can get its id.
        self._known[id(formula)] = (formula, reading_of(formula))
        return self._known[id(formula)][1]


def reading_of(formula: Formula) -> Reading:
    """Take a formula apart. What somebody is only aware of is not evaluated, so it is left out."""
    places: dict[int, int] = {}
    steps: list[tuple[Formula, tuple[int, ...]]] = []
    pending: list[Formula] = [formula]
    while pending:
        node = pending[-1]
        parts = () if isinstance(node, Atom | Aware) else parts_of(node)
        lacking = [part for part in parts if id(part) not in places]
        if lacking:
            pending.extend(lacking)
            continue
        pending.pop()
        if id(node) not in places:
            places[id(node)] = len(steps)
            steps.append((node, tuple(places[id(part)] for part in parts)))
    return tuple(steps)
