"""The labelling, kept up to date edit by edit: an edit costs what it reaches, never the size of the network.

A network is a value: an edit gives a new one that shares all it did not touch. Ranks order the vertices so that inputs
come first (a dynamic topological order after Alpern et al. 1990: ranks need not be distinct, and only the part that an
insertion puts out of order is moved); a label travels on only where it changed. Vertices on a cycle form a *ring*,
which has one rank and is labelled as a whole from undecided upwards, so that nothing holds itself up.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass

from rpds import HashTrieMap, HashTrieSet

from upheld.logic.argumentation.ranks import Ranks
from upheld.logic.argumentation.rules import UNHELD, AnyRule, Key, inputs_of, label_by
from upheld.logic.language.standing import Label

_NO_KEYS: HashTrieSet[Key] = HashTrieSet()


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Rules, their grounded labels, and what an edit needs to find its way."""

    rules: HashTrieMap[Key, AnyRule] = HashTrieMap()
    labels: HashTrieMap[Key, Label] = HashTrieMap()
    successors: HashTrieMap[Key, HashTrieSet[Key]] = HashTrieMap()
    ranks: HashTrieMap[Key, int] = HashTrieMap()
    rings: HashTrieMap[Key, frozenset[Key]] = HashTrieMap()

    def label(self, key: Key) -> Label:
        """Give the label of a vertex; one that nobody holds is out. Cost: one look-up."""
        return self.labels.get(key, Label.OUT)

    def in_ring(self, key: Key) -> frozenset[Key]:
        """Give the cycle that a vertex lies on, or nothing."""
        return self.rings.get(key, frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A network after an edit, with every label that changed as ``key: (before, after)``."""

    network: Network
    changed: Mapping[Key, tuple[Label, Label]]


def edited(network: Network, rules: Mapping[Key, AnyRule]) -> Edit:
    """Give the network with some rules replaced or added, labels brought up to date.

    Cost: what the new rules read, plus the vertices whose label changes and their successors, plus those that an edge
    against the order moves.
    """
    draft = _Draft(network)
    for key, rule in rules.items():
        draft.replace(key, rule)
    changed = draft.relabel(rules)
    return Edit(network=draft.frozen(), changed=changed)


class _Draft:
    """Changes on top of a network, as plain dicts: written out once, at the end."""

    def __init__(self, network: Network) -> None:
        self._before = network
        self._rules: dict[Key, AnyRule] = {}
        self._labels: dict[Key, Label] = {}
        self._successors: dict[Key, HashTrieSet[Key]] = {}
        self._ranks = Ranks(network.ranks, network.rings, self.successors, self.inputs)

    def successors(self, key: Key) -> HashTrieSet[Key]:
        found = self._successors.get(key)
        return self._before.successors.get(key, _NO_KEYS) if found is None else found

    def inputs(self, key: Key) -> frozenset[Key]:
        return inputs_of(self.rule(key))

    def label(self, key: Key) -> Label:
        found = self._labels.get(key)
        return self._before.labels.get(key, Label.OUT) if found is None else found

    def rule(self, key: Key) -> AnyRule:
        found = self._rules.get(key)
        return self._before.rules.get(key, UNHELD) if found is None else found

    def replace(self, key: Key, rule: AnyRule) -> None:
        before, after = inputs_of(self.rule(key)), inputs_of(rule)
        self._rules[key] = rule
        for gone in before - after:
            self._successors[gone] = self.successors(gone).discard(key)
        fresh = after - before
        for source in fresh:
            self._ranks.place(source, ())
        self._ranks.place(key, after)
        # One edge at a time: the order must hold for all edges that are there, or a lift would run round a cycle.
        for source in fresh:
            self._successors[source] = self.successors(source).insert(key)
            self._ranks.connect(source, key)

    def relabel(self, dirty: Mapping[Key, AnyRule]) -> dict[Key, tuple[Label, Label]]:
        pending = [(self._ranks.rank(key), key) for key in dirty]
        heapq.heapify(pending)
        waiting = set(dirty)
        before: dict[Key, Label] = {}
        while pending:
            key = heapq.heappop(pending)[1]
            if key not in waiting:
                continue
            ring = self._ranks.ring(key)
            waiting.difference_update(ring or (key,))
            for moved, old in self._evaluate(key, ring):
                before.setdefault(moved, old)
                for successor in self.successors(moved):
                    if successor not in waiting and successor not in ring:
                        waiting.add(successor)
                        heapq.heappush(pending, (self._ranks.rank(successor), successor))
        return {key: (old, new) for key, old in before.items() if (new := self._labels[key]) is not old}

    def _evaluate(self, key: Key, ring: frozenset[Key]) -> list[tuple[Key, Label]]:
        if not ring:
            old, new = self.label(key), label_by(self.rule(key), self.label)
            self._labels[key] = new
            return [] if old is new else [(key, old)]
        old_labels = {member: self.label(member) for member in ring}
        self._labels.update(dict.fromkeys(ring, Label.UNDECIDED))
        pending = set(ring)
        while pending:
            member = pending.pop()
            new = label_by(self.rule(member), self.label)
            if new is not self.label(member):
                self._labels[member] = new
                pending.update(key for key in self.successors(member) if key in ring)
        return [(member, old) for member, old in old_labels.items() if old is not self.label(member)]

    def frozen(self) -> Network:
        ranks, rings = self._ranks.frozen()
        return Network(
            rules=self._before.rules.update(self._rules),
            labels=self._before.labels.update(self._labels),
            successors=self._before.successors.update(self._successors),
            ranks=ranks,
            rings=rings,
        )


def labels_from_scratch(rules: Mapping[Key, AnyRule]) -> dict[Key, Label]:
    """Label a whole set of rules without any order or memory: the slow and obvious counterpart of :func:`edited`.

    Everything starts undecided; any rule that says more is followed until none does. Cost: quadratic at worst.
    """
    labels: dict[Key, Label] = dict.fromkeys(rules, Label.UNDECIDED)

    def label_of(key: Key) -> Label:
        return labels.get(key, Label.OUT)

    has_changed = True
    while has_changed:
        has_changed = False
        for key, rule in rules.items():
            label = label_by(rule, label_of)
            if label is not labels[key]:
                labels[key] = label
                has_changed = True
    return labels
