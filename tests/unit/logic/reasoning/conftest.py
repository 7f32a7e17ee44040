"""A conversation in one line, for tests of the engine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.operations import Operation
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.policy import EVERYONE, SourcePolicy
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import opened, step

Hear = Callable[..., State]


@pytest.fixture
def start() -> State:
    """Ann has authority, Bob has none, Bot is an assistant; everybody is a source."""
    return started(EVERYONE)


def started(policy: SourcePolicy) -> State:
    """The three of them under a policy."""
    agents = (
        Agent(id=AgentId("ann"), authority=True), Agent(id=AgentId("bob")),
        Agent(id=AgentId("bot"), kind=AgentKind.ASSISTANT),
    )  # fmt: skip
    return opened(agents, policy=policy)


@pytest.fixture
def hear() -> Hear:
    """One more turn: ``hear(state, operation, …, by="bob", to=["ann"])``."""

    def heard(state: State, *operations: Operation, by: str = "ann", to: list[str] | None = None) -> State:
        audience = None if to is None else frozenset(map(AgentId, to))
        id = TurnId(f"T{len(state.turns) + 1}")
        turn = Turn(id=id, speaker=AgentId(by), operations=operations, audience=audience)
        return step(state, turn, is_lenient=True).state

    return heard
