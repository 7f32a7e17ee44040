"""The dependency map: alternative justifications of joint premises, and its reverse index.

An argument's ``Dep`` in the paper is one set; here it is a tuple of alternatives, each a joint set of literals (de
Kleer 1986 calls them justifications of a node, Doyle 1979 support lists). Explanation edges (h1 is explained by h4) are
kept apart: they carry no standing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rpds import HashTrieMap, HashTrieSet

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal

Justification = tuple[Literal, ...]
"""Joint premises in the order in which they were given; empty for what needs none."""

NO_NODES: HashTrieSet[PropositionId] = HashTrieSet()


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyMap:
    """Who rests on what, in both directions. A value: every change gives a new map that shares the rest."""

    justifications: HashTrieMap[PropositionId, tuple[Justification, ...]] = HashTrieMap()
    dependents: HashTrieMap[Literal, HashTrieSet[PropositionId]] = HashTrieMap()
    larger_stories: HashTrieMap[PropositionId, tuple[PropositionId, ...]] = HashTrieMap()
    explained: HashTrieMap[PropositionId, HashTrieSet[PropositionId]] = HashTrieMap()

    def justifications_of(self, node: PropositionId) -> tuple[Justification, ...]:
        """Give the alternatives of a node; none when nobody holds it."""
        return self.justifications.get(node, ())

    def dependents_of(self, premise: Literal) -> HashTrieSet[PropositionId]:
        """Give the nodes with ``premise`` in some justification."""
        return self.dependents.get(premise, NO_NODES)

    def explained_by(self, story: PropositionId) -> HashTrieSet[PropositionId]:
        """Give the nodes that were subsumed under ``story``."""
        return self.explained.get(story, NO_NODES)


def grounds_of(dependencies: DependencyMap, node: PropositionId) -> tuple[Literal, ...]:
    """Give every literal in some justification of a node, once each, in order: the paper's Dep."""
    return tuple(dict.fromkeys(item for group in dependencies.justifications_of(node) for item in group))


def with_justifications(
    dependencies: DependencyMap, node: PropositionId, justifications: tuple[Justification, ...]
) -> DependencyMap:
    """Give the map with a node's justifications replaced. Cost: the size of the old and new ones."""
    before = {item for group in dependencies.justifications_of(node) for item in group}
    after = {item for group in justifications for item in group}
    dependents = dependencies.dependents
    for premise in before - after:
        dependents = dependents.insert(premise, dependents[premise].discard(node))
    for premise in after - before:
        dependents = dependents.insert(premise, dependents.get(premise, NO_NODES).insert(node))
    return replace(
        dependencies, justifications=dependencies.justifications.insert(node, justifications), dependents=dependents
    )


def with_larger_stories(
    dependencies: DependencyMap, node: PropositionId, stories: Iterable[PropositionId]
) -> DependencyMap:
    """Give the map with the explanation edges of a node replaced."""
    wanted = tuple(dict.fromkeys(stories))
    known = dependencies.larger_stories.get(node, ())
    if wanted == known:
        return dependencies
    explained = dependencies.explained
    for story in known:
        explained = explained.insert(story, explained[story].discard(node))
    for story in wanted:
        explained = explained.insert(story, explained.get(story, NO_NODES).insert(node))
    return replace(dependencies, larger_stories=dependencies.larger_stories.insert(node, wanted), explained=explained)
