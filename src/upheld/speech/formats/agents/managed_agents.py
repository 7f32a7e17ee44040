"""Event streams of Anthropic's managed agents: JSON lines of events, bare or beside the name of the call they came by.

Source: the recorded streams of langchain-ai/langsmith-sdk (July 2026), ``client.beta.sessions.events``, and Anthropic,
*Managed agents: session events* (2026).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.speech.formats.exports.dialogue import ASSISTANT, REASONING, SYSTEM, USER, Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.parts import Voice, hear_content, words_of
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import first_text, is_list, listed, mapping, required, text, time_of
from upheld.speech.formats.transcript import Transcript

_SPEAKERS = {"user.message": USER, "agent.message": ASSISTANT}
_BEGINNINGS = ("user.", "agent.", "session.", "span.")


def is_managed_agents(head: Head) -> bool:
    """Tell whether a file begins with events of a session."""
    events = [_event(item) for item in head.items]
    return bool(events) and any(_is_event(event) for event in events) and "parts" not in events[0]


def read_managed_agents(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read sessions; an event that comes twice counts once, and what was sent is taken from the stream."""
    dialogue, seen = Dialogue(tally), set[str]()
    id = title = ""
    for place, item in entries(source, head, tally, "data.item", "events.item"):
        event = _event(item)
        if text(event.get("type")) == "session" and event.get("id") != id:
            yield from dialogue.transcript(id, title=title)
            dialogue, seen = Dialogue(tally), set[str]()
            id, title = text(event.get("id")), text(event.get("title"))
            instructions = text(mapping(event.get("agent")).get("system"))
            if instructions:
                dialogue.say(SYSTEM, instructions, role=SYSTEM, at=time_of(event.get("created_at")))
            continue
        with dialogue.record(place):
            if is_list(item) and text(listed(item)[0] if item else None).endswith(".send"):
                continue
            _hear(dialogue, required(event, "an event"), seen)
    yield from dialogue.transcript(id, title=title)


def _event(item: object) -> Mapping[str, object]:
    return mapping(listed(item)[1]) if is_list(item) and len(listed(item)) > 1 else mapping(item)


def _is_event(event: Mapping[str, object]) -> bool:
    kind = text(event.get("type"))
    return kind.startswith(_BEGINNINGS) or (kind == "session" and "agent" in event)


def _hear(dialogue: Dialogue, event: Mapping[str, object], seen: set[str]) -> None:
    id, kind, at = text(event.get("id")), text(event.get("type")), time_of(event.get("processed_at"))
    if id and id in seen:
        return
    seen.add(id)
    if not kind:
        raise MalformedInput("an event needs a type")
    if kind in _SPEAKERS:
        speaker = _SPEAKERS[kind]
        voice = Voice(dialogue=dialogue, speaker=speaker, role=speaker, at=at)
        hear_content(voice, event.get("content"))
        voice.pause()
    elif kind.endswith("tool_use"):
        dialogue.call(text(event.get("name")), event.get("input"), id=id, at=at)
    elif kind.endswith("tool_result"):
        called = first_text(event, "tool_use_id", "mcp_tool_use_id", "custom_tool_use_id")
        dialogue.result(words_of(event.get("content"), dialogue), id=called, at=at)
    elif kind == "user.tool_confirmation" and text(event.get("deny_message")).strip():
        dialogue.say(USER, text(event["deny_message"]), role=USER, at=at)
    else:
        about = kind.split(".")[0] if kind.startswith(("session.", "span.")) else kind
        dialogue.tally.leave_out(REASONING if kind == "agent.thinking" else f"{about} event")
