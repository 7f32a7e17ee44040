"""What a retraction reaches: the question that the dependency map exists for.

The paper's ``Affected(p)`` (Proposition 2.1) is the direct membership test; :func:`losses` follows premises and
corroborations to the end and tells what is lost from what is only thinned. Losses do not travel along explanation
edges. What rests on ``~p`` is lost when the negation is no longer established (``unsettled``), not when ``p`` falls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import cast

from upheld.logic.dependency.justifications import NO_NODES, DependencyMap, Justification
from upheld.logic.language.identities import PropositionId, listed
from upheld.logic.language.literals import NEGATION, Literal
from upheld.logic.language.verdicts import Affected, Effect

Stands = Callable[[Literal], bool]
RingOf = Callable[[PropositionId], Set[PropositionId]]

_NO_RING: frozenset[PropositionId] = frozenset()


def no_ring(_: PropositionId) -> Set[PropositionId]:
    """Say that a node lies on no cycle."""
    return _NO_RING


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """What a change reaches, nearest first; each with the step before it on the way.

    Iterating gives :class:`Affected`, made as they are asked for.
    """

    effects: Mapping[PropositionId, Effect]
    came_from: Mapping[PropositionId, PropositionId] = field(repr=False)

    def __len__(self) -> int:
        """Give how many nodes are reached."""
        return len(self.effects)

    def __iter__(self) -> Iterator[Affected]:
        """Give each node that is reached."""
        came_from = self.came_from
        return (Affected(id=node, effect=effect, came_from=came_from) for node, effect in self.effects.items())


_NO_LOSSES = Losses(effects={}, came_from={})
"""What is reached when nothing rests on what is gone: most questions about a conversation."""


def losses(
    dependencies: DependencyMap,
    gone: Iterable[PropositionId],
    stands: Stands,
    ring_of: RingOf = no_ring,
    left: DependencyMap | None = None,
    unsettled: Iterable[PropositionId] = (),
) -> Losses:
    """Give every node that rests on what is ``gone``, nearest first, as lost or thinned.

    A node is lost when no justification is complete any more, whether it was before or not; thinned when one fell and
    another holds. What rests on a thinned node is untouched. ``stands`` tells whether a literal holds now, ``ring_of``
    names the cycle that a node lies on: there everything is deleted first, and what has ground outside is derived
    again (delete and rederive; Gupta, Mumick and Subrahmanian 1993), so that no circle holds itself up. ``left`` has
    the justifications after the change where it alters some (a withdrawn source takes its corroborations with it).
    ``unsettled`` are the propositions whose negation the change leaves without ground; a way over one begins with its
    notation, ``~p``.

    Cost: the edges that leave the lost nodes; never the size of the map.
    """
    start, fallen_denials = tuple(gone), frozenset(unsettled)
    if not fallen_denials and not any(map(dependencies.dependents.get, start)):
        return _NO_LOSSES
    lost = set(start)
    is_whole = left is None or left is dependencies
    left = left or dependencies
    groups, has_circle = left.justifications, False

    def falls(node: PropositionId) -> bool:
        alternatives = groups.get(node, ())
        # It was reached over something lost, and a single justification has that in it.
        if is_whole and len(alternatives) < 2:
            return True
        return not has_complete(alternatives, lost, stands, _NO_RING, fallen_denials)

    def falls_for_now(node: PropositionId) -> bool:
        nonlocal has_circle
        ring = ring_of(node)
        has_circle = has_circle or bool(ring)
        return not has_complete(groups.get(node, ()), lost, stands, ring, fallen_denials)

    keys = (*start, *(f"{NEGATION}{id}" for id in sorted(fallen_denials))) if fallen_denials else start
    effects, came_from = _swept(dependencies, keys, lost, falls if ring_of is no_ring else falls_for_now)
    if has_circle:
        suspects = {node for node, effect in effects.items() if effect is Effect.LOST}
        rederive(suspects, dependencies, left, lost, stands, fallen_denials)
        effects, came_from = _swept(dependencies, keys, set(start), lost.__contains__)
    return Losses(effects=effects, came_from=came_from)


def _swept(
    dependencies: DependencyMap,
    start: Iterable[str],
    lost: set[PropositionId],
    falls: Callable[[PropositionId], bool],
) -> tuple[dict[PropositionId, Effect], dict[PropositionId, PropositionId]]:
    """Give what is reached over lost nodes, which ``lost`` collects on the way, and where each came from."""
    effects: dict[PropositionId, Effect] = {}
    came_from: dict[PropositionId, PropositionId] = {}
    dependents = dependencies.dependents
    pending = list(start)
    for key in pending:
        reached = dependents.get(key)
        if not reached:
            continue
        # A denial begins a way: its proposition may come further on, and the way would go round for ever.
        premise = cast("PropositionId", key)
        # Sorted, since the order of a hash set differs from run to run, and the ways would with it.
        for node in sorted(listed(reached)) if len(reached) > 1 else reached:
            if node in lost:
                continue
            if falls(node):
                effects[node] = Effect.LOST
                came_from[node] = premise
                lost.add(node)
                pending.append(node)
            elif node not in effects:
                effects[node] = Effect.THINNED
                came_from[node] = premise
    return effects, came_from


def rederive(
    suspects: Set[PropositionId],
    dependencies: DependencyMap,
    left: DependencyMap,
    lost: set[PropositionId],
    stands: Stands,
    unsettled: Set[PropositionId] = _NO_RING,
) -> None:
    """Take those suspects out of ``lost`` that have a justification clear of it, again and again.

    Each that is saved is looked at once more by those that rest on it. Cost: the edges among the suspects.
    """
    pending = sorted(suspects)
    while pending:
        node = pending.pop()
        if node in lost and has_complete(left.justifications_of(node), lost, stands, _NO_RING, unsettled):
            lost.discard(node)
            pending.extend(each for each in dependencies.dependents_of(Literal(node)) if each in suspects)


def has_complete(
    justifications: tuple[Justification, ...],
    lost: Set[PropositionId],
    stands: Stands,
    doubtful: Set[PropositionId] = _NO_RING,
    unsettled: Set[PropositionId] = _NO_RING,
) -> bool:
    """Tell whether some justification survives: all of its premises stand, and none of them falls or is in doubt.

    ``lost`` and ``doubtful`` are about premises, ``unsettled`` about negated ones.
    """
    for group in justifications:
        for item in group:
            if item.negated:
                if item.proposition in unsettled:
                    break
            elif item.proposition in lost or item.proposition in doubtful:
                break
            if not stands(item):
                break
        else:
            return True
    return False


def direct(dependencies: DependencyMap, gone: PropositionId) -> Set[PropositionId]:
    """Give the paper's set: the nodes with ``gone`` in their Dep, whether or not they still stand.

    Cost: one look-up, however many they are; what is given is the index's own set.
    """
    return dependencies.dependents.get(gone, NO_NODES)
