"""Whether a tentative claim has been settled, and whether that still holds."""

from __future__ import annotations

from enum import StrEnum

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.nodes import ActKind, Node, settling_key
from upheld.logic.reasoning.state import State


class Settlement(StrEnum):
    """``FALLEN``: it was resolved, but no resolve of it stands any more."""

    OPEN = "open"
    DISPUTED = "disputed"
    FALLEN = "fallen"
    SETTLED = "settled"


def settlement_of(state: State, node: Node) -> Settlement:
    """Tell whether a hypothesis or position may be asserted as fact.

    A decision taken over recorded dissent leaves its position disputed: that it was decided is a fact, that it is right
    is not. Cost: the acts on the node.
    """
    if lifecycle_of(state, node.id) is not Lifecycle.RESOLVED:
        return Settlement.OPEN
    resolves = resolves_of(state, node)
    standing = [id for id in resolves if state.network.label(settling_key(id)) is Label.IN]
    if not standing:
        return Settlement.FALLEN
    is_disputed = all(dissenters(state, id) for id in standing)
    return Settlement.DISPUTED if is_disputed else Settlement.SETTLED


def resolves_of(state: State, node: Node) -> list[PropositionId]:
    """Give the resolves of a node that are on record, oldest first."""
    acts = [act for act in node.acts if act.kind is ActKind.RESOLVED and not state.is_withdrawn(act.origin)]
    return [act.by for act in acts]


def dissenters(state: State, decision: PropositionId) -> list[str]:
    """Give who is on record against a decision."""
    node = state.nodes.get(decision)
    named = [] if node is None or node.decision is None else [str(agent) for agent in node.decision.dissent]
    recorded = [state.node(id) for id in state.dissents.get(decision, ()) if state.label(id) is Label.IN]
    return [*named, *(str(each.first.origin.speaker) for each in recorded)]
