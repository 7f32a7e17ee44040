"""What would break it: the minimal sets of claims without which something has no complete justification.

They are the minimal hitting sets of its environments (Reiter 1987), but are not made from them: a claim rests on 2**20
environments as easily as on one. That it does *not* hold is a set of Horn clauses, whose least model is the foundation;
so the minimal correction sets of these clauses (Liffiton and Sakallah 2008) are the answer, and the solver's last
refusal proves that there are no more. No circle needs a clause of its own here: what a circle could hold up by itself
need not hold in the least model.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator
from dataclasses import dataclass

from upheld.logic.dependency.cone import ROOT, Cone, JustificationsOf, cone_of, founded, proof_of
from upheld.logic.dependency.justifications import DependencyMap
from upheld.logic.dependency.smallest import Budget, SmallestSets, collected
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal

BreakingSet = frozenset[Literal]


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakingSets:
    """The sets that were found, smallest first; ``is_complete`` is false when a budget ended the search."""

    found: tuple[BreakingSet, ...]
    is_complete: bool


def breaking_sets(
    dependencies: DependencyMap | JustificationsOf,
    *wanted: PropositionId,
    candidates: Callable[[Literal], bool] | None = None,
    assumptions: Collection[Literal] | None = None,
    budget: Budget = Budget(),  # noqa: B008 - frozen
) -> BreakingSets:
    """Give the minimal sets of literals that, gone together, leave not all of ``wanted`` with a justification.

    Without ``candidates`` what may go are the assumptions of :func:`~upheld.logic.dependency.cone.cone_of`, and one
    that is gone may still be derived: these sets are the minimal hitting sets of the environments, where no nogood
    takes one of them away. ``candidates`` says which claims may go as such, premises or none: gone, one does not hold
    whatever its premises do. What does not hold anyway is broken by the empty set.

    Cost: the cone once, then a few calls of the solver for each set.
    """
    cone = cone_of(dependencies, tuple(map(Literal, wanted)), assumptions=assumptions)
    allowed = cone.assumed if candidates is None else numbers_of(cone, candidates)
    search = each_breaking_set(cone, allowed, conflicts=budget.conflicts, may_be_derived=candidates is None)
    found, is_complete = collected(search, budget.answers)
    return BreakingSets(found=tuple(map(cone.literals, found)), is_complete=is_complete)


def numbers_of(cone: Cone, candidates: Callable[[Literal], bool]) -> tuple[int, ...]:
    """Give the numbers of a cone whose literals are candidates."""
    return tuple(number for number, name in enumerate(cone.names) if number != ROOT and candidates(name))


def each_breaking_set(
    cone: Cone, candidates: Collection[int], *, conflicts: int, may_be_derived: bool = False
) -> Generator[frozenset[int], None, bool]:
    """Give the minimal sets of numbers without which the root does not hold, smallest first; at the end, if all.

    ``may_be_derived``: what is gone is no longer assumed, and holds if its rules say so.
    """
    size = len(cone.names)
    gone = {each: size + place for place, each in enumerate(candidates, start=1)}
    number = {mark: each for each, mark in gone.items()}
    search = SmallestSets(size + len(gone), number)
    search.add(-(ROOT + 1))
    for head, body in cone.rules:
        unless = (gone[head],) if head in gone and not may_be_derived else ()
        search.add(*(-(each + 1) for each in body), head + 1, *unless)
    for each in cone.assumed:
        search.add(each + 1, *((gone[each],) if each in gone else ()))
    found = search.sets(conflicts)
    while True:
        try:
            marks = next(found)
        except StopIteration as ended:
            return bool(ended.value)
        yield frozenset(number[mark] for mark in marks)


def essentials(cone: Cone, effort: int) -> tuple[tuple[int, ...], bool]:
    """Give the numbers each of which alone the root cannot do without, nearest first; and whether these are all.

    Where there is a single way every premise is one. Where there are several, each number that one derivation uses is
    left out in turn: either there is no derivation without it, or the one found clears all that it does not use.
    ``effort`` is how many rules may be looked at on the way.
    """
    if ROOT not in founded(cone, cone.assumed):
        return (), True
    essential: dict[int, None] = {}
    forks: list[int] = []
    _follow(cone, ROOT, essential, forks)
    for fork in forks:
        for needed in _needed(cone, fork, essential):
            effort -= len(cone.rules)
            if effort < 0:
                return tuple(essential), False
            if needed is not None:
                essential[needed] = None
                _follow(cone, needed, essential, forks)
    return tuple(essential), True


def _follow(cone: Cone, start: int, essential: dict[int, None], forks: list[int]) -> None:
    """Note what a number rests on along single ways, and the forks at which they end."""
    assumed = cone.may_be_assumed
    pending = [start]
    for current in pending:
        ways = cone.ways[current]
        if len(ways) > 1 and current not in assumed:
            forks.append(current)
        elif ways and current not in assumed:
            fresh = [each for each in cone.rules[ways[0]][1] if each not in essential]
            essential.update(dict.fromkeys(fresh))
            pending.extend(fresh)


def _needed(cone: Cone, fork: int, known: Collection[int]) -> Iterator[int | None]:
    """Try what a fork may need, a step each: a number that it does, or ``None`` for one that it does not."""
    derived = founded(cone, cone.assumed, upto=fork)
    suspects = list(proof_of(cone, derived, fork))
    while suspects:
        tried = suspects.pop(0)
        if tried in known:
            continue
        without = founded(cone, cone.assumed, {tried}, upto=fork)
        if fork not in without:
            yield tried
            continue
        used = proof_of(cone, without, fork)
        suspects = [each for each in suspects if each in used]
        yield None
