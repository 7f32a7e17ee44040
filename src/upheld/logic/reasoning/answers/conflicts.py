"""Claims that clash, and who is to blame (case C-06): shared premises, nogoods, and what would resolve the clash."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.logic.dependency import environments as labels
from upheld.logic.dependency import nogoods as clashes
from upheld.logic.dependency.cone import JustificationsOf
from upheld.logic.dependency.environments import Environments
from upheld.logic.dependency.justifications import Justification
from upheld.logic.dependency.nogoods import Culprits, shared_culprits
from upheld.logic.dependency.smallest import Budget
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import GIVEN_UP
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.nodes import AttackKind
from upheld.logic.reasoning.state import State

_CLASHING = frozenset({AttackKind.CONTRADICTS, AttackKind.ENTAILS_NEGATION})

SEARCH = Budget(answers=200, conflicts=100_000)
"""How many environments are looked for, and how hard."""


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


def culprits(state: State, first: PropositionId, second: PropositionId, *, budget: Budget = SEARCH) -> Culprits:
    """Give the minimal nogoods behind two claims, the assumptions in them as suspects, and what would resolve it.

    Labels do not matter here (one of two that clash is usually out already), but what was given up or established
    false is no suspect any more. Nothing is retracted unasked.

    Raises:
        UnknownReference: nobody introduced one of them.
    """
    kept = _kept(state, first, second)
    return clashes.culprits(
        kept,
        first,
        second,
        candidates=lambda item: not item.negated and item.proposition in state.propositions,
        budget=budget,
    )


def environments(state: State, id: PropositionId, *, budget: Budget = SEARCH) -> Environments:
    """Give the minimal sets of assumptions on which a claim has a complete justification, smallest first.

    An assumption is a claim that was put forward on nothing else, or a denial that is established. What was given up or
    established false does not count; otherwise labels do not matter: that a set would do is no proof that it stands.

    Raises:
        UnknownReference: nobody introduced it.
    """
    return labels.environments(_kept(state, id), id, budget=budget)


def _kept(state: State, *wanted: PropositionId) -> JustificationsOf:
    """Give what counts of the justifications: all but those of claims let go, and those on a denial not established."""
    for id in wanted:
        state.node(id)

    def ways(id: PropositionId) -> tuple[Justification, ...]:
        if id not in wanted and (state.stands(Literal(id, negated=True)) or _is_given_up(state, id)):
            return ()
        groups = state.dependencies.justifications_of(id)
        return tuple(group for group in groups if all(not item.negated or state.stands(item) for item in group))

    return ways


def _is_given_up(state: State, id: PropositionId) -> bool:
    return id in state.propositions and lifecycle_of(state, id) in GIVEN_UP
