"""What a retraction reaches: the question that the dependency map exists for.

The paper's ``Affected(p)`` (Proposition 2.1) is the direct membership test; :func:`losses` follows premises and
corroborations to the end and tells what is lost from what is only thinned. Losses do not travel along explanation
edges or negated literals.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Set

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
    dependencies: DependencyMap, gone: Iterable[PropositionId], stands: Stands, ring_of: RingOf = _no_ring
) -> tuple[Affected, ...]:
    """Give every node that rests on what is ``gone``, nearest first, as lost or thinned.

    A node is lost when no justification is complete any more, whether it was before or not; thinned when one fell and
    another holds. What rests on a thinned node is untouched. ``stands`` tells whether a literal holds now, ``ring_of``
    names the cycle that a node lies on: there everything is deleted first, and what has ground outside is derived
    again (delete and rederive; Gupta, Mumick and Subrahmanian 1993), so that no circle holds itself up.

    Cost: the edges that leave the lost nodes; never the size of the map.
    """
    came_from: dict[PropositionId, PropositionId] = {}
    effects: dict[PropositionId, Effect] = {}
    pending: deque[PropositionId] = deque(gone)
    lost: set[PropositionId] = set(pending)
    while pending:
        premise = pending.popleft()
        for node in dependencies.dependents_of(Literal(premise)):
            if node in lost:
                continue
            came_from.setdefault(node, premise)
            if has_complete(dependencies.justifications_of(node), lost, stands, ring_of(node)):
                effects[node] = Effect.THINNED
                continue
            effects[node] = Effect.LOST
            came_from[node] = premise
            lost.add(node)
            pending.append(node)
    _rederive([node for node in effects if ring_of(node)], dependencies, lost, effects, stands)
    return tuple(Affected(id=node, effect=effect, path=_path(came_from, node)) for node, effect in effects.items())


def _rederive(
    suspects: list[PropositionId],
    dependencies: DependencyMap,
    lost: set[PropositionId],
    effects: dict[PropositionId, Effect],
    stands: Stands,
) -> None:
    pending = [node for node in suspects if node in lost]
    while pending:
        node = pending.pop()
        justifications = dependencies.justifications_of(node)
        if node not in lost or node not in effects or not has_complete(justifications, lost, stands):
            continue
        lost.discard(node)
        is_thinned = any(not item.negated and item.proposition in lost for group in justifications for item in group)
        if is_thinned:
            effects[node] = Effect.THINNED
        else:
            del effects[node]
        pending.extend(each for each in dependencies.dependents_of(Literal(node)) if each in lost)


def has_complete(
    justifications: tuple[Justification, ...],
    lost: Set[PropositionId],
    stands: Stands,
    doubtful: Set[PropositionId] = _NO_RING,
) -> bool:
    """Tell whether some justification survives: none of its premises is lost or doubtful, and all of them stand."""

    def survives(item: Literal) -> bool:
        is_kept = item.negated or (item.proposition not in lost and item.proposition not in doubtful)
        return is_kept and stands(item)

    return any(all(survives(item) for item in group) for group in justifications)


def direct(dependencies: DependencyMap, gone: PropositionId) -> frozenset[PropositionId]:
    """Give the paper's set: the nodes with ``gone`` in their Dep, whether or not they still stand."""
    return frozenset(dependencies.dependents_of(Literal(gone)))


def reachable(dependencies: DependencyMap, start: PropositionId) -> tuple[PropositionId, ...]:
    """Give all that is touched over premises of either sign and explanation edges: for a person to look at.

    Order: nearest first. Cost: the edges that leave what is reached.
    """
    found: dict[PropositionId, None] = {start: None}
    pending: deque[PropositionId] = deque([start])
    while pending:
        node = pending.popleft()
        neighbours = (
            *dependencies.dependents_of(Literal(node)),
            *dependencies.dependents_of(Literal(node, negated=True)),
            *dependencies.explained_by(node),
        )
        for neighbour in neighbours:
            if neighbour not in found:
                found[neighbour] = None
                pending.append(neighbour)
    return tuple(found)[1:]


def _path(came_from: Mapping[PropositionId, PropositionId], node: PropositionId) -> tuple[PropositionId, ...]:
    steps = [node]
    while steps[-1] in came_from:
        steps.append(came_from[steps[-1]])
    return tuple(reversed(steps))
