"""Finding flags in Postgres: the part of the store that the table ``reviews`` is for."""

from __future__ import annotations

from collections.abc import Iterable

from upheld.logic.language.identities import ConversationId, Epoch, FlagId
from upheld.record.ledger.appending import named
from upheld.record.ledger.entry import Entry, Erasure
from upheld.record.ledger.review.queue import FlagPlace, FlagQuery
from upheld.record.stores.postgres.connection import Database
from upheld.record.stores.postgres.transaction import Transaction
from upheld.record.stores.reviews import asked, placed, rows_of_steps, steps_asked
from upheld.record.stores.rows import EntryReader


class PostgresReviews:
    """What :class:`~upheld.record.ledger.review.queue.ReviewableStore` adds to a store, over the schema of one."""

    _entries: EntryReader
    _database: Database

    def flags(self, query: FlagQuery, /) -> tuple[FlagPlace, ...]:
        """Give the flags that are wanted, in the order of the queue."""
        return tuple(placed(row) for row in self._database.rows(*asked(query, mark="%s")))

    def steps(self, conversation: ConversationId, flag: FlagId | None = None) -> tuple[Entry, ...]:
        """Give the entries of one flag, or of all flags of a conversation."""
        name = named(conversation)
        rows = self._database.rows
        epochs = rows(*steps_asked(name, flag, mark="%s"))
        return tuple(self._entries.entry_at(rows, name, Epoch(epoch)) for (epoch,) in epochs)


def note_steps(transaction: Transaction, entries: Iterable[Entry]) -> None:
    """Write where the steps among these entries are found."""
    for row in rows_of_steps(entries):
        transaction.tell("INSERT INTO reviews VALUES (%s, %s, %s, %s, %s, %s, %s)", row)


def forget_steps(transaction: Transaction, conversation: ConversationId, erasure: Erasure) -> None:
    """Let go of those of which nothing remains after an act of erasing."""
    gone = [each.epoch for each in erasure.erased if each.remains is None]
    transaction.tell("DELETE FROM reviews WHERE conversation = %s AND epoch = ANY(%s)", (conversation, gone))
