"""A conversation as the interfaces of language models see it: roles, words, calls of tools, and results of calls.

A turn that :func:`tool_call_text` wrote is a call, and a result answers the first call of its tool that waits. Ids are
counted, so that the same conversation is always written in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from upheld.logic.language.agents import Agent, AgentKind
from upheld.speech.formats.exports.dialogue import ASSISTANT, SYSTEM, TOOL, USER
from upheld.speech.formats.plain.calls import tool_call_of
from upheld.speech.formats.transcript import Transcript

INSTRUCTING = (SYSTEM, "developer")
"""Roles of those who instruct the assistant; here they are tools, whatever an interface calls them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A turn with its role: words, a call, or a result.

    ``id`` is that of a call, or of the call that a result answers; it is new where ``is_answer`` is false.
    """

    role: str
    name: str
    text: str
    at: str = ""
    id: str = ""
    is_answer: bool = False
    call: tuple[str, Mapping[str, object]] | None = None


@dataclass(slots=True)
class _Calls:
    """Ids given to calls, and which of them wait for a result."""

    prefix: str
    count: int = 0
    waiting: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def made(self, tool: str) -> str:
        id = self.counted()
        self.waiting.setdefault(tool, []).append(id)
        return id

    def answered(self, tool: str) -> str:
        waiting = self.waiting.get(tool)
        return waiting.pop(0) if waiting else ""

    def counted(self) -> str:
        self.count += 1
        return f"{self.prefix}{self.count}"


def spoken(transcript: Transcript, *, prefix: str) -> Iterator[Spoken]:
    """Give the turns with their roles; ids of calls begin with ``prefix``. Cost: linear."""
    calls = _Calls(prefix)
    agents = {agent.id: agent for agent in transcript.agents}
    for turn in transcript.turns:
        agent = agents[turn.speaker]
        name, role = agent.name or agent.id, _role(agent)
        plain = Spoken(role=role, name=name, text=turn.text, at=turn.at)
        call = tool_call_of(turn.text) if role == ASSISTANT else None
        if call is not None:
            yield replace(plain, id=calls.made(call[0].strip()), call=call)
        elif role == TOOL:
            answered = calls.answered(name)
            # Forms that know a result by its call alone would take two results with one id for one.
            yield replace(plain, id=answered or calls.counted(), is_answer=bool(answered))
        else:
            yield plain


def grouped(turns: Iterable[Spoken]) -> Iterator[list[Spoken]]:
    """Put calls of one speaker together, behind the words just before them, and results that follow each other."""
    group: list[Spoken] = []
    for each in turns:
        last = group[-1] if group else None
        is_same = last is not None and (last.role, last.name) == (each.role, each.name)
        joins = (is_same and each.call is not None) or (last is not None and last.role == each.role == TOOL)
        if group and not joins:
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _role(agent: Agent) -> str:
    if agent.kind is AgentKind.TOOL:
        return next((each for each in INSTRUCTING if each in (agent.role, agent.name, agent.id)), TOOL)
    return USER if agent.kind is AgentKind.PERSON else ASSISTANT
