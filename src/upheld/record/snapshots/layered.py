"""A persistent map, and a set, over something large that nobody changes any more.

Building a hash trie of a million keys takes seconds. So what was read from a snapshot stays as it was read, and only
what changes from then on is in a trie above it.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, Set, ValuesView
from typing import Any, Generic, Protocol, TypeVar, cast, runtime_checkable

from rpds import HashTrieMap, HashTrieSet

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

_ABSENT: Any = object()


@runtime_checkable
class Paired(Protocol):
    """A mapping that gives keys with values quicker than one by one."""

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Give keys with values."""
        ...


class LayeredMap(Mapping[K, V], Generic[K, V]):
    """Answers to what ``rpds.HashTrieMap`` answers to, and gives the same; every change gives a new map.

    ``under`` is shared by all values that grew from it and must not be changed. ``hidden`` are its keys that a later
    value replaced or removed.
    """

    __slots__ = ("_hidden", "_over", "_under")

    def __init__(
        self,
        under: Mapping[K, V],
        over: HashTrieMap[K, V] | None = None,
        hidden: HashTrieSet[K] | None = None,
    ) -> None:
        """Take on a mapping; it must not be changed from now on."""
        self._under = under
        self._over: HashTrieMap[K, V] = HashTrieMap() if over is None else over
        self._hidden: HashTrieSet[K] = HashTrieSet() if hidden is None else hidden

    def __getitem__(self, key: K) -> V:
        """Give what stands under a key; raises ``KeyError``."""
        found = self.get(key, _ABSENT)
        if found is _ABSENT:
            raise KeyError(key)
        return found

    def get(self, key: Any, default: Any = None) -> Any:
        """Give what stands under a key, or the default. Cost: two look-ups, three where something changed."""
        found = self._over.get(key, _ABSENT)
        if found is not _ABSENT:
            return found
        found = self._under.get(key, _ABSENT)
        return default if found is _ABSENT or key in self._hidden else found

    def __contains__(self, key: object) -> bool:
        """Tell whether something stands under a key."""
        return key in self._over or (key in self._under and key not in self._hidden)

    def __iter__(self) -> Iterator[K]:
        """Give the keys, those of the lower layer first."""
        hidden = self._hidden
        yield from self._under if not len(hidden) else (key for key in self._under if key not in hidden)
        yield from self._over

    def items(self) -> ItemsView[K, V]:
        """Give a view of keys with values."""
        return _Items(self)

    def values(self) -> ValuesView[V]:
        """Give a view of the values."""
        return _Values(self)

    def pairs(self) -> Iterator[tuple[K, V]]:
        """Give keys with values, those of the lower layer first. Cost: each lower value is made once, no look-ups."""
        under, hidden = self._under, self._hidden
        pairs = under.pairs() if isinstance(under, Paired) else under.items()
        yield from pairs if not len(hidden) else (pair for pair in pairs if pair[0] not in hidden)
        yield from self._over.items()

    def __len__(self) -> int:
        """Give the number of keys."""
        return len(self._under) - len(self._hidden) + len(self._over)

    def __eq__(self, other: object) -> bool:
        """Tell whether another mapping has the same keys and values."""
        if not isinstance(other, Mapping | HashTrieMap):
            return NotImplemented
        others = cast("Mapping[Any, Any]", other)
        return len(self) == len(others) and all(others.get(key, _ABSENT) == value for key, value in self.items())

    def __hash__(self) -> int:
        """Give a hash that does not depend on the order; equal maps have equal ones only among layered maps."""
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        """Say what is in it."""
        return f"LayeredMap({dict(self.items())!r})"

    def insert(self, key: K, value: V) -> LayeredMap[K, V]:
        """Give the map with a key set."""
        hidden = self._hidden.insert(key) if key in self._under else self._hidden
        return LayeredMap(self._under, self._over.insert(key, value), hidden)

    def remove(self, key: K) -> LayeredMap[K, V]:
        """Give the map without a key; raises ``KeyError`` when it has none."""
        if key not in self:
            raise KeyError(key)
        return self.discard(key)

    def discard(self, key: K) -> LayeredMap[K, V]:
        """Give the map without a key, whether it has one or not."""
        hidden = self._hidden.insert(key) if key in self._under else self._hidden
        return LayeredMap(self._under, self._over.discard(key), hidden)

    def update(self, *others: Mapping[K, V] | Iterable[tuple[K, V]]) -> LayeredMap[K, V]:
        """Give the map with further keys set."""
        over, hidden = self._over, self._hidden
        for other in others:
            news = dict(other)
            over = over.update(news)
            for key in news:
                if key in self._under:
                    hidden = hidden.insert(key)
        return LayeredMap(self._under, over, hidden)

    def layers(self) -> tuple[Mapping[K, V], HashTrieMap[K, V], HashTrieSet[K]]:
        """Give the lower layer, what was set since, and the keys of the lower layer that do not count any more."""
        return self._under, self._over, self._hidden


