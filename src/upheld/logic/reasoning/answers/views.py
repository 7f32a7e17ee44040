"""What an agent has in view: who heard what (semantics, section 8)."""

from __future__ import annotations

from upheld.logic.language.agents import hears
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State


def was_told(turn: Turn, agent: AgentId) -> bool:
    """Tell whether an agent was told a turn: a view folds only these."""
    return hears(agent, speaker=turn.speaker, audience=turn.audience)


def has_in_view(state: State, agent: AgentId, id: PropositionId) -> bool:
    """Tell whether an agent was ever told a proposition. Cost: the times that it was said."""
    introductions = state.node(id).introductions
    return any(
        each.origin.speaker is None or hears(agent, speaker=each.origin.speaker, audience=each.origin.audience)
        for each in introductions
        if not state.is_withdrawn(each.origin)
    )


def awareness_of(state: State, agent: AgentId) -> frozenset[str]:
    """Give A(i): the atoms that an agent has in view, those of formulas included. Cost: all propositions."""
    seen = {id for id in state.propositions if has_in_view(state, agent, id)}
    return frozenset(seen) | {name for name, ids in state.atoms.items() if any(id in seen for id in ids)}
