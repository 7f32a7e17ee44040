"""Finding places in records in Postgres, of flags and by names of others: ``reviews`` and ``bookmarks``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager

from upheld.logic.language.identities import ConversationId, Epoch, FlagId, TurnId
from upheld.record.ledger.appending import marking, named
from upheld.record.ledger.entry import Entry, Erasure
from upheld.record.ledger.review.queue import FlagPlace, FlagQuery
from upheld.record.ledger.store import Bookmark
from upheld.record.stores.postgres.connection import Database
from upheld.record.stores.postgres.transaction import Transaction
from upheld.record.stores.reviews import asked, placed, rows_of_steps, steps_asked
from upheld.record.stores.rows import EntryReader

_KEEP = (
    "INSERT INTO bookmarks SELECT %s, conversation, %s FROM heads WHERE conversation = %s"
    " ON CONFLICT (name) DO UPDATE SET conversation = excluded.conversation, turn = excluded.turn"
)
_FIND = "SELECT conversation, turn FROM bookmarks WHERE name = %s"


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


class PostgresBookmarks(ABC):
    """What :class:`~upheld.record.ledger.store.BookmarkingStore` adds to a store, over the schema of one."""

    _database: Database

    @abstractmethod
    def _writing(self, conversation: ConversationId) -> AbstractContextManager[Transaction]: ...

    def bookmark(self, name: str, place: Bookmark, /) -> None:
        """Keep a place under a name; when this returns, it is on the server's disk."""
        conversation = named(place.conversation)
        values = (marking(name), place.turn, conversation)
        # As an append: whoever drops the conversation meanwhile is waited for, and nothing outlives it.
        with self._writing(conversation) as transaction:
            transaction.tell(_KEEP, values)

    def bookmarked(self, name: str, /) -> Bookmark | None:
        """Give the place that is kept under a name."""
        found = self._database.rows(_FIND, (marking(name),))
        return Bookmark(conversation=ConversationId(found[0][0]), turn=TurnId(found[0][1])) if found else None


def note_steps(transaction: Transaction, entries: Iterable[Entry]) -> None:
    """Write where the steps among these entries are found."""
    for row in rows_of_steps(entries):
        transaction.tell("INSERT INTO reviews VALUES (%s, %s, %s, %s, %s, %s, %s)", row)


def forget_steps(transaction: Transaction, conversation: ConversationId, erasure: Erasure) -> None:
    """Let go of those of which nothing remains after an act of erasing."""
    gone = [each.epoch for each in erasure.erased if each.remains is None]
    transaction.tell("DELETE FROM reviews WHERE conversation = %s AND epoch = ANY(%s)", (conversation, gone))
