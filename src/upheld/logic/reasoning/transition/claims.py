"""Claims put forward, and the small records that every operation is made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rpds import HashTrieSet

from upheld.errors import RepeatedIdentity
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import ExpandAwareness, Hypothesize, Observe, Resolve, Support, Undermine
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.standing import GIVEN_UP
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.nodes import (
    Act,
    ActKind,
    Attack,
    AttackKind,
    Introduction,
    Node,
    Replacement,
    Role,
    replaced_key,
)
from upheld.logic.reasoning.state import Problem
from upheld.logic.reasoning.transition.draft import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """Who performs an operation, and under which id it goes when it has none of its own."""

    agent: Agent
    act: PropositionId


def replace_value(draft: Draft, older: PropositionId, newer: PropositionId) -> None:
    """Record that a value took the place of another.

    The newer attacks the older for as long as it, or what has replaced it since, stands.
    """
    node = draft.node(older)
    if all(known.newer != newer for known in node.replacements):
        draft.put(replace(node, replacements=(*node.replacements, Replacement(newer=newer, origin=draft.origin))))
    draft.attack(older, attack_by(draft, replaced_key(older), AttackKind.REPLACES, falsifies=True))


def put_forward(draft: Draft, proposition: Proposition, node: Node, speech: Speech) -> Node | None:
    """Add a claim with its node as it is when new, or one more time that it was said; give its record from before."""
    known = draft.find(node.id)
    if known is None:
        draft.introduce(proposition)
        draft.put(node)
    else:
        _say_again(draft, known, proposition, node.first, speech)
    draft.commit(speech.agent.id, node.id)
    return known


def introduction_of(
    draft: Draft,
    premises: tuple[Literal, ...] = (),
    alternatives: tuple[tuple[Literal, ...], ...] = (),
    *,
    is_vouched: bool = True,
) -> tuple[Introduction, ...]:
    """Give the introductions of a claim that is put forward now for the first time."""
    origin = draft.origin
    return (Introduction(origin=origin, premises=premises, alternatives=alternatives, is_vouched=is_vouched),)


def _say_again(draft: Draft, known: Node, proposition: Proposition, introduction: Introduction, speech: Speech) -> None:
    before = draft.state.proposition(known.id)
    if (before.text, before.kind, before.formula) != (proposition.text, proposition.kind, proposition.formula):
        raise RepeatedIdentity(f"{known.id!r} is already {before.kind} {before.text!r}; use an id of its own")
    sources = {item.origin.uri for item in known.introductions}
    is_echo = not draft.origin.uri or draft.origin.uri in sources
    said = replace(introduction, is_echo=is_echo)
    draft.put(replace(known, introductions=(*known.introductions, said)))
    if lifecycle_of(draft.state, known.id) in GIVEN_UP:
        # Whoever says again what was given up takes it up: earlier revisions are answered by this act.
        draft.put(act_node(draft, speech.act, Role.SUPPORT, known.id, ()))
        attacks = [item for item in known.attacks if item.kind in (AttackKind.REVISES, AttackKind.REPLACES)]
        draft.answer(known.id, speech.act, attacks)
        draft.act(known.id, act_of(draft, ActKind.INTRODUCED, known.id))


def act_node(
    draft: Draft,
    key: PropositionId,
    role: Role,
    about: PropositionId,
    premises: tuple[Literal, ...],
    acts: tuple[Act, ...] = (),
) -> Node:
    """Give the node of an operation without an id, resting on ``premises``."""
    return Node(
        id=key,
        role=role,
        kind=Kind.DECISION if role is Role.RESOLUTION else Kind.ARGUMENT,
        moment=draft.origin.moment,
        about=about,
        introductions=introduction_of(draft, premises),
        acts=acts,
    )


def attack_by(draft: Draft, attacker: str, kind: AttackKind, *, falsifies: bool = False) -> Attack:
    """Give an attack by a vertex, as of the operation at hand."""
    return Attack(attacker=attacker, kind=kind, origin=draft.origin, falsifies=falsifies)


def act_of(draft: Draft, kind: ActKind, by: PropositionId, replacement: PropositionId | None = None) -> Act:
    """Give an act on a node, as of the operation at hand."""
    return Act(kind=kind, origin=draft.origin, by=by, replacement=replacement)


def open_problem(draft: Draft, id: PropositionId, text: str, about: Iterable[PropositionId]) -> None:
    """Put a question or an issue on record, findable by what it is about."""
    problem = Problem(id=id, text=text, about=frozenset(about), origin=draft.origin)
    for item in problem.about:
        draft.questioned = draft.questioned.insert(item, draft.questioned.get(item, HashTrieSet()).insert(id))
    draft.problems = draft.problems.insert(id, problem)


def close_problem(draft: Draft, id: PropositionId) -> None:
    """Take a question or an issue off the list, if it is on it."""
    problem = draft.problems.get(id)
    if problem is None:
        return
    for item in problem.about:
        draft.questioned = draft.questioned.insert(item, draft.questioned[item].discard(id))
    draft.problems = draft.problems.remove(id)


def proposition_of(
    operation: Observe | Hypothesize | Support | Undermine | ExpandAwareness | Resolve, kind: Kind
) -> Proposition:
    """Give the proposition that an operation introduces."""
    return Proposition(id=operation.id or PropositionId(""), text=operation.text, kind=kind, formula=operation.formula)
