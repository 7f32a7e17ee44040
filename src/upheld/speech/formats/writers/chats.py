"""Transcripts as requests of OpenAI chat completions and of Anthropic messages, and as a ShareGPT record.

Calls and results of tools are written as those forms have them (see :mod:`.roles`). Times, operations and answers have
no place in them.
"""

from __future__ import annotations

from collections.abc import Mapping

from upheld.speech.formats.exports.dialogue import ASSISTANT, SYSTEM, TOOL, USER
from upheld.speech.formats.exports.values import as_json
from upheld.speech.formats.fields import Tree
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writers.roles import INSTRUCTING, Spoken, grouped, spoken


def plain_openai(transcript: Transcript) -> Tree:
    """Give the ``messages`` of a chat completion; a speaker who is not just a role keeps the name."""
    messages: list[Tree] = []
    for group in grouped(spoken(transcript, prefix="call_")):
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
    turns = list(spoken(transcript, prefix="toolu_"))
    begun = next((place for place, each in enumerate(turns) if each.role not in INSTRUCTING), len(turns))
    messages: list[Tree] = []
    for group in grouped(turns[begun:]):
        role = {TOOL: USER, "developer": SYSTEM}.get(group[0].role, group[0].role)
        blocks = [_anthropic_block(each) for each in group]
        messages.append({"role": role, "content": blocks})
    system: Tree = {"system": [{"type": "text", "text": each.text} for each in turns[:begun]]} if begun else {}
    return system | {"messages": messages}


def plain_sharegpt(transcript: Transcript) -> list[Tree]:
    """Give a list of one record; names are lost, and a result belongs to the first call that waits for one."""
    names = {USER: "human", ASSISTANT: "gpt", TOOL: "observation", SYSTEM: "system", "developer": "system"}
    turns = [
        {"from": "function_call" if each.call is not None else names[each.role], "value": each.text}
        for each in spoken(transcript, prefix="call_")
    ]
    return [{"id": transcript.id, "conversations": turns}]


def _openai_call(id: str, name: str, arguments: Mapping[str, object]) -> Tree:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": as_json(arguments)}}


def _anthropic_block(each: Spoken) -> Tree:
    if each.call is not None:
        return {"type": "tool_use", "id": each.id, "name": each.call[0], "input": each.call[1]}
    if each.role == TOOL:
        return {"type": "tool_result", "tool_use_id": each.id, "content": each.text}
    return {"type": "text", "text": each.text}
