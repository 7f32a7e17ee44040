"""A persistent map over a dictionary that nobody changes any more.

Building a hash trie of a million keys takes seconds; a dictionary, a tenth of one. So what was read from a snapshot
stays a dictionary, and only what changes from then on is in a trie above it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

from rpds import HashTrieMap, HashTrieSet

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

_ABSENT: Any = object()


class LayeredMap(Mapping[K, V], Generic[K, V]):
    """Answers to what ``rpds.HashTrieMap`` answers to, and gives the same; every change gives a new map.

    ``under`` is shared by all values that grew from it and must not be changed. ``hidden`` are its keys that a later
    value replaced or removed.
    """

    __slots__ = ("_hidden", "_over", "_under")

    def __init__(
        self,
        under: dict[K, V],
        over: HashTrieMap[K, V] | None = None,
        hidden: HashTrieSet[K] | None = None,
    ) -> None:
        """Take on a dictionary; it must not be changed from now on."""
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
        return self.get(key, _ABSENT) is not _ABSENT

    def __iter__(self) -> Iterator[K]:
        """Give the keys, those of the dictionary first."""
        hidden = self._hidden
        yield from self._under if not len(hidden) else (key for key in self._under if key not in hidden)
        yield from self._over

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

    def layers(self) -> tuple[dict[K, V], HashTrieMap[K, V], HashTrieSet[K]]:
        """Give the dictionary, what was set since, and the keys of the dictionary that do not count any more."""
        return self._under, self._over, self._hidden
