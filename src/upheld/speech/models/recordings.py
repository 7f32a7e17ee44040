r"""Replies that were really obtained, in a file that says from whom and when, played back byte for byte.

A recording is a JSONL file. Its first line says what it is; every other line is one reply::

    {"format": "upheld/recorded-replies@1", "model": "…", "known": "…", "date": "2026-11-30", "note": "…"}
    {"key": "9f…", "prompt": "interpret@1", "custom_id": "T1", "text": "{\"operations\": …", "finish": "stop",
     "usage": {"calls": 1, "input_tokens": 812, "output_tokens": 96}}

``request`` may stand in a line as well; then ``key`` may be absent, and must be right when it is there.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from upheld.errors import MalformedInput, NoRecording
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.plain import (
    Reading,
    numbered_lines,
    plain_request,
    plain_usage,
    read_reply,
    read_request,
    tree_of,
)
from upheld.speech.models.reply import Reply, Usage
from upheld.speech.models.request import Request

FORMAT = "upheld/recorded-replies@1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where recorded replies come from.

    ``asked`` is the language model as it was named, ``known`` what else is known of it, ``date`` the day in ISO 8601,
    ``note`` anything that a reader of a figure should know.
    """

    asked: str
    known: str = ""
    date: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One reply, the key of its request, and what the request was, as far as it was written down."""

    key: str
    reply: Reply
    prompt: str = ""
    custom_id: str = ""
    request: Request | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """An origin and its replies by the key of the request, in the order of the file."""

    origin: Origin
    replies: Mapping[str, Recorded] = field(hash=False)


class RecordedModel:
    """Replays a recording; a request that it does not have is refused, and nothing is ever sent."""

    def __init__(self, recording: Recording) -> None:
        """Read a file with :func:`read_recording`."""
        self.name = recording.origin.asked
        self.recording = recording

    def ask(self, request: Request, /) -> Reply:
        """Give the recorded reply, as ``reused``.

        Raises:
            NoRecording: there is none of this request.
        """
        recorded = self.recording.replies.get(request.key)
        if recorded is None:
            raise NoRecording(request.key, prompt=request.prompt)
        return replace(recorded.reply, usage=Usage(reused=1))


class RecordingModel:
    """Asks another, and writes every reply down before giving it. Made by :func:`recording`; for one process."""

    def __init__(self, inner: LanguageModel, path: Path, known: Recording, custom_ids: Mapping[str, str]) -> None:
        """``known`` is what the file holds already."""
        self.name = inner.name
        self._inner = inner
        self._path = path
        self._replies = dict(known.replies)
        self._custom_ids = custom_ids
        self._lock = threading.Lock()

    def ask(self, request: Request, /) -> Reply:
        """Answer from the file, or by asking; then it is in the file."""
        with self._lock:
            recorded = self._replies.get(request.key)
        if recorded is not None:
            return replace(recorded.reply, usage=Usage(reused=1))
        reply = self._inner.ask(request)
        entry = Recorded(
            key=request.key,
            reply=reply,
            prompt=request.prompt,
            custom_id=self._custom_ids.get(request.key, ""),
            request=request,
        )
        with self._lock:
            first = self._replies.setdefault(request.key, entry)
            if first is entry:
                with self._path.open("a", encoding="utf-8", newline="\n") as file:
                    file.write(line_of(entry) + "\n")
        return replace(first.reply, usage=reply.usage)


def recording(
    inner: LanguageModel,
    path: Path | str,
    *,
    known: str = "",
    date: str = "",
    note: str = "",
    custom_ids: Mapping[str, str] | None = None,
) -> RecordingModel:
    """Give a language model that records while it is asked; a file that is there already is gone on with.

    A last line that was cut in the middle of writing is dropped. ``custom_ids`` names requests by their keys.

    Raises:
        MalformedInput: the file is no recording, or one of another language model.
    """
    path = Path(path)
    if path.exists() and path.stat().st_size:
        _drop_torn_line(path)
        so_far = read_recording(path)
        if so_far.origin.asked != inner.name:
            raise MalformedInput(f"is a recording of {so_far.origin.asked}, not of {inner.name}", source=str(path))
    else:
        so_far = Recording(origin=Origin(asked=inner.name, known=known, date=date, note=note), replies={})
        write_recording(path, so_far)
    return RecordingModel(inner, path, so_far, custom_ids or {})


def read_recording(path: Path | str) -> Recording:
    """Read a recording.

    Raises:
        MalformedInput: a line means nothing, or a key has two different texts; file and line are named.
    """
    source = str(path)
    lines = numbered_lines(Path(path))
    number, first = next(lines, (1, "null"))
    origin = origin_of(Reading(tree_of(first, source=source, line=number), source=source, line=number))
    replies: dict[str, Recorded] = {}
    for number, line in lines:
        tree = tree_of(line, source=source, line=number)
        entry = _entry(Reading(tree, source=source, line=number), origin)
        known = replies.setdefault(entry.key, entry)
        if known.reply.text != entry.reply.text:
            raise MalformedInput("this request has another reply above", source=source, line=number, key="key")
    return Recording(origin=origin, replies=replies)


def origin_of(head: Reading) -> Origin:
    """Give the origin that the first line of a recording states.

    Raises:
        MalformedInput: it is the first line of something else.
    """
    if head.text("format", "") != FORMAT:
        raise head.wrong("format", f"must be {FORMAT}")
    return Origin(
        asked=head.text("model"), known=head.text("known", ""), date=head.text("date", ""), note=head.text("note", "")
    )


def write_recording(path: Path | str, recording: Recording) -> None:
    """Write a recording to a file that is complete or not there at all."""
    path = Path(path)
    unfinished = path.with_name(f"{path.name}.unfinished")
    head = {
        "format": FORMAT,
        "model": recording.origin.asked,
        "known": recording.origin.known,
        "date": recording.origin.date,
        "note": recording.origin.note,
    }
    lines = (json.dumps(head, ensure_ascii=False), *map(line_of, recording.replies.values()))
    with unfinished.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
    unfinished.replace(path)


def line_of(entry: Recorded) -> str:
    """Give the line of one reply."""
    tree: dict[str, Any] = {"key": entry.key, "prompt": entry.prompt}
    if entry.custom_id:
        tree["custom_id"] = entry.custom_id
    if entry.request is not None:
        tree["request"] = plain_request(entry.request)
    tree |= {
        "text": entry.reply.text,
        "finish": entry.reply.finish.value,
        "usage": plain_usage(entry.reply.usage),
        "answered_by": entry.reply.answered_by,
    }
    if entry.reply.level is not None:
        tree["level"] = entry.reply.level.value
    return json.dumps(tree, ensure_ascii=False)


def _entry(reading: Reading, origin: Origin) -> Recorded:
    given = reading.tree.get("request")
    request = None if given is None else read_request(given, source=reading.source, line=reading.line)
    key = reading.text("key", request.key if request is not None else None)
    if request is not None and request.key != key:
        raise reading.wrong("key", "is not the key of the request beside it")
    reply = read_reply(reading.tree, source=reading.source, line=reading.line)
    return Recorded(
        key=key,
        reply=reply if reply.answered_by else replace(reply, answered_by=origin.asked),
        prompt=reading.text("prompt", "" if request is None else request.prompt),
        custom_id=reading.text("custom_id", ""),
        request=request,
    )


def _drop_torn_line(path: Path) -> None:
    written = path.read_bytes()
    whole = written.rfind(b"\n") + 1
    if whole and whole < len(written):
        with path.open("r+b") as file:
            file.truncate(whole)
