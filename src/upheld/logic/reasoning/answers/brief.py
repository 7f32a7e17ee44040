"""The re-evaluation brief: what to look at again after a change, from the record alone (semantics, section 9)."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.language.turns import Retraction
from upheld.logic.language.verdicts import Delta
from upheld.logic.reasoning.answers.changes import affected
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.nodes import AttackKind, Node
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A claim quoted from the record: in its own words, by whom and when, and about what."""

    id: PropositionId
    text: str
    speaker: AgentId | None
    turn: TurnId | None
    about: PropositionId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Something given up that must not be opened again: the recorded reasons for giving it up still hold."""

    position: Remark
    because: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """When all agreed to look again, and whether that has come about."""

    literal: Literal
    decision: PropositionId
    has_come_about: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What to look at again: in seven points.

    What changed, the decisions that rested on it, the agreed conditions, the concerns now live, the alternatives, what
    not to reopen, and who dissented.
    """

    change: Retraction
    delta: Delta
    decisions: tuple[Remark, ...]
    conditions: tuple[Condition, ...]
    concerns: tuple[Remark, ...]
    alternatives: tuple[Remark, ...]
    not_to_reopen: tuple[Kept, ...]
    dissent: tuple[Remark, ...]


def brief(state: State, change: Retraction) -> Brief:
    """Give the brief for a change that has not been made yet; the state stays as it is.

    Cost: what the change reaches, and the positions on the issues of the decisions that it reaches.

    Raises:
        UnknownReference: nobody introduced the target.
    """
    delta = affected(state, change)
    after = taken_back(state, change)
    decisions = [state.node(item.id) for item in (*delta.lost, *delta.thinned)]
    decisions = [node for node in decisions if node.decision is not None]
    positions = _positions(state, decisions)
    return Brief(
        change=change,
        delta=delta,
        decisions=tuple(_remark(state, node) for node in decisions),
        conditions=tuple(_conditions(after, decisions)),
        concerns=_concerns(after, decisions),
        alternatives=tuple(_remark(after, node) for node in positions if lifecycle_of(after, node.id) not in GIVEN_UP),
        not_to_reopen=tuple(_kept(after, positions)),
        dissent=tuple(_dissent(after, decisions)),
    )


def _positions(state: State, decisions: list[Node]) -> list[Node]:
    """Give what was on the table: the decided positions, others on the same issues, and what dissenters preferred."""
    issues = {node.decision.issue for node in decisions if node.decision is not None and node.decision.issue}
    found = {node.decision.target.proposition for node in decisions if node.decision is not None}
    for node in decisions:
        found.update(id for dissent in state.dissents.get(node.id, ()) for id in state.node(dissent).prefers)
    rivals = {rival for issue in issues for rival in state.positions.get(issue, ())}
    nodes = [state.node(id) for id in found | rivals]
    return sorted(nodes, key=lambda node: node.moment)


def _conditions(after: State, decisions: list[Node]) -> list[Condition]:
    return [
        Condition(literal=item, decision=node.id, has_come_about=after.stands(item))
        for node in decisions
        if node.decision is not None
        for item in node.decision.reopen_if
    ]


def _concerns(after: State, decisions: list[Node]) -> tuple[Remark, ...]:
    """Give the objections that are live now: to the decided positions, and to those that they refine.

    The objection for which a refined position was given up is left out: that is what the refinement answered.
    """
    found: dict[PropositionId, Remark] = {}
    for node in decisions:
        target = node.decision.target.proposition if node.decision is not None else None
        answered: set[PropositionId] = set()
        while target is not None:
            position = after.node(target)
            for attack in after.live_attacks(position):
                attacker = PropositionId(attack.attacker)
                is_live = after.network.label(attacker) is Label.IN and attacker in after.propositions
                if attack.kind is AttackKind.UNDERMINES and is_live and attacker not in answered:
                    found.setdefault(attacker, _remark(after, after.node(attacker)))
            target = position.refines
            answered = set(_reasons(after, after.node(target))) if target is not None else set()
    return tuple(sorted(found.values(), key=lambda remark: after.node(remark.id).moment))


def _kept(after: State, positions: list[Node]) -> list[Kept]:
    kept: list[Kept] = []
    for node in positions:
        reasons = _reasons(after, node)
        if lifecycle_of(after, node.id) in GIVEN_UP and all(after.label(id) is Label.IN for id in reasons):
            because = tuple(_remark(after, after.node(id)) for id in reasons)
            kept.append(Kept(position=_remark(after, node), because=because))
    return kept


def _reasons(state: State, node: Node) -> tuple[PropositionId, ...]:
    """Give the recorded reasons for which a position was given up."""
    revisions = [attack for attack in state.live_attacks(node) if attack.kind is AttackKind.REVISES]
    premises = (
        item
        for attack in revisions
        for introduction in state.node(PropositionId(attack.attacker)).introductions
        for item in introduction.premises
    )
    return tuple(dict.fromkeys(item.proposition for item in premises if not item.negated))


def _dissent(after: State, decisions: list[Node]) -> list[Remark]:
    recorded = {id for node in decisions for id in after.dissents.get(node.id, ())}
    nodes = [after.node(id) for id in recorded if after.node(id).kind is Kind.DISSENT and after.label(id) is Label.IN]
    return [_remark(after, node) for node in sorted(nodes, key=lambda node: node.moment)]


def _remark(state: State, node: Node) -> Remark:
    origin = node.first.origin
    proposition = state.propositions.get(node.id)
    return Remark(
        id=node.id,
        text=proposition.text if proposition is not None else "",
        speaker=origin.speaker,
        turn=origin.turn or None,
        about=node.about,
    )
