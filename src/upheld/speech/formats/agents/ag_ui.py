"""AG-UI event streams: JSON lines, a list, or server-sent events (``data: …``); a thread is a conversation.

Text and arguments come in pieces and are put together; a snapshot of messages replaces what was there. Source: AG-UI
protocol, *Events* and ``spec/1.0/schema.json`` (docs.ag-ui.com, 2026); thinking events of earlier versions (2025) too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from upheld.errors import MalformedInput
from upheld.speech.formats.exports.dialogue import ASSISTANT, REASONING, Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.messages import hear_message
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.streaming import parsed
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import (
    first_text,
    is_list,
    kind_and_record,
    listed,
    mapping,
    required,
    text,
    time_of,
)
from upheld.speech.formats.transcript import Transcript

_TEXTS = frozenset(("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CHUNK"))
_CALLS = frozenset(("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_CHUNK"))
_ENDS = frozenset(("TEXT_MESSAGE_END", "TOOL_CALL_END", "STEP_STARTED", "STEP_FINISHED", "RUN_FINISHED"))
_THOUGHTS = frozenset(("THINKING_TEXT_MESSAGE_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CHUNK"))
_THINKING = ("THINKING_", "REASONING_")
_DATA = "data:"


@dataclass(slots=True, kw_only=True)
class _Piece:
    """A message, a call or a result that grows while events come in."""

    place: str
    fields: dict[str, object]
    words: list[str] = field(default_factory=list[str])


def is_ag_ui(head: Head) -> bool:
    """Tell whether a file begins with events of a run."""
    if head.text.lstrip().startswith((_DATA, "event:")):
        return '"RUN_STARTED"' in head.text or '"TEXT_MESSAGE_' in head.text
    kinds = [text(mapping(item).get("type")) for item in head.items]
    return any(kind in _TEXTS | _CALLS or kind in {"RUN_STARTED", "MESSAGES_SNAPSHOT"} for kind in kinds)


def read_ag_ui(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read threads, each as soon as a run of another one starts."""
    thread, pieces = "", dict[str, _Piece]()
    for place, content in _events(source, head, tally):
        try:
            kind, event = kind_and_record(content, "an event")
            if kind == "RUN_STARTED" and text(event.get("threadId")) != thread:
                yield from _told(pieces, tally).transcript(thread)
                thread, pieces = text(event.get("threadId")), {}
            _take(pieces, event, kind, place, tally)
        except MalformedInput as error:
            tally.damage(place, error.message)
    yield from _told(pieces, tally).transcript(thread)


def _events(source: Source, head: Head, tally: Tally) -> Iterator[tuple[str, object]]:
    if not head.text.lstrip().startswith((_DATA, "event:")):
        yield from entries(source, head, tally, "events.item")
        return
    with source.opened() as file:
        for count, line in enumerate(file, start=1):
            said = line.decode("utf-8", errors="surrogateescape")
            if said.startswith(_DATA):
                try:
                    yield f"line {count}", parsed(said.removeprefix(_DATA))
                except MalformedInput as error:
                    tally.damage(f"line {count}", error.message)


def _take(pieces: dict[str, _Piece], event: Mapping[str, object], kind: str, place: str, tally: Tally) -> None:
    at = time_of(event.get("timestamp"))
    if kind in _TEXTS:
        piece = _piece(pieces, f"m {_id(event, 'messageId')}", place, {"role": ASSISTANT, "timestamp": at})
        piece.fields.update({name: event[name] for name in ("role", "name") if event.get(name)})
        piece.words.append(_delta(event))
    elif kind in _CALLS:
        piece = _piece(pieces, f"c {_id(event, 'toolCallId')}", place, {"type": "tool_call", "timestamp": at})
        piece.fields.update({"name": event["toolCallName"]} if event.get("toolCallName") else {})
        piece.fields["id"] = event.get("toolCallId")
        piece.words.append(_delta(event))
    elif kind == "TOOL_CALL_RESULT":
        fields = {"role": "tool", "tool_call_id": event.get("toolCallId"), "timestamp": at}
        _piece(pieces, f"r {_id(event, 'toolCallId')}", place, fields).words.append(_delta(event, "content"))
    elif kind == "MESSAGES_SNAPSHOT":
        pieces.clear()
        _take_messages(pieces, event.get("messages"), place)
    elif kind == "RUN_STARTED":
        if not pieces:
            _take_messages(pieces, mapping(event.get("input")).get("messages") or [], place)
    elif kind.startswith(_THINKING):
        tally.leave_out(REASONING, int(kind in _THOUGHTS))
    elif kind not in _ENDS:
        tally.leave_out(kind)


def _take_messages(pieces: dict[str, _Piece], messages: object, place: str) -> None:
    if not is_list(messages):
        raise MalformedInput("expected a list of messages")
    for count, message in enumerate(listed(messages)):
        fields = dict(required(message, "a message"))
        key = first_text(fields, "toolCallId")
        name = f"r {key}" if key else f"m {first_text(fields, 'id') or count}"
        _piece(pieces, name, f"{place}.messages[{count}]", fields)


def _piece(pieces: dict[str, _Piece], key: str, place: str, fields: dict[str, object]) -> _Piece:
    return pieces.setdefault(key, _Piece(place=place, fields=fields))


def _id(event: Mapping[str, object], name: str) -> str:
    found = text(event.get(name))
    if not found:
        raise MalformedInput(f"an event of this type needs a {name}")
    return found


def _delta(event: Mapping[str, object], name: str = "delta") -> str:
    found = event.get(name)
    if found is not None and not isinstance(found, str):
        raise MalformedInput(f"expected text under {name}")
    return found or ""


def _told(pieces: dict[str, _Piece], tally: Tally) -> Dialogue:
    dialogue = Dialogue(tally)
    for piece in pieces.values():
        with dialogue.record(piece.place):
            said = "".join(piece.words)
            if piece.fields.get("type") == "tool_call":
                dialogue.call(text(piece.fields.get("name")), said, id=text(piece.fields.get("id")),
                              at=text(piece.fields.get("timestamp")))  # fmt: skip
            elif text(piece.fields.get("role")) in {"reasoning", "activity"}:
                kind = text(piece.fields["role"])
                tally.leave_out(REASONING if kind == "reasoning" else kind)
            else:
                hear_message(dialogue, {**piece.fields, "content": said} if piece.words else piece.fields)
    return dialogue
