"""Circles: the strongly connected components of a framework, each after what it depends on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from upheld.logic.argumentation.framework import A, Framework, indexed


@dataclass(frozen=True, slots=True, kw_only=True)
class Condensation(Generic[A]):
    """The components of a framework and the acyclic graph that they form.

    ``components`` are in topological order: attackers and premises come before what they bear on. ``successors[i]``
    are the components, by position and ascending, that component i bears on directly.
    """

    components: tuple[tuple[A, ...], ...]
    successors: tuple[tuple[int, ...], ...]


def condensation(framework: Framework[A]) -> Condensation[A]:
    """Give the components of attack and support together; linear, but for sorting within."""
    graph = indexed(framework).dependents
    components = strongly_connected(graph)
    home = [0] * len(graph)
    for position, component in enumerate(components):
        for name in component:
            home[name] = position
    bears_on: list[set[int]] = [set() for _ in components]
    for name, dependents in enumerate(graph):
        bears_on[home[name]].update(home[dependent] for dependent in dependents)
    names = framework.arguments
    return Condensation(
        components=tuple(tuple(names[place] for place in component) for component in components),
        successors=tuple(tuple(sorted(found - {position})) for position, found in enumerate(bears_on)),
    )


def strongly_connected(graph: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Give the strongly connected components of ``graph`` (x leads to ``graph[x]``), sources first, members ascending.

    Cost: linear, and without recursion, so that a chain of any length is walked.
    Source: Tarjan (1972), section 4, with the call stack made explicit.
    """
    search = _Tarjan(graph)
    for root in range(len(graph)):
        if search.found_at[root] < 0:
            search.walk(root)
    search.components.reverse()
    return tuple(search.components)


class _Tarjan:
    def __init__(self, graph: Sequence[Sequence[int]]) -> None:
        self.graph = graph
        self.components: list[tuple[int, ...]] = []
        self.found_at = [-1] * len(graph)
        self.lowest = [0] * len(graph)
        self.is_open = [False] * len(graph)
        self.opened: list[int] = []
        self.count = 0

    def walk(self, root: int) -> None:
        """Visit what ``root`` leads to and nobody visited, and close each component when its last path is done."""
        found_at, lowest, is_open = self.found_at, self.lowest, self.is_open
        path = [root]
        branches = [self._enter(root)]
        while path:
            name = path[-1]
            low = lowest[name]
            for following in branches[-1]:
                at = found_at[following]
                if at < 0:
                    path.append(following)
                    branches.append(self._enter(following))
                    break
                if at < low and is_open[following]:
                    low = at
            lowest[name] = low
            if path[-1] == name:
                path.pop()
                branches.pop()
                if path and low < lowest[path[-1]]:
                    lowest[path[-1]] = low
                if low == found_at[name]:
                    self._close(name)

    def _enter(self, name: int) -> Iterator[int]:
        self.found_at[name] = self.lowest[name] = self.count
        self.count += 1
        self.opened.append(name)
        self.is_open[name] = True
        return iter(self.graph[name])

    def _close(self, name: int) -> None:
        members: list[int] = []
        while not members or members[-1] != name:
            members.append(self.opened.pop())
            self.is_open[members[-1]] = False
        self.components.append(tuple(sorted(members)))
