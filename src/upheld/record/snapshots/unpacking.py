"""From bytes to a value: each part is made when it is first touched, and held against the type hints.

The bytes are a stranger's. Nothing in them is run or looked up by name outside the closed list of shapes, and what does
not have the type that its place asks for is refused: when the snapshot is opened, or, within a large map, when it is
looked up.
"""

from __future__ import annotations

import gc
import json
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any, Protocol, cast

from rpds import HashTrieMap, HashTrieSet, List

from upheld.errors import MalformedInput
from upheld.record.snapshots.columns import ColumnReader
from upheld.record.snapshots.frozen import GONE, FrozenMap, Rows, refuse_misfit
from upheld.record.snapshots.layered import LayeredMap, LayeredSet, layered_in
from upheld.record.snapshots.shapes import CONTAINERS, WIDE, Shape, Shapes

CONSTANTS = (None, False, True, GONE)
"""The values with the first numbers."""

_ABSENT: Any = object()
_NEW = cast("Callable[[type], Any]", object.__new__)

_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, MemoryError, OverflowError)
"""What damaged bytes make the reader raise."""


class Table(Protocol):
    """Values of one kind that are numbered in a row."""

    count: int

    def parts(self, index: int) -> Sequence[int]:
        """Give the numbers of what a value is made of, each of them once it is made."""
        ...

    def made(self, index: int, parts: list[Any]) -> Any:
        """Make a value of its parts."""
        ...


class Archive:
    """Written values, in slices that lie one upon the other: a later one names what is in the earlier ones.

    Each value is made at most once, so that what was one object is one object again. Safe to ask from several threads.
    """

    def __init__(self, shapes: Shapes) -> None:
        """Begin with the constants alone."""
        self.slices = 0
        self._shapes = shapes
        self._tables: list[Table] = [_Fixed(CONSTANTS)]
        self._starts = [0]
        self._count = len(CONSTANTS)
        self._made: dict[int, Any] = dict(enumerate(CONSTANTS))
        self._root = 0
        self._lock = RLock()

    @property
    def count(self) -> int:
        """Give how many numbers are taken."""
        return self._count

    def numbers(self) -> dict[int, int]:
        """Give the number of each object that was made, by its ``id``. Cost: linear in what was touched so far."""
        with self._lock:
            return {id(item): number for number, item in self._made.items()}

    def take(self, content: bytes) -> None:
        """Lay one more slice on top. Cost: its integers; all else waits.

        Raises:
            MalformedInput: not what a packing writes for these shapes.
        """
        with damage_refused():
            length = int.from_bytes(content[:8], "little")
            catalogue = cast("Mapping[str, Any]", json.loads(content[8 : 8 + length]))
            listed = [(str(code), count) for code, count in catalogue["columns"]]
            columns = ColumnReader(memoryview(content)[8 + length :], listed)
            for table in self._read(catalogue, columns):
                if type(table.count) is not int or table.count < 0:
                    raise MalformedInput(f"{table.count!r} is no count", source="snapshot")
                self._tables.append(table)
                self._starts.append(self._count)
                self._count += table.count
            if not columns.is_at_end():
                raise MalformedInput("more columns than the catalogue names", source="snapshot")
            self._root = catalogue["root"]
            self.slices += 1

    def root(self) -> Any:
        """Give the value that the newest slice is about; its large maps are made bit by bit.

        Raises:
            MalformedInput: it is of another type, or damaged.
        """
        with damage_refused(), paused_collector():
            root = self.value(self._root)
            if type(root) is not self._shapes.root:
                raise MalformedInput(f"holds a {type(root).__name__}", source="snapshot")
            return root

    def value(self, number: int) -> Any:
        """Give the value with a number. Cost: everything in it that was not made before, some microseconds each.

        Raises:
            MalformedInput: what is written there does not fit.
        """
        found = self._made.get(number, _ABSENT)
        return self.values((number,))[0] if found is _ABSENT else found

    def values(self, numbers: Sequence[int]) -> list[Any]:
        """Give the values with these numbers; raises and costs as :meth:`value`."""
        made = self._made
        with damage_refused(), self._lock:
            for number in numbers:
                if number not in made:
                    self._make(number)
            return [made[number] for number in numbers]

    def text(self, number: int) -> bytes:
        """Give a text as it is written, without making it; raises :class:`MalformedInput` where there is none."""
        place = bisect_right(self._starts, number) - 1
        table = self._tables[place]
        if not isinstance(table, _Texts):
            raise MalformedInput("a key that is no text", source="snapshot")
        with damage_refused():
            return table.raw(number - self._starts[place])

    def _make(self, number: int) -> None:
        """Make a value after all that it is made of; never by recursion, since a formula is as deep as one likes."""
        made = self._made
        pending = [(number, *self._found(number))]
        entered: set[int] = set()
        while pending:
            number, table, index, parts = pending[-1]
            before = len(pending)
            for part in parts:
                if part not in made:
                    found = self._found(part)
                    if found[2]:
                        pending.append((part, *found))
                    else:
                        made[part] = found[0].made(found[1], [])
            if len(pending) == before:
                pending.pop()
                if number not in made:
                    made[number] = table.made(index, [made[part] for part in parts])
            elif number in entered:
                raise MalformedInput("a value within itself", source="snapshot")
            else:
                entered.add(number)

    def _found(self, number: int) -> tuple[Table, int, Sequence[int]]:
        place = bisect_right(self._starts, number) - 1
        table, index = self._tables[place], number - self._starts[place]
        if index >= table.count:
            raise MalformedInput(f"there is no value {number}", source="snapshot")
        return table, index, table.parts(index)

    def _read(self, catalogue: Mapping[str, Any], columns: ColumnReader) -> Iterator[Table]:
        yield _Fixed([self._shapes.enums[name](member) for name, member in catalogue["members"]])
        yield _Fixed(_integers(catalogue["integers"]))
        yield _Texts(catalogue["texts"], columns)
        for name, count in catalogue["classes"]:
            yield _Instances(self._shapes.classes[name], count, columns)
        for kind, count in catalogue["containers"]:
            yield _Containers(cast("type", CONTAINERS[kind]), count, columns)
        for kind, count in catalogue["wide"]:
            yield _Wide(self, cast("type", CONTAINERS[kind]), count, columns)


