"""Speakers of plain transcripts, made into agents as they appear."""

from __future__ import annotations

import re

from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId

_KINDS: dict[str, AgentKind] = {
    **dict.fromkeys(("user", "human", "person", "customer"), AgentKind.PERSON),
    **dict.fromkeys(("assistant", "ai", "bot", "model", "chatbot", "llm"), AgentKind.ASSISTANT),
    **dict.fromkeys(("tool", "function", "system", "developer"), AgentKind.TOOL),
}
_LLM_NAME = re.compile(
    r"(?:chat)?gpt\b.*|(?:claude|gemini|llama|mistral|mixtral|copilot|deepseek|qwen|grok|bard|phi|o[1-9])(?:[-\s.\d].*)?"
)


def kind_of_role(role: str) -> AgentKind:
    """Give the kind of agent that a role or a name of a chat file stands for; a name it does not know is a person's."""
    plain = role.strip().casefold()
    if plain in _KINDS:
        return _KINDS[plain]
    return AgentKind.ASSISTANT if _LLM_NAME.fullmatch(plain) else AgentKind.PERSON


class Speakers:
    """The agents met so far, in order. A name in two roles is two agents: an assistant cannot pass for a person."""

    def __init__(self) -> None:
        """Start with nobody."""
        self._agents: dict[AgentId, Agent] = {}

    def agent(self, name: str, *, role: str = "") -> AgentId:
        """Give the agent of a name, introduced on first sight."""
        kind = kind_of_role(role or name)
        identity = AgentId(re.sub(r"\s+", "_", name.strip().casefold()).lstrip("~") or "unnamed")
        known = self._agents.get(identity)
        if known is not None and known.kind is not kind:
            identity = AgentId(f"{identity}.{kind.value}")
        self._agents.setdefault(identity, Agent(id=identity, name=name.strip(), role=role, kind=kind))
        return identity

    def all(self) -> tuple[Agent, ...]:
        """Give all agents in the order in which they first spoke."""
        return tuple(self._agents.values())
