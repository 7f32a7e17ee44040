"""Claims that clash, and who is to blame: the premises that both rest on (case C-06)."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.logic.dependency.nogoods import shared_culprits
from upheld.logic.language.identities import PropositionId
from upheld.logic.reasoning.nodes import AttackKind
from upheld.logic.reasoning.state import State

_CLASHING = frozenset({AttackKind.CONTRADICTS, AttackKind.ENTAILS_NEGATION})


@dataclass(frozen=True, slots=True, kw_only=True)
class Nogood:
    """Two claims that cannot hold together, and the nearest premises that they share (none: no common culprit)."""

    claims: tuple[PropositionId, PropositionId]
    culprits: tuple[PropositionId, ...]


def nogoods(state: State) -> tuple[Nogood, ...]:
    """Give every clash on record whose sources are still there, in the order of the ledger. Cost: all claims."""
    nodes = sorted(state.nodes.values(), key=lambda node: node.moment)
    return tuple(
        nogood_of(state, node.id, PropositionId(attack.attacker))
        for node in nodes
        for attack in state.live_attacks(node)
        if attack.kind in _CLASHING
    )


def nogood_of(state: State, first: PropositionId, second: PropositionId) -> Nogood:
    """Give the clash of two claims with its shared culprits. Nothing is retracted unasked."""
    return Nogood(claims=(first, second), culprits=shared_culprits(state.dependencies, first, second))
