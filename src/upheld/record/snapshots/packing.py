"""From a value to bytes, one column at a time.

Every value gets a number; a dataclass becomes one column of numbers a field, a container its length and the numbers of
what is inside. Columns are gathered and written by loops that run in C, which is what makes this cheap. What is shared
stays shared: two places with the same object get the same number, and equal texts are written once. A large map from
texts is written as rows in the order of the checksums of its keys, so that a reader finds one without the others.

What an archive holds already is not written again but named, and of a map that grew from one of its maps only the
change is written: a slice upon those that are there.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, chain, islice
from operator import attrgetter
from types import NoneType
from typing import Any, cast

from rpds import HashTrieMap, HashTrieSet

from upheld.errors import MalformedInput
from upheld.record.snapshots.columns import narrowed, spans, written
from upheld.record.snapshots.frozen import GONE, FrozenMap, encoded, sum_of
from upheld.record.snapshots.layered import LayeredMap, LayeredSet, layered_in
from upheld.record.snapshots.shapes import CONTAINERS, PLAIN, WIDE, Shapes
from upheld.record.snapshots.unpacking import CONSTANTS, Archive, paused_collector

_KEYED: dict[type, type] = {
    HashTrieMap: HashTrieMap,
    LayeredMap: HashTrieMap,
    HashTrieSet: HashTrieSet,
    LayeredSet: HashTrieSet,
}


def packed(root: object, shapes: Shapes, *, upon: Archive | None = None, wide: int = WIDE) -> bytes:
    """Give the bytes of a value: a slice upon what an archive has, or a first one.

    Maps from texts, and sets of texts, of at least ``wide`` are written as rows.

    Cost: linear in the distinct objects that it is made of, those of the archive left out.

    Raises:
        MalformedInput: something in it is outside the list of what can be kept.
    """
    with paused_collector():
        packing = _Packing(shapes, upon, wide)
        packing.gather(root)
        return packing.written(root)


@dataclass(slots=True)
class _Wide:
    """A large map or set as rows: keys with values, or what changed since the one of the archive numbered ``below``."""

    below: int
    length: int
    keys: list[str]
    values: list[Any]


class _Packing:
    """One value on its way: ``_tables`` hold each distinct object under its ``id``, by type, in the order found."""

    def __init__(self, shapes: Shapes, upon: Archive | None, wide: int) -> None:
        self._least_wide = wide
        self._shapes = {shape.kind: (name, shape) for name, shape in shapes.classes.items()}
        self._enums = {kind: name for name, kind in shapes.enums.items()}
        self._upon = upon
        self._known = upon.numbers() if upon is not None else dict[int, int]()
        self._next = upon.count if upon is not None else len(CONSTANTS)
        self._tables: dict[type, dict[int, Any]] = defaultdict(dict)
        self._wide: dict[type, dict[int, _Wide]] = {HashTrieMap: {}, HashTrieSet: {}}
        self._contents: dict[int, list[Any]] = {}
        self._numbers: dict[int, int] = {}
        self._listed: list[tuple[str, int]] = []
        self._columns: list[bytes] = []

    # --- gathering -----------------------------------------------------------------------------------------------

    def gather(self, root: object) -> None:
        """Find every object that is not known, in batches of what stands in the same place."""
        pending: list[list[Any]] = [[root]]
        while pending:
            batch = self._unknown(pending.pop())
            kinds = set(map(type, batch))
            for kind in kinds:
                items = batch if len(kinds) == 1 else [item for item in batch if type(item) is kind]
                for part in self._parts(kind, self._fresh(_KEYED.get(kind, kind), items)):
                    pending.extend(spans(part))

    def _unknown(self, batch: list[Any]) -> list[Any]:
        found = self._known.keys() & set(map(id, batch)) if self._known else ()
        if not found:
            return batch
        self._numbers.update((each, self._known[each]) for each in found)
        return [item for item in batch if id(item) not in found]

    def _fresh(self, kind: type, items: list[Any]) -> list[Any]:
        table = self._tables[kind]
        before = len(table)
        table.update(zip(map(id, items), items, strict=True))
        fresh = list(islice(reversed(table.values()), len(table) - before))
        fresh.reverse()
        return fresh

    def _parts(self, kind: type, items: list[Any]) -> Iterator[list[Any]]:
        if not items or kind in PLAIN or kind in self._enums:
            return
        if kind in _KEYED:
            yield list(chain.from_iterable(map(self._listing, items)))
        elif kind in CONTAINERS:
            yield list(chain.from_iterable(items))
        elif kind in self._shapes:
            yield from (list(map(attrgetter(name), items)) for name in self._shapes[kind][1].kept)
        else:
            raise MalformedInput(f"a {kind.__qualname__} cannot be kept in a snapshot")

    def _listing(self, container: Any) -> list[Any]:
        """Give what is inside a map or set, or, of a large one, in its rows; each is asked once, for it is slow."""
        kind = _KEYED[type(container)]
        changed = self._changed(container)
        if changed is None:
            contents = _contents_of(container)
            keys = contents[::2] if kind is HashTrieMap else contents
            if len(keys) < max(1, self._least_wide) or not {str}.issuperset(map(type, keys)):
                self._contents[id(container)] = contents
                return contents
            values = contents[1::2] if kind is HashTrieMap else [True] * len(keys)
            changed = _Wide(below=0, length=len(keys), keys=keys, values=values)
        self._wide[kind][id(container)] = changed
        return [*changed.keys, *changed.values]

    def _changed(self, container: Any) -> _Wide | None:
        """Give a map as what changed since one that is known, if it grew from one."""
        if not isinstance(container, LayeredMap | LayeredSet):
            return None
        members = layered_in(container)
        under, over, hidden = members.layers()
        if self._upon is None or not isinstance(under, FrozenMap) or under.source is not self._upon:
            return None
        news = dict(_listed(over))
        gone = [key for key in _listed(hidden) if key not in news]
        keys, values = [*news, *gone], [*news.values(), *([GONE] * len(gone))]
        return _Wide(below=under.number, length=len(members), keys=keys, values=values)

    # --- writing -------------------------------------------------------------------------------------------------

    def written(self, root: object) -> bytes:
        """Give catalogue and columns."""
        self._numbers.update((id(each), number) for number, each in enumerate(CONSTANTS))
        catalogue: dict[str, object] = self._write_plain()
        classes = {kind: self._tables[kind] for kind in self._shapes if self._tables.get(kind)}
        containers = {kind: found for kind in CONTAINERS if (found := self._narrow(kind))}
        wide = {kind: found for kind, found in self._wide.items() if found}
        for table in (*classes.values(), *containers.values(), *wide.values()):
            self._number(table)
        for kind, objects in classes.items():
            for name in self._shapes[kind][1].kept:
                self._write_numbers(map(attrgetter(name), objects.values()))
        for kind, objects in containers.items():
            self._write_containers(kind, objects)
        for found in wide.values():
            self._write_wide(list(found.values()))
        catalogue["classes"] = [[self._shapes[kind][0], len(objects)] for kind, objects in classes.items()]
        catalogue["containers"] = [[CONTAINERS.index(kind), len(objects)] for kind, objects in containers.items()]
        catalogue["wide"] = [[CONTAINERS.index(kind), len(found)] for kind, found in wide.items()]
        catalogue["root"] = self._numbers[id(root)]
        catalogue["columns"] = self._listed
        text = json.dumps(catalogue, separators=(",", ":")).encode()
        return b"".join((len(text).to_bytes(8, "little"), text, *self._columns))

    def _narrow(self, kind: type) -> dict[int, Any]:
        objects, wide = self._tables.get(kind, {}), self._wide.get(kind)
        return {key: item for key, item in objects.items() if key not in wide} if wide else objects

    def _number(self, objects: Iterable[int]) -> None:
        for span in spans(objects):
            self._numbers.update(zip(span, range(self._next, self._next + len(span)), strict=True))
            self._next += len(span)

    def _write_plain(self) -> dict[str, object]:
        for kind in (bool, NoneType):
            self._tables.pop(kind, None)
        members: list[list[object]] = []
        for kind, name in self._enums.items():
            found = self._tables.pop(kind, {})
            members.extend([name, member.value] for member in cast("Iterable[Enum]", found.values()))
            self._number(found)
        integers = self._number_equal(self._tables.pop(int, {}))
        texts = self._number_equal(self._tables.pop(str, {}))
        bodies = list(map(encoded, texts))
        self._write(accumulate(map(len, bodies), initial=0))
        self._write(b"".join(bodies))
        return {"members": members, "integers": integers, "texts": len(texts)}

    def _number_equal(self, objects: dict[int, Any]) -> list[Any]:
        """Give equal values one number, however many objects there are of each."""
        distinct: dict[Any, int] = {}
        for key, item in objects.items():
            self._numbers[key] = distinct.setdefault(item, self._next + len(distinct))
        self._next += len(distinct)
        return list(distinct)

    def _write_containers(self, kind: type, objects: dict[int, Any]) -> None:
        contents = [self._contents[each] for each in objects] if kind in _KEYED else objects.values()
        self._write(accumulate(map(len, contents), initial=0))
        self._write_numbers(chain.from_iterable(contents))

    def _write_wide(self, wide: list[_Wide]) -> None:
        self._write(each.below for each in wide)
        self._write(each.length for each in wide)
        self._write(accumulate((len(each.keys) for each in wide), initial=0))
        sums: dict[str, int] = {}
        orders = [_order(each.keys, sums) for each in wide]
        ordered = [list(map(each.keys.__getitem__, order)) for each, order in zip(wide, orders, strict=True)]
        self._write(map(sums.__getitem__, chain.from_iterable(ordered)))
        self._write_numbers(chain.from_iterable(ordered))
        self._write_numbers(
            chain.from_iterable(map(each.values.__getitem__, order) for each, order in zip(wide, orders, strict=True))
        )

    def _write_numbers(self, values: Iterable[Any]) -> None:
        self._write(map(self._numbers.__getitem__, map(id, values)))

    def _write(self, numbers: Iterable[int] | bytes) -> None:
        column = array("B", numbers) if isinstance(numbers, bytes) else narrowed(numbers)
        self._listed.append((column.typecode, len(column)))
        self._columns.append(written(column))


def _order(keys: list[str], sums: dict[str, int]) -> list[int]:
    for key in keys:
        if key not in sums:
            sums[key] = sum_of(key)
    found = list(map(sums.__getitem__, keys))
    return sorted(range(len(keys)), key=found.__getitem__)


def _listed(container: HashTrieMap[Any, Any] | HashTrieSet[Any]) -> Iterable[Any]:
    # Its own iterators copy the trie at each step; what it tells a copier comes in one go, seven times faster.
    return cast("Iterable[Any]", cast("Any", container.__reduce__())[1][0])


def _contents_of(container: Any) -> list[Any]:
    """Give what is inside a map or set, of a map keys and values in turn."""
    if isinstance(container, HashTrieMap):
        return list(chain.from_iterable(_listed(cast("HashTrieMap[Any, Any]", container))))
    if isinstance(container, LayeredMap):
        return list(chain.from_iterable(_items_of(cast("LayeredMap[Any, Any]", container))))
    if isinstance(container, LayeredSet):
        return [key for key, _ in _items_of(layered_in(container))]
    return list(_listed(container))


def _items_of(layered: LayeredMap[Any, Any]) -> Iterable[tuple[Any, Any]]:
    # As ``pairs``, but what is above the lower layer is listed in one go.
    under, over, hidden = layered.layers()
    lower = LayeredMap(under, hidden=hidden).pairs()
    return chain(lower, _listed(over))
