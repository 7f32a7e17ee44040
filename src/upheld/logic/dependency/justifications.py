"""The dependency map: alternative justifications of joint premises, and its reverse index.

An argument's ``Dep`` in the paper is one set; here it is a tuple of alternatives, each a joint set of literals (de
Kleer 1986 calls them justifications of a node, Doyle 1979 support lists). Explanation edges (h1 is explained by h4) are
kept apart: they carry no standing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rpds import HashTrieMap, HashTrieSet

from upheld.logic.language.identities import PropositionId, excluding, including
from upheld.logic.language.literals import NEGATION, Literal

Justification = tuple[Literal, ...]
"""Joint premises in the order in which they were given; empty for what needs none."""

NO_NODES: frozenset[PropositionId] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyMap:
    """Who rests on what, in both directions. A value: every change gives a new map that shares the rest.

    ``dependents`` are found by the notation of a literal (``p``, ``~p``): a string keeps its hash, a literal works it
    out anew each time.
    """

    justifications: HashTrieMap[PropositionId, tuple[Justification, ...]] = HashTrieMap()
    dependents: HashTrieMap[str, frozenset[PropositionId] | HashTrieSet[PropositionId]] = HashTrieMap()
    larger_stories: HashTrieMap[PropositionId, tuple[PropositionId, ...]] = HashTrieMap()
    explained: HashTrieMap[PropositionId, frozenset[PropositionId] | HashTrieSet[PropositionId]] = HashTrieMap()

    def justifications_of(self, node: PropositionId) -> tuple[Justification, ...]:
        """Give the alternatives of a node; none when nobody holds it."""
        return self.justifications.get(node, ())

    def dependents_of(self, premise: Literal) -> frozenset[PropositionId]:
        """Give the nodes with ``premise`` in some justification."""
        return self.dependents.get(str(premise), NO_NODES)

    def explained_by(self, story: PropositionId) -> frozenset[PropositionId]:
        """Give the nodes that were subsumed under ``story``."""
        return self.explained.get(story, NO_NODES)


def proposition_of(key: str) -> PropositionId:
    """Give the proposition of a literal's notation."""
    return PropositionId(key.removeprefix(NEGATION))


def grounds_of(dependencies: DependencyMap, node: PropositionId) -> tuple[Literal, ...]:
    """Give every literal in some justification of a node, once each, in order: the paper's Dep."""
    return tuple(dict.fromkeys(item for group in dependencies.justifications_of(node) for item in group))


def with_justifications(
    dependencies: DependencyMap, node: PropositionId, justifications: tuple[Justification, ...]
) -> DependencyMap:
    """Give the map with a node's justifications replaced. Cost: the size of the old and new ones."""
    return with_all_justifications(dependencies, {node: justifications})


def with_all_justifications(
    dependencies: DependencyMap, changes: Mapping[PropositionId, tuple[Justification, ...]]
) -> DependencyMap:
    """Give the map with the justifications of several nodes replaced. Cost: the size of the old and new ones."""
    if not changes:
        return dependencies
    dependents: dict[str, frozenset[PropositionId]] = {}
    for node, justifications in changes.items():
        before = _premises(dependencies.justifications.get(node, ()))
        after = _premises(justifications)
        for premise in before ^ after:
            known = dependents.get(premise)
            if known is None:
                known = dependencies.dependents.get(premise, NO_NODES)
            dependents[premise] = including(known, node) if premise in after else excluding(known, node)
    return DependencyMap(
        justifications=dependencies.justifications.update(changes),
        dependents=dependencies.dependents.update(dependents) if dependents else dependencies.dependents,
        larger_stories=dependencies.larger_stories,
        explained=dependencies.explained,
    )


def _premises(justifications: tuple[Justification, ...]) -> set[str]:
    return {str(item) if item.negated else item.proposition for group in justifications for item in group}


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
        explained = explained.insert(story, excluding(explained[story], node))
    for story in wanted:
        explained = explained.insert(story, including(explained.get(story, NO_NODES), node))
    return replace(dependencies, larger_stories=dependencies.larger_stories.insert(node, wanted), explained=explained)