class _Items(ItemsView[K, V], Generic[K, V]):
    _mapping: LayeredMap[K, V]

    def __iter__(self) -> Iterator[tuple[K, V]]:
        return self._mapping.pairs()


class _Values(ValuesView[V], Generic[V]):
    _mapping: LayeredMap[Any, V]

    def __iter__(self) -> Iterator[V]:
        return (value for _, value in self._mapping.pairs())


class LayeredSet(Set[T], Generic[T]):
    """Answers to what ``rpds.HashTrieSet`` answers to: the keys of a layered map."""

    __slots__ = ("_members",)

    def __init__(self, members: LayeredMap[T, bool]) -> None:
        """Take on a map from each member to ``True``."""
        self._members = members

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> Any:
        # What ``|``, ``&`` and ``-`` give is as new as what a trie gives.
        return HashTrieSet(it)

    def __contains__(self, item: object) -> bool:
        """Tell whether something is in it."""
        return item in self._members

    def __iter__(self) -> Iterator[T]:
        """Give the members."""
        return iter(self._members)

    def __len__(self) -> int:
        """Give the number of members."""
        return len(self._members)

    def __eq__(self, other: object) -> bool:
        """Tell whether another set has the same members."""
        if not isinstance(other, Set | HashTrieSet):
            return NotImplemented
        others = cast("Set[Any]", other)
        return len(self) == len(others) and all(item in others for item in self)

    def __hash__(self) -> int:
        """Give a hash that does not depend on the order; equal sets have equal ones only among layered sets."""
        return self._hash()

    def __repr__(self) -> str:
        """Say what is in it."""
        return f"LayeredSet({set(self)!r})"

    @property
    def members(self) -> LayeredMap[T, bool]:
        """The map that it is the keys of."""
        return self._members

    def insert(self, item: T) -> LayeredSet[T]:
        """Give the set with one more member."""
        return self if item in self._members else LayeredSet(self._members.insert(item, True))

    def remove(self, item: T) -> LayeredSet[T]:
        """Give the set without a member; raises ``KeyError`` when it is none."""
        return LayeredSet(self._members.remove(item))

    def discard(self, item: T) -> LayeredSet[T]:
        """Give the set without something, whether it is a member or not."""
        return LayeredSet(self._members.discard(item)) if item in self._members else self

    def update(self, *others: Iterable[T]) -> LayeredSet[T]:
        """Give the set with further members."""
        return LayeredSet(self._members.update(*(dict.fromkeys(other, True) for other in others)))

    def union(self, *others: Iterable[T]) -> LayeredSet[T]:
        """Give the set with further members."""
        return self.update(*others)

    def intersection(self, *others: Iterable[T]) -> HashTrieSet[T]:
        """Give what is in all. Cost: linear in the smallest of them that knows its size."""
        return HashTrieSet(set(self).intersection(*others))

    def difference(self, *others: Iterable[T]) -> LayeredSet[T]:
        """Give the set without further members."""
        found = self
        for other in others:
            for item in other:
                found = found.discard(item)
        return found

    def symmetric_difference(self, other: Iterable[T]) -> HashTrieSet[T]:
        """Give what is in just one of two. Cost: linear in both."""
        return HashTrieSet(set(self).symmetric_difference(other))


def layered_in(container: Any) -> LayeredMap[Any, Any]:
    """Give a layered map itself, and of a layered set the map that it is the keys of."""
    return cast("LayeredSet[Any]", container).members if isinstance(container, LayeredSet) else container
