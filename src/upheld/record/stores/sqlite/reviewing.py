"""Finding flags in an SQLite file: the part of the store that the table ``reviews`` is for."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from upheld.logic.language.identities import ConversationId, Epoch, FlagId
from upheld.record.ledger.appending import named
from upheld.record.ledger.entry import Entry, Erasure
from upheld.record.ledger.review.queue import FlagPlace, FlagQuery
from upheld.record.stores.reviews import asked, placed, rows_of_steps, steps_asked
from upheld.record.stores.rows import EntryReader


class SqliteReviews(ABC):
    """What :class:`~upheld.record.ledger.review.queue.ReviewableStore` adds to a store, over the file of one."""

    _entries: EntryReader

    @abstractmethod
    def _rows(self, query: str, values: tuple[object, ...]) -> list[Any]: ...

    def flags(self, query: FlagQuery, /) -> tuple[FlagPlace, ...]:
        """Give the flags that are wanted, in the order of the queue."""
        return tuple(placed(row) for row in self._rows(*asked(query, mark="?")))

    def steps(self, conversation: ConversationId, flag: FlagId | None = None) -> tuple[Entry, ...]:
        """Give the entries of one flag, or of all flags of a conversation."""
        name = named(conversation)
        epochs = self._rows(*steps_asked(name, flag, mark="?"))
        return tuple(self._entries.entry_at(self._rows, name, Epoch(epoch)) for (epoch,) in epochs)


def note_steps(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """Write where the steps among these entries are found."""
    connection.executemany("INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?, ?)", list(rows_of_steps(entries)))


def forget_steps(connection: sqlite3.Connection, conversation: ConversationId, erasure: Erasure) -> None:
    """Let go of those of which nothing remains after an act of erasing."""
    gone = [(conversation, each.epoch) for each in erasure.erased if each.remains is None]
    connection.executemany("DELETE FROM reviews WHERE conversation = ? AND epoch = ?", gone)
