"""A state as a renderer reads it, item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from upheld.logic.dependency.justifications import grounds_of
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import TENTATIVE, Kind
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Candidate, Modality, Outcome, Stance
from upheld.logic.reasoning.answers.findings import NOBODY, Ended, current_value, ended_by
from upheld.logic.reasoning.answers.settlement import Settlement, settlement_of
from upheld.logic.reasoning.answers.verify import verify_literal
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.nodes import Node
from upheld.logic.reasoning.state import Problem, State
from upheld.speech.rendering.context.items import Item

Told = Callable[[TurnId], Turn | None]
"""Gives a turn as it was told, for its words and its time; ``None`` where nobody knows them."""


def nothing_told(turn: TurnId, /) -> Turn | None:
    """Know no turn: for a state without its conversation."""
    del turn


class StateItems:
    """The :class:`~upheld.speech.rendering.context.items.ItemSource` of one state."""

    def __init__(self, state: State, told: Told = nothing_told) -> None:
        """Read this state; without ``told``, items have neither a time nor the words of their turns."""
        self._state = state
        self._told = told

    @property
    def turn(self) -> str:
        """The last turn."""
        return self._state.last_turn or ""

    def ids(self) -> Iterable[PropositionId]:
        """Give all propositions, in no order."""
        return tuple(self._state.propositions)

    def get(self, proposition: PropositionId, /) -> Item | None:
        """Give one as it stands. Cost: what was done with it."""
        state = self._state
        if proposition not in state.propositions:
            return None
        node, told = state.node(proposition), state.proposition(proposition)
        turn, at, words = self._moment_of(node.first.origin.turn)
        lifecycle = lifecycle_of(state, node.id)
        ended = _ended(state, node, lifecycle)
        grounds = grounds_of(state.dependencies, node.id)
        return Item(
            id=node.id,
            text=told.text,
            kind=told.kind,
            label=state.label(node.id),
            lifecycle=lifecycle,
            moment=node.moment,
            speaker=self._name(node.first.origin.speaker),
            turn=turn,
            at=at,
            grounds=grounds,
            fallen=tuple(each for each in grounds if not state.stands(each)),
            because=tuple(each for each in ended.because if each != node.id),
            near=tuple(dict.fromkeys(each for each in _near(state, node) if each in state.propositions)),
            current=current_value(state, node.id),
            ended=(ended.turn or "") if lifecycle in GIVEN_UP else "",
            is_settled=told.kind in TENTATIVE and settlement_of(state, node) is Settlement.SETTLED,
            is_alive=told.kind not in TENTATIVE or _is_alive(state, node),
            words=words,
        )

    def problems(self) -> Iterable[Item]:
        """Give the open questions that are no propositions, oldest first."""
        found = (each for each in self._state.problems.values() if each.id not in self._state.propositions)
        return tuple(self._problem(each) for each in sorted(found, key=lambda each: (each.origin.moment, each.id)))

    def _problem(self, problem: Problem) -> Item:
        turn, at, words = self._moment_of(problem.origin.turn)
        return Item(
            id=problem.id,
            text=problem.text,
            kind=Kind.ISSUE,
            label=Label.IN,
            lifecycle=Lifecycle.ACTIVE,
            moment=problem.origin.moment,
            speaker=self._name(problem.origin.speaker),
            turn=turn,
            at=at,
            near=tuple(sorted(problem.about)),
            words=words,
        )

    def _moment_of(self, turn: TurnId) -> tuple[str, str, str]:
        told = self._told(turn) if turn else None
        return (turn, "", "") if told is None else (turn, told.at, told.text)

    def _name(self, agent: AgentId | None) -> str:
        known = self._state.agents.get(agent) if agent is not None else None
        return (known.name if known is not None else "") or agent or ""


def _is_alive(state: State, node: Node) -> bool:
    """Tell whether a hypothesis or position may be reported as one (semantics, section 6)."""
    candidate = Candidate(literal=Literal(node.id), stance=Stance.REPORTS, modality=Modality.HYPOTHESIS)
    return state.label(node.id) is Label.IN or verify_literal(state, candidate).outcome is Outcome.GROUNDED


def _ended(state: State, node: Node, lifecycle: Lifecycle) -> Ended:
    """Give who gave a claim up and why, or what an open attack on it rests on."""
    if lifecycle in GIVEN_UP:
        return ended_by(state, node)
    open_attack = None if state.label(node.id) is Label.IN else Ended.from_open_attack(state, node)
    return open_attack or NOBODY


def _near(state: State, node: Node) -> Iterator[PropositionId]:
    """Give what else a node has to do with: what it settles, answers, explains, refines, and what spoke against it."""
    if node.decision is not None:
        yield node.decision.target.proposition
        yield from filter(None, (node.decision.issue,))
        yield from (each.proposition for each in node.decision.reopen_if)
    yield from filter(None, (node.about, node.refines))
    yield from (*node.against, *node.prefers, *node.reinterprets)
    yield from (story.id for story in node.stories)
    for attack in state.live_attacks(node):
        attacker = state.nodes.get(PropositionId(attack.attacker.partition(" ")[0]))
        if attacker is None:
            continue
        if not attacker.is_act:
            yield attacker.id
        else:
            yield from (each.proposition for told in attacker.introductions for each in told.premises)
