"""Columns of numbers as bytes and back: each as narrow as its largest number allows, read where it lies."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, TypeVar, cast

from upheld.errors import MalformedInput

Column = Sequence[int]
"""Numbers that can be indexed, sliced and bisected; usually a view of the bytes that they were read from."""

Code = Literal["B", "H", "I", "Q"]

Item = TypeVar("Item")

_AT_ONCE = 10_000

_CODES: tuple[Code, ...] = ("B", "H", "I", "Q")


def spans(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Give items some thousands at a time: a loop in C lets no other thread in before it ends."""
    left = iter(items)
    while found := list(islice(left, _AT_ONCE)):
        yield found


def narrowed(numbers: Iterable[int]) -> array[int]:
    """Give numbers in the narrowest type that holds them all."""
    found = [array("Q", span) for span in spans(numbers)]
    most = max(map(max, found), default=0)
    column = array(next(code for code in _CODES if most < 1 << 8 * array(code).itemsize))
    for span in found:
        column.extend(array(column.typecode, span))
    return column


def written(numbers: array[int]) -> bytes:
    """Give numbers as bytes, lowest first."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


class ColumnReader:
    """Gives one column after the other from a row of them. Cost of each: none, it is a view."""

    def __init__(self, content: memoryview[int], listed: Sequence[tuple[str, int]]) -> None:
        """``listed`` has code and count of each column, in order.

        Raises:
            MalformedInput: they do not cover the content exactly.
        """
        self._content = content
        self._listed = iter(listed)
        self._place = 0
        if any(code not in _CODES or type(count) is not int or count < 0 for code, count in listed):
            raise MalformedInput("no list of columns", source="snapshot")
        if sum(array(code).itemsize * count for code, count in listed) != len(content):
            raise MalformedInput("cut short, or with something after its end", source="snapshot")

    def column(self, count: int | None = None) -> Column:
        """Give the next column.

        Raises:
            MalformedInput: it has another length than ``count``, or there is none.
        """
        name, length = next(self._listed, ("", -1))
        if length < 0 or (count is not None and count != length):
            raise MalformedInput("a column of another length", source="snapshot")
        code = cast("Code", name)
        start, self._place = self._place, self._place + array(code).itemsize * length
        raw = self._content[start : self._place]
        if code == "B" or sys.byteorder == "little":
            return cast("Column", raw.cast(code))
        numbers = array(code, raw.tobytes())
        numbers.byteswap()
        return numbers

    def offsets(self, count: int) -> Column:
        """Give the next column as offsets of so many things that lie one after the other."""
        return self.column(count + 1)

    def is_at_end(self) -> bool:
        """Tell whether every column was given."""
        return next(self._listed, None) is None
