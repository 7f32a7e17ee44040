"""Climbing: from one labelling to one that nothing exceeds, in what is in, or in what is decided.

What is reached is held fast and something more is asked for, until the solver says that nothing can be had. With the
ins counted, the tops are the preferred extensions; with all that is decided, the semi-stable and stage extensions.
Source: Dvořák, Järvisalo, Wallner and Woltran (2014), CEGARTIX, for :func:`a_top_with`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from upheld.logic.argumentation.semantics.oracle import Oracle
from upheld.logic.language.standing import Label

Labels = Sequence[Label]


class Climb:
    """What is counted among the first ``count`` arguments of an oracle's framework."""

    def __init__(self, oracle: Oracle, count: int, *, by_range: bool = False) -> None:
        """Count the ins, or ``by_range`` what is in or out."""
        self.oracle = oracle
        self.count = count
        self.by_range = by_range
        self.literals = [self._literal(name) for name in range(count)]
        if by_range:
            oracle.favour(self.literals)

    def reached(self, labels: Labels) -> list[int]:
        """Give the literals of what is counted in ``labels``."""
        return [self.literals[name] for name in range(self.count) if self._counts(labels[name])]

    def beyond(self, labels: Labels) -> list[int]:
        """Give the literals of what is not: one of them holds in whatever is not within ``labels``."""
        return [self.literals[name] for name in range(self.count) if not self._counts(labels[name])]

    def joining(self, labels: Labels) -> list[int]:
        """Give the literals of what can still join: what is out stays out, since rejection only grows."""
        return [self.literals[name] for name in range(self.count) if labels[name] is Label.UNDECIDED]

    def _literal(self, name: int) -> int:
        encoding = self.oracle.encoding
        if not self.by_range:
            return encoding.inside(name)
        decided = encoding.fresh()
        self.oracle.add([-decided, encoding.inside(name), encoding.outside(name)])
        return decided

    def _counts(self, label: Label) -> bool:
        return label is Label.IN or (self.by_range and label is Label.OUT)


def last_top(climb: Climb, labels: Labels) -> Labels:
    """Give a top above any labelling, or ``labels`` when there is none; the oracle can be asked nothing afterwards.

    With the budget spent it is the highest that was found.
    """
    while (found := climb.oracle.find()) is not None:
        labels = found
        joining = climb.joining(labels)
        if not joining:
            break
        climb.oracle.add(*([literal] for literal in climb.reached(labels)), joining)
    return labels


def top_above(climb: Climb, labels: Labels, keeping: Sequence[int] = ()) -> Labels:
    """Give a labelling that keeps what is counted in ``labels`` and the literals, and that no such one exceeds."""
    while joining := climb.joining(labels):
        step = climb.oracle.encoding.fresh()
        climb.oracle.add([-step, *joining])
        found = climb.oracle.find([*climb.reached(labels), *keeping, step])
        climb.oracle.add([-step])
        if found is None:
            break
        labels = found
    return labels


def tops(climb: Climb) -> Iterator[Labels]:
    """Give every top once, one for each set of ins; all of them if the budget is not spent at the end."""
    oracle = climb.oracle
    while (found := oracle.find()) is not None:
        top = top_above(climb, found)
        if oracle.budget.is_spent:
            return
        if climb.by_range:
            yield from every(climb, climb.reached(top))
        else:
            yield top
        beyond = climb.beyond(top)
        if not beyond or oracle.budget.is_spent:
            return
        oracle.add(beyond)


def every(climb: Climb, assumptions: Sequence[int] = ()) -> Iterator[Labels]:
    """Give every labelling in which the assumptions hold, one for each set of ins."""
    inside = climb.oracle.encoding.inside
    while (found := climb.oracle.find(assumptions)) is not None:
        yield found
        climb.oracle.add([-inside(name) if found[name] is Label.IN else inside(name) for name in range(climb.count)])


def a_top_with(climb: Climb, literal: int) -> Labels | None:
    """Give a top in which ``literal`` holds; ``None`` when there is none, or when the budget is spent.

    A labelling that is maximal among those with the literal is a top unless one without it exceeds it; then nothing
    within that one is looked at again. Not every top is seen, only those that stand in the way.
    """
    oracle = climb.oracle
    while (found := oracle.find([literal])) is not None:
        best = top_above(climb, found, [literal])
        step = oracle.encoding.fresh()
        oracle.add([-step, *climb.joining(best)])
        larger = oracle.find([*climb.reached(best), step])
        if larger is None:
            return None if oracle.budget.is_spent else best
        oracle.add([-step])
        beyond = climb.beyond(top_above(climb, larger))
        if not beyond:
            return None
        oracle.add(beyond)
    return None
