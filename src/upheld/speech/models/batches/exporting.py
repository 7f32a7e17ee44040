"""Requests as batch files of OpenAI's format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, cast

from upheld.errors import LimitExceeded, RepeatedIdentity
from upheld.speech.models.gateway.wording import described
from upheld.speech.models.reply import Level
from upheld.speech.models.request import Request, Shape

MOST_LINES, MOST_BYTES = 50_000, 200_000_000
"""What OpenAI takes as one batch file (Batch API, *Rate limits*)."""


def export_requests(
    requests: Iterable[tuple[str, Request]],
    path: Path | str,
    asked: str,
    *,
    level: Level = Level.SCHEMA,
    limit_field: str = "max_completion_tokens",
    most_lines: int = MOST_LINES,
    most_bytes: int = MOST_BYTES,
) -> tuple[Path, ...]:
    """Write requests as batch files of OpenAI's format, and give the files: ``path``, then ``path`` with -2, -3, ….

    ``asked`` is the provider's name of the language model. ``level`` is how the shape is asked for, ``limit_field``
    what the server calls the limit of tokens (``max_tokens`` on many others).

    Raises:
        RepeatedIdentity: two requests have one ``custom_id``; nothing is written.
        LimitExceeded: one request alone is over the limit of bytes; nothing is written.
    """
    seen: set[str] = set()
    with _Writing(Path(path), most_lines, most_bytes) as writing:
        for custom_id, request in requests:
            if custom_id in seen:
                raise RepeatedIdentity(f"two requests have the custom_id {custom_id!r}")
            seen.add(custom_id)
            body = body_of(request, asked, level=level, limit_field=limit_field)
            line = {"custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions", "body": body}
            writing.add(custom_id, json.dumps(line, ensure_ascii=False))
        return writing.finished()


def body_of(request: Request, asked: str, *, level: Level, limit_field: str) -> dict[str, Any]:
    """Give a request as the body of ``/v1/chat/completions``."""
    body: dict[str, Any] = {
        "model": asked,
        "messages": [{"role": message.role.value, "content": message.text} for message in described(request, level)],
        "temperature": request.temperature,
        limit_field: request.limit,
    }
    if request.shape is not None and level is not Level.TEXT:
        body["response_format"] = _response_format(request.shape, level)
    return body


class _Writing:
    """Batch files under names that say they are unfinished, until all of them are."""

    def __init__(self, path: Path, most_lines: int, most_bytes: int) -> None:
        self._path, self._most_lines, self._most_bytes = path, most_lines, most_bytes
        self._files: list[Path] = []
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        for file in self._files:
            file.unlink(missing_ok=True)

    def add(self, custom_id: str, line: str) -> None:
        size = len(line.encode()) + 1
        if size > self._most_bytes:
            raise LimitExceeded(f"request {custom_id!r} has {size} bytes, and a batch file holds {self._most_bytes}")
        if self._lines == self._most_lines or self._bytes + size > self._most_bytes:
            self._file.close()
            self._begin()
        self._file.write(line + "\n")
        self._lines, self._bytes = self._lines + 1, self._bytes + size

    def finished(self) -> tuple[Path, ...]:
        self._file.close()
        parts = tuple(_part(self._path, place) for place in range(len(self._files)))
        for file, part in zip(self._files, parts, strict=True):
            file.replace(part)
        return parts

    def _begin(self) -> None:
        part = _part(self._path, len(self._files))
        self._files.append(part.with_name(f"{part.name}.unfinished"))
        self._file = self._files[-1].open("w", encoding="utf-8", newline="\n")
        self._lines, self._bytes = 0, 0


def _part(path: Path, place: int) -> Path:
    return path if not place else path.with_name(f"{path.stem}-{place + 1}{path.suffix}")


def _response_format(shape: Shape, level: Level) -> dict[str, Any]:
    if level is Level.JSON:
        return {"type": "json_object"}
    held = {"name": shape.name, "schema": shape.schema, "strict": is_strict(shape.schema)}
    return {"type": "json_schema", "json_schema": held}


def is_strict(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema can be held to strictly: every object names all its fields as required, and no others.

    Source: OpenAI, *Structured outputs*, supported schemas.
    """
    waiting: list[Any] = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            part = cast(Mapping[str, Any], part)
            fields = part.get("properties")
            if part.get("type") == "object" or isinstance(fields, Mapping):
                named = set(cast(Mapping[str, Any], fields or {}))
                if part.get("additionalProperties") is not False or named != set(part.get("required", ())):
                    return False
            waiting.extend(part.values())
        elif isinstance(part, Sequence) and not isinstance(part, str):
            waiting.extend(cast(Sequence[Any], part))
    return True
