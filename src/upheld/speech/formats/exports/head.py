"""The beginning of a file, as far as it tells which form the file has."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from upheld.errors import MalformedInput
from upheld.speech.formats.exports.sources import Archive, Source
from upheld.speech.formats.exports.streaming import parsed
from upheld.speech.formats.exports.values import is_list, is_mapping, listed, mapping

BEGINNING = 256 * 1024
"""Bytes of a file that are looked at."""

_LINES = 20
_TRIES = 4
_DIGITS = re.compile(r"\d{4000}")
_LINE_ENDINGS = frozenset((".jsonl", ".ndjson"))
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{},"]', re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A file's beginning: its text, and the first values in it, the last of them cut off where the beginning ends.

    ``is_lines`` means one JSON value a line. ``members`` are the paths inside an archive; then all else is empty.
    """

    text: str = ""
    values: tuple[object, ...] = ()
    is_lines: bool = False
    members: tuple[str, ...] = ()

    @property
    def tree(self) -> Mapping[str, object]:
        """The first value, if it is an object."""
        return mapping(self.values[0]) if self.values else {}

    @property
    def items(self) -> list[object]:
        """The first records: of lines, of a list, or the one document."""
        if self.is_lines or not self.values:
            return list(self.values)
        return listed(self.values[0]) if is_list(self.values[0]) else [self.values[0]]

    @property
    def first(self) -> Mapping[str, object]:
        """The first record that is an object."""
        return mapping(next((item for item in self.items if mapping(item)), None))


def head_of(source: Source | Archive) -> Head:
    """Look at the beginning of a file.

    Raises:
        MalformedInput: it cannot be read.
    """
    if isinstance(source, Archive):
        return Head(members=tuple(source.members))
    try:
        with source.opened() as file:
            content = file.read(BEGINNING)
    except OSError as error:
        raise MalformedInput(f"cannot be read: {error.strerror or error}", source=source.name) from error
    decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
    beginning = decoder.decode(content)
    start = beginning.lstrip()
    lines = [line for line in start.split("\n", _LINES) if line.strip()][:_LINES]
    is_named_so = source.ending in _LINE_ENDINGS
    if not is_named_so and start[:1] not in {"{", "["}:
        return Head(text=beginning)
    values = [value for line in lines if (value := _whole(line)) and (is_list(value) or is_mapping(value))]
    # A line may be damaged, so most of them tell; in one document that is laid out, hardly any line is a value.
    if values and (is_named_so or (len(values) > 1 and 2 * len(values) >= len(lines))):
        return Head(text=beginning, values=tuple(values), is_lines=True)
    return Head(text=beginning, values=(cut_off(start),), is_lines=is_named_so)


def cut_off(content: str) -> object:
    """Parse JSON that ends anywhere, or is damaged somewhere, as if it ended after the last value that is whole.

    Cost: linear, a few times.
    """
    for _ in range(_TRIES):
        try:
            return json.loads(content)
        except json.JSONDecodeError as error:
            damaged = error.pos
        except (ValueError, RecursionError):
            long = _DIGITS.search(content)
            damaged = long.start() if long is not None else len(content) // 2
        found = _whole(_closed(content))
        if found is not None:
            return found
        content = content[:damaged]
    return None


def _closed(content: str) -> str:
    """Cut a text after its last whole value, or the last bracket that opens, and close what is open there."""
    end, closers = 0, list[str]()
    for found in _structure(content):
        if found.group() in {"{", "["}:
            end = found.end()
        elif found.group() == ",":
            end = found.start()
    for found in _structure(content[:end]):
        if found.group() in {"{", "["}:
            closers.append("}" if found.group() == "{" else "]")
        elif found.group() in {"}", "]"} and closers:
            closers.pop()
    return content[:end] + "".join(reversed(closers))


def _structure(content: str) -> Iterator[re.Match[str]]:
    """Give brackets and commas up to a string that does not end."""
    for found in _TOKEN.finditer(content):
        if found.group() == '"':
            return
        yield found


def _whole(content: str) -> object:
    try:
        return parsed(content)
    except MalformedInput:
        return None
