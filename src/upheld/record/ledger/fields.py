"""Strict reading of one stored mapping: what is missing, unknown or of the wrong type is named with its dotted path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeVar, cast

from upheld.errors import MalformedInput

Value = TypeVar("Value")
Member = TypeVar("Member", bound=StrEnum)
Read = Callable[[object, str], Value]


class Fields:
    """The fields of one mapping, each taken once; :meth:`finish` refuses what nobody took."""

    def __init__(self, tree: object, key: str) -> None:
        """``key`` is the dotted path of ``tree``, for messages.

        Raises:
            MalformedInput: ``tree`` is no mapping.
        """
        if not isinstance(tree, Mapping):
            raise MalformedInput(f"expected a mapping, found {type(tree).__name__}", key=key)
        self._left = dict(cast("Mapping[str, object]", tree))
        self._key = key

    def required(self, name: str, read: Read[Value]) -> Value:
        """Take a field that must be there."""
        if name not in self._left:
            raise MalformedInput("missing", key=f"{self._key}.{name}")
        return read(self._left.pop(name), f"{self._key}.{name}")

    def optional(self, name: str, read: Read[Value], default: Value) -> Value:
        """Take a field that may be left out."""
        return self.required(name, read) if name in self._left else default

    def text(self, name: str) -> str:
        """Take a text, empty when left out."""
        return self.optional(name, as_text, "")

    def many(self, name: str, read: Read[Value]) -> tuple[Value, ...]:
        """Take a list, empty when left out; order kept."""
        return self.optional(name, many_of(read), ())

    def finish(self) -> None:
        """Refuse a field that no reader took: an older program must not drop in silence what a newer one wrote."""
        for name in self._left:
            raise MalformedInput("unknown key", key=f"{self._key}.{name}")


def as_text(content: object, key: str) -> str:
    """Read a text."""
    if not isinstance(content, str):
        raise MalformedInput(f"expected text, found {type(content).__name__}", key=key)
    return content


def as_name(content: object, key: str) -> str:
    """Read an id of a turn or an agent: a text that is not empty."""
    text = as_text(content, key)
    if not text:
        raise MalformedInput("an id is not empty", key=key)
    return text


def as_flag(content: object, key: str) -> bool:
    """Read true or false."""
    if not isinstance(content, bool):
        raise MalformedInput(f"expected true or false, found {type(content).__name__}", key=key)
    return content


def as_member(kind: type[Member]) -> Read[Member]:
    """Give the reader of an enumeration."""

    def read(content: object, key: str) -> Member:
        text = as_text(content, key)
        if text not in {member.value for member in kind}:
            raise MalformedInput(f"{text!r} is none of {', '.join(member.value for member in kind)}", key=key)
        return kind(text)

    return read


def many_of(read: Read[Value]) -> Read[tuple[Value, ...]]:
    """Give the reader of a list from the reader of one item."""

    def read_all(content: object, key: str) -> tuple[Value, ...]:
        if not isinstance(content, list):
            raise MalformedInput(f"expected a list, found {type(content).__name__}", key=key)
        items = cast("list[object]", content)
        return tuple(read(item, f"{key}[{place}]") for place, item in enumerate(items))

    return read_all
