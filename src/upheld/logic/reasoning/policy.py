"""Who may ground what (semantics, section 10)."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.provenance import Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePolicy:
    """Which kinds of agents are sources: what a source observes stands until it is attacked.

    What another agent states as fact stands only on grounds: a source outside the conversation, evidence, or what
    others said. The name is given in every verdict that the policy decides.
    """

    name: str
    sources: frozenset[AgentKind]

    def vouches(self, agent: Agent, source: Provenance | None) -> bool:
        """Tell whether a statement of the agent stands on its own."""
        return agent.kind in self.sources or source is not None


PEOPLE_AND_TOOLS = SourcePolicy(
    name="people and tools are sources", sources=frozenset({AgentKind.PERSON, AgentKind.TOOL})
)
"""The default: an assistant's statements must themselves be grounded."""

EVERYONE = SourcePolicy(name="every agent is a source", sources=frozenset(AgentKind))
"""For annotated files, whose labeller has judged what was observed."""
