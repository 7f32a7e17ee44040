"""What can be settled apart: the circles of a framework one after the other, or its islands.

Complete and preferred extensions are settled circle by circle in topological order, as a choice made upstream is never
regretted (SCC-recursiveness; Baroni, Giacomin and Guida 2005). Stable, semi-stable and stage extensions are not: what
is downstream can forbid a choice. They are settled by islands, between which no attack and no support leads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from upheld.logic.argumentation.components import strongly_connected
from upheld.logic.argumentation.framework import Indexed, index_of
from upheld.logic.language.standing import Label

Members = tuple[int, ...]
"""Numbers of arguments in a whole; the place in the tuple is the number in the part."""


def undecided_in(labels: Sequence[Label]) -> Members:
    """Give the numbers that have no label yet."""
    return tuple(name for name, label in enumerate(labels) if label is Label.UNDECIDED)


def circles(index: Indexed, members: Members) -> list[Members]:
    """Give the strongly connected components of ``members``, each after those that bear on it. Linear."""
    place = {name: number for number, name in enumerate(members)}
    ahead = index.dependents
    graph = [[place[other] for other in ahead[name] if other in place] for name in members]
    return [tuple(members[number] for number in component) for component in strongly_connected(graph)]


def islands(index: Indexed, members: Members) -> list[Members]:
    """Give the parts of ``members`` between which nothing leads, in the order of their first members. Linear."""
    ahead = index.dependents
    near: dict[int, list[int]] = {name: [] for name in members}
    for name in members:
        for other in ahead[name]:
            if other in near:
                near[name].append(other)
                near[other].append(name)
    found: list[Members] = []
    seen: set[int] = set()
    for name in members:
        if name not in seen:
            island = _reached(near, name)
            seen |= island
            found.append(tuple(sorted(island)))
    return found


def cone(index: Indexed, members: Iterable[int], name: int) -> Members:
    """Give those of ``members`` that bear on ``name``, over attacks and premises, with itself. Linear."""
    allowed = frozenset(members)
    found = {name}
    pending = [name]
    while pending:
        fresh = (inputs_of(index, [pending.pop()]) & allowed) - found
        found |= fresh
        pending.extend(fresh)
    return tuple(sorted(found))


def forward(index: Indexed, sources: Iterable[int]) -> Members:
    """Give ``sources`` and all that they bear on, over attacks and premises. Linear."""
    ahead = index.dependents
    found = set(sources)
    pending = list(found)
    while pending:
        fresh = [name for name in ahead[pending.pop()] if name not in found]
        found.update(fresh)
        pending.extend(fresh)
    return tuple(sorted(found))


def inputs_of(index: Indexed, members: Iterable[int]) -> set[int]:
    """Give what bears on ``members`` directly: their attackers and premises."""
    found: set[int] = set()
    for name in members:
        found.update(index.attackers[name])
        for way in index.ways[name] or ():
            found.update(index.premises[way])
    return found


def part_of(index: Indexed, members: Members, labels: Sequence[Label]) -> Indexed:
    """Give ``members`` as a framework of its own, given the labels of what is not among them.

    Its last argument attacks itself, so it is undecided whatever happens, and stands for all that is undecided outside.
    """
    local = {name: place for place, name in enumerate(members)}
    unknown = len(members)
    attackers: list[list[int]] = []
    ways: dict[int, list[list[int]]] = {}
    for place, name in enumerate(members):
        attackers.append([])
        for attacker in index.attackers[name]:
            if attacker in local or labels[attacker] is Label.UNDECIDED:
                attackers[place].append(local.get(attacker, unknown))
            elif labels[attacker] is Label.IN:
                ways[place] = []
        if place not in ways and (numbers := index.ways[name]) is not None:
            ways[place] = [
                [
                    local.get(premise, unknown)
                    for premise in needed
                    if premise in local or labels[premise] is not Label.IN
                ]
                for needed in (index.premises[way] for way in numbers)
                if all(premise in local or labels[premise] is not Label.OUT for premise in needed)
            ]
    attackers.append([unknown])
    return index_of(attackers, ways)


def _reached(near: Mapping[int, Sequence[int]], start: int) -> set[int]:
    found = {start}
    pending = [start]
    while pending:
        for other in near[pending.pop()]:
            if other not in found:
                found.add(other)
                pending.append(other)
    return found
