"""Who takes part, and who hears what."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from upheld.logic.language.identities import AgentId


class AgentKind(StrEnum):
    """What sort of party an agent is; the policy of sources is stated over these."""

    PERSON = "person"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A party to the conversation.

    ``authority`` may settle an issue by an authoritative resolve. ``observes`` lists the atoms whose truth the agent
    sees for itself (knowledge puzzles).
    """

    id: AgentId
    name: str = ""
    role: str = ""
    kind: AgentKind = AgentKind.PERSON
    authority: bool = False
    observes: frozenset[str] = frozenset()


Audience = frozenset[AgentId]
"""Those who heard a turn besides its speaker. ``None`` in its place means: all who are there."""


def hears(agent: AgentId, *, speaker: AgentId, audience: Audience | None) -> bool:
    """Tell whether ``agent`` has a turn in view."""
    return audience is None or agent == speaker or agent in audience
