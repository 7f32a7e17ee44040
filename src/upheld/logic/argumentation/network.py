"""The labelling, kept up to date edit by edit: an edit costs what it reaches, never the size of the network.

A network is a value: an edit gives a new one that shares all it did not touch. Ranks order the vertices so that inputs
come first (a dynamic topological order after Alpern et al. 1990: ranks need not be distinct, and only the part that an
insertion puts out of order is moved); a label travels on only where it changed. Vertices on a cycle form a *ring*,
which has one rank and is labelled as a whole from undecided upwards, so that nothing holds itself up.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rpds import HashTrieMap, HashTrieSet

from upheld.logic.argumentation.ranks import Ranks
from upheld.logic.argumentation.rules import UNHELD, AnyRule, Key, inputs_of, label_by
from upheld.logic.language.identities import excluding, including, listed
from upheld.logic.language.standing import Label

_NO_KEYS: frozenset[Key] = frozenset()
_NO_RING: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertex:
    """All that is kept of one vertex; ``rule`` is ``None`` where somebody reads it and nobody holds it.

    One record rather than a map for each field: a write to a large persistent map costs as much as ten look-ups.
    """

    rule: AnyRule | None
    label: Label
    rank: int
    successors: frozenset[Key] | HashTrieSet[Key] = _NO_KEYS


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

    def successors(self, key: Key) -> frozenset[Key]:
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
    changed = draft.relabelled()
    return Edit(network=draft.frozen(), changed=changed)


class _Found(dict[Key, Vertex | None]):
    """The records that an edit looked at: a look-up in a dict costs a tenth of one in a persistent map."""

    def __init__(self, vertices: HashTrieMap[Key, Vertex]) -> None:
        super().__init__()
        self._vertices = vertices

    def __missing__(self, key: Key) -> Vertex | None:
        vertex = self._vertices.get(key)
        self[key] = vertex
        return vertex


class _Labels(dict[Key, Label]):
    """The labels that an edit gave; asked for another, the one from before."""

    def __init__(self, found: _Found) -> None:
        super().__init__()
        self._found = found

    def __missing__(self, key: Key) -> Label:
        vertex = self._found[key]
        return Label.OUT if vertex is None else vertex.label


class _Draft:
    """Changes on top of a network, as plain dicts: written out once, at the end."""

    def __init__(self, network: Network) -> None:
        self._before = network.vertices
        self._found = _Found(network.vertices)
        self._rules: dict[Key, AnyRule] = {}
        self._labels = _Labels(self._found)
        self._successors: dict[Key, frozenset[Key]] = {}
        self._moved: dict[Key, Label] = {}
        self._dirty: set[Key] = set()
        self._waiting: dict[int, set[Key]] = {}
        self._pending: list[int] = []
        self._ranks = Ranks(self._known_rank, network.rings, self.successors, self.inputs)

    def successors(self, key: Key) -> frozenset[Key]:
        found = self._successors.get(key)
        if found is not None:
            return found
        vertex = self._found[key]
        return _NO_KEYS if vertex is None else vertex.successors

    def inputs(self, key: Key) -> frozenset[Key]:
        return inputs_of(self.rule(key))

    def rule(self, key: Key) -> AnyRule:
        found = self._rules.get(key)
        if found is not None:
            return found
        vertex = self._found[key]
        return UNHELD if vertex is None or vertex.rule is None else vertex.rule

    def replace(self, key: Key, rule: AnyRule) -> None:
        """Set the rule of a vertex; it is labelled at once when new, and else put down to be relabelled."""
        after = inputs_of(rule)
        if key not in self._rules and key not in self._successors and key not in after and self._found[key] is None:
            self._add(key, rule, after)
            return
        self._dirty.add(key)
        before = self.inputs(key)
        self._rules[key] = rule
        for gone in before - after:
            self._successors[gone] = excluding(self.successors(gone), key)
        fresh = after - before
        for source in fresh:
            self._ranks.place(source, ())
        self._ranks.place(key, after)
        # One edge at a time: the order must hold for all edges that are there, or a lift would run round a cycle.
        for source in fresh:
            self._successors[source] = including(self.successors(source), key)
            self._ranks.connect(source, key)

    def _add(self, key: Key, rule: AnyRule, inputs: frozenset[Key]) -> None:
        """Add a vertex that nothing reads: it comes after all its inputs, and they are labelled, as of now.

        Should one of them be relabelled, this vertex will be, like all that reads it.
        """
        self._rules[key] = rule
        for source in inputs:
            if self._found[source] is None:
                self._ranks.place(source, ())
            self._successors[source] = including(self.successors(source), key)
        self._ranks.place(key, inputs)
        label = label_by(rule, self._labels.__getitem__)
        self._labels[key] = label
        if label is not Label.OUT:
            self._moved[key] = Label.OUT

    def relabelled(self) -> dict[Key, tuple[Label, Label]]:
        """Label what is put down for it and all that this reaches, inputs first; give every label that changed."""
        labels, before = self._labels, self._moved
        label_of, has_rings = labels.__getitem__, self._ranks.has_rings
        for level in self._levels():
            # Sorted, since the order of a set differs from run to run.
            for key in sorted(level) if len(level) > 1 else tuple(level):
                if has_rings and (ring := self._ranks.ring(key)):
                    if key in level:
                        level -= ring
                        self._label_ring(ring)
                    continue
                old = labels[key]
                new = label_by(self.rule(key), label_of)
                if new is not old:
                    labels[key] = new
                    before.setdefault(key, old)
                    self._put_down(listed(self.successors(key)))
        return {key: (old, new) for key, old in before.items() if (new := labels[key]) is not old}

    def _levels(self) -> Iterator[set[Key]]:
        """Give the vertices that wait for a label, in the order of their ranks; more may come while one is at it."""
        self._put_down(self._dirty)
        while self._pending:
            yield self._waiting.pop(heapq.heappop(self._pending))

    def _put_down(self, keys: Iterable[Key]) -> None:
        """Have vertices labelled when it is their turn."""
        placed, found, waiting = self._ranks.placed, self._found, self._waiting
        for key in keys:
            rank = placed.get(key)
            if rank is None:
                vertex = found[key]
                rank = 0 if vertex is None else vertex.rank
            level = waiting.get(rank)
            if level is None:
                waiting[rank] = {key}
                heapq.heappush(self._pending, rank)
            else:
                level.add(key)

    def _label_ring(self, ring: frozenset[Key]) -> None:
        labels, label_of = self._labels, self._labels.__getitem__
        old_labels = {member: labels[member] for member in ring}
        labels.update(dict.fromkeys(ring, Label.UNDECIDED))
        pending = set(ring)
        while pending:
            member = pending.pop()
            new = label_by(self.rule(member), label_of)
            if new is not labels[member]:
                labels[member] = new
                pending.update(key for key in self.successors(member) if key in ring)
        for member, old in old_labels.items():
            if labels[member] is not old:
                self._moved.setdefault(member, old)
                self._put_down(key for key in self.successors(member) if key not in ring)

    def frozen(self) -> Network:
        """Give the network with all that was changed."""
        found, labels, rings = self._found, self._labels, self._ranks.rings
        shaped = {*self._rules, *self._successors, *self._ranks.placed}
        records = {key: self._record(key) for key in shaped}
        for key, label in labels.items():
            vertex = found[key]
            if key not in shaped and vertex is not None and vertex.label is not label:
                records[key] = Vertex(rule=vertex.rule, label=label, rank=vertex.rank, successors=vertex.successors)
        return Network(vertices=self._before.update(records), rings=rings)

    def _record(self, key: Key) -> Vertex:
        before = self._found[key]
        return Vertex(
            rule=self._rules.get(key, None if before is None else before.rule),
            label=self._labels[key],
            rank=self._ranks.rank(key),
            successors=self.successors(key),
        )

    def _known_rank(self, key: Key) -> int | None:
        vertex = self._found[key]
        return None if vertex is None else vertex.rank


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
