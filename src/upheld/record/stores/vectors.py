"""Vectors of claims held in memory, and the nearest of them by an exact product with all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from threading import Lock
from typing import Any

from upheld.errors import MalformedInput, MissingExtra
from upheld.record.ledger.search import Query

_FIRST = 64
"""Rows that there is room for at first; it doubles when it is full."""


class VectorShelf:
    """Rows of one length under numbers that grow; more come in as more are written. No approximation.

    Not safe for threads by itself. Cost: taking in, what is new; a search, one product with all that are in view.
    """

    def __init__(self) -> None:
        """Start empty; numpy is loaded at the first row."""
        self._numbers: list[int] = []
        self._places: dict[int, int] = {}
        self._rows: Any = None

    @property
    def newest(self) -> int:
        """The last number taken in; 0 for none."""
        return self._numbers[-1] if self._numbers else 0

    def take(self, rows: Iterable[tuple[int, bytes]]) -> None:
        """Take rows in, in the order of their numbers.

        Raises:
            MalformedInput: a vector of another length than those before.
        """
        np = _numpy()
        fresh = [(number, np.frombuffer(vector, dtype="<f4")) for number, vector in rows]
        if not fresh:
            return
        width = len(fresh[0][1]) if self._rows is None else self._rows.shape[1]
        if any(len(row) != width for _, row in fresh):
            raise MalformedInput(f"a vector of another length than {width}: one store holds those of one embedder")
        count = len(self._numbers)
        if self._rows is None or count + len(fresh) > len(self._rows):
            larger = np.zeros((max(_FIRST, 2 * (count + len(fresh))), width), dtype=np.float32)
            if self._rows is not None:
                larger[:count] = self._rows[:count]
            self._rows = larger
        for place, (number, row) in enumerate(fresh, start=count):
            self._rows[place] = row
            self._places[number] = place
            self._numbers.append(number)

    def nearest(self, vector: bytes, in_view: Sequence[int], limit: int) -> list[tuple[int, float]]:
        """Give the numbers in view whose vectors are nearest, with their cosines, nearest first, then by number."""
        places = [self._places[number] for number in in_view if number in self._places]
        if not places:
            return []
        np = _numpy()
        wanted = np.frombuffer(vector, dtype="<f4")
        if len(wanted) != self._rows.shape[1]:
            raise of_another_length(len(wanted), self._rows.shape[1])
        cosines = self._rows[places] @ wanted
        order = np.argsort(-cosines, kind="stable")[:limit]
        return [(self._numbers[places[int(place)]], float(cosines[place])) for place in order]


class VectorShelves:
    """A shelf for each embedder, read from a store as far as it is new. Safe for threads."""

    def __init__(self) -> None:
        """Start empty."""
        self._shelves = defaultdict[str, VectorShelf](VectorShelf)
        self._lock = Lock()

    def nearest(
        self, query: Query, in_view: Sequence[int], read: Callable[[int], Iterable[tuple[int, bytes]]]
    ) -> list[tuple[int, float]]:
        """Give what is nearest of what is in view; ``read`` gives the rows of the embedder after a number.

        Raises:
            MalformedInput: a vector of another length than those of the embedder.
        """
        with self._lock:
            shelf = self._shelves[query.embedder]
            shelf.take(read(shelf.newest))
            return shelf.nearest(query.vector, in_view, query.limit)


def of_another_length(length: int, kept: int) -> MalformedInput:
    """Give the error that a vector cannot be compared with those that are kept."""
    return MalformedInput(f"a vector of length {length}; this store holds those of {kept}")


def _numpy() -> Any:
    try:
        return import_module("numpy")
    except ImportError as error:
        raise MissingExtra("local", needed_for="searching by meaning") from error
