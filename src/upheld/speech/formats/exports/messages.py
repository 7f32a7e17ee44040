"""Messages and whole requests and replies, whichever interface wrote them.

A message has a role (or a type that is one) and a content, or is a part on its own, as the items of OpenAI Responses
are. Dumps of LangChain messages (langchain-core 0.3, 2025: ``lc``/``kwargs``, ``type``/``data``) are the same inside.
"""

from __future__ import annotations

from collections.abc import Mapping

from upheld.errors import MalformedInput
from upheld.logic.language.plain import kind_of
from upheld.speech.formats.exports.dialogue import ASSISTANT, REASONING, SYSTEM, TOOL, USER, Dialogue
from upheld.speech.formats.exports.parts import (
    CALLS,
    RESULTS,
    THOUGHTS,
    UNSEEN,
    Voice,
    hear_content,
    hear_part,
    words_of,
)
from upheld.speech.formats.exports.values import (
    first_text,
    is_list,
    is_mapping,
    listed,
    mapping,
    required,
    text,
    time_of,
)

_ROLES = {"human": USER, "ai": ASSISTANT, "model": ASSISTANT, "gpt": ASSISTANT, "function": TOOL, "agent": ASSISTANT}
_CLASSES = {
    "HumanMessage": USER, "AIMessage": ASSISTANT, "AIMessageChunk": ASSISTANT, "SystemMessage": SYSTEM,
    "ToolMessage": TOOL, "FunctionMessage": TOOL, "ChatMessage": "",
}  # fmt: skip
_PARTS = CALLS | RESULTS | THOUGHTS | frozenset(UNSEEN) | frozenset(("mcp_list_tools", "item_reference", "compaction"))
_CONTENTS = ("content", "parts", "text", "value")
_THOUGHTS = ("reasoning_content", "reasoning", "thinking", "reasoning_details")
_THINKING = frozenset(_THOUGHTS)
_SPOKEN = _THINKING | frozenset((*_CONTENTS, "tool_calls", "toolCalls", "function_call", "refusal", "audio"))
_TIMES = ("at", "timestamp", "created_at", "createTime", "time")
INPUTS = ("messages", "input", "contents", "prompt")
OUTPUTS = ("choices", "output", "candidates", "generations", "message", "completion", "response")


def hear_messages(dialogue: Dialogue, content: object, place: str) -> None:
    """Take a list of messages, or one; damaged ones are noted with their place.

    A list of lists, as LangChain batches are, is taken one after the other.
    """
    if not is_list(content):
        with dialogue.record(place):
            hear_message(dialogue, content)
        return
    for count, message in enumerate(content):
        batch = message if is_list(message) and message else [message]
        for each in batch:
            with dialogue.record(f"{place}[{count}]"):
                hear_message(dialogue, each)


def hear_message(dialogue: Dialogue, content: object, *, role: str = "") -> None:
    """Take one message; ``role`` is that of a message which names none.

    Raises:
        MalformedInput: it is no message.
    """
    if isinstance(content, str):
        dialogue.say(role or USER, content, role=role or USER)
        return
    tree, wrapped_role = _unwrapped(required(content, "a message"))
    kind = text(tree.get("type"))
    named = first_text(tree, "role") or wrapped_role or (_ROLES.get(kind, "") if kind in _ROLES else "")
    if not named and (kind in _PARTS or kind.endswith("tool_result")):
        voice = Voice(dialogue=dialogue, at=_at(tree))
        hear_part(voice, tree)
        voice.pause()
        return
    named = named or (kind if kind in {USER, ASSISTANT, SYSTEM, TOOL, "developer"} else "") or role
    if not named:
        raise MalformedInput("a message needs a role")
    _hear_spoken(dialogue, tree, _ROLES.get(named, named))


def hear_request(dialogue: Dialogue, content: object, place: str) -> None:
    """Take what was sent to a language model: its instructions, then its messages."""
    if isinstance(content, str) or is_list(content):
        hear_messages(dialogue, content, place)
        return
    tree = mapping(content)
    for name in ("system", "instructions", "systemInstruction", "system_instruction"):
        if tree.get(name):
            with dialogue.record(f"{place}.{name}"):
                _hear_instructions(dialogue, tree[name])
    for name in INPUTS:
        if tree.get(name):
            hear_messages(dialogue, tree[name], f"{place}.{name}".lstrip("."))
            return


