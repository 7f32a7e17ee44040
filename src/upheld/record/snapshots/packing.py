"""From a value to bytes, one column at a time.

Every value gets a number; a dataclass becomes one column of numbers a field, a container its length and the numbers of
what is inside. Columns are gathered and written by loops that run in C, which is what makes this cheap. What is shared
stays shared: two places with the same object get the same number, and equal texts are written once.
"""

from __future__ import annotations

import gc
import json
import sys
from array import array
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from itertools import chain, islice
from operator import attrgetter
from types import NoneType
from typing import Any, cast

from rpds import HashTrieMap, HashTrieSet

from upheld.errors import MalformedInput
from upheld.record.snapshots.layered import LayeredMap
from upheld.record.snapshots.shapes import CONTAINERS, PLAIN, Shapes

CONSTANTS = (None, False, True)
"""The values with the first numbers."""

HASHED: frozenset[type] = frozenset({HashTrieMap, HashTrieSet, frozenset})
"""Containers that ask for the hash of what is inside (of a map: of its keys)."""

_TRIES: frozenset[type] = frozenset({HashTrieMap, HashTrieSet})


def packed(root: object, shapes: Shapes) -> bytes:
    """Give the bytes of a value. Cost: linear in the distinct objects that it is made of.

    Raises:
        MalformedInput: something in it is outside the list of what can be kept.
    """
    with paused_collector():
        packing = _Packing(shapes)
        packing.gather(root)
        return packing.written(root)


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


def flattened(kind: type, containers: Iterable[Any]) -> Iterator[Any]:
    """Give what is inside containers of one kind, one after the other; of maps keys and values in turn."""
    return chain.from_iterable(map(_contents_of, containers) if kind in _TRIES else containers)


def _contents_of(container: Any) -> Iterable[Any]:
    if isinstance(container, HashTrieSet):
        return _listed(cast("HashTrieSet[Any]", container))
    return chain.from_iterable(_items_of(container))


def _listed(container: HashTrieMap[Any, Any] | HashTrieSet[Any]) -> Iterable[Any]:
    # Its own iterators copy the trie at each step; what it tells a copier comes in one go, seven times faster.
    return cast("Iterable[Any]", cast("Any", container.__reduce__())[1][0])


def _items_of(container: HashTrieMap[Any, Any] | LayeredMap[Any, Any]) -> Iterable[tuple[Any, Any]]:
    if isinstance(container, HashTrieMap):
        return _listed(container)
    under, over, hidden = container.layers()
    kept = under.items() if not len(hidden) else (item for item in under.items() if item[0] not in hidden)
    return chain(kept, _listed(over))


