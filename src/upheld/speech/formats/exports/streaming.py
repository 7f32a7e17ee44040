"""JSON read a record at a time, so that memory follows the largest record and not the file.

The parser is the standard library's, asked for one value after the other (``JSONDecoder.raw_decode``); this module only
finds where the next one begins. A record that is damaged is skipped by its brackets, and the rest goes on. Refused:
ijson, whose fast backend (3.6.0) ends the process with a segmentation fault on an integer of 5,000 digits, and which
stops for good at the first damage.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from upheld.errors import LimitExceeded, MalformedInput
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally

MAX_RECORD = 64 * 1024 * 1024
"""Characters of one record: as many as a file that is read whole may have."""

PIECE = 256 * 1024
"""Bytes that are read at once."""

ITEM = "item"
"""Step of a path that stands for each item of a list."""

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}"]', re.DOTALL)
_LONGEST_LITERAL = 24
"""Characters within which a number, a word or an escape that ends too early shows."""


class _Broken(MalformedInput):
    """What follows cannot be told apart any more, so the rest of the file is lost."""


def records(source: Source, path: str, tally: Tally) -> Iterator[tuple[str, object]]:
    """Give each value at a path such as ``chats.list.item``, with its place; damaged ones go into the tally.

    Raises:
        LimitExceeded: a record of more than ``MAX_RECORD`` characters.
    """
    with source.opened() as file:
        reader = _Json(file, source.name)
        try:
            yield from _below(reader, tuple(filter(None, path.split("."))), source.inner, tally)
        except _Broken as error:
            tally.damage(f"{source.inner or source.name}, character {reader.place}", error.message)


def lines(source: Source, tally: Tally) -> Iterator[tuple[str, object]]:
    """Give the value of each line that is not blank, with its place; damaged lines go into the tally.

    Raises:
        LimitExceeded: a line of more than ``MAX_RECORD`` bytes.
    """
    with source.opened() as file:
        count = 0
        while line := file.readline(MAX_RECORD + 1):
            count += 1
            if len(line) > MAX_RECORD:
                raise LimitExceeded(f"{source.name}:{count}: a line of more than {MAX_RECORD} bytes")
            place = f"{source.inner} line {count}".strip()
            try:
                content = line.decode("utf-8-sig" if count == 1 else "utf-8").strip()
                if content:
                    yield place, parsed(content)
            except UnicodeDecodeError:
                tally.damage(place, "not in UTF-8")
            except MalformedInput as error:
                tally.damage(place, error.message)


def whole(source: Source) -> object:
    """Read one document.

    Raises:
        MalformedInput: no JSON, or not in UTF-8.
        LimitExceeded: larger than ``MAX_RECORD``.
    """
    with source.opened() as file:
        content = file.read(MAX_RECORD + 1)
    if len(content) > MAX_RECORD:
        raise LimitExceeded(f"{source.name}: larger than {MAX_RECORD} bytes")
    try:
        return parsed(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise MalformedInput("not in UTF-8: save it as UTF-8 and try again", source=source.name) from None
    except MalformedInput as error:
        raise MalformedInput(error.message, source=source.name) from None


def parsed(content: str) -> object:
    """Parse one value.

    Raises:
        MalformedInput: no JSON, nested too deeply, or a number with too many digits.
    """
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        raise MalformedInput(f"no JSON: {error.msg}") from None
    except RecursionError:
        raise MalformedInput("nested too deeply") from None
    except ValueError:
        raise MalformedInput("a number with too many digits") from None


def _below(reader: _Json, path: tuple[str, ...], place: str, tally: Tally) -> Iterator[tuple[str, object]]:
    if not path:
        try:
            tree = reader.value()
        except _Broken:
            raise
        except MalformedInput as error:
            tally.damage(place, error.message)
            reader.skip()
        else:
            yield place, tree
        return
    step, rest = path[0], path[1:]
    opening = reader.next()
    if step == ITEM and opening == "[":
        for count in reader.items():
            yield from _below(reader, rest, f"{place}[{count}]", tally)
    elif step != ITEM and opening == "{":
        for key in reader.members():
            if key == step:
                yield from _below(reader, rest, f"{place}.{key}".lstrip("."), tally)
            else:
                reader.skip()
    else:
        tally.damage(place or "the file", f"expected {'a list' if step == ITEM else 'an object'}")
        reader.skip()


class _Json:
    """The text of a document, of which only the piece that is being looked at is kept."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self._name = name
        # Bytes that are no UTF-8 become halves of surrogate pairs, which are refused with the record that has them.
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="surrogateescape")
        self._text = ""
        self._at = 0
        self._passed = 0
        self._is_done = False

    @property
    def place(self) -> int:
        return self._passed + self._at

    def next(self) -> str:
        """Give the next character that is not blank; empty at the end."""
        while True:
            found = _BLANK.match(self._text, self._at)
            self._at = found.end() if found is not None else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._grow():
                return ""

    def items(self) -> Iterator[int]:
        """Count the items of a list; whoever asks takes each before the next."""
        self._take("[")
        count = 0
        while self.next() != "]":
            yield count
            count += 1
            if self.next() == ",":
                self._at += 1
            elif self.next() != "]":
                raise _Broken("no comma between two items: the rest was not read")
        self._take("]")

    def members(self) -> Iterator[str]:
        """Give the keys of an object; whoever asks takes each value before the next."""
        self._take("{")
        while self.next() != "}":
            key = self.value() if self.next() == '"' else None
            if not isinstance(key, str) or self.next() != ":":
                raise _Broken("no key where one was expected: the rest was not read")
            self._at += 1
            yield key
            if self.next() == ",":
                self._at += 1
            elif self.next() != "}":
                raise _Broken("no comma between two keys: the rest was not read")
        self._take("}")

    def value(self) -> object:
        """Parse the next value; a damaged one stays, to be skipped."""
        if not self.next():
            raise _Broken("it ends in the middle")
        while True:
            try:
                tree, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                is_early = error.msg.startswith("Unterminated") or error.pos > len(self._text) - _LONGEST_LITERAL
                if is_early and self._grow():
                    continue
                if is_early:
                    raise _Broken("it ends in the middle") from None
                raise MalformedInput(f"no JSON: {error.msg}") from None
            except RecursionError:
                raise MalformedInput("nested too deeply") from None
            except ValueError:
                raise MalformedInput("a number with too many digits") from None
            if end == len(self._text) and self._grow():
                continue
            self._at = end
            return tree

    def skip(self) -> None:
        """Pass over the next value by its brackets, damaged or not."""
        if self.next() not in {"[", "{", '"'}:
            self._skip_to_separator()
            return
        depth = 0
        while True:
            found = _TOKEN.search(self._text, self._at)
            if found is None or found.group() == '"':
                self._at = found.start() if found is not None else len(self._text)
                if not self._grow():
                    raise _Broken("it ends in the middle")
                continue
            self._at = found.end()
            depth += (found.group() in {"[", "{"}) - (found.group() in {"]", "}"})
            if depth <= 0:
                return

    def _skip_to_separator(self) -> None:
        while self.next() and self.next() not in {",", "]", "}"}:
            self._at += 1

    def _take(self, character: str) -> None:
        if self.next() != character:
            raise _Broken(f"expected {character}: the rest was not read")
        self._at += 1

    def _grow(self) -> bool:
        """Read on; as much again as is held, so that a long value is not parsed from its beginning too often."""
        if self._is_done:
            return False
        held = len(self._text) - self._at
        if held > MAX_RECORD:
            raise LimitExceeded(f"{self._name}: a record of more than {MAX_RECORD} characters")
        content = self._file.read(max(PIECE, held))
        self._is_done = not content
        self._passed += self._at
        self._text = self._text[self._at :] + self._decoder.decode(content, final=not content)
        self._at = 0
        return True
