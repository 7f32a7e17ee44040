"""Transcripts as requests of OpenAI chat completions and of Anthropic messages, and as a ShareGPT record.

Calls and results of tools are written as those forms have them: a turn that :func:`tool_call_text` wrote is a call, and
a result answers the first call of its tool that waits. Times, operations and answers have no place in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from upheld.logic.language.agents import Agent, AgentKind
from upheld.speech.formats.exports.dialogue import ASSISTANT, SYSTEM, TOOL, USER
from upheld.speech.formats.exports.values import as_json
from upheld.speech.formats.fields import Tree
from upheld.speech.formats.plain.calls import tool_call_of
from upheld.speech.formats.transcript import Transcript

_INSTRUCTING = (SYSTEM, "developer")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spoken:
    """A turn as interfaces see it: a role, and words, a call, or a result with the id of its call."""

    role: str
    name: str
    text: str
    id: str = ""
    call: tuple[str, Mapping[str, object]] | None = None


@dataclass(slots=True)
class _Calls:
    """Ids given to calls, and which of them wait for a result."""

    prefix: str
    count: int = 0
    waiting: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def made(self, tool: str) -> str:
        self.count += 1
        id = f"{self.prefix}{self.count}"
        self.waiting.setdefault(tool, []).append(id)
        return id

    def answered(self, tool: str) -> str:
        waiting = self.waiting.get(tool)
        return waiting.pop(0) if waiting else f"{self.prefix}0"


def plain_openai(transcript: Transcript) -> Tree:
    """Give the ``messages`` of a chat completion; a speaker who is not just a role keeps the name."""
    messages: list[Tree] = []
    for group in _grouped(_spoken(transcript, _Calls("call_"))):
        first = group[0]
        message: Tree = {"role": first.role}
        if first.role == TOOL:
            messages.extend(
                {"role": TOOL, "tool_call_id": each.id, "name": each.name, "content": each.text} for each in group
            )
            continue
        if first.name != first.role:
            message["name"] = first.name
        message["content"] = next((each.text for each in group if each.call is None), None)
        calls = [_openai_call(each.id, *each.call) for each in group if each.call is not None]
        messages.append(message | ({"tool_calls": calls} if calls else {}))
    return {"messages": messages}


def plain_anthropic(transcript: Transcript) -> Tree:
    """Give ``system`` and ``messages``; names of people are lost, since the interface has roles only.

    Instructions that come later are written with the role ``system``, which the interface itself may refuse: as words
    of a user they would be somebody else's.
    """
    spoken = list(_spoken(transcript, _Calls("toolu_")))
    begun = next((place for place, each in enumerate(spoken) if each.role not in _INSTRUCTING), len(spoken))
    messages: list[Tree] = []
    for group in _grouped(iter(spoken[begun:])):
        role = {TOOL: USER, "developer": SYSTEM}.get(group[0].role, group[0].role)
        blocks = [_anthropic_block(each) for each in group]
        messages.append({"role": role, "content": blocks})
    system: Tree = {"system": [{"type": "text", "text": each.text} for each in spoken[:begun]]} if begun else {}
    return system | {"messages": messages}


def plain_sharegpt(transcript: Transcript) -> list[Tree]:
    """Give a list of one record; names are lost, and a result belongs to the first call that waits for one."""
    names = {USER: "human", ASSISTANT: "gpt", TOOL: "observation", SYSTEM: "system", "developer": "system"}
    turns = [
        {"from": "function_call" if each.call is not None else names[each.role], "value": each.text}
        for each in _spoken(transcript, _Calls("call_"))
    ]
    return [{"id": transcript.id, "conversations": turns}]


def _spoken(transcript: Transcript, calls: _Calls) -> Iterator[_Spoken]:
    agents = {agent.id: agent for agent in transcript.agents}
    for turn in transcript.turns:
        agent = agents[turn.speaker]
        name, role = agent.name or agent.id, _role(agent)
        call = tool_call_of(turn.text) if role == ASSISTANT else None
        if call is not None:
            yield _Spoken(role=role, name=name, text=turn.text, id=calls.made(call[0].strip()), call=call)
        else:
            yield _Spoken(role=role, name=name, text=turn.text, id=calls.answered(name) if role == TOOL else "")


def _role(agent: Agent) -> str:
    if agent.kind is AgentKind.TOOL:
        return next((each for each in _INSTRUCTING if each in (agent.role, agent.name, agent.id)), TOOL)
    return USER if agent.kind is AgentKind.PERSON else ASSISTANT


def _grouped(spoken: Iterator[_Spoken]) -> Iterator[list[_Spoken]]:
    """Put calls of one speaker together, behind the words just before them, and results that follow each other."""
    group: list[_Spoken] = []
    for each in spoken:
        last = group[-1] if group else None
        is_same = last is not None and (last.role, last.name) == (each.role, each.name)
        joins = (is_same and each.call is not None) or (last is not None and last.role == each.role == TOOL)
        if group and not joins:
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _openai_call(id: str, name: str, arguments: Mapping[str, object]) -> Tree:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": as_json(arguments)}}


def _anthropic_block(spoken: _Spoken) -> Tree:
    if spoken.call is not None:
        return {"type": "tool_use", "id": spoken.id, "name": spoken.call[0], "input": spoken.call[1]}
    if spoken.role == TOOL:
        return {"type": "tool_result", "tool_use_id": spoken.id, "content": spoken.text}
    return {"type": "text", "text": spoken.text}
