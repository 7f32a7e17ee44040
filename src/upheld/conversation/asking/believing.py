"""Statements about what is known and believed: the base answers where one can, and else the structure of all agents."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol, cast

from upheld.errors import CouldNotCheck
from upheld.logic.language.formulas import (
    And,
    Formula,
    Not,
    OfAgent,
    OfGroup,
    SafelyBelieves,
    Top,
    agents_of,
    is_propositional,
    parts_of,
)
from upheld.logic.language.identities import AgentId
from upheld.logic.language.notation import format_formula
from upheld.logic.reasoning.answers.views import awareness_of
from upheld.logic.reasoning.state import State

SeenBy = Callable[[AgentId], State]
"""Gives the state as an agent was told it."""


class Ways(Protocol):
    """The ways that things may be: see :class:`upheld.logic.reasoning.mutual.Mutual`."""

    def count_worlds(self, formula: Formula = ...) -> int:
        """Give the number of those in which a formula holds."""
        ...

    def holds(self, formula: Formula, *, given: Formula = ...) -> bool:
        """Tell whether it holds in all of them."""
        ...


def is_so(state: State, seen_by: SeenBy, formula: Formula, given: Formula | None = None) -> bool:
    """Tell whether a formula of the notation holds, however things are, as far as they were told and ``given`` says.

    Cost: some judgements of the ordered base for a statement about one agent, without nesting; else decision diagrams
    over what the formula may depend on.

    Raises:
        CouldNotCheck: that depends on how things are.
        MissingExtra: a statement about several agents, and the diagram library is not installed.
        LimitExceeded: the diagrams grow beyond their limit.
    """
    if has_agent_of_its_own(state, formula, given):
        (agent,) = agents_of(formula)
        seen = seen_by(AgentId(agent))
        return seen.plausibility.holds(formula, aware=awareness_of(state, AgentId(agent)))
    if is_propositional(formula) and not has_talk_of_knowledge(state):
        return _is_fact(state, formula, given or Top())
    return worlds_of(state, seen_by, formula, given).holds(formula, given=given or Top())


def worlds_of(state: State, seen_by: SeenBy, *asked: Formula | None) -> Ways:
    """Give the knowledge structure of all agents in which formulas can be judged; raises like :func:`is_so`."""
    views = {agent: seen_by(agent) for agent in state.agents}
    # Loaded at the first such question: most conversations are never asked one.
    mutual = import_module("upheld.logic.reasoning.mutual").mutual
    return cast("Ways", mutual(state, views, [formula for formula in asked if formula is not None]))


def has_agent_of_its_own(state: State, formula: Formula, given: Formula | None) -> bool:
    """Tell whether the base of one agent can answer: nothing nested, nothing that depends on how things are."""
    named = agents_of(formula)
    if len(named) != 1 or given is not None or has_talk_of_knowledge(state):
        return False
    if any(state.agents[AgentId(agent)].observes for agent in named):
        return False
    pending = [formula]
    while pending:
        part = pending.pop()
        if isinstance(part, OfGroup | SafelyBelieves):
            return False
        if isinstance(part, OfAgent):
            if not all(is_propositional(each) for each in parts_of(part)):
                return False
        elif parts_of(part):
            pending.extend(parts_of(part))
        elif not isinstance(part, Top):
            return False
    return True


def has_talk_of_knowledge(state: State) -> bool:
    """Tell whether some claim says something about knowledge. Cost: the claims that have a formula."""
    about = {id for ids in state.atoms.values() for id in ids}
    formulas = (state.proposition(id).formula for id in about)
    return any(formula is not None and not is_propositional(formula) for formula in formulas)


def _is_fact(state: State, formula: Formula, given: Formula) -> bool:
    base = state.plausibility
    if base.knows(Not(given)):
        raise CouldNotCheck(f"nothing that was told leaves {format_formula(given)} possible")
    if not base.is_consistent_with(And((given, Not(formula)))):
        return True
    if not base.is_consistent_with(And((given, formula))):
        return False
    raise CouldNotCheck(f"nobody said whether {format_formula(formula)} is so: ask whether it is known or believed")