@contextmanager
def damage_refused() -> Generator[None]:
    """Turn what damaged bytes make the reader raise into the one typed error."""
    try:
        yield
    except _DAMAGE as error:
        raise MalformedInput(f"{type(error).__name__}: {error}", source="snapshot") from error


@contextmanager
def paused_collector() -> Generator[None]:
    """Let the cycle collector rest: it would walk over millions of objects again and again, and find no cycle."""
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()


def _integers(found: object) -> list[int]:
    numbers = list(cast("list[int]", found))
    if not {int}.issuperset(map(type, numbers)):
        raise MalformedInput("integers of another type", source="snapshot")
    return numbers


class _Fixed:
    """Values that are there at once."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.count = len(values)
        self._values = values

    def parts(self, index: int) -> Sequence[int]:
        return ()

    def made(self, index: int, parts: list[Any]) -> Any:
        return self._values[index]


class _Texts:
    def __init__(self, count: int, columns: ColumnReader) -> None:
        self.count = count
        self._offsets = columns.offsets(count)
        self._content = columns.column()

    def parts(self, index: int) -> Sequence[int]:
        return ()

    def made(self, index: int, parts: list[Any]) -> Any:
        return self.raw(index).decode("utf-8", "surrogatepass")

    def raw(self, index: int) -> bytes:
        return bytes(self._content[self._offsets[index] : self._offsets[index + 1]])


class _Instances:
    def __init__(self, shape: Shape, count: int, columns: ColumnReader) -> None:
        self.count = count
        self._shape = shape
        self._columns = [columns.column(count) for _ in shape.kept]
        # Through the slots themselves: that asks no frozen class.
        self._fields = [(_setter(shape.kind, name), hint.plain, hint, name) for name, hint in shape.kept.items()]
        self._remade = [(_setter(shape.kind, name), make) for name, make in shape.remade.items()]

    def parts(self, index: int) -> Sequence[int]:
        return [column[index] for column in self._columns]

    def made(self, index: int, parts: list[Any]) -> Any:
        instance = _NEW(self._shape.kind)
        for (put, plain, hint, name), part in zip(self._fields, parts, strict=True):
            # One look for what has nothing inside, which most has not; the rest is looked into.
            if type(part) not in plain:
                refuse_misfit(part, hint, f"{self._shape.kind.__qualname__}.{name}")
            put(instance, part)
        for put, make in self._remade:
            put(instance, make())
        return instance


def _setter(kind: type, name: str) -> Callable[[Any, Any], None]:
    return cast("Callable[[Any, Any], None]", getattr(kind, name).__set__)


class _Containers:
    def __init__(self, kind: type, count: int, columns: ColumnReader) -> None:
        self.count = count
        self._make = _MAKERS[kind]
        self._offsets = columns.offsets(count)
        self._contents = columns.column()

    def parts(self, index: int) -> Sequence[int]:
        return self._contents[self._offsets[index] : self._offsets[index + 1]]

    def made(self, index: int, parts: list[Any]) -> Any:
        return self._make(parts)


class _Wide:
    """Maps, or sets, that are large enough to stay written."""

    def __init__(self, archive: Archive, kind: type, count: int, columns: ColumnReader) -> None:
        self.count = count
        self._archive = archive
        self._first = archive.count
        self._is_set = kind is HashTrieSet
        self._below, self._lengths = columns.column(count), columns.column(count)
        self._offsets = columns.offsets(count)
        self._sums, self._keys, self._values = columns.column(), columns.column(), columns.column()
        if not len(self._sums) == len(self._keys) == len(self._values):
            raise MalformedInput("rows of different lengths", source="snapshot")

    def parts(self, index: int) -> Sequence[int]:
        return (self._below[index],)

    def made(self, index: int, parts: list[Any]) -> Any:
        rows = slice(self._offsets[index], self._offsets[index + 1])
        written = Rows(source=self._archive, sums=self._sums[rows], keys=self._keys[rows], values=self._values[rows])
        below = _frozen(parts[0])
        length = None if below is None else self._lengths[index]
        found = FrozenMap(written, number=self._first + index, below=below, length=length)
        return LayeredSet(LayeredMap[str, bool](found)) if self._is_set else LayeredMap(found)


def _frozen(below: Any) -> FrozenMap | None:
    if below is None:
        return None
    under: object = layered_in(below).layers()[0]
    if not isinstance(under, FrozenMap):
        raise MalformedInput("rows upon what has none", source="snapshot")
    return under


_MAKERS: dict[type, Callable[[list[Any]], Any]] = {
    HashTrieMap: lambda parts: _mapped(dict(zip(parts[::2], parts[1::2], strict=True))),
    HashTrieSet: HashTrieSet,
    List: lambda parts: List(tuple(parts)),
    tuple: tuple,
    frozenset: frozenset,
}


def _mapped(found: dict[Any, Any]) -> Any:
    # Large, and not from texts: a dictionary is made in a tenth of the time.
    return HashTrieMap(found) if len(found) < WIDE else LayeredMap(found)
