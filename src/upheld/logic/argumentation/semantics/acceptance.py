"""Acceptance: whether some extension has an argument, or every one, with an extension that shows it.

Only what can matter is searched. For complete and preferred that is what bears on the argument, since every extension
of that part extends to one of the whole (directionality; Baroni and Giacomin 2007); for stable, semi-stable and stage
it is the argument's island. Sceptical acceptance is the absence of an extension without the argument, which is looked
for and never enumerated: first one that rejects it, then one that only leaves it open.
Source: Dvořák, Järvisalo, Wallner and Woltran (2014), CEGARTIX; Niskanen and Järvisalo (2020), μ-toksia.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from upheld.errors import UnknownReference
from upheld.logic.argumentation.framework import A, Framework, Indexed, indexed, places_of
from upheld.logic.argumentation.semantics.choosing import (
    BY_CIRCLES,
    BY_RANGE,
    blocks_of,
    demand_decisions,
    labels_before,
    standard_of,
)
from upheld.logic.argumentation.semantics.extensions import named_in, settle
from upheld.logic.argumentation.semantics.ideal import ideal_of
from upheld.logic.argumentation.semantics.maximal import Climb, Labels, a_top_with, top_above
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.argumentation.semantics.oracle import DEFAULT_CONFLICTS, Budget, Oracle
from upheld.logic.argumentation.semantics.parts import Members, circles, cone, islands, part_of, undecided_in
from upheld.logic.language.standing import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance(Generic[A]):
    """Whether an argument is accepted; ``None`` when the budget ran out before that was decided.

    ``witness`` is an extension that shows it: one with the argument for credulous acceptance, one without it against
    sceptical acceptance. ``None`` when nothing can show it, or when the budget ran out before the set that decided it
    was proved to be an extension.
    """

    is_accepted: bool | None
    witness: frozenset[A] | None


def credulously_accepted(
    framework: Framework[A],
    argument: A,
    semantics: Semantics,
    *,
    conflict_budget: int | None = DEFAULT_CONFLICTS,
) -> Acceptance[A]:
    """Tell whether some extension has the argument.

    Cost: linear where the grounded labels decide; else NP-hard, and harder for semi-stable, stage and ideal.

    Raises:
        UnknownReference: ``argument`` is none of the framework's.
    """
    exists, witness = _an_extension_where(framework, argument, semantics, conflict_budget, has_it=True)
    return Acceptance(is_accepted=exists, witness=witness)


def sceptically_accepted(
    framework: Framework[A],
    argument: A,
    semantics: Semantics,
    *,
    conflict_budget: int | None = DEFAULT_CONFLICTS,
) -> Acceptance[A]:
    """Tell whether every extension has the argument; where there is none (stable), every one has.

    Of the admissible sets the empty one never has it, and of the complete ones the grounded one has the least.
    Cost: linear for those, and where the grounded labels decide; else as :func:`credulously_accepted`, and harder for
    preferred.

    Raises:
        UnknownReference: ``argument`` is none of the framework's.
    """
    exists, witness = _an_extension_where(framework, argument, semantics, conflict_budget, has_it=False)
    return Acceptance(is_accepted=None if exists is None else not exists, witness=witness)


def _an_extension_where(
    framework: Framework[A], argument: A, semantics: Semantics, conflict_budget: int | None, *, has_it: bool
) -> tuple[bool | None, frozenset[A] | None]:
    """Tell whether an extension has, or has not, the argument, and give one."""
    name = places_of(framework).get(argument)
    if name is None:
        raise UnknownReference(str(argument), where="a question of acceptance")
    if semantics is Semantics.ADMISSIBLE:
        if not has_it:
            return True, frozenset()
        semantics = Semantics.COMPLETE
    search = _Search(indexed(framework), name, semantics, Budget(conflict_budget), has_it=has_it)
    exists, labels = search.run()
    return exists, None if labels is None else named_in(labels, framework)


class _Search:
    """For one extension that has, or has not, one argument; a complete semantics, or stage."""

    def __init__(self, index: Indexed, name: int, semantics: Semantics, budget: Budget, *, has_it: bool) -> None:
        self.index = index
        self.name = name
        self.semantics = semantics
        self.budget = budget
        self.has_it = has_it
        self.labels = labels_before(index, semantics)

    def run(self) -> tuple[bool | None, Labels | None]:
        """Tell whether there is one, and label it when it is proved to be one."""
        is_decided = self.labels[self.name] is not Label.UNDECIDED or self.semantics is Semantics.GROUNDED
        if is_decided or (self.semantics is Semantics.COMPLETE and not self.has_it):
            if (self.labels[self.name] is Label.IN) != self.has_it:
                return False, None
            return self._with_the_rest(blocks_of(self.index, self.labels, self.semantics))
        own, others = self._blocks()
        found = self._found_in(part_of(self.index, own, self.labels), own.index(self.name), len(own))
        if found is None:
            return (None if self.budget.is_spent else False), None
        for place, name in enumerate(own):
            self.labels[name] = found[place]
        return self._with_the_rest(others)

    def _with_the_rest(self, others: list[Members]) -> tuple[bool | None, Labels | None]:
        settled = settle(self.index, self.labels, others, self.semantics, self.budget)
        if settled is None:
            return (None if self.budget.is_spent else False), None
        return True, None if self.budget.is_spent else settled

    def _blocks(self) -> tuple[Members, list[Members]]:
        """Give what can matter for the argument, and what is to be settled after it."""
        undecided = undecided_in(self.labels)
        if self.semantics in BY_CIRCLES:
            own = cone(self.index, undecided, self.name)
            within = frozenset(own)
            return own, circles(self.index, tuple(name for name in undecided if name not in within))
        found = islands(self.index, undecided)
        own = next(island for island in found if self.name in island)
        return own, [island for island in found if island is not own]

    def _found_in(self, part: Indexed, place: int, count: int) -> Labels | None:
        if self.semantics is Semantics.IDEAL:
            ideal = ideal_of(part, count, self.budget)
            return ideal if (ideal[place] is Label.IN) == self.has_it and not self.budget.is_spent else None
        with Oracle(part, standard_of(self.semantics), self.budget) as oracle:
            inside = oracle.encoding.inside(place)
            wanted = inside if self.has_it else -inside
            if self.semantics is Semantics.STABLE:
                demand_decisions(oracle, count)
            if self.semantics in {Semantics.STABLE, Semantics.COMPLETE}:
                return oracle.find([wanted])
            climb = Climb(oracle, count, by_range=self.semantics in BY_RANGE)
            if self.semantics is Semantics.PREFERRED:
                # What is in stays in above, and what is out stays out: such a set decides by itself.
                found = oracle.find([inside if self.has_it else oracle.encoding.outside(place)])
                if found is not None or self.has_it or self.budget.is_spent:
                    return None if found is None else top_above(climb, found)
            return a_top_with(climb, wanted)
