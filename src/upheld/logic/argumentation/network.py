"""The labelling, kept up to date edit by edit: an edit costs what it reaches, never the size of the network.

A network is a value: an edit gives a new one that shares all it did not touch. Ranks order the vertices so that inputs
come first (a dynamic topological order after Alpern et al. 1990: ranks need not be distinct, and only the part that an
insertion puts out of order is moved); a label travels on only where it changed. Vertices on a cycle form a *ring*,
which has one rank and is labelled as a whole from undecided upwards, so that nothing holds itself up.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rpds import HashTrieMap, HashTrieSet

from upheld.logic.argumentation.ranks import Ranks
from upheld.logic.argumentation.rules import UNHELD, AnyRule, Key, inputs_of, label_by
from upheld.logic.language.standing import Label

_NO_KEYS: HashTrieSet[Key] = HashTrieSet()
_NO_RING: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertex:
    """All that is kept of one vertex; ``rule`` is ``None`` where somebody reads it and nobody holds it.

    One record rather than a map for each field: a write to a large persistent map costs as much as ten look-ups.
    """

    rule: AnyRule | None
    label: Label
    rank: int
    successors: HashTrieSet[Key] = _NO_KEYS


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Rules, their grounded labels, and what an edit needs to find its way."""

    vertices: HashTrieMap[Key, Vertex] = HashTrieMap()
    rings: HashTrieMap[Key, frozenset[Key]] = HashTrieMap()

    def __contains__(self, key: object) -> bool:
        """Tell whether a vertex has a rule."""
        found = self.vertices.get(key)  # pyright: ignore[reportArgumentType, reportCallIssue] - any key may be asked for
        return found is not None and found.rule is not None

    @property
    def rules(self) -> dict[Key, AnyRule]:
        """Every vertex that has a rule, with it. Cost: the whole network."""
        return {key: vertex.rule for key, vertex in self.vertices.items() if vertex.rule is not None}

    def rule(self, key: Key) -> AnyRule | None:
        """Give the rule of a vertex, if somebody holds it. Cost: one look-up."""
        found = self.vertices.get(key)
        return None if found is None else found.rule

    def label(self, key: Key) -> Label:
        """Give the label of a vertex; one that nobody holds is out. Cost: one look-up."""
        found = self.vertices.get(key)
        return Label.OUT if found is None else found.label

    def successors(self, key: Key) -> HashTrieSet[Key]:
        """Give the vertices whose rules read this one. Cost: one look-up."""
        found = self.vertices.get(key)
        return _NO_KEYS if found is None else found.successors

    def rank(self, key: Key) -> int:
        """Give the place of a vertex in the order in which inputs come first. Cost: one look-up."""
        found = self.vertices.get(key)
        return 0 if found is None else found.rank

    def in_ring(self, key: Key) -> frozenset[Key]:
        """Give the cycle that a vertex lies on, or nothing."""
        return self.rings.get(key, _NO_RING)


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
    if not rules:
        return Edit(network=network, changed={})
    draft = _Draft(network)
    for key, rule in rules.items():
        draft.replace(key, rule)
    changed = draft.relabel(draft.dirty)
    return Edit(network=draft.frozen(), changed=changed)


