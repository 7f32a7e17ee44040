"""Strangers' JSON, looked at so that file, line and key are named wherever it is not what it must be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar, cast

from upheld.errors import MalformedInput
from upheld.speech.models.reply import Usage

E = TypeVar("E", bound=StrEnum)


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Give each line of a JSONL file that is not blank, with its number from 1.

    Raises:
        MalformedInput: the file cannot be read as UTF-8.
    """
    # Only "\n" ends a line of JSONL: a reply may hold U+2028 and its like, which str.splitlines breaks at.
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, line
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedInput(f"cannot be read: {error}", source=str(path)) from error


def tree_of(text: str, *, source: str = "", line: int = 0) -> object:
    """Give the JSON of a line.

    Raises:
        MalformedInput: it is none.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedInput(f"is no JSON: {error}", source=source, line=line) from None


class Reading:
    """A stranger's tree: every look at it says file, line and key when it is not what it must be."""

    def __init__(self, tree: object, *, source: str = "", line: int = 0) -> None:
        """Refuse what is no object."""
        self.source, self.line = source, line
        if not isinstance(tree, Mapping):
            raise self.wrong("", "must be a JSON object")
        self.tree = cast(Mapping[str, Any], tree)

    def wrong(self, key: str, message: str) -> MalformedInput:
        """Give the error that names a key of this tree."""
        return MalformedInput(message, source=self.source, line=self.line, key=key)

    def text(self, key: str, default: str | None = None) -> str:
        """Give a string, or the default when it is absent or null."""
        value = self.tree.get(key)
        value = default if value is None else value
        if not isinstance(value, str):
            raise self.wrong(key, "must be a text")
        return value

    def number(self, key: str, default: float) -> float:
        """Give a number, or the default when it is absent or null."""
        value = self.tree.get(key)
        value = default if value is None else value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(key, "must be a number")
        return value

    def mapping(self, key: str) -> Mapping[str, Any]:
        """Give an object."""
        return Reading(self.tree.get(key), source=self.source, line=self.line).tree

    def items(self, key: str) -> Sequence[Any]:
        """Give a list."""
        value = self.tree.get(key)
        if not isinstance(value, list):
            raise self.wrong(key, "must be a list")
        return cast(list[Any], value)

    def one_of(self, kind: type[E], key: str, default: E | None) -> E:
        """Give a member of an enumeration, or the default when it is absent or null."""
        value = self.tree.get(key)
        if value is None and default is not None:
            return default
        try:
            return kind(value)
        except ValueError:
            raise self.wrong(key, f"must be one of {', '.join(each.value for each in kind)}") from None

    def usage(self, key: str) -> Usage:
        """Give a usage: ours, or the one of the OpenAI protocol; none at all when it is absent."""
        tree = self.tree.get(key)
        if tree is None:
            return Usage()
        inner = Reading(tree, source=self.source, line=self.line)
        into = inner.number("input_tokens", inner.number("prompt_tokens", 0))
        out = inner.number("output_tokens", inner.number("completion_tokens", 0))
        return Usage(calls=int(inner.number("calls", 1)), input_tokens=int(into), output_tokens=int(out))
