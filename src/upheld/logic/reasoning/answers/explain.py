"""Why a claim stands, as one justification tree, and what would break it."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.logic.dependency.affected import losses
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.verdicts import Effect
from upheld.logic.reasoning.answers.grounds import complete_justification
from upheld.logic.reasoning.answers.roots import Root, roots_of
from upheld.logic.reasoning.answers.settlement import dissenters, resolves_of
from upheld.logic.reasoning.lifecycle import is_answered, lifecycle_of
from upheld.logic.reasoning.nodes import Node
from upheld.logic.reasoning.state import State

BREAKING_BUDGET = 2_000
"""How many candidates behind alternatives are tried for "what would break it" before the search says it stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasoned:
    """One node of the tree: a literal, its standing, and the premises of the justification shown.

    A premise met before is listed again without its premises. ``premises`` index into the explanation's ``nodes``.
    """

    literal: Literal
    text: str
    label: Label
    lifecycle: Lifecycle
    speaker: AgentId | None
    turn: TurnId | None
    premises: tuple[int, ...] = ()
    other_justifications: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstIt:
    """An attack on the claim: by what, how, whether it bites, and whether a decision accepted it as a risk."""

    attacker: str
    kind: str
    label: Label
    is_answered: bool
    turn: TurnId
    accepted_by: tuple[PropositionId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A claim's justification tree in one flat tuple, root first, so that depth is no limit.

    ``breaks_if`` are the single claims without which it would be lost; ``is_complete`` is false when that search
    stopped at its budget. ``held_by`` and ``dissent`` name the agents.
    """

    nodes: tuple[Reasoned, ...]
    attacks: tuple[AgainstIt, ...]
    breaks_if: tuple[PropositionId, ...]
    is_complete: bool
    roots: frozenset[Root]
    held_by: tuple[AgentId, ...]
    dissent: tuple[str, ...]


def explain(state: State, id: PropositionId) -> Explanation:
    """Explain a claim: its standing justification, or the first there is when none is complete.

    Cost: what it rests on, and for each alternative on the way the candidates behind it (up to a budget).

    Raises:
        UnknownReference: nobody introduced it.
    """
    node = state.node(id)
    breaks_if, is_complete = what_breaks(state, id)
    holders = [agent for agent, held in state.commitments.items() if id in held]
    against = {name for decision in resolves_of(state, node) for name in dissenters(state, decision)}
    against.update(dissenters(state, id))
    return Explanation(
        nodes=_tree(state, id),
        attacks=tuple(_against(state, node)),
        breaks_if=breaks_if,
        is_complete=is_complete,
        roots=roots_of(state, id),
        held_by=tuple(sorted(holders)),
        dissent=tuple(sorted(against)),
    )


def what_breaks(state: State, id: PropositionId) -> tuple[tuple[PropositionId, ...], bool]:
    """Give the claims each of which, taken back alone, would leave ``id`` without a complete justification.

    Along single justifications every premise is one. Behind alternatives each candidate is tried.
    """
    essential: dict[PropositionId, None] = {}
    behind_alternatives: list[PropositionId] = []
    pending = [id]
    while pending:
        current = pending.pop(0)
        groups = state.dependencies.justifications_of(current)
        complete = [group for group in groups if all(state.stands(item) for item in group)]
        if len(complete) > 1:
            behind_alternatives.append(current)
            continue
        for item in complete[0] if complete else ():
            if not item.negated and item.proposition not in essential and item.proposition != id:
                essential[item.proposition] = None
                pending.append(item.proposition)
    is_complete = _try_candidates(state, behind_alternatives, essential)
    claims = [each for each in essential if each in state.propositions]
    return tuple(claims), is_complete


def _try_candidates(state: State, forks: list[PropositionId], essential: dict[PropositionId, None]) -> bool:
    budget = BREAKING_BUDGET
    for fork in forks:
        seen: set[PropositionId] = {fork}
        pending = [fork]
        while pending:
            current = pending.pop(0)
            for group in state.dependencies.justifications_of(current):
                for item in group:
                    candidate = item.proposition
                    if item.negated or candidate in seen:
                        continue
                    if budget == 0:
                        return False
                    budget -= 1
                    seen.add(candidate)
                    pending.append(candidate)
                    if candidate not in essential and _breaks(state, candidate, fork):
                        essential[candidate] = None
    return True


def _breaks(state: State, candidate: PropositionId, fork: PropositionId) -> bool:
    reached = losses(state.dependencies, (candidate,), state.stands)
    return any(item.id == fork and item.effect is Effect.LOST for item in reached)


def _tree(state: State, id: PropositionId) -> tuple[Reasoned, ...]:
    """Lay the tree out breadth first; each claim is unfolded once."""
    order: list[Literal] = [Literal(id)]
    children: list[tuple[int, ...]] = []
    unfolded: set[Literal] = set()
    position = 0
    while position < len(order):
        item = order[position]
        premises = _shown(state, item) if item not in unfolded else ()
        unfolded.add(item)
        children.append(tuple(range(len(order), len(order) + len(premises))))
        order.extend(premises)
        position += 1
    return tuple(_reasoned(state, item, premises) for item, premises in zip(order, children, strict=True))


def _shown(state: State, item: Literal) -> tuple[Literal, ...]:
    if item.negated:
        return ()
    complete = complete_justification(state, item.proposition)
    groups = state.dependencies.justifications_of(item.proposition)
    return complete if complete is not None else groups[0] if groups else ()


def _reasoned(state: State, item: Literal, premises: tuple[int, ...]) -> Reasoned:
    node = state.node(item.proposition)
    proposition = state.propositions.get(item.proposition)
    origin = node.first.origin
    groups = state.dependencies.justifications_of(item.proposition)
    return Reasoned(
        literal=item,
        text=proposition.text if proposition is not None else f"{node.role.value} of {node.about}",
        label=state.label(item),
        lifecycle=lifecycle_of(state, item.proposition),
        speaker=origin.speaker,
        turn=origin.turn or None,
        premises=premises,
        other_justifications=max(0, len(groups) - 1),
    )


def _against(state: State, node: Node) -> list[AgainstIt]:
    return [
        AgainstIt(
            attacker=attack.attacker,
            kind=attack.kind.value,
            label=state.network.label(attack.attacker),
            is_answered=is_answered(state, attack),
            turn=attack.origin.turn,
            accepted_by=attack.accepted_by,
        )
        for attack in state.live_attacks(node)
    ]
