"""Who is to blame when two claims clash: the premises that both rest on, or the assumptions that give both together.

A nogood is a set of assumptions that cannot hold together (de Kleer 1986, section 3): here, a minimal one on which both
claims stand. Nothing is retracted unasked; the culprits are only named, and what would resolve the clash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

from upheld.logic.dependency.breaking import BreakingSet, breaking_sets
from upheld.logic.dependency.cone import JustificationsOf, cone_of
from upheld.logic.dependency.environments import Environment, environments
from upheld.logic.dependency.justifications import DependencyMap, grounds_of
from upheld.logic.dependency.smallest import Budget
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Culprit:
    """An assumption behind a clash: in how many of its nogoods it is, and whether both claims rest on it."""

    assumption: Literal
    nogoods: int
    is_shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Culprits:
    """Whom to suspect of a clash.

    ``nogoods`` are the minimal unions of an environment of either claim, smallest first. ``ranked`` are the assumptions
    in them: those in most nogoods first, among these the shared ones first. ``retractions`` are the minimal sets that
    would resolve the clash, smallest first. ``is_complete`` is false when a budget ended one of the searches.
    """

    nogoods: tuple[Environment, ...]
    ranked: tuple[Culprit, ...]
    retractions: tuple[BreakingSet, ...]
    is_complete: bool


def culprits(
    dependencies: DependencyMap | JustificationsOf,
    first: PropositionId,
    second: PropositionId,
    *,
    assumptions: Collection[Literal] | None = None,
    candidates: Callable[[Literal], bool] | None = None,
    budget: Budget = Budget(),  # noqa: B008 - frozen
) -> Culprits:
    """Give the minimal nogoods of two claims that clash, their assumptions as suspects, and what would resolve it.

    ``candidates`` are the assumptions that may be taken back: without it, all that are not negated. Where the two
    cannot hold together anyway there is no nogood and nothing to take back.
    """
    joint = environments(dependencies, first, second, assumptions=assumptions, budget=budget)
    if joint.is_complete and not joint.found:
        return Culprits(nogoods=(), ranked=(), retractions=(), is_complete=True)
    cones = [cone_of(dependencies, (Literal(id),), assumptions=assumptions) for id in (first, second)]
    mine, theirs = ({cone.names[each] for each in cone.assumed} for cone in cones)
    counted = Counter(item for nogood in joint.found for item in nogood)
    ranked = [
        Culprit(assumption=item, nogoods=count, is_shared=item in mine and item in theirs)
        for item, count in counted.items()
    ]
    ranked.sort(key=lambda culprit: (-culprit.nogoods, not culprit.is_shared, culprit.assumption))
    suspects = mine | theirs
    cuts = breaking_sets(
        dependencies,
        first,
        second,
        candidates=lambda item: item in suspects and (not item.negated if candidates is None else candidates(item)),
        assumptions=assumptions,
        budget=budget,
    )
    is_complete = joint.is_complete and cuts.is_complete
    return Culprits(nogoods=joint.found, ranked=tuple(ranked), retractions=cuts.found, is_complete=is_complete)


def ancestors(dependencies: DependencyMap, node: PropositionId) -> dict[PropositionId, None]:
    """Give every proposition that a node rests on, over any number of steps, nearest first; without the node."""
    found: dict[PropositionId, None] = {}
    pending = [node]
    for current in pending:
        for item in grounds_of(dependencies, current):
            if item.proposition not in found and item.proposition != node:
                found[item.proposition] = None
                pending.append(item.proposition)
    return found


def shared_culprits(
    dependencies: DependencyMap, first: PropositionId, second: PropositionId
) -> tuple[PropositionId, ...]:
    """Give the nearest premises that two clashing claims have in common; empty when they share none.

    A premise behind another shared premise is left out: giving up the nearer one is enough.
    Cost: what the two claims rest on.
    """
    common = ancestors(dependencies, first).keys() & ancestors(dependencies, second).keys()
    behind = {further for node in common for further in ancestors(dependencies, node)}
    return tuple(sorted(common - behind))
