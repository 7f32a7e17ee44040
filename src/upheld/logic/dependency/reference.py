"""The dependency theory, slow and obvious: every question by trying all subsets of the assumptions (12 at most).

Sources: foundation as a least fixpoint (van Emden and Kowalski 1976), environments and nogoods (de Kleer 1986, section
3), minimal hitting sets (Reiter 1987, definition 4.1), losses as the difference of two foundations. The oracle of the
laws.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import combinations

from upheld.errors import LimitExceeded
from upheld.logic.dependency.justifications import DependencyMap, Justification
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Effect

MOST_ASSUMPTIONS = 12

Groups = Mapping[PropositionId, tuple[Justification, ...]]
Sets = frozenset[frozenset[Literal]]


def foundation(groups: Groups, held: Collection[Literal], gone: Collection[Literal] = ()) -> frozenset[Literal]:
    """Give the least set that contains what is held and every claim with a justification in it, less what is gone."""
    found = set(held) - set(gone)
    while fresh := {
        Literal(id)
        for id, ways in groups.items()
        if Literal(id) not in found and Literal(id) not in gone and any(set(way) <= found for way in ways)
    }:
        found |= fresh
    return frozenset(found)


def assumptions_of(groups: Groups, wanted: Collection[Literal] = ()) -> frozenset[Literal]:
    """Give the default assumptions of a map: the claims that need no premise, and every negated premise."""
    named = {item for ways in groups.values() for way in ways for item in way}
    named |= {Literal(id) for id in groups} | set(wanted) | {~item for item in named if item.negated}
    return frozenset(item for item in named if item.negated or () in groups.get(item.proposition, ((),)))


def without_own_word(groups: Groups, assumptions: Collection[Literal]) -> Groups:
    """Give the map in which what may be assumed does not hold unless it is."""
    return {id: tuple(way for way in ways if way or Literal(id) not in assumptions) for id, ways in groups.items()}


def environments(
    groups: Groups,
    wanted: Collection[Literal],
    assumptions: Collection[Literal] | None = None,
    nogoods: Iterable[frozenset[Literal]] = (),
) -> Sets:
    """Give the minimal consistent sets of assumptions on which all that is wanted is founded."""
    candidates = assumptions_of(groups, wanted) if assumptions is None else assumptions
    rules, excluded = without_own_word(groups, candidates), list(nogoods)
    return minimal(
        held
        for held in subsets(candidates)
        if set(wanted) <= (holding := foundation(rules, held))
        and not any(~item in holding for item in holding)
        and not any(nogood <= held for nogood in excluded)
    )


def breaking_sets(
    groups: Groups,
    wanted: Collection[Literal],
    candidates: Collection[Literal],
    assumptions: Collection[Literal] | None = None,
) -> Sets:
    """Give the minimal sets of candidates without which not all that is wanted is founded."""
    held = assumptions_of(groups, wanted) if assumptions is None else assumptions
    return minimal(gone for gone in subsets(candidates) if not set(wanted) <= foundation(groups, held, gone))


def cuts(groups: Groups, wanted: Collection[Literal]) -> Sets:
    """Give the minimal sets of default assumptions without which not all that is wanted is founded."""
    held = assumptions_of(groups, wanted)
    rules = without_own_word(groups, held)
    return minimal(gone for gone in subsets(held) if not set(wanted) <= foundation(rules, held - gone))


def hitting_sets(family: Collection[frozenset[Literal]]) -> Sets:
    """Give the minimal sets that share something with every set of a family."""
    members = frozenset[Literal]().union(*family)
    return minimal(found for found in subsets(members) if all(found & each for each in family))


def losses(
    groups: Groups,
    gone: Collection[PropositionId],
    stands: Callable[[Literal], bool],
    unsettled: Collection[PropositionId] = (),
) -> dict[PropositionId, Effect]:
    """Give what is lost and what is thinned: derive all anew without what is gone, and see which of it was reached."""
    fallen = {Literal(id) for id in gone} | {Literal(id, negated=True) for id in unsettled}
    standing = {
        id: tuple(way for way in ways if all(map(stands, way)) and not any(item in fallen for item in way))
        for id, ways in groups.items()
    }
    denials = {item for ways in groups.values() for way in ways for item in way if item.negated}
    # A premise that stands and has no record of its own holds by itself.
    own = {item for ways in groups.values() for way in ways for item in way if item.proposition not in groups}
    derived = foundation(standing, denials | own, fallen)
    found: dict[PropositionId, Effect] = {}
    while reached := {
        id
        for id, ways in groups.items()
        if id not in found and id not in gone and any(not fallen.isdisjoint(way) for way in ways)
    }:
        found |= {id: Effect.THINNED if Literal(id) in derived else Effect.LOST for id in reached}
        fallen |= {Literal(id) for id in reached if found[id] is Effect.LOST}
    return found


def minimal(family: Iterable[frozenset[Literal]]) -> Sets:
    """Give the sets of a family that contain no other of it."""
    found: list[frozenset[Literal]] = []
    for each in sorted(family, key=len):
        if not any(known <= each for known in found):
            found.append(each)
    return frozenset(found)


def subsets(items: Collection[Literal]) -> Iterator[frozenset[Literal]]:
    """Give every subset, smaller ones first.

    Raises:
        LimitExceeded: more than 12 items.
    """
    if len(items) > MOST_ASSUMPTIONS:
        raise LimitExceeded(f"all subsets of {len(items)} assumptions; {MOST_ASSUMPTIONS} at most")
    ordered = sorted(items)
    for size in range(len(ordered) + 1):
        yield from map(frozenset, combinations(ordered, size))


def groups_of(dependencies: DependencyMap) -> dict[PropositionId, tuple[Justification, ...]]:
    """Give the justifications of a map as plain values."""
    return dict(dependencies.justifications.items())
