"""Transcripts as OTLP in JSON: one GenAI span, the call of a language model that ends the conversation.

What was said before it is ``gen_ai.input.messages``, and what the assistant said last is ``gen_ai.output.messages``,
both as JSON in a text, as exporters write them. Instructions stay where they were said, as messages: the other place
for them, ``gen_ai.system_instructions``, does not say who gave them. A span a call would repeat the whole conversation
each time.

Lost are: all times but that of the call, titles, operations and answers. Which provider and which model were called is
not known, so ``gen_ai.provider.name``, which the conventions ask for, is left out. Source: semantic-conventions 1.37
(August 2025) and semantic-conventions-genai (2026), *Spans*, ``gen-ai-input-messages.json`` and its sibling;
opentelemetry-proto 1.5 (2025), *JSON Protobuf Encoding*.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from upheld.speech.formats.exports.dialogue import ASSISTANT, TOOL
from upheld.speech.formats.exports.values import as_json, milliseconds_of
from upheld.speech.formats.fields import Tree
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writers.roles import Spoken, grouped, spoken

_CLIENT = 3
_NANOSECONDS = 1_000_000
_TRACE, _SPAN = 32, 16
"""Digits of ids."""


def plain_otlp(transcript: Transcript) -> Tree:
    """Give the spans of a trace, by resource and scope. Cost: linear."""
    groups = list(grouped(spoken(transcript, prefix="call_")))
    is_answered = bool(groups) and groups[-1][0].role == ASSISTANT
    asked, replied = (groups[:-1], groups[-1:]) if is_answered else (groups, [])
    said = {
        "gen_ai.conversation.id": transcript.id,
        "gen_ai.input.messages": as_json([_message(group) for group in asked]) if asked else "",
        "gen_ai.output.messages": as_json([_reply(group) for group in replied]) if replied else "",
    }
    # A counted id would be that of every conversation, and those that are sent together would be one trace.
    id = hashlib.sha256(as_json(said).encode("utf-8", errors="surrogatepass")).hexdigest()
    attributes = {"gen_ai.operation.name": "chat"} | {name: value for name, value in said.items() if value}
    span: Tree = {
        "traceId": id[:_TRACE],
        "spanId": id[_TRACE : _TRACE + _SPAN],
        "name": "chat",
        "kind": _CLIENT,
        **_times(asked, replied),
        "attributes": [{"key": name, "value": {"stringValue": value}} for name, value in attributes.items()],
    }
    return {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "upheld"}, "spans": [span]}]}]}


def _message(group: Sequence[Spoken]) -> Tree:
    first = group[0]
    named: Tree = {} if first.role == TOOL or first.name == first.role else {"name": first.name}
    return {"role": first.role, **named, "parts": [_part(each) for each in group]}


def _reply(group: Sequence[Spoken]) -> Tree:
    return _message(group) | {"finish_reason": "stop" if group[-1].call is None else "tool_call"}


def _part(each: Spoken) -> Tree:
    if each.call is not None:
        name, arguments = each.call
        return {"type": "tool_call", "id": each.id, "name": name, "arguments": arguments}
    if each.role == TOOL:
        # The conventions have no name here, but leave parts open, and a result without a call has no other.
        return {"type": "tool_call_response", "id": each.id, "name": each.name, "response": each.text}
    return {"type": "text", "content": each.text}


def _times(asked: Sequence[Sequence[Spoken]], replied: Sequence[Sequence[Spoken]]) -> Tree:
    """Give when the call began, which is when the last was said that it held, and when it ended; if that is known."""
    before, after = _moments(asked), _moments(replied)
    if not before and not after:
        return {}
    start = (before or after)[-1]
    end = max((start, *after))
    return {"startTimeUnixNano": str(start * _NANOSECONDS), "endTimeUnixNano": str(end * _NANOSECONDS)}


def _moments(groups: Sequence[Sequence[Spoken]]) -> list[int]:
    return [at for group in groups for each in group if (at := milliseconds_of(each.at)) is not None]
