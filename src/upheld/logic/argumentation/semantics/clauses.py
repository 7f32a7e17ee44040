"""Labellings as clauses: what a solver is told about a framework.

Each argument has a variable for in and one for out. Out is exact in every standard: it is what the set of the ins
rejects. Support that holds itself up in a circle, and rejection that does, is cut off by loop clauses when it turns up
(Lin and Zhao 2004): most frameworks never need one.
Source: Besnard and Doutre (2004), on labels; Wallner, Weissenbacher and Woltran (2013) for range.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from upheld.logic.argumentation.framework import Indexed
from upheld.logic.argumentation.postulates import rejected_in, supported_in
from upheld.logic.language.standing import Label


class Standard(Enum):
    """What the set of the ins must meet; each is supported."""

    CONFLICT_FREE = 1
    ADMISSIBLE = 2
    COMPLETE = 3


class Encoding:
    """The clauses of one framework; the variables of supports come last, and are not there without supports."""

    def __init__(self, part: Indexed, standard: Standard) -> None:
        """Number the variables of ``part``."""
        self.part = part
        self.standard = standard
        self._top = 4 * len(part) + 2 * len(part.premises)

    def fresh(self) -> int:
        """Give a variable that nothing is said about yet."""
        self._top += 1
        return self._top

    def inside(self, name: int) -> int:
        """Give the variable that says that an argument is in."""
        return 2 * name + 1

    def outside(self, name: int) -> int:
        """Give the variable that says that an argument is out."""
        return 2 * name + 2

    def clauses(self) -> list[list[int]]:
        """Give what makes a labelling meet the standard, circles of support aside."""
        found: list[list[int]] = []
        for name, attackers in enumerate(self.part.attackers):
            is_in, is_out, ways = self.inside(name), self.outside(name), self.part.ways[name]
            held = [] if ways is None else [self._held(name)]
            fallen = [] if ways is None else [self._fallen(name)]
            found.append([-is_in, -is_out])
            found += _any_of(is_out, [*map(self.inside, attackers), *fallen])
            found += self._defence(is_in, attackers, held)
            if ways is not None:
                found += _any_of(self._held(name), list(map(self._complete, ways)))
                found += _all_of(self._fallen(name), list(map(self._broken, ways)))
        for way, needed in enumerate(self.part.premises):
            found += _all_of(self._complete(way), list(map(self.inside, needed)))
            found += _any_of(self._broken(way), list(map(self.outside, needed)))
        return found

    def labels_of(self, assignment: Sequence[int]) -> list[Label]:
        """Read the labelling off an assignment, which lists a literal for each variable in order."""
        last = 2 * len(self.part)
        return [
            Label.IN if inside > 0 else Label.OUT if outside > 0 else Label.UNDECIDED
            for inside, outside in zip(assignment[:last:2], assignment[1:last:2], strict=True)
        ]

    def loop_clauses(self, labels: Sequence[Label]) -> list[list[int]]:
        """Give clauses that every labelling without self-support meets and ``labels`` breaks; none if it has none."""
        if not self.part.premises:
            return []
        inside = {name for name, label in enumerate(labels) if label is Label.IN}
        outside = {name for name, label in enumerate(labels) if label is Label.OUT}
        floating = inside - supported_in(self.part, inside)
        sinking = outside - rejected_in(self.part, inside)
        return [*self._cuts_of_support(floating), *self._cuts_of_rejection(sinking)]

    def _defence(self, is_in: int, attackers: Sequence[int], held: list[int]) -> list[list[int]]:
        if self.standard is Standard.CONFLICT_FREE:
            needed = [*(-self.inside(attacker) for attacker in attackers), *held]
        else:
            needed = [*map(self.outside, attackers), *held]
        if self.standard is Standard.COMPLETE:
            return _all_of(is_in, needed)
        return [[-is_in, part] for part in needed]

    def _held(self, name: int) -> int:
        """Some justification has all premises in."""
        return 2 * (len(self.part) + name) + 1

    def _fallen(self, name: int) -> int:
        """Every justification has a premise out."""
        return 2 * (len(self.part) + name) + 2

    def _complete(self, way: int) -> int:
        return 4 * len(self.part) + 2 * way + 1

    def _broken(self, way: int) -> int:
        return 4 * len(self.part) + 2 * way + 2

    def _cuts_of_support(self, floating: set[int]) -> Iterable[list[int]]:
        """If one of them is in, then some justification of one of them reaches beyond them."""
        beyond = [
            self._complete(way)
            for name in sorted(floating)
            for way in self.part.ways[name] or ()
            if floating.isdisjoint(self.part.premises[way])
        ]
        return [[-self.inside(name), *beyond] for name in sorted(floating)]

    def _cuts_of_rejection(self, sinking: set[int]) -> Iterable[list[int]]:
        """If one of them is out, then one of them is attacked, or broken in every way by something beyond them."""
        clauses: list[list[int]] = []
        beyond: list[int] = []
        for name in sorted(sinking):
            beyond.extend(map(self.inside, self.part.attackers[name]))
            causes = [set(self.part.premises[way]) - sinking for way in self.part.ways[name] or ()]
            if causes and all(causes):
                cause_holds = self.fresh()
                beyond.append(cause_holds)
                clauses.extend([-cause_holds, *map(self.outside, sorted(cause))] for cause in causes)
        clauses.extend([-self.outside(name), *beyond] for name in sorted(sinking))
        return clauses


def _all_of(whole: int, parts: list[int]) -> list[list[int]]:
    """Say that ``whole`` is true iff all of ``parts`` are."""
    return [*([-whole, part] for part in parts), [whole, *(-part for part in parts)]]


def _any_of(whole: int, parts: list[int]) -> list[list[int]]:
    """Say that ``whole`` is true iff some of ``parts`` is."""
    return [*([whole, -part] for part in parts), [-whole, *parts]]
