"""What a retraction reaches: the question that the dependency map exists for.

The paper's ``Affected(p)`` (Proposition 2.1) is the direct membership test; :func:`losses` follows premises and
corroborations to the end and tells what is lost from what is only thinned. Losses do not travel along explanation
edges or negated literals.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Set

from upheld.logic.dependency.justifications import DependencyMap, Justification
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Affected, Effect

Stands = Callable[[Literal], bool]
RingOf = Callable[[PropositionId], Set[PropositionId]]

_NO_RING: frozenset[PropositionId] = frozenset()


def _no_ring(_: PropositionId) -> Set[PropositionId]:
    return _NO_RING


def losses(
    dependencies: DependencyMap,
    gone: Iterable[PropositionId],
    stands: Stands,
    ring_of: RingOf = _no_ring,
    left: DependencyMap | None = None,
) -> tuple[Affected, ...]:
    """Give every node that rests on what is ``gone``, nearest first, as lost or thinned.

    A node is lost when no justification is complete any more, whether it was before or not; thinned when one fell and
    another holds. What rests on a thinned node is untouched. ``stands`` tells whether a literal holds now, ``ring_of``
    names the cycle that a node lies on: there everything is deleted first, and what has ground outside is derived
    again (delete and rederive; Gupta, Mumick and Subrahmanian 1993), so that no circle holds itself up. ``left`` has
    the justifications after the change where it alters some (a withdrawn source takes its corroborations with it).

    Cost: the edges that leave the lost nodes; never the size of the map.
    """
    start = tuple(gone)
    lost = set(start)
    left = left or dependencies

    def falls(node: PropositionId) -> bool:
        return not has_complete(left.justifications_of(node), lost, stands, ring_of(node))

    effects, came_from = _swept(dependencies, start, lost, falls)
    if any(ring_of(node) for node in effects):
        _rederive(effects, dependencies, left, lost, stands)
        effects, came_from = _swept(dependencies, start, set(start), lost.__contains__)
    return tuple(Affected(id=node, effect=effect, came_from=came_from) for node, effect in effects.items())


def _swept(
    dependencies: DependencyMap,
    start: tuple[PropositionId, ...],
    lost: set[PropositionId],
    falls: Callable[[PropositionId], bool],
) -> tuple[dict[PropositionId, Effect], dict[PropositionId, PropositionId]]:
    """Give what is reached over lost nodes, which ``lost`` collects on the way, and where each came from."""
    effects: dict[PropositionId, Effect] = {}
    came_from: dict[PropositionId, PropositionId] = {}
    pending: deque[PropositionId] = deque(start)
    while pending:
        premise = pending.popleft()
        # Sorted, since the order of a hash set differs from run to run, and the ways would with it.
        for node in sorted(dependencies.dependents_of(Literal(premise))):
            if node in lost:
                continue
            came_from.setdefault(node, premise)
            effects[node] = Effect.THINNED
            if falls(node):
                effects[node] = Effect.LOST
                came_from[node] = premise
                lost.add(node)
                pending.append(node)
    return effects, came_from


def _rederive(
    suspects: Iterable[PropositionId],
    dependencies: DependencyMap,
    left: DependencyMap,
    lost: set[PropositionId],
    stands: Stands,
) -> None:
    deleted = {node for node in suspects if node in lost}
    pending = sorted(deleted)
    while pending:
        node = pending.pop()
        if node in lost and has_complete(left.justifications_of(node), lost, stands):
            lost.discard(node)
            pending.extend(each for each in dependencies.dependents_of(Literal(node)) if each in deleted)


def has_complete(
    justifications: tuple[Justification, ...],
    lost: Set[PropositionId],
    stands: Stands,
    doubtful: Set[PropositionId] = _NO_RING,
) -> bool:
    """Tell whether some justification survives: none of its premises is lost or doubtful, and all of them stand."""
    for group in justifications:
        for item in group:
            if not item.negated and (item.proposition in lost or item.proposition in doubtful):
                break
            if not stands(item):
                break
        else:
            return True
    return False


def direct(dependencies: DependencyMap, gone: PropositionId) -> frozenset[PropositionId]:
    """Give the paper's set: the nodes with ``gone`` in their Dep, whether or not they still stand."""
    return frozenset(dependencies.dependents_of(Literal(gone)))
