"""Environments: the minimal sets of assumptions on which a claim stands (de Kleer 1986, section 3).

A label of the ATMS is *sound* (the claim follows from each environment), *consistent* (no environment contains a
nogood), *complete* (whatever the claim follows from contains one) and *minimal*. De Kleer keeps the label of every node
by cross products, which is exponential at nodes that nobody asks about. Here the environments of one claim are
enumerated on demand, smallest first, as minimal models of its completion (Clark 1978); a model in which a circle holds
itself up is ruled out by the loop formula of what is unfounded in it (Lin and Zhao 2004).
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass

from upheld.logic.dependency.cone import ROOT, Cone, JustificationsOf, cone_of, founded
from upheld.logic.dependency.justifications import DependencyMap
from upheld.logic.dependency.smallest import Budget, Clause, SmallestSets, collected
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal

Environment = frozenset[Literal]
"""A set of assumptions: claims that need no premise, and denials that must be established."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environments:
    """The environments that were found, smallest first; ``is_complete`` is false when a budget ended the search."""

    found: tuple[Environment, ...]
    is_complete: bool


def environments(
    dependencies: DependencyMap | JustificationsOf,
    *wanted: PropositionId | Literal,
    assumptions: Collection[Literal] | None = None,
    nogoods: Iterable[Environment] = (),
    budget: Budget = Budget(),  # noqa: B008 - frozen
) -> Environments:
    """Give the minimal sets of assumptions on which all that is ``wanted`` has a well-founded complete justification.

    What counts as an assumption is said in :func:`~upheld.logic.dependency.cone.cone_of`. Left out are the sets that
    contain one of ``nogoods``, and those on which both ``p`` and ``~p`` hold. A claim that holds unconditionally has
    the empty environment, one that cannot hold has none.

    Cost: the cone once, then a few calls of the solver for each environment.
    """
    search = each_environment(
        cone_of(dependencies, _literals(wanted), assumptions=assumptions), nogoods, conflicts=budget.conflicts
    )
    found, is_complete = collected(search, budget.answers)
    return Environments(found=found, is_complete=is_complete)


def iter_environments(
    dependencies: DependencyMap | JustificationsOf,
    *wanted: PropositionId | Literal,
    assumptions: Collection[Literal] | None = None,
    nogoods: Iterable[Environment] = (),
) -> Iterator[Environment]:
    """Give the same lazily and without a budget: what is not asked for is not looked for."""
    cone = cone_of(dependencies, _literals(wanted), assumptions=assumptions)
    yield from each_environment(cone, nogoods, conflicts=_UNLIMITED)


def each_environment(
    cone: Cone, nogoods: Iterable[Environment] = (), *, conflicts: int
) -> Generator[Environment, None, bool]:
    """Give the environments of a cone's root, smallest first; at the end, whether these were all."""
    encoding = _Completion(cone)
    for nogood in nogoods:
        encoding.exclude(nogood)
    search = encoding.search.sets(conflicts, encoding.circles)
    while True:
        try:
            marks = next(search)
        except StopIteration as ended:
            return bool(ended.value)
        yield cone.literals(encoding.number[mark] for mark in marks)


_UNLIMITED = 2**31 - 1


class _Completion:
    """A cone as clauses: a number holds if and only if it is assumed or one of its rules fires."""

    def __init__(self, cone: Cone) -> None:
        self._cone = cone
        size = len(cone.names)
        self._holds = list(range(1, size + 1))
        ruled = {head for head, _ in cone.rules}
        self.number: dict[int, int] = {}
        self._mark: dict[int, int] = {}
        top = size
        for each in cone.assumed:
            # What rests on nothing else holds just when it is assumed, and needs no second number.
            mark = self._holds[each]
            if each in ruled:
                top += 1
                mark = top
            self._mark[each], self.number[mark] = mark, each
        self.search = SmallestSets(top, self.number)
        self._fires = [self._fired(body) for _, body in cone.rules]
        self._add_numbers()

    def _fired(self, body: tuple[int, ...]) -> int:
        if len(body) == 1:
            return self._holds[body[0]]
        fires = self.search.fresh()
        for each in body:
            self.search.add(-fires, self._holds[each])
        self.search.add(fires, *(-self._holds[each] for each in body))
        return fires

    def _add_numbers(self) -> None:
        add, cone = self.search.add, self._cone
        add(self._holds[ROOT])
        for each in range(len(cone.names)):
            ways = [self._fires[place] for place in cone.ways[each]]
            mark = self._mark.get(each)
            if mark is not None and mark != self._holds[each]:
                ways.append(mark)
            if mark is None or ways:
                add(-self._holds[each], *ways)
            for way in ways:
                add(-way, self._holds[each])
            name = cone.names[each]
            denied = cone.number_of(~name) if name.negated and each != ROOT else None
            if denied is not None:
                add(-self._holds[each], -self._holds[denied])

    def exclude(self, nogood: Environment) -> None:
        """Rule out every set that contains a nogood; one with an assumption from elsewhere cannot be contained."""
        numbers = [self._cone.number_of(item) for item in nogood]
        marks = [self._mark[each] for each in numbers if each is not None and each in self._mark]
        if len(marks) == len(nogood):
            self.search.add(*(-mark for mark in marks))

    def circles(self, marks: frozenset[int], assignment: Sequence[int]) -> Iterable[Clause]:
        """Give the loop formula of what holds in the model without ground, if the root is among it."""
        cone, holds = self._cone, self._holds
        derived = founded(cone, (self.number[mark] for mark in marks))
        if ROOT in derived:
            return
        unfounded = {each for each in range(len(cone.names)) if assignment[holds[each] - 1] > 0 and each not in derived}
        outside = [self._mark[each] for each in unfounded if each in self._mark]
        ways = [place for each in unfounded for place in cone.ways[each]]
        outside += [self._fires[place] for place in ways if unfounded.isdisjoint(cone.rules[place][1])]
        has_ground = self.search.fresh()
        yield (-has_ground, *outside)
        for each in unfounded:
            yield (-holds[each], has_ground)


def _literals(wanted: Iterable[PropositionId | Literal]) -> tuple[Literal, ...]:
    return tuple(each if isinstance(each, Literal) else Literal(each) for each in wanted)
