"""Finding places by names of others in Postgres: the part of the store that the table ``bookmarks`` is for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager

from upheld.logic.language.identities import ConversationId, TurnId
from upheld.record.ledger.appending import marking, named
from upheld.record.ledger.store import Bookmark
from upheld.record.stores.postgres.connection import Database
from upheld.record.stores.postgres.transaction import Transaction

_KEEP = (
    "INSERT INTO bookmarks SELECT %s, conversation, %s FROM heads WHERE conversation = %s"
    " ON CONFLICT (name) DO UPDATE SET conversation = excluded.conversation, turn = excluded.turn"
)
_FIND = "SELECT conversation, turn FROM bookmarks WHERE name = %s"


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
