"""Why a claim stands, as one justification tree, and what would break it."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.logic.dependency.breaking import each_breaking_set, essentials, numbers_of
from upheld.logic.dependency.cone import cone_of
from upheld.logic.dependency.justifications import Justification
from upheld.logic.dependency.smallest import Budget, collected
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.reasoning.answers.grounds import complete_justification
from upheld.logic.reasoning.answers.roots import Root, roots_of
from upheld.logic.reasoning.answers.settlement import dissenters, resolves_of
from upheld.logic.reasoning.lifecycle import is_answered, lifecycle_of
from upheld.logic.reasoning.nodes import Node
from upheld.logic.reasoning.state import State

BREAKING_BUDGET = 2_000_000
"""How many rules are looked at for the single claims that would break it before the search says that it stopped."""

TOGETHER = Budget(answers=20, conflicts=20_000)
"""How many sets that would break it together are looked for, and how hard."""

MOST_CANDIDATES = 20_000
"""Claims behind forks up to which sets are looked for at all."""


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

    ``breaks_if`` are the single claims without which it would be lost, ``breaks_if_together`` the minimal sets of two
    or more, smallest first; ``is_complete`` and ``is_complete_together`` are false when the search for them stopped at
    its budget. ``held_by`` and ``dissent`` name the agents.
    """

    nodes: tuple[Reasoned, ...]
    attacks: tuple[AgainstIt, ...]
    breaks_if: tuple[PropositionId, ...]
    is_complete: bool
    breaks_if_together: tuple[tuple[PropositionId, ...], ...]
    is_complete_together: bool
    roots: frozenset[Root]
    held_by: tuple[AgentId, ...]
    dissent: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Breaking:
    """What would break a claim: single claims nearest first, then sets of two or more, smallest first."""

    alone: tuple[PropositionId, ...] = ()
    is_complete: bool = True
    together: tuple[tuple[PropositionId, ...], ...] = ()
    is_complete_together: bool = True


def explain(state: State, id: PropositionId) -> Explanation:
    """Explain a claim: its standing justification, or the first there is when none is complete.

    Cost: what it rests on, and what it takes to say what would break it (up to a budget).

    Raises:
        UnknownReference: nobody introduced it.
    """
    node = state.node(id)
    breaking = what_breaks(state, id)
    holders = [agent for agent, held in state.commitments.items() if id in held]
    against = {name for decision in resolves_of(state, node) for name in dissenters(state, decision)}
    against.update(dissenters(state, id))
    return Explanation(
        nodes=_tree(state, id),
        attacks=tuple(_against(state, node)),
        breaks_if=breaking.alone,
        is_complete=breaking.is_complete,
        breaks_if_together=breaking.together,
        is_complete_together=breaking.is_complete_together,
        roots=roots_of(state, id),
        held_by=tuple(sorted(holders)),
        dissent=tuple(sorted(against)),
    )


def what_breaks(state: State, id: PropositionId) -> Breaking:
    """Give the claims without which ``id`` would be left without a complete justification, each alone and together.

    Only what stands now counts, and no circle holds itself up. A node that stands without a complete justification (a
    revise whose new value was replaced since) falls with any premise of it that stands, as a loss would have it.
    Cost: what it rests on; at each fork, that again for every premise that the fork needs.
    """
    if not _standing_ways(state, id):
        return Breaking()
    cone = cone_of(lambda node: _ways_now(state, node, id), (Literal(id),))
    numbers, is_complete = essentials(cone, BREAKING_BUDGET)
    essential = [name.proposition for name in map(cone.names.__getitem__, numbers) if not name.negated]
    alone = tuple(each for each in essential if each in state.propositions and each != id)
    known = {id, *essential}
    candidates = [
        number
        for number in numbers_of(cone, lambda item: not item.negated and item.proposition in state.propositions)
        if cone.names[number].proposition not in known
    ]
    if not candidates or len(candidates) > MOST_CANDIDATES:
        return Breaking(alone=alone, is_complete=is_complete, is_complete_together=not candidates)
    search = each_breaking_set(cone, candidates, conflicts=TOGETHER.conflicts)
    found, is_all = collected(search, TOGETHER.answers)
    together = tuple(tuple(cone.names[each].proposition for each in sorted(group)) for group in found)
    # What the first search did not get to may be found by the second.
    late = tuple(group[0] for group in together if len(group) == 1)
    return Breaking(
        alone=(*alone, *late),
        is_complete=is_complete or is_all,
        together=tuple(group for group in together if len(group) > 1),
        is_complete_together=is_all,
    )


def _standing_ways(state: State, id: PropositionId) -> tuple[Justification, ...]:
    return tuple(
        group for group in state.dependencies.justifications_of(id) if all(state.stands(item) for item in group)
    )


def _ways_now(state: State, node: PropositionId, wanted: PropositionId) -> tuple[Justification, ...]:
    if node != wanted and not state.stands(Literal(node)):
        return ()
    groups = state.dependencies.justifications_of(node)
    found = _standing_ways(state, node)
    return found or (tuple(dict.fromkeys(item for group in groups for item in group if state.stands(item))),)


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
