"""A dynamic topological order with room between ranks, and the rings that no order can straighten.

An edge from ``u`` to ``v`` wants ``rank(u) < rank(v)``. A new vertex is placed just above its inputs; when an edge goes
the wrong way, its source is first lowered into the gap below the target if its own inputs allow, and only else are the
target and what must follow it lifted. A path back to the source closes a ring.

Source: B. Alpern, R. Hoover, B. Rosen, P. Sweeney, F. K. Zadeck, "Incremental evaluation of computational circuits",
SODA 1990. Pearce and Kelly's order (2006) was the alternative; it needs distinct ranks, and moves everything that rests
on an old claim each time that claim is attacked.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable

from rpds import HashTrieMap

Key = str

GAP = 1 << 40
"""Room between neighbouring ranks: some forty halvings before anything has to move."""

_NO_RING: frozenset[Key] = frozenset()


class Ranks:
    """Ranks and rings under edit; a scratch pad of one edit. ``placed`` are the ranks that are new or moved."""

    def __init__(
        self,
        known: Callable[[Key], int | None],
        rings: HashTrieMap[Key, frozenset[Key]],
        successors: Callable[[Key], Iterable[Key]],
        inputs: Callable[[Key], frozenset[Key]],
    ) -> None:
        """``known`` gives ranks from before; ``successors`` and ``inputs`` the edges as the edit has them so far."""
        self.placed: dict[Key, int] = {}
        self._known = known
        self._rings_before = rings
        self._rings: dict[Key, frozenset[Key]] = {}
        self._successors = successors
        self._inputs = inputs

    def rank(self, key: Key) -> int:
        """Give a vertex's rank (0 if it has none yet)."""
        found = self.placed.get(key)
        return (self._known(key) or 0) if found is None else found

    def ring(self, key: Key) -> frozenset[Key]:
        """Give the ring of a vertex, or nothing."""
        found = self._rings.get(key)
        return self._rings_before.get(key, _NO_RING) if found is None else found

    def place(self, key: Key, inputs: Iterable[Key]) -> None:
        """Give a vertex without a rank one above its inputs; one that has a rank keeps it."""
        if key in self.placed or self._known(key) is not None:
            return
        highest = -GAP
        for source in inputs:
            highest = max(highest, self.rank(source))
        self.placed[key] = highest + GAP

    def connect(self, source: Key, target: Key) -> None:
        """Bring the order in line with an edge that now exists."""
        if self.rank(source) < self.rank(target) or (source in self.ring(target)):
            return
        if source == target:
            self._close_ring({source})
            return
        if self._lower(source, target):
            return
        reached = self._reached(target, limit=self.rank(source))
        if source in reached:
            self._close_ring(self._leading_back(reached, source))
        else:
            self._lift({target: self.rank(source) + GAP})

    @property
    def has_rings(self) -> bool:
        """Tell whether there is any ring."""
        return bool(self._rings) or len(self._rings_before) > 0

    @property
    def rings(self) -> HashTrieMap[Key, frozenset[Key]]:
        """Every ring, under each of its members."""
        return self._rings_before.update(self._rings) if self._rings else self._rings_before

    def _lower(self, source: Key, target: Key) -> bool:
        """Slip the source into the gap between its own inputs and its target, if there is room."""
        if self.ring(source):
            return False
        ceiling = self.rank(target)
        floor = max((self.rank(key) for key in self._inputs(source)), default=ceiling - 2 * GAP)
        if ceiling - floor < 2:
            return False
        self.placed[source] = (floor + ceiling) // 2
        return True

    def _reached(self, start: Key, *, limit: int) -> set[Key]:
        found = set(self.ring(start) or (start,))
        pending = list(found)
        while pending:
            for successor in self._successors(pending.pop()):
                if successor not in found and self.rank(successor) <= limit:
                    fresh = set(self.ring(successor) or (successor,)) - found
                    found |= fresh
                    pending.extend(fresh)
        return found

    def _leading_back(self, reached: set[Key], source: Key) -> set[Key]:
        """Give those of ``reached`` from which ``source`` can be reached: with it they lie on a cycle."""
        into: dict[Key, list[Key]] = {}
        for key in reached:
            for successor in self._successors(key):
                if successor in reached:
                    into.setdefault(successor, []).append(key)
        found = set(self.ring(source) or (source,))
        pending = list(found)
        while pending:
            for key in into.get(pending.pop(), ()):
                if key not in found:
                    fresh = set(self.ring(key) or (key,)) - found
                    found |= fresh
                    pending.extend(fresh)
        return found

    def _close_ring(self, members: set[Key]) -> None:
        ring = frozenset(members)
        top = max(self.rank(key) for key in ring)
        for key in ring:
            self._rings[key] = ring
            self.placed[key] = top
        self._lift_after(ring, top)

    def _lift_after(self, ring: frozenset[Key], rank: int) -> None:
        behind = {
            s: rank + GAP for key in ring for s in self._successors(key) if s not in ring and self.rank(s) <= rank
        }
        self._lift(behind)

    def _lift(self, wanted: dict[Key, int]) -> None:
        """Lift vertices, and what would no longer come after them, in the order of their ranks so far."""
        pending = [(self.rank(key), key) for key in wanted]
        heapq.heapify(pending)
        while pending:
            key = heapq.heappop(pending)[1]
            rank = wanted[key]
            if self.rank(key) >= rank:
                continue
            members = self.ring(key) or frozenset((key,))
            for member in members:
                self.placed[member] = rank
            for member in members:
                for successor in self._successors(member):
                    if successor not in members and self.rank(successor) <= rank:
                        wanted[successor] = max(wanted.get(successor, rank + GAP), rank + GAP)
                        heapq.heappush(pending, (self.rank(successor), successor))
