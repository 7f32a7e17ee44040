"""From bytes to a value: the same columns read back, and every one held against the type hints.

The bytes are a stranger's. Nothing in them is run or looked up by name outside the closed list of shapes, and what does
not have the type that its place asks for is refused.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from typing import Any, cast

from rpds import HashTrieMap, HashTrieSet, List

from upheld.errors import MalformedInput
from upheld.record.snapshots.layered import LayeredMap
from upheld.record.snapshots.packing import CONSTANTS, flattened, paused_collector
from upheld.record.snapshots.shapes import CONTAINERS, Hint, Shape, Shapes

_FEW = 64
"""A map of fewer keys is built as a trie; the trie above a larger one would hold about as many before long."""

_NEW = cast("Callable[[type], Any]", object.__new__)

_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, MemoryError, OverflowError)
"""What damaged bytes make the reader raise."""


def unpacked(content: bytes, shapes: Shapes) -> Any:
    """Give the value that was packed. Cost: linear, most of it in C.

    Raises:
        MalformedInput: not what :func:`~upheld.record.snapshots.packing.packed` writes for these shapes.
    """
    try:
        with paused_collector():
            return _Unpacking(content, shapes).value()
    except _DAMAGE as error:
        raise MalformedInput(f"{type(error).__name__}: {error}", source="snapshot") from error


class _Unpacking:
    def __init__(self, content: bytes, shapes: Shapes) -> None:
        length = int.from_bytes(content[:8], "little")
        self._catalogue = cast("Mapping[str, Any]", json.loads(content[8 : 8 + length]))
        self._numbers = memoryview(_numbers_of(content[8 + length :]))
        self._place = 0
        self._shapes = shapes
        self._values: list[Any] = []
        self._inside: dict[type, set[type]] = {kind: set() for kind in CONTAINERS}

    def value(self) -> Any:
        self._values += [*CONSTANTS, *self._plain("texts", str), *self._plain("integers", int)]
        self._values += [self._shapes.enums[name](member) for name, member in self._catalogue["members"]]
        first = len(self._values)
        filling = [self._allocated(name, count) for name, count in self._catalogue["classes"]]
        later = [one for one in filling if not self._fill_flat(one, first)]
        for kind, count in self._catalogue["waves"]:
            self._values += self._containers(cast("type", CONTAINERS[kind]), self._count(count))
        if self._place != len(self._numbers):
            raise MalformedInput("more columns than the catalogue names", source="snapshot")
        for shape, instances, columns in later:
            self._fill(shape, instances, columns)
        root = self._values[self._catalogue["root"]]
        if type(root) is not self._shapes.root:
            raise MalformedInput(f"holds a {type(root).__name__}", source="snapshot")
        return root

    def _plain(self, name: str, kind: type) -> list[Any]:
        found = list(self._catalogue[name])
        if not {kind}.issuperset(map(type, found)):
            raise MalformedInput(f"{name} of another type", source="snapshot")
        return found

    # --- dataclasses ---------------------------------------------------------------------------------------------

    def _allocated(self, name: str, count: int) -> tuple[Shape, list[Any], dict[str, memoryview[int]]]:
        """Make the instances empty, so that what refers to them can be made before what they refer to."""
        shape = self._shapes.classes[name]
        columns = {field: self._column(count) for field in shape.kept}
        if not columns and count > len(self._numbers) + 1:
            raise MalformedInput("more values than anything refers to", source="snapshot")
        instances: list[Any] = list(map(_NEW, repeat(shape.kind, count)))
        self._values += instances
        return shape, instances, columns

    def _fill_flat(self, filling: tuple[Shape, list[Any], dict[str, memoryview[int]]], first: int) -> bool:
        """Fill a class whose fields are all plain, so that its instances may be keys."""
        shape, instances, columns = filling
        if any(max(column, default=0) >= first for column in columns.values()):
            return False
        self._fill(shape, instances, columns)
        return True

    def _fill(self, shape: Shape, instances: list[Any], columns: Mapping[str, memoryview[int]]) -> None:
        for field, column in columns.items():
            values = self._read(column)
            self._check(values, shape.kept[field], f"{shape.kind.__qualname__}.{field}")
            _set(shape.kind, field, instances, values)
        for field, make in shape.remade.items():
            _set(shape.kind, field, instances, (make() for _ in instances))

    def _check(self, values: Sequence[Any], hint: Hint, where: str) -> None:
        """Refuse values that the hint does not allow, and look inside those that it does."""
        kinds = _kinds(values)
        if not kinds <= hint.kinds.keys():
            raise MalformedInput("a value of another type", source="snapshot", key=where)
        for kind, insides in hint.kinds.items():
            if insides and kind in kinds:
                found = values if len(kinds) == 1 else [each for each in values if type(each) in _types(kind)]
                self._check_inside(kind, found, insides, where)

    def _check_inside(self, kind: type, containers: Sequence[Any], insides: tuple[Hint, ...], where: str) -> None:
        if len(insides) == 1 and self._inside[kind] <= insides[0].kinds.keys() and not _is_nested(insides[0]):
            return
        if len(insides) == 1:
            self._check(list(flattened(kind, containers)), insides[0], where)
            return
        contents = list(flattened(kind, containers))
        self._check(contents[::2], insides[0], where)
        self._check(contents[1::2], insides[1], where)

    # --- containers ----------------------------------------------------------------------------------------------

    def _containers(self, kind: type, count: int) -> list[Any]:
        lengths = self._column(count)
        contents = self._read(self._column(sum(lengths)))
        self._inside[kind] |= _kinds(contents)
        parts: Iterator[Any] = iter(contents)
        make = _MAKERS[kind]
        return [make(islice(parts, length)) for length in lengths]

    # --- columns -------------------------------------------------------------------------------------------------

    def _count(self, count: object) -> int:
        if type(count) is not int or not 0 <= count <= len(self._numbers):
            raise MalformedInput(f"{count!r} is no length", source="snapshot")
        return count

    def _column(self, count: int) -> memoryview[int]:
        start, self._place = self._place, self._place + self._count(count)
        if self._place > len(self._numbers):
            raise MalformedInput("cut short", source="snapshot")
        return self._numbers[start : self._place]

    def _read(self, column: Iterable[int]) -> list[Any]:
        return list(map(self._values.__getitem__, column))


def _set(kind: type, field: str, instances: list[Any], values: Iterable[Any]) -> None:
    # Through the slot itself: it neither asks a frozen class nor runs a line of Python for each instance.
    put = cast("Callable[[Any, Any], None]", getattr(kind, field).__set__)
    deque(map(put, instances, values), maxlen=0)


def _numbers_of(content: bytes) -> array[int]:
    numbers = array("I")
    count, rest = divmod(len(content), numbers.itemsize)
    if rest:
        raise MalformedInput("cut short", source="snapshot")
    whole = bytearray(len(content))
    for plane in range(numbers.itemsize):
        whole[plane :: numbers.itemsize] = content[plane * count : (plane + 1) * count]
    numbers.frombytes(bytes(whole))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _kinds(values: Iterable[Any]) -> set[type]:
    kinds: set[type] = set(map(type, values))
    if LayeredMap in kinds:
        kinds = (kinds - {LayeredMap}) | {HashTrieMap}
    return kinds


def _types(kind: type) -> tuple[type, ...]:
    return (kind, LayeredMap) if kind is HashTrieMap else (kind,)


def _is_nested(hint: Hint) -> bool:
    return any(hint.kinds.values())


def _map(parts: Iterator[Any]) -> HashTrieMap[Any, Any] | LayeredMap[Any, Any]:
    found: dict[Any, Any] = dict(zip(parts, parts, strict=True))
    return HashTrieMap(found) if len(found) < _FEW else LayeredMap(found)


_MAKERS: dict[type, Callable[[Iterator[Any]], Any]] = {
    HashTrieMap: _map,
    HashTrieSet: HashTrieSet,
    List: lambda parts: List(tuple(parts)),
    tuple: tuple,
    frozenset: frozenset,
}
