"""Losses one at a time, each exact when it is given, without a look at what nobody asked for.

Nearest first cannot be both lazy and exact: a claim two steps away that is thinned now is lost when its other way
falls twenty steps further on. So the order is that of support: a claim comes when all that it may rest on is settled.
``rank_of`` gives that order (the labelling keeps one); the members of a circle share a rank and are settled together.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Set

from upheld.logic.dependency.affected import RingOf, Stands, has_complete, no_ring, rederive
from upheld.logic.dependency.justifications import NO_NODES, DependencyMap
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import NEGATION
from upheld.logic.language.verdicts import Affected, Effect

RankOf = Callable[[PropositionId], int]
UnsettledBy = Callable[[PropositionId], Iterable[PropositionId]]


_NOTHING: frozenset[PropositionId] = frozenset()


def _nothing(_: PropositionId) -> Iterable[PropositionId]:
    return ()


def iter_losses(
    dependencies: DependencyMap,
    gone: Iterable[PropositionId],
    stands: Stands,
    rank_of: RankOf,
    ring_of: RingOf = no_ring,
    left: DependencyMap | None = None,
    unsettled_by: UnsettledBy = _nothing,
) -> Iterator[Affected]:
    """Give what :func:`~upheld.logic.dependency.affected.losses` gives, lazily, in the order of support.

    ``unsettled_by`` is asked once for each node that falls, the ``gone`` first: of which propositions it no longer
    establishes the negation. Cost of each answer: the edges that leave it, and a place in a queue.
    """
    start = frozenset(gone)
    stream = _Stream(dependencies, left or dependencies, stands, rank_of, ring_of, start)
    fallen = sorted(start)
    while True:
        for node in fallen:
            stream.reach(node, unsettled_by(node))
        settled = stream.next_settled()
        if not settled:
            return
        fallen = [node for node, effect in settled if effect is Effect.LOST]
        yield from (Affected(id=node, effect=effect, came_from=stream.came_from) for node, effect in settled)


class _Stream:
    """What is reached and not settled yet, lowest rank first; among equals in the order in which it was reached."""

    def __init__(
        self,
        dependencies: DependencyMap,
        left: DependencyMap,
        stands: Stands,
        rank_of: RankOf,
        ring_of: RingOf,
        gone: frozenset[PropositionId],
    ) -> None:
        self.lost = set(gone)
        self._gone = gone
        self.came_from: dict[PropositionId, PropositionId] = {}
        self._unsettled: set[PropositionId] = set()
        self._dependents = dependencies.dependents
        self._dependencies = dependencies
        self._left = left
        self._stands = stands
        self._rank_of = rank_of
        self._ring_of = ring_of
        self._pending: list[tuple[int, int, PropositionId]] = []

    def reach(self, node: PropositionId, unsettled: Iterable[PropositionId]) -> None:
        """Queue what rests on a node that falls, and on the negations that fall with it."""
        self._queue(node)
        for id in unsettled:
            if id not in self._unsettled:
                self._unsettled.add(id)
                self._queue(f"{NEGATION}{id}")

    def next_settled(self) -> list[tuple[PropositionId, Effect]]:
        """Give the next node, or the reached part of the next circle, with its effects; nothing at the end."""
        if not self._pending:
            return []
        rank, _, node = heapq.heappop(self._pending)
        ring = self._ring_of(node)
        if ring:
            return self._settled_circle([node, *self._others_of(ring, rank)], ring)
        if self._has_complete(node, _NOTHING):
            return [(node, Effect.THINNED)]
        self.lost.add(node)
        return [(node, Effect.LOST)]

    def _queue(self, key: str) -> None:
        reached = self._dependents.get(key, NO_NODES)
        for node in sorted(reached) if len(reached) > 1 else reached:
            if node not in self.lost and node not in self.came_from:
                self.came_from[node] = PropositionId(key)
                heapq.heappush(self._pending, (self._rank_of(node), len(self.came_from), node))

    def _others_of(self, ring: Set[PropositionId], rank: int) -> list[PropositionId]:
        """Take the other members of a circle that are reached from outside it, which all have the same rank."""
        same: list[tuple[int, int, PropositionId]] = []
        while self._pending and self._pending[0][0] == rank:
            same.append(heapq.heappop(self._pending))
        for each in same:
            if each[2] not in ring:
                heapq.heappush(self._pending, each)
        return [node for _, _, node in same if node in ring]

    def _settled_circle(
        self, reached: list[PropositionId], ring: Set[PropositionId]
    ) -> list[tuple[PropositionId, Effect]]:
        """Delete what lost a premise, derive again what has ground outside, and see what was reached after all."""
        suspects: dict[PropositionId, None] = {}
        pending = list(reached)
        for node in pending:
            if node not in suspects and node not in self.lost and not self._has_complete(node, ring):
                suspects[node] = None
                pending.extend(self._on(node, ring))
        self.lost.update(suspects)
        rederive(suspects.keys(), self._dependencies, self._left, self.lost, self._stands, self._unsettled)
        effects: dict[PropositionId, Effect] = {}
        pending = list(reached)
        for node in pending:
            if node in effects:
                continue
            effects[node] = Effect.LOST if node in self.lost else Effect.THINNED
            if node in self.lost:
                for each in self._on(node, ring):
                    self.came_from.setdefault(each, node)
                    pending.append(each)
        return list(effects.items())

    def _on(self, node: PropositionId, ring: Set[PropositionId]) -> list[PropositionId]:
        return sorted(each for each in self._dependents.get(node, NO_NODES) if each in ring and each not in self._gone)

    def _has_complete(self, node: PropositionId, doubtful: Set[PropositionId]) -> bool:
        groups = self._left.justifications.get(node, ())
        return has_complete(groups, self.lost, self._stands, doubtful, self._unsettled)
