"""One span or log record of OTLP: its attributes as a mapping, and what was said in it (see :mod:`.otlp`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.logic.language.plain import kind_of
from upheld.speech.formats.exports.dialogue import ASSISTANT, Dialogue
from upheld.speech.formats.exports.messages import hear_message, hear_reply, hear_request
from upheld.speech.formats.exports.parts import words_of
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.traces import Step
from upheld.speech.formats.exports.values import first_text, is_list, json_or_text, listed, mapping, text, time_of

Attributes = Mapping[str, object]

_NUMBERED = re.compile(r"gen_ai\.(prompt|completion)\.(\d{1,4})\.(.+)")
_CALLED = re.compile(r"tool_calls\.(\d{1,3})\.(id|name|arguments)")
_MESSAGE = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message")
_DEPTH = 12
_NAMES = ("gen_ai.tool.name", "tool.name")
_ARGUMENTS = ("gen_ai.tool.call.arguments", "tool.input", "tool.arguments", "tool.parameters")
_RESULTS = ("gen_ai.tool.call.result", "tool.output", "tool.result")


def attributes_of(record: Mapping[str, object]) -> Attributes:
    """Give attributes by name.

    Raises:
        MalformedInput: they are no list of keys and values.
    """
    content = record.get("attributes")
    if content is None:
        return {}
    if not is_list(content):
        raise MalformedInput(f"expected a list of attributes, found {kind_of(content)}")
    pairs = map(mapping, listed(content))
    return {text(pair.get("key")): _value(pair.get("value")) for pair in pairs}


def step_of(place: str, record: Mapping[str, object], attributes: Attributes, tally: Tally) -> Step | None:
    """Give what was said in a span or log record, or nothing where it is about something else; that is counted."""
    at = record.get("startTimeUnixNano") or record.get("timeUnixNano") or record.get("start_time_unix_nano")
    order, dialogue = text(at).zfill(20), Dialogue(tally)
    is_tool = any(name in attributes for name in _NAMES) and "gen_ai.input.messages" not in attributes
    if is_tool:
        with dialogue.record(place):
            _hear_tool(dialogue, attributes, time_of(at))
    else:
        _hear_attributes(dialogue, attributes, place)
        _hear_numbered(dialogue, attributes, place)
        for name, said, where in _events(record, attributes, place):
            _hear_event(dialogue, name, said, where)
        # Which of the messages were there before the call is not said, so all that is new was seen when it began.
        dialogue.date(time_of(at))
    if not dialogue.said:
        tally.leave_out("span without words")
        return None
    return Step(order=order, said=tuple(dialogue.said), is_tool=is_tool)


def _value(content: object, depth: int = _DEPTH) -> object:
    """Give an ``AnyValue`` as what it holds."""
    tree = mapping(content)
    if not depth:
        raise MalformedInput("attributes that are nested too deeply")
    for name, value in tree.items():
        if name == "arrayValue":
            return [_value(each, depth - 1) for each in listed(mapping(value).get("values"))]
        if name == "kvlistValue":
            pairs = map(mapping, listed(mapping(value).get("values")))
            return {text(pair.get("key")): _value(pair.get("value"), depth - 1) for pair in pairs}
        if name.endswith(("Value", "_value")):
            return value
    return content


def _hear_tool(dialogue: Dialogue, attributes: Attributes, at: str) -> None:
    name = first_text(attributes, *_NAMES)
    asked = next((attributes[each] for each in _ARGUMENTS if each in attributes), None)
    dialogue.call(name, asked, at=at)
    back = next((attributes[each] for each in _RESULTS if each in attributes), None)
    if back is not None:
        dialogue.result(back if isinstance(back, str) else words_of(back, dialogue), tool=name, at=at)


def _hear_attributes(dialogue: Dialogue, attributes: Attributes, place: str) -> None:
    """Take the messages of the new conventions: lists, or lists written as JSON."""
    system = _list(attributes.get("gen_ai.system_instructions"))
    if system:
        parts = [part for each in system for part in (listed(mapping(each).get("parts")) or [each])]
        hear_request(dialogue, {"system": parts}, place)
    for name in ("gen_ai.input.messages", "gen_ai.prompt"):
        found = _list(attributes.get(name))
        if found:
            hear_request(dialogue, found, f"{place}.{name}")
            break
    for name in ("gen_ai.output.messages", "gen_ai.completion"):
        for count, each in enumerate(_list(attributes.get(name))):
            hear_reply(dialogue, each, f"{place}.{name}[{count}]")


def _list(content: object) -> list[object]:
    read = json_or_text(content)
    if is_list(read):
        return listed(read)
    return [read] if read else []


def _hear_numbered(dialogue: Dialogue, attributes: Attributes, place: str) -> None:
    """Take ``gen_ai.prompt.0.role`` and its like, prompts first."""
    found: dict[tuple[bool, int], dict[str, object]] = {}
    for name, value in attributes.items():
        numbered = _NUMBERED.fullmatch(name)
        if numbered is not None:
            is_reply = numbered.group(1) == "completion"
            found.setdefault((is_reply, int(numbered.group(2))), {})[numbered.group(3)] = value
    for (is_reply, number), fields in sorted(found.items(), key=lambda pair: pair[0]):
        calls: dict[int, dict[str, object]] = {}
        for name, value in fields.items():
            called = _CALLED.fullmatch(name)
            if called is not None:
                calls.setdefault(int(called.group(1)), {})[called.group(2)] = value
        content = fields.get("content")
        blocks = json_or_text(content)
        message: dict[str, object] = {
            "role": fields.get("role") or (ASSISTANT if is_reply else "user"),
            "content": blocks if is_list(blocks) and all("type" in mapping(each) for each in blocks) else content,
            "tool_calls": [calls[each] for each in sorted(calls)],
            "tool_call_id": fields.get("tool_call_id"),
        }  # fmt: skip
        with dialogue.record(f"{place}.{'completion' if is_reply else 'prompt'}.{number}"):
            hear_message(dialogue, message)


def _events(record: Mapping[str, object], attributes: Attributes, place: str) -> Iterator[tuple[str, Attributes, str]]:
    """Give the events of a span, or the one that a log record is, by name."""
    name = first_text(record, "eventName", "event_name") or text(attributes.get("event.name"))
    if name:
        yield name, {**attributes, **mapping(_value(record.get("body")))}, place
    for count, event in enumerate(map(mapping, listed(record.get("events")))):
        yield text(event.get("name")), attributes_of(event), f"{place}.events[{count}]"


def _hear_event(dialogue: Dialogue, name: str, said: Attributes, place: str) -> None:
    inner = mapping(json_or_text(said.get("gen_ai.event.content"))) or said
    spoken = _MESSAGE.fullmatch(name)
    if spoken is not None:
        calls = json_or_text(inner.get("tool_calls"))
        with dialogue.record(place):
            hear_message(dialogue, {"role": spoken.group(1), **inner, "tool_calls": listed(calls)})
    elif name == "gen_ai.choice":
        message = json_or_text(inner.get("message")) or inner
        fields = message if isinstance(message, str) else {"role": ASSISTANT, **mapping(message)}
        hear_reply(dialogue, fields, place)
    elif name in {"gen_ai.content.prompt", "gen_ai.content.completion", "gen_ai.client.inference.operation.details"}:
        _hear_attributes(dialogue, said, place)
