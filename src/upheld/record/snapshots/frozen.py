"""A map that stays written: a value is made when it is first looked up."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol, cast
from zlib import crc32

from rpds import HashTrieMap, HashTrieSet

from upheld.errors import MalformedInput
from upheld.record.snapshots.columns import Column
from upheld.record.snapshots.layered import LayeredMap, LayeredSet, layered_in
from upheld.record.snapshots.shapes import Hint

GONE: Any = object()
"""Stands as the value of a key that the map below has and this one has not."""

_ABSENT: Any = object()

_PAGE = 256
"""Rows that are made at once when a whole map is asked for."""


class Source(Protocol):
    """Where written values are made."""

    def value(self, number: int) -> Any:
        """Give the value with this number, the same object each time."""
        ...

    def values(self, numbers: Sequence[int]) -> list[Any]:
        """Give the values with these numbers."""
        ...

    def text(self, number: int) -> bytes:
        """Give the text with this number, as it is written."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The written rows of a map, in the order of the checksums of their keys: numbers of keys and of values."""

    source: Source
    sums: Column
    keys: Column
    values: Column


def sum_of(key: str) -> int:
    """Give what rows are ordered by: CRC-32, which is quick, and the same in every process."""
    return crc32(encoded(key))


def encoded(text: str) -> bytes:
    """Give a text as it is written; lone surrogates are let through, as they can stand in a program."""
    return text.encode("utf-8", "surrogatepass")


class FrozenMap(Mapping[str, Any]):
    """Texts to values, over written rows, and over another such map where the rows are only what changed since.

    Safe to ask from several threads. A look-up raises :class:`~upheld.errors.MalformedInput` where the rows hold what
    the place of the map does not allow: bytes that their checksum covers and that no codec wrote.
    """

    __slots__ = ("_below", "_found", "_length", "_plain", "_rows", "_values", "number")

    def __init__(
        self, rows: Rows, *, number: int = 0, below: FrozenMap | None = None, length: int | None = None
    ) -> None:
        """``number`` is the map's own with its source.

        ``length`` is the number of keys, where there is a map below; else there is a row for each.
        """
        self.number = number
        self._rows = rows
        self._below = below
        self._length = len(rows.keys) if length is None else length
        self._found: dict[str, Any] = {}
        self._values: Hint | None = None
        self._plain: frozenset[type] = frozenset()

    @property
    def source(self) -> Source:
        """Where it is written."""
        return self._rows.source

    def __getitem__(self, key: str) -> Any:
        """Give what stands under a key; raises ``KeyError``."""
        found = self.get(key, _ABSENT)
        if found is _ABSENT:
            raise KeyError(key)
        return found

    def get(self, key: Any, default: Any = None) -> Any:
        """Give what stands under a key, or the default. Cost: logarithmic; one look-up when it was asked before."""
        found = self._found.get(key, _ABSENT)
        if found is not _ABSENT:
            return found
        row = self._row(key)
        if row >= 0:
            found = self._value(row)
        elif self._below is not None:
            found = self._below.get(key, _ABSENT)
        if found is _ABSENT or found is GONE:
            return default
        self._found[key] = found
        return found

    def __contains__(self, key: object) -> bool:
        """Tell whether something stands under a key. Cost: logarithmic; makes nothing but in a map below."""
        if key in self._found:
            return True
        row = self._row(key)
        if row < 0:
            return self._below is not None and key in self._below
        return self._below is None or self._value(row) is not GONE

    def __iter__(self) -> Iterator[str]:
        """Give the keys."""
        return (key for key, _ in self.pairs())

    def pairs(self) -> Iterator[tuple[str, Any]]:
        """Give keys with values, made some at a time, which is quicker than each by itself."""
        rows = self._rows
        for start in range(0, len(rows.keys), _PAGE):
            page = slice(start, start + _PAGE)
            for key, value in zip(self._made(rows.keys[page]), self._made(rows.values[page]), strict=True):
                if type(key) is not str:
                    raise MalformedInput("a key that is no text", source="snapshot")
                if value is not GONE:
                    yield key, self._fitting(value)
        if self._below is not None:
            yield from (pair for pair in self._below.pairs() if self._row(pair[0]) < 0)

    def __len__(self) -> int:
        """Give the number of keys."""
        return self._length

    def expect(self, values: Hint) -> None:
        """Hold every value against a hint when it is made.

        Raises:
            MalformedInput: it stands in a place already that asks for something else.
        """
        if self._values is not None and self._values != values:
            raise MalformedInput("one map in two places", source="snapshot")
        self._values, self._plain = values, values.plain
        if self._below is not None:
            self._below.expect(values)

    def _made(self, numbers: Sequence[int]) -> list[Any]:
        return self._rows.source.values(numbers)

    def _row(self, key: object) -> int:
        """Give the row of a key, -1 without any."""
        if not isinstance(key, str):
            return -1
        rows, wanted = self._rows, encoded(key)
        sum = crc32(wanted)
        row = bisect_left(rows.sums, sum)
        while row < len(rows.sums) and rows.sums[row] == sum:
            if rows.source.text(rows.keys[row]) == wanted:
                return row
            row += 1
        return -1

    def _value(self, row: int) -> Any:
        return self._fitting(self._rows.source.value(self._rows.values[row]))

    def _fitting(self, value: Any) -> Any:
        if self._values is not None and type(value) not in self._plain and value is not GONE:
            refuse_misfit(value, self._values, "a value of a map")
        return value


def refuse_misfit(value: Any, hint: Hint, where: str) -> None:
    """Refuse a value that a hint does not allow, or that holds such a value.

    What a dataclass holds was looked at when it was made, and what a written map holds will be.

    Raises:
        MalformedInput: it does not fit.
    """
    pending = [(value, hint)]
    while pending:
        found, allowed = pending.pop()
        insides = allowed.kinds.get(kind_of(found))
        if insides is None:
            raise MalformedInput("a value of another type", source="snapshot", key=where)
        if len(insides) == 1 and type(found) is tuple:
            # Most of all containers, and of what is in them most has nothing inside.
            plainly = insides[0].kinds.get
            items = cast("tuple[object, ...]", found)
            pending.extend((item, insides[0]) for item in items if plainly(type(item)) != ())
        elif insides:
            pending.extend(_inside(found, insides, where))


def kind_of(value: object) -> type:
    """Give the type of a value as the hints name it."""
    kind: type = type(value)
    return _NAMED.get(kind, kind)


_NAMED: dict[type, type] = {LayeredMap: HashTrieMap, LayeredSet: HashTrieSet}


def _inside(value: Any, insides: tuple[Hint, ...], where: str) -> Iterable[tuple[Any, Hint]]:
    if type(value) in _NAMED:
        under: object = layered_in(value).layers()[0]
        if isinstance(under, FrozenMap):
            if str not in insides[0].kinds:
                raise MalformedInput("a value of another type", source="snapshot", key=where)
            if len(insides) > 1:
                under.expect(insides[1])
            return ()
    if len(insides) == 1:
        return ((item, insides[0]) for item in value)
    pairs: Iterable[tuple[Any, Any]] = value.items()
    return chain.from_iterable(((key, insides[0]), (item, insides[1])) for key, item in pairs)
