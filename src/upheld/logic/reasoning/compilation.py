"""From a node's records to what the labelling and the dependency map need: justifications, challenges, vertices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from upheld.logic.argumentation.network import Network
from upheld.logic.argumentation.rules import AnyRule, Challenge, Negation, Rule
from upheld.logic.dependency.justifications import Justification
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import NEGATION, Literal
from upheld.logic.reasoning.nodes import (
    ActKind,
    Attack,
    AttackKind,
    Introduction,
    Node,
    Origin,
    Role,
    falsified_key,
    replaced_key,
    settling_key,
)

_GROUNDLESS = Rule(justifications=(frozenset(),))
"""Rule of a vertex that needs nothing: it is in unless attacked."""


class Records(Protocol):
    """What a compilation reads: a state, or a draft of the next one."""

    @property
    def network(self) -> Network:
        """The labelling so far; asked only which vertices there are."""
        ...

    def node(self, id: PropositionId) -> Node:
        """Give the record of a node; raises :class:`upheld.errors.UnknownReference`."""
        ...

    def is_withdrawn(self, origin: Origin) -> bool:
        """Tell whether the source of something was withdrawn."""
        ...

    def live_attacks(self, node: Node) -> Iterator[Attack]:
        """Give the attacks on a node whose sources are still there, oldest first."""
        ...


def justifications_of(state: Records, node: Node) -> tuple[Justification, ...]:
    """Give the alternatives on which a node rests now (semantics, section 2).

    Premises and corroborations are joint, as in the paper (Dep and e); a sufficient support is an alternative; a claim
    that nobody holds has none. Cost: the node's records.
    """
    held = held_introductions(state, node)
    if not held:
        return ()
    if len(held) == 1 and not node.corroborations and not held[0].alternatives and node.decision is None:
        return _plain_justifications(held[0])
    live = [item for item in node.corroborations if not state.is_withdrawn(item.origin)]
    joint = tuple(item for support in live if not support.is_sufficient for item in support.evidence)
    is_vouched = any(support.is_vouched for support in live)
    settled = _settled_target(node)
    found: list[Justification] = []
    for introduction in held:
        for alternative in introduction.alternatives or ((),):
            premises = tuple(dict.fromkeys((*introduction.premises, *alternative, *joint)))
            if introduction.is_vouched or is_vouched or any(not item.negated for item in premises):
                found.append((*premises, *(item for item in settled if item not in premises)))
    found.extend((*support.evidence, *settled) for support in live if support.is_sufficient)
    return tuple(dict.fromkeys(found))


def _plain_justifications(introduction: Introduction) -> tuple[Justification, ...]:
    """The same for what was said once, on joint premises, and added to by nobody: most claims of a conversation."""
    premises = introduction.premises
    if len(premises) > 1:
        premises = tuple(dict.fromkeys(premises))
    if introduction.is_vouched or not all(item.negated for item in premises):
        return (premises,)
    return ()


def held_introductions(state: Records, node: Node) -> list[Introduction]:
    """Give the introductions that count: said since the last retraction, source not withdrawn, no echo of one there."""
    since = -1
    for act in node.acts:
        if act.kind is ActKind.RETRACTED and not state.is_withdrawn(act.origin):
            since = act.origin.moment
    live = [item for item in node.introductions if item.origin.moment > since and not state.is_withdrawn(item.origin)]
    if len(live) < 2:
        return live
    own = [item for item in live if not item.is_echo]
    # Once the first source is gone, the first to have said it again is no echo: nobody is left whom it repeats.
    return own or live[:1]


def rules_of(state: Records, node: Node, groups: tuple[Justification, ...]) -> dict[str, AnyRule]:
    """Give the vertices that a node makes, with their rules; ``groups`` are its justifications."""
    challenges = tuple(_challenge(attack) for attack in state.live_attacks(node)) if node.attacks else ()
    rules: dict[str, AnyRule] = {}
    if node.decision is None:
        rules[node.id] = Rule(justifications=tuple([_keys(group) for group in groups]), challenges=challenges)
    else:
        rules.update(_resolution_rules(node, groups, challenges))
    if node.role is Role.REVISION:
        rules[node.id] = _revision_rule(node, groups, challenges)
    if node.replacements:
        rules[replaced_key(node.id)] = _replaced_rule(state, node)
    if node.attacks and any(attack.kind is AttackKind.FALSIFIES for attack in node.attacks):
        rules[falsified_key(node.id)] = _GROUNDLESS
    negation = f"{NEGATION}{node.id}"
    if negation in state.network:
        rules[negation] = Negation(of=node.id, challenges=challenges)
    return rules


def negation_rule(state: Records, id: PropositionId) -> Negation:
    """Give the rule of ``~id``."""
    challenges = tuple(_challenge(attack) for attack in state.live_attacks(state.node(id)))
    return Negation(of=id, challenges=challenges)


def _challenge(attack: Attack) -> Challenge:
    return Challenge(
        attacker=attack.attacker,
        answers=frozenset(attack.answers),
        is_lasting=attack.kind is AttackKind.REVISES,
        falsifies=attack.falsifies,
    )


def _settled_target(node: Node) -> tuple[Literal, ...]:
    """A consensual resolve rests on what it settles; an authoritative one on its own premises alone."""
    if node.decision is None or node.decision.is_authoritative or node.decision.target.negated:
        return ()
    return (node.decision.target,)


def _resolution_rules(
    node: Node, groups: tuple[Justification, ...], challenges: tuple[Challenge, ...]
) -> dict[str, AnyRule]:
    target = node.decision.target if node.decision else None
    settling = tuple(_keys(tuple(item for item in group if item != target)) for group in groups)
    full = tuple(_keys(tuple(item for item in group if item == target)) | {settling_key(node.id)} for group in groups)
    return {
        settling_key(node.id): Rule(justifications=settling, challenges=challenges),
        node.id: Rule(justifications=tuple(dict.fromkeys(full))),
    }


def _revision_rule(node: Node, groups: tuple[Justification, ...], challenges: tuple[Challenge, ...]) -> Rule:
    """A revise rests on its reasons, and on the new value or whatever has replaced that since."""
    replacement = node.acts[0].replacement
    if replacement is None or node.about is None:
        return Rule(justifications=tuple(_keys(group) for group in groups), challenges=challenges)
    value = Literal(replacement)
    return Rule(
        justifications=tuple(
            _keys(tuple(item for item in group if item != value)) | {replaced_key(node.about)} for group in groups
        ),
        challenges=challenges,
    )


def _replaced_rule(state: Records, node: Node) -> Rule:
    live = [item.newer for item in node.replacements if not state.is_withdrawn(item.origin)]
    groups = [frozenset((key,)) for newer in live for key in (str(newer), replaced_key(newer))]
    return Rule(justifications=tuple(dict.fromkeys(groups)))


def _keys(group: Justification) -> frozenset[str]:
    return frozenset([str(item) if item.negated else item.proposition for item in group])