class _Packing:
    """One value on its way: ``_tables`` hold each distinct object under its ``id``, by type, in the order found."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = {shape.kind: (name, shape) for name, shape in shapes.classes.items()}
        self._enums = {kind: name for name, kind in shapes.enums.items()}
        self._tables: dict[type, dict[int, Any]] = defaultdict(dict)
        self._listings: dict[int, list[Any]] = {}
        self._numbers: dict[int, int] = {}
        self._columns = array("I")

    def gather(self, root: object) -> None:
        """Find every object, in batches of what stands in the same place."""
        pending: list[list[Any]] = [[root]]
        while pending:
            batch = pending.pop()
            kinds = set(map(type, batch))
            for kind in kinds:
                items = batch if len(kinds) == 1 else [item for item in batch if type(item) is kind]
                table = self._tables[HashTrieMap if kind is LayeredMap else kind]
                before = len(table)
                table.update(zip(map(id, items), items, strict=True))
                fresh = list(islice(reversed(table.values()), len(table) - before))
                fresh.reverse()
                pending.extend(self._parts(kind, fresh))

    def _parts(self, kind: type, items: list[Any]) -> Iterator[list[Any]]:
        if not items or kind in PLAIN or kind in self._enums:
            return
        if kind in CONTAINERS or kind is LayeredMap:
            yield list(self._inside(HashTrieMap if kind is LayeredMap else kind, items))
        elif kind in self._shapes:
            yield from (list(map(attrgetter(name), items)) for name in self._shapes[kind][1].kept)
        else:
            raise MalformedInput(f"a {kind.__qualname__} cannot be kept in a snapshot")

    def _inside(self, kind: type, containers: Iterable[Any]) -> Iterator[Any]:
        """Give what is inside containers; each trie is asked once, since it is slow to tell."""
        if kind not in _TRIES:
            return chain.from_iterable(containers)
        return chain.from_iterable(map(self._listing, containers))

    def _listing(self, container: Any) -> list[Any]:
        known = self._listings.get(id(container))
        if known is None:
            known = self._listings[id(container)] = list(_contents_of(container))
        return known

    # --- writing -------------------------------------------------------------------------------------------------

    def written(self, root: object) -> bytes:
        """Give catalogue and columns."""
        catalogue: dict[str, object] = self._number_plain()
        catalogue["classes"] = self._number_instances()
        waves = self._number_containers()
        catalogue["waves"] = [[CONTAINERS.index(kind), len(items)] for kind, items in waves]
        self._write_instances()
        for kind, items in waves:
            self._write_containers(kind, items)
        catalogue["root"] = self._numbers[id(root)]
        text = json.dumps(catalogue, separators=(",", ":")).encode()
        return len(text).to_bytes(8, "little") + text + planes_of(self._columns)

    def _number(self, objects: dict[int, Any]) -> None:
        first = len(self._numbers) and self._next
        self._numbers.update(zip(objects, range(first, first + len(objects)), strict=True))
        self._next = first + len(objects)

    def _number_plain(self) -> dict[str, object]:
        for constant, number in zip(CONSTANTS, range(len(CONSTANTS)), strict=True):
            self._numbers[id(constant)] = number
        self._next = len(CONSTANTS)
        texts = self._number_equal(self._tables.pop(str, {}))
        integers = self._number_equal(self._tables.pop(int, {}))
        for kind in (bool, NoneType):
            self._tables.pop(kind, None)
        members: list[list[str]] = []
        for kind, name in self._enums.items():
            found = self._tables.pop(kind, {})
            members += [[name, member.value] for member in cast("Iterable[Enum]", found.values())]
            self._number(found)
        return {"texts": texts, "integers": integers, "members": members}

    def _number_equal(self, objects: dict[int, Any]) -> list[Any]:
        """Give equal values one number, however many objects there are of each."""
        distinct = dict.fromkeys(objects.values())
        numbers = dict(zip(distinct, range(self._next, self._next + len(distinct)), strict=True))
        self._numbers.update(zip(objects, map(numbers.__getitem__, objects.values()), strict=True))
        self._next += len(distinct)
        return list(distinct)

    def _number_instances(self) -> list[list[object]]:
        self._first_instance = self._next
        classes: list[list[object]] = []
        for kind, (name, _) in self._shapes.items():
            objects = self._tables.get(kind)
            if objects:
                classes.append([name, len(objects)])
                self._number(objects)
        return classes

    def _number_containers(self) -> list[tuple[type, list[Any]]]:
        """Put containers after what they contain: in waves, each made of what earlier ones gave."""
        left = {kind: self._tables.pop(kind) for kind in CONTAINERS if kind in self._tables}
        waves: list[tuple[type, list[Any]]] = []
        while left:
            ready = {kind: self._ready(kind, objects, left) for kind, objects in left.items()}
            for kind, objects in ready.items():
                if objects:
                    waves.append((kind, list(objects.values())))
                    self._number(objects)
            left = {kind: rest for kind, objects in left.items() if (rest := _without(objects, ready[kind]))}
        return waves

    def _ready(self, kind: type, objects: dict[int, Any], left: Mapping[type, dict[int, Any]]) -> dict[int, Any]:
        """Give those containers that hold none of those that are left."""
        nested = left.keys() & _kinds_of(self._inside(kind, objects.values()))
        if not nested:
            return objects
        unplaced = set(chain.from_iterable(left[each] for each in nested))
        insides = map(self._listing, objects.values()) if kind in _TRIES else objects.values()
        return {
            key: item
            for (key, item), inside in zip(objects.items(), insides, strict=True)
            if unplaced.isdisjoint(map(id, inside))
        }

    def _write_instances(self) -> None:
        flat: set[type] = {*PLAIN, *self._enums}
        for kind, (_, shape) in self._shapes.items():
            objects = self._tables.get(kind)
            if not objects:
                continue
            start = len(self._columns)
            for name in shape.kept:
                self._write(map(attrgetter(name), objects.values()))
            if max(self._columns[start:], default=0) < self._first_instance:
                flat.add(kind)
        self._flat = flat

    def _write_containers(self, kind: type, items: list[Any]) -> None:
        if kind in HASHED:
            hashed = islice(self._inside(kind, items), 0, None, 2 if kind is HashTrieMap else 1)
            if not self._flat.issuperset(map(type, hashed)):
                raise MalformedInput(f"a {kind.__qualname__} over composed values cannot be kept in a snapshot")
        lengths = map(len, items)
        self._columns.extend((2 * length for length in lengths) if kind is HashTrieMap else lengths)
        self._write(self._inside(kind, items))

    def _write(self, values: Iterable[Any]) -> None:
        self._columns.extend(map(self._numbers.__getitem__, map(id, values)))


def planes_of(numbers: array[int]) -> bytes:
    """Give the lowest bytes of all numbers, then the next, and so on: like beside like, which compresses well."""
    if sys.byteorder == "big":
        numbers.byteswap()
    content = numbers.tobytes()
    return b"".join(content[plane :: numbers.itemsize] for plane in range(numbers.itemsize))


def _kinds_of(values: Iterable[Any]) -> set[type]:
    kinds: set[type] = set(map(type, values))
    return (kinds - {LayeredMap}) | {HashTrieMap} if LayeredMap in kinds else kinds


def _without(objects: dict[int, Any], gone: dict[int, Any]) -> dict[int, Any]:
    return {} if gone is objects else {key: item for key, item in objects.items() if key not in gone}
