"""The only transition: all of a turn's operations, or none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from upheld.errors import RefusedTurn, RepeatedIdentity, UnknownReference
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import TurnId
from upheld.logic.language.operations import Question, Revise
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.nodes import Act, ActKind, Introduction, Node, Origin, Role, act_id
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS, SourcePolicy
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.claims import Speech
from upheld.logic.reasoning.transition.draft import Draft
from upheld.logic.reasoning.transition.effects import apply_operation
from upheld.logic.reasoning.transition.preconditions import Failure, failures, is_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A precondition that failed in a lenient replay: the labels outrank the check, and the operation was applied."""

    turn: TurnId
    operation: int
    failure: Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The state after a turn, and what a lenient replay noticed on the way."""

    state: State
    findings: tuple[Finding, ...] = ()


def opened(
    agents: Iterable[Agent] = (),
    *,
    initial: Iterable[Proposition] = (),
    policy: SourcePolicy = PEOPLE_AND_TOOLS,
) -> State:
    """Give the state before the first turn: who takes part, and which propositions are in view unasserted."""
    state = joined(State(policy=policy), agents)
    for proposition in initial:
        draft = Draft(state, Origin(moment=state.moment, turn=TurnId(""), speaker=None))
        draft.introduce(proposition)
        acts = (Act(kind=ActKind.INTRODUCED, origin=draft.origin, by=proposition.id),)
        introductions = (Introduction(origin=draft.origin),)
        draft.put(
            Node(
                id=proposition.id,
                role=Role.CLAIM,
                kind=proposition.kind,
                moment=state.moment,
                introductions=introductions,
                acts=acts,
            )
        )
        state = draft.finished()
    return state


def joined(state: State, agents: Iterable[Agent]) -> State:
    """Give the state with further agents in the conversation; one who is there already is replaced."""
    known = state.agents
    for agent in agents:
        known = known.insert(agent.id, agent)
    return replace(state, agents=known)


def step(state: State, turn: Turn, *, is_lenient: bool = False) -> Step:
    """Give the state after a turn; the given one is untouched, whatever happens.

    Cost: what the operations touch, never the length of the conversation.

    Raises:
        RefusedTurn: a precondition fails (unless lenient).
        UnknownReference: the speaker or a reference is unknown.
        RepeatedIdentity: the turn or an id is there already.
        SelfSupport: a claim is given as its own ground.
    """
    if turn.id in state.turns:
        raise RepeatedIdentity(f"turn {turn.id!r} was told already; amend it to give it another meaning")
    agent = state.agents.get(turn.speaker)
    if agent is None:
        raise UnknownReference(turn.speaker, where=f"speaker of {turn.id}")
    if not turn.operations:
        return Step(state=replace(state, turns=state.turns.insert(turn.id, state.moment), last_turn=turn.id))
    draft = Draft(state, _origin(turn, 0, state.moment))
    findings: list[Finding] = []
    for index, operation in enumerate(turn.operations):
        speech = Speech(agent=agent, act=act_id(turn.id, index))
        is_sure = is_plain(operation, draft.find)
        if index:
            # Only what may depend on it needs the state so far: most turns settle once, at their end.
            before = draft.state if is_sure else draft.settled()
            draft.begin(_origin(turn, index, state.moment + index))
        else:
            before = state
        apply_operation(draft, operation, speech)
        for failure in () if is_sure else failures(before, operation, speech):
            if not is_lenient:
                raise RefusedTurn(failure.name.value, failure.message, turn=turn.id, operation=index)
            findings.append(Finding(turn=turn.id, operation=index, failure=failure))
    return Step(state=draft.finished(turn.id), findings=tuple(findings))


def _origin(turn: Turn, index: int, moment: int) -> Origin:
    operation = turn.operations[index]
    source = None if isinstance(operation, Revise | Question) else operation.source
    return Origin(
        moment=moment,
        turn=turn.id,
        speaker=turn.speaker,
        audience=turn.audience,
        uri=source.uri if source is not None else "",
        simultaneous=turn.simultaneous,
    )
