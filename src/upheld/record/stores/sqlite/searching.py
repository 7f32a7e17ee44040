"""Finding claims in an SQLite file, and filing them anew: the part of the store that the index is for."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.appending import named, refuse_outdated
from upheld.record.ledger.chain import Head
from upheld.record.ledger.search import Found, Moment, Query, Vector, refuse_misfiled
from upheld.record.stores.found import UNFILED, found, narrowed
from upheld.record.stores.sqlite import claims, statements
from upheld.record.stores.vectors import VectorShelves


class SqliteSearch(ABC):
    """What :class:`~upheld.record.ledger.search.SearchableStore` adds to a store, over the file of one."""

    def __init__(self) -> None:
        """Hold no vector yet."""
        self._shelves = VectorShelves()

    @abstractmethod
    def _rows(self, query: str, values: tuple[object, ...]) -> list[Any]: ...

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[sqlite3.Connection]: ...

    def find(self, query: Query, /) -> tuple[Found, ...]:
        """Give the claims that match best. Cost: those with one of the words, or one product with all in view."""
        return self._nearest(query) if query.vector else self._worded(query)

    def filed(self, conversation: ConversationId) -> int:
        """Give the epoch up to which claims were filed."""
        rows = self._rows(claims.FILED, (named(conversation),))
        return int(rows[0][0]) if rows else 0

    def unfiled(self) -> tuple[ConversationId, ...]:
        """Give the conversations that no search looks into."""
        return tuple(ConversationId(name) for (name,) in self._rows(UNFILED, ()))

    def unembedded(self, embedder: str, limit: int) -> tuple[tuple[int, str], ...]:
        """Give claims that have no vector of an embedder yet."""
        return tuple((int(number), str(text)) for number, text in self._rows(claims.UNEMBEDDED, (embedder, limit)))

    def embed(self, embedder: str, vectors: Iterable[Vector]) -> None:
        """Keep vectors of claims."""
        with self._transaction() as connection:
            connection.executemany(claims.KEEP_VECTOR, [(embedder, each.row, each.number) for each in vectors])

    def refile(self, conversation: ConversationId, moments: Iterable[Moment], *, expected: int | Head) -> None:
        """Put these in the place of all that was filed of a conversation."""
        name, filed = named(conversation), tuple(moments)
        for each in filed:
            refuse_misfiled(each.filings)
        with self._transaction() as connection:
            head = statements.head_of(connection, name)
            refuse_outdated(name, expected, head)
            times = dict(connection.execute("SELECT epoch, recorded_at FROM entries WHERE conversation = ?", (name,)))
            claims.refile(connection, name, filed, times, upto=head.epoch)

    def _worded(self, query: Query) -> tuple[Found, ...]:
        asked = claims.matched(query.words)
        if not asked:
            return ()
        conditions, values = narrowed(query, mark="?")
        order = " ORDER BY bm25(words_of_claims), claims.conversation, claims.number, standings.since LIMIT ?"
        rows = self._rows(f"{claims.BY_WORDS}{conditions}{order}", (asked, *values, query.limit))
        return tuple(found(row[:-1], row[-1]) for row in rows)

    def _nearest(self, query: Query) -> tuple[Found, ...]:
        conditions, values = narrowed(query, mark="?")
        rows = self._rows(f"{claims.IN_VIEW}{conditions}", (query.embedder, *values))
        nearest = dict(
            self._shelves.nearest(
                query,
                [number for (number,) in rows],
                lambda newest: self._rows(claims.VECTORS, (query.embedder, newest)),
            )
        )
        marks = ", ".join("?" * len(nearest))
        rows = self._rows(f"{claims.BY_VECTOR} ({marks}){conditions}", (*nearest, *values))
        best = [found(row[1:], nearest[row[0]]) for row in rows]
        return tuple(sorted(best, key=lambda each: (-each.score, each.conversation, each.since)))
