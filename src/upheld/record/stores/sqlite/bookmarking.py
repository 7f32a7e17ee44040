"""Finding places by names of others in an SQLite file: the part of the store that the table ``bookmarks`` is for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from upheld.logic.language.identities import ConversationId, TurnId
from upheld.record.ledger.appending import marking, named
from upheld.record.ledger.store import Bookmark
from upheld.record.stores.sqlite.committing import Committer

_KEEP = (
    "INSERT INTO bookmarks SELECT ?, conversation, ? FROM heads WHERE conversation = ?"
    " ON CONFLICT (name) DO UPDATE SET conversation = excluded.conversation, turn = excluded.turn"
)
_FIND = "SELECT conversation, turn FROM bookmarks WHERE name = ?"


class SqliteBookmarks(ABC):
    """What :class:`~upheld.record.ledger.store.BookmarkingStore` adds to a store, over the file of one."""

    _committer: Committer

    @abstractmethod
    def _rows(self, query: str, values: tuple[object, ...]) -> list[Any]: ...

    @abstractmethod
    def _refuse_if_unusable(self) -> None: ...

    def bookmark(self, name: str, place: Bookmark, /) -> None:
        """Keep a place under a name; when this returns, it is on the disk."""
        values = (marking(name), place.turn, named(place.conversation))
        self._refuse_if_unusable()
        self._committer.done(lambda connection: connection.execute(_KEEP, values))

    def bookmarked(self, name: str, /) -> Bookmark | None:
        """Give the place that is kept under a name."""
        found = self._rows(_FIND, (marking(name),))
        return Bookmark(conversation=ConversationId(found[0][0]), turn=TurnId(found[0][1])) if found else None
