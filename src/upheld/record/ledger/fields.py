"""Strict reading of one stored mapping: what is missing, unknown or of the wrong type is named with its dotted path."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from upheld.errors import MalformedInput
from upheld.logic.language.plain import as_mapping, as_text, many_of

Value = TypeVar("Value")
Read = Callable[[object, str], Value]


class Fields:
    """The fields of one mapping, each taken once; :meth:`finish` refuses what nobody took."""

    def __init__(self, tree: object, key: str) -> None:
        """``key`` is the dotted path of ``tree``, for messages.

        Raises:
            MalformedInput: ``tree`` is no mapping.
        """
        self._left = dict(as_mapping(tree, key))
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


def as_name(content: object, key: str) -> str:
    """Read an id of a turn or an agent: a text that is not empty."""
    text = as_text(content, key)
    if not text:
        raise MalformedInput("an id is not empty", key=key)
    return text


def as_count(content: object, key: str) -> int:
    """Read a number that counts from 1, such as an epoch."""
    if type(content) is not int or content < 1:
        raise MalformedInput(f"expected a whole number from 1 on, found {content!r}", key=key)
    return content