class _Draft:
    """Changes on top of a network, as plain dicts: written out once, at the end."""

    def __init__(self, network: Network) -> None:
        self._before = network.vertices
        # Each record is looked up once in an edit: a look-up in a dict costs a tenth of one in a persistent map.
        self._found: dict[Key, Vertex | None] = {}
        self._rules: dict[Key, AnyRule] = {}
        self._labels: dict[Key, Label] = {}
        self._successors: dict[Key, HashTrieSet[Key]] = {}
        self._moved: dict[Key, Label] = {}
        self.dirty: dict[Key, AnyRule] = {}
        self._ranks = Ranks(self._known_rank, network.rings, self.successors, self.inputs)

    def successors(self, key: Key) -> Iterable[Key]:
        return self._successors_of(key)

    def inputs(self, key: Key) -> frozenset[Key]:
        return inputs_of(self.rule(key))

    def label(self, key: Key) -> Label:
        found = self._labels.get(key)
        if found is not None:
            return found
        vertex = self._vertex(key)
        return Label.OUT if vertex is None else vertex.label

    def rule(self, key: Key) -> AnyRule:
        found = self._rules.get(key)
        if found is not None:
            return found
        vertex = self._vertex(key)
        return UNHELD if vertex is None or vertex.rule is None else vertex.rule

    def replace(self, key: Key, rule: AnyRule) -> None:
        """Set the rule of a vertex; it is labelled at once when new, and else ``dirty``."""
        after = inputs_of(rule)
        if key not in self._rules and key not in self._successors and key not in after and self._vertex(key) is None:
            self._add(key, rule, after)
            return
        self.dirty[key] = rule
        before = self.inputs(key)
        self._rules[key] = rule
        for gone in before - after:
            self._successors[gone] = self._successors_of(gone).discard(key)
        fresh = after - before
        for source in fresh:
            self._ranks.place(source, ())
        self._ranks.place(key, after)
        # One edge at a time: the order must hold for all edges that are there, or a lift would run round a cycle.
        for source in fresh:
            self._successors[source] = self._successors_of(source).insert(key)
            self._ranks.connect(source, key)

    def _add(self, key: Key, rule: AnyRule, inputs: frozenset[Key]) -> None:
        """Add a vertex that nothing reads: it comes after all its inputs, and they are labelled, as of now.

        Should one of them be relabelled, this vertex will be, like all that reads it.
        """
        self._rules[key] = rule
        for source in inputs:
            self._ranks.place(source, ())
            self._successors[source] = self._successors_of(source).insert(key)
        self._ranks.place(key, inputs)
        label = label_by(rule, self.label)
        self._labels[key] = label
        if label is not Label.OUT:
            self._moved[key] = Label.OUT

    def relabel(self, dirty: Mapping[Key, AnyRule]) -> dict[Key, tuple[Label, Label]]:
        before = self._moved
        if not dirty:
            return {key: (old, self._labels[key]) for key, old in before.items()}
        pending = [(self._ranks.rank(key), key) for key in dirty]
        heapq.heapify(pending)
        waiting = set(dirty)
        while pending:
            key = heapq.heappop(pending)[1]
            if key not in waiting:
                continue
            ring = self._ranks.ring(key)
            waiting.difference_update(ring or (key,))
            for moved, old in self._evaluate(key, ring):
                before.setdefault(moved, old)
                for successor in self._successors_of(moved):
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
                pending.update(key for key in self._successors_of(member) if key in ring)
        return [(member, old) for member, old in old_labels.items() if old is not self.label(member)]

    def frozen(self) -> Network:
        ranks, rings = self._ranks.changed()
        records: dict[Key, Vertex] = {}
        for key in {*self._rules, *self._labels, *self._successors, *ranks}:
            before = self._vertex(key)
            records[key] = Vertex(
                rule=self._rules.get(key, None if before is None else before.rule),
                label=self.label(key),
                rank=self._ranks.rank(key),
                successors=self._successors_of(key),
            )
        return Network(vertices=self._before.update(records), rings=rings)

    def _vertex(self, key: Key) -> Vertex | None:
        if key not in self._found:
            self._found[key] = self._before.get(key)
        return self._found[key]

    def _known_rank(self, key: Key) -> int | None:
        vertex = self._vertex(key)
        return None if vertex is None else vertex.rank

    def _successors_of(self, key: Key) -> HashTrieSet[Key]:
        found = self._successors.get(key)
        if found is not None:
            return found
        vertex = self._vertex(key)
        return _NO_KEYS if vertex is None else vertex.successors


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
