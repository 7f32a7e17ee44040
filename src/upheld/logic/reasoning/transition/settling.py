"""From changed records to what follows of them: who rests on what, what stands, what is believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rpds import HashTrieMap, HashTrieSet

from upheld.logic.argumentation.network import Edit, Network, edited
from upheld.logic.argumentation.rules import AnyRule
from upheld.logic.dependency.justifications import (
    DependencyMap,
    Justification,
    with_all_justifications,
    with_larger_stories,
)
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.formulas import Formula
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.standing import Label
from upheld.logic.reasoning.compilation import Records, justifications_of, negation_rule, rules_of
from upheld.logic.reasoning.nodes import Node
from upheld.logic.reasoning.state import Belief

Entry: TypeAlias = tuple[str, Formula, Mode, Belief | None]
"""Key, formula, mode and owner: none for a claim's own entry, and one without a vertex for what always counts."""

_NO_KEYS: HashTrieSet[str] = HashTrieSet()


@dataclass(frozen=True, slots=True, kw_only=True)
class Believed:
    """The plausibility base, and who owns those of its entries that are not a claim's own."""

    plausibility: OrderedBase
    beliefs: HashTrieMap[str, Belief]
    watched: HashTrieMap[str, HashTrieSet[str]]


def relabelled(
    records: Records, dependencies: DependencyMap, nodes: Mapping[PropositionId, Node]
) -> tuple[DependencyMap, Edit]:
    """Give dependencies and labels after some nodes changed; ``records`` has them as they are now."""
    network = records.network
    rules: dict[str, AnyRule] = {}
    changes: dict[PropositionId, tuple[Justification, ...]] = {}
    for id, node in nodes.items():
        groups = justifications_of(records, node)
        if groups != dependencies.justifications_of(id):
            changes[id] = groups
            rules.update(_fresh_negations(records, groups))
        if node.stories:
            stories = [story.id for story in node.stories if not records.is_withdrawn(story.origin)]
            dependencies = with_larger_stories(dependencies, id, stories)
        for key, rule in rules_of(records, node, groups).items():
            if network.rule(key) != rule:
                rules[key] = rule
            else:
                rules.pop(key, None)
    return with_all_justifications(dependencies, changes), edited(network, rules)


def _fresh_negations(records: Records, groups: tuple[Justification, ...]) -> dict[str, AnyRule]:
    """Give every negated premise its vertex the first time that somebody rests on it."""
    return {
        str(item): negation_rule(records, item.proposition)
        for group in groups
        for item in group
        if item.negated and str(item) not in records.network
    }


def believed(
    before: Believed,
    entries: Sequence[Entry],
    moved: set[str],
    records: Records,
    edit: Edit,
) -> Believed:
    """Bring the base in line with the labels: an entry counts only while its owner is in.

    ``entries`` are new.
    ``moved`` are the vertices whose label changed, and those whose attacks were answered or no longer are.
    """
    found = _with_entries(before, entries)
    plausibility, beliefs, watched = found.plausibility, found.beliefs, found.watched
    new = {key: edit.network.label(key) is Label.IN for key, _, _, belief in entries if belief is None}
    # What is entered counts from then on.
    activity = {key: False for key, is_in in new.items() if not is_in}
    for vertex, (_, label) in edit.changed.items():
        # A claim's own entry has its id for key; an entry with an owner on record follows that one.
        if vertex not in new and vertex in plausibility and vertex not in beliefs:
            activity[vertex] = label is Label.IN
    if len(watched):
        for vertex in moved.union([belief.vertex for _, _, _, belief in entries if belief is not None]):
            for key in watched.get(vertex, ()):
                activity[key] = _counts(records, edit.network, beliefs[key])
    return replace(found, plausibility=plausibility.with_activity(activity)) if activity else found


def _with_entries(before: Believed, entries: Iterable[Entry]) -> Believed:
    plausibility, beliefs, watched = before.plausibility, before.beliefs, before.watched
    for key, formula, mode, belief in entries:
        plausibility = plausibility.upgrade(key, formula, mode)
        if belief is not None and belief.vertex:
            beliefs = beliefs.insert(key, belief)
            for vertex in owners_of(belief):
                watched = watched.insert(vertex, watched.get(vertex, _NO_KEYS).insert(key))
    return Believed(plausibility=plausibility, beliefs=beliefs, watched=watched)


def owners_of(belief: Belief) -> tuple[str, ...]:
    """Give the vertices whose labels decide whether an entry counts."""
    return (belief.vertex,) if belief.claim is None else (belief.vertex, belief.claim)


def _counts(records: Records, network: Network, belief: Belief) -> bool:
    if any(network.label(vertex) is not Label.IN for vertex in owners_of(belief)):
        return False
    if belief.target is None:
        return True
    return not any(
        attack.attacker == belief.vertex and any(network.label(answer) is Label.IN for answer in attack.answers)
        for attack in records.node(belief.target).attacks
    )