def hear_reply(dialogue: Dialogue, content: object, place: str) -> None:
    """Take what a language model answered: the first choice of several, the others counted."""
    if isinstance(content, str):
        with dialogue.record(place):
            dialogue.say(ASSISTANT, content, role=ASSISTANT)
        return
    tree = mapping(content)
    if not tree or "role" in tree or "lc" in tree:
        for message in [content] if tree else listed(content):
            with dialogue.record(place):
                hear_message(dialogue, message, role=ASSISTANT)
        return
    for name in OUTPUTS:
        found = tree.get(name)
        if not found:
            continue
        if name in {"choices", "candidates", "generations"} and is_list(found):
            found = _first_choice(dialogue, found)
        if name == "response" and is_mapping(found):
            hear_reply(dialogue, found, place)
            return
        for each in listed(found) or [found]:
            with dialogue.record(f"{place}.{name}".lstrip(".")):
                hear_message(dialogue, each, role=ASSISTANT)
        return
    if "content" in tree or "text" in tree:
        with dialogue.record(place):
            hear_message(dialogue, tree, role=ASSISTANT)


def _unwrapped(tree: Mapping[str, object]) -> tuple[Mapping[str, object], str]:
    """Give a dump of a LangChain message as the message in it, with the role that its class stands for."""
    names = listed(tree.get("id"))
    if "kwargs" in tree and names:
        return required(tree["kwargs"], "the fields of a message"), _CLASSES.get(text(names[-1]), "")
    if is_mapping(tree.get("data")) and text(tree.get("type")) in {*_ROLES, SYSTEM, TOOL, USER}:
        kind = text(tree.get("type"))
        return required(tree["data"], "the fields of a message"), _ROLES.get(kind, kind)
    return tree, ""


def _hear_spoken(dialogue: Dialogue, tree: Mapping[str, object], role: str) -> None:
    content = next((tree[name] for name in _CONTENTS if tree.get(name) is not None), None)
    if not (content is None or isinstance(content, str) or is_list(content) or is_mapping(content)):
        raise MalformedInput(f"expected text or a list of parts, found {kind_of(content)}")
    if _SPOKEN.isdisjoint(tree):
        raise MalformedInput("a message needs a content")
    name, at = text(tree.get("name")), _at(tree)
    is_result_part = any(_is_result(part) for part in listed(content))
    if role == TOOL and not is_result_part:
        id = first_text(tree, "tool_call_id", "toolCallId", "id")
        dialogue.result(words_of(content, dialogue), tool=name, id=id, at=at)
        return
    voice = Voice(dialogue=dialogue, speaker=name or role, role=role, at=at)
    if not _THINKING.isdisjoint(tree) and any(tree.get(each) for each in _THOUGHTS):
        dialogue.tally.leave_out(REASONING)
    for each in (content, tree.get("refusal"), mapping(tree.get("audio")).get("transcript")):
        hear_content(voice, each)
    calls = _calls(tree)
    if not any(each.strip() for each in voice.words) and not calls and content in ("", None, []):
        dialogue.tally.leave_out("empty message")
    voice.pause()
    for call in calls:
        hear_part(voice, {**required(call, "a tool call"), "type": "tool_call"})


def _is_result(part: object) -> bool:
    kind = text(mapping(part).get("type"))
    return kind in RESULTS or kind.endswith("tool_result") or "functionResponse" in mapping(part)


def _calls(tree: Mapping[str, object]) -> list[object]:
    """Give the calls beside the content, unless the content has them as parts."""
    if any(text(mapping(part).get("type")) in CALLS for part in listed(tree.get("content"))):
        return []
    calls = tree.get("tool_calls") or tree.get("toolCalls")
    if calls is None and tree.get("function_call") is not None:
        calls = [{"function": tree["function_call"]}]
    if calls is not None and not is_list(calls):
        raise MalformedInput(f"expected a list of tool calls, found {kind_of(calls)}")
    return listed(calls)


def _hear_instructions(dialogue: Dialogue, content: object) -> None:
    """Take instructions: a turn for each text, as each is one of a list of system messages."""
    for part in content if is_list(content) else [content]:
        voice = Voice(dialogue=dialogue, speaker=SYSTEM, role=SYSTEM)
        tree = mapping(part)
        hear_content(voice, tree.get("parts") if "parts" in tree else part)
        voice.pause()


def _first_choice(dialogue: Dialogue, choices: list[object]) -> list[object]:
    first = choices[0] if choices else None
    while is_list(first) and first:
        choices, first = first, first[0]
    dialogue.tally.leave_out("another choice", len(choices) - 1)
    tree = mapping(first)
    inner = tree.get("message") or tree.get("content") or tree
    return [{"role": ASSISTANT, "content": inner} if isinstance(inner, str) else inner]


def _at(tree: Mapping[str, object]) -> str:
    return next((time_of(tree[name]) for name in _TIMES if tree.get(name) is not None), "")
