"""What holds of a set of arguments, and what a retraction provably leaves in place.

Four theorems, with R the arguments taken out of a framework, S a preferred extension of it, and S' = S - R
(``without`` takes R out; the tests check each over all frameworks of three arguments):

- **T1** S' is conflict-free in what is left.
- **T2** If S' is admissible there, some preferred extension contains it (Dung 1995, lemma 10 and theorem 11).
- **T3** The self-defending core of S' is admissible there, so some preferred extension always contains *it*.
- **T4** On what the forward cone of R does not reach, the preferred extensions are what they were: some preferred
  extension of what is left agrees there with S (directionality; Baroni and Giacomin 2007).

That S' itself is always contained in one is false: c attacks b, b attacks a, S = {a, c}, R = {c} leaves {b}.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from upheld.errors import MalformedInput
from upheld.logic.argumentation.framework import A, Framework, Indexed, indexed, members_of, places_of
from upheld.logic.language.standing import Label


def is_conflict_free(extension: Iterable[A], framework: Framework[A]) -> bool:
    """Tell whether no member attacks a member. Linear.

    Raises:
        UnknownReference: a member is no argument (so in every function here).
    """
    chosen = members_of(framework, extension)
    return not any(attacker in chosen and target in chosen for attacker, target in framework.attacks)


def is_supported(extension: Iterable[A], framework: Framework[A]) -> bool:
    """Tell whether the members can be put in an order in which each is justified by those before it. Linear."""
    inside = _numbers(extension, framework)
    return supported_in(indexed(framework), inside) == inside


def is_admissible(extension: Iterable[A], framework: Framework[A]) -> bool:
    """Tell whether the set is conflict-free, supported, and defends each of its members. Linear."""
    chosen = members_of(framework, extension)
    index, inside = indexed(framework), _numbers(chosen, framework)
    return (
        is_conflict_free(chosen, framework)
        and supported_in(index, inside) == inside
        and inside <= defended_in(index, inside)
    )


def is_complete_labelling(labels: Mapping[A, Label], framework: Framework[A]) -> bool:
    """Tell whether ``labels`` is the labelling of a complete extension. Linear.

    Every argument must be labelled. An out that rests on a circle of outs is refused, as is an in on a circle of ins.
    """
    if frozenset(labels) != frozenset(framework.arguments):
        return False
    inside = frozenset(name for name, label in labels.items() if label is Label.IN)
    outside = frozenset(name for name, label in labels.items() if label is Label.OUT)
    return (
        is_admissible(inside, framework)
        and defence(inside, framework) == inside
        and rejected(inside, framework) == outside
    )


def rejected(extension: Iterable[A], framework: Framework[A]) -> frozenset[A]:
    """Give what the set attacks, and what needs something that it rejects. Linear."""
    return _named(rejected_in(indexed(framework), _numbers(extension, framework)), framework)


def defence(extension: Iterable[A], framework: Framework[A]) -> frozenset[A]:
    """Give what the set defends: all attackers rejected, and a justification within the set. Linear.

    This is Dung's characteristic function (1995, definition 16); the grounded extension is its least fixpoint.
    """
    return _named(defended_in(indexed(framework), _numbers(extension, framework)), framework)


def self_defending_core(extension: Iterable[A], framework: Framework[A]) -> frozenset[A]:
    """Give the greatest admissible subset of a conflict-free set: what surely survives a retraction (T3).

    Cost: linear, unless circles of support come apart; then linear for each time that one does.

    Raises:
        MalformedInput: the set is not conflict-free, so that it may have no greatest admissible subset.
    """
    chosen = members_of(framework, extension)
    if not is_conflict_free(chosen, framework):
        raise MalformedInput("the set is not conflict-free, so it has no single core")
    return _named(core_in(indexed(framework), _numbers(chosen, framework)), framework)


def forward_cone(sources: Iterable[A], framework: Framework[A]) -> frozenset[A]:
    """Give ``sources`` and all that they reach over attacks and premises. Linear.

    Nothing else can change its label when they change or go (T4).
    """
    ahead = indexed(framework).dependents
    reached = _numbers(sources, framework)
    pending = list(reached)
    while pending:
        fresh = [name for name in ahead[pending.pop()] if name not in reached]
        reached.update(fresh)
        pending.extend(fresh)
    return _named(reached, framework)


def rejected_in(index: Indexed, inside: Iterable[int]) -> set[int]:
    """Give :func:`rejected` over numbers."""
    found = {target for name in inside for target in index.targets[name]}
    found.update(name for name, ways in enumerate(index.ways) if ways == ())
    open_ways = [len(ways or ()) for ways in index.ways]
    closed: set[int] = set()
    pending = list(found)
    while pending:
        for way in index.serves[pending.pop()]:
            if way in closed:
                continue
            closed.add(way)
            owner = index.owner[way]
            open_ways[owner] -= 1
            if not open_ways[owner] and owner not in found:
                found.add(owner)
                pending.append(owner)
    return found


def supported_in(index: Indexed, inside: set[int]) -> set[int]:
    """Give the members of ``inside`` that are held up from outside every circle, by members alone."""
    found = {name for name in inside if index.ways[name] is None}
    lacking = list(map(len, index.premises))
    pending = list(found)
    while pending:
        for way in index.serves[pending.pop()]:
            lacking[way] -= 1
            owner = index.owner[way]
            if not lacking[way] and owner in inside and owner not in found:
                found.add(owner)
                pending.append(owner)
    return found


def defended_in(index: Indexed, inside: set[int]) -> set[int]:
    """Give :func:`defence` over numbers."""
    refused = rejected_in(index, inside)
    return {
        name
        for name, attackers in enumerate(index.attackers)
        if refused.issuperset(attackers) and _is_held(index, name, inside)
    }


def core_in(index: Indexed, inside: set[int]) -> set[int]:
    """Give :func:`self_defending_core` over numbers, of a set that is conflict-free."""
    while True:
        kept = _Erosion(index, inside).run()
        inside = supported_in(index, kept) & defended_in(index, kept)
        # Counters let a circle hold itself up, or hold itself down; the exact pass cuts it, and erosion starts again.
        if inside == kept:
            return kept


def _is_held(index: Indexed, name: int, inside: set[int]) -> bool:
    ways = index.ways[name]
    return ways is None or any(inside.issuperset(index.premises[way]) for way in ways)


class _Erosion:
    """Drops what is not defended or not held, and then what rested on that, by counters."""

    def __init__(self, index: Indexed, inside: set[int]) -> None:
        self.index = index
        self.kept = set(inside)
        self.pending: list[int] = []
        self.refused = rejected_in(index, inside)
        self.hits = [0] * len(index)  # attackers that are kept
        for name in inside:
            for target in index.targets[name]:
                self.hits[target] += 1
        self.lacking = [sum(premise not in inside for premise in needed) for needed in index.premises]
        self.closed_by = [sum(premise in self.refused for premise in needed) for needed in index.premises]

    def run(self) -> set[int]:
        """Give what is left when nothing more drops."""
        for name in sorted(self.kept):
            if not self.refused.issuperset(self.index.attackers[name]) or self._has_no(self.lacking, name):
                self._drop(name)
        while self.pending:
            self._carry(self.pending.pop())
        return self.kept

    def _carry(self, name: int) -> None:
        for target in self.index.targets[name]:
            self.hits[target] -= 1
            self._readmit(target)
        for way in self.index.serves[name]:
            self.lacking[way] += 1
            if self._has_no(self.lacking, self.index.owner[way]):
                self._drop(self.index.owner[way])

    def _readmit(self, first: int) -> None:
        candidates = [first]
        while candidates:
            name = candidates.pop()
            if name not in self.refused or self.hits[name] or self._has_no(self.closed_by, name):
                continue
            self.refused.discard(name)
            for target in self.index.targets[name]:
                self._drop(target)
            for way in self.index.serves[name]:
                self.closed_by[way] -= 1
                candidates.append(self.index.owner[way])

    def _has_no(self, faults: list[int], name: int) -> bool:
        ways = self.index.ways[name]
        return ways is not None and all(faults[way] for way in ways)

    def _drop(self, name: int) -> None:
        if name in self.kept:
            self.kept.discard(name)
            self.pending.append(name)


def _numbers(names: Iterable[A], framework: Framework[A]) -> set[int]:
    chosen = members_of(framework, names)
    place = places_of(framework)
    return {place[name] for name in chosen}


def _named(numbers: Iterable[int], framework: Framework[A]) -> frozenset[A]:
    return frozenset(framework.arguments[number] for number in numbers)
