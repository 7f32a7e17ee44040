"""Finding claims in a Postgres schema, and filing them anew: the part of the store that the index is for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager

from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.appending import named, refuse_outdated
from upheld.record.ledger.chain import Head
from upheld.record.ledger.search import Found, Moment, Query, Vector, refuse_misfiled
from upheld.record.stores.found import UNFILED, found, narrowed
from upheld.record.stores.postgres import claims, statements
from upheld.record.stores.postgres.connection import Database
from upheld.record.stores.postgres.transaction import Transaction
from upheld.record.stores.vectors import VectorShelves, of_another_length


class PostgresSearch(ABC):
    """What :class:`~upheld.record.ledger.search.SearchableStore` adds to a store, over the schema of one.

    Vectors are kept as arrays of numbers, so that nothing depends on an extension: where pgvector is installed in the
    database (``CREATE EXTENSION vector``) the server compares them, and elsewhere this process does, with numpy.
    """

    def __init__(self, database: Database) -> None:
        """Hold no vector yet."""
        self._database = database
        self._shelves = VectorShelves()

    @abstractmethod
    def _writing(self, conversation: ConversationId) -> AbstractContextManager[Transaction]: ...

    def find(self, query: Query, /) -> tuple[Found, ...]:
        """Give the claims that match best. Cost: those with one of the words, or one product with all in view.

        Raises:
            MalformedInput: a vector that is none, or of another length than those of its embedder.
        """
        return self._meant(query) if query.vector else self._worded(query)

    def filed(self, conversation: ConversationId) -> int:
        """Give the epoch up to which claims were filed."""
        rows = self._database.rows(claims.FILED, (named(conversation),))
        return int(rows[0][0]) if rows else 0

    def unfiled(self) -> tuple[ConversationId, ...]:
        """Give the conversations that no search looks into."""
        return tuple(ConversationId(name) for (name,) in self._database.rows(UNFILED, ()))

    def unembedded(self, embedder: str, limit: int) -> tuple[tuple[int, str], ...]:
        """Give claims that have no vector of an embedder yet."""
        rows = self._database.rows(claims.UNEMBEDDED, (embedder, limit))
        return tuple((int(number), str(text)) for number, text in rows)

    def embed(self, embedder: str, vectors: Iterable[Vector]) -> None:
        """Keep vectors of claims.

        Raises:
            MalformedInput: a vector that is none; of all of them nothing was kept.
        """
        # The lock of no conversation: one writer at a time, so that who has read up to a number has missed none.
        with self._writing(ConversationId("")) as transaction:
            claims.keep_vectors(transaction, embedder, vectors)

    def refile(self, conversation: ConversationId, moments: Iterable[Moment], *, expected: int | Head) -> None:
        """Put these in the place of all that was filed of a conversation."""
        name, filed = named(conversation), tuple(moments)
        for each in filed:
            refuse_misfiled(each.filings)
        with self._writing(name) as transaction:
            head = statements.head_of(transaction.rows, name)
            refuse_outdated(name, expected, head)
            claims.refile(transaction, name, filed, upto=head.epoch)

    def _worded(self, query: Query) -> tuple[Found, ...]:
        asked = claims.asked(query.words)
        conditions, values = narrowed(query, mark="%s")
        statement = f"{claims.BY_WORDS}{conditions}{claims.BEST_FIRST}"
        rows = self._database.rows(statement, (asked, *values, query.limit))
        return tuple(found(row[:-1], row[-1]) for row in rows)

    def _meant(self, query: Query) -> tuple[Found, ...]:
        numbers = claims.numbers_of(query.vector)
        ((place, kept),) = self._database.rows(claims.EXTENSION, (query.embedder,))
        length = len(query.vector) // 4
        if kept not in (None, length):
            raise of_another_length(length, kept)
        if place is None:
            return self._nearest(query)
        conditions, values = narrowed(query, mark="%s")
        statement = f"{claims.by_meaning(place)}{conditions}{claims.BEST_FIRST}"
        rows = self._database.rows(statement, (f"[{numbers}]", query.embedder, *values, query.limit))
        return tuple(found(row[:-1], row[-1]) for row in rows)

    def _nearest(self, query: Query) -> tuple[Found, ...]:
        conditions, values = narrowed(query, mark="%s")
        in_view = self._database.rows(f"{claims.IN_VIEW}{conditions}{claims.IN_ORDER}", (query.embedder, *values))
        nearest = dict(
            self._shelves.nearest(
                query,
                [number for (number,) in in_view],
                lambda newest: [
                    (number, claims.row_of(sent))
                    for number, sent in self._database.rows(claims.VECTORS, (query.embedder, newest))
                ],
            )
        )
        # Asked anew, and so as it stands now: what was taken back since the first look is left out.
        statement = f"{claims.BY_VECTOR}{conditions}{claims.IN_ORDER}"
        rows = self._database.rows(statement, (query.embedder, list(nearest), *values))
        best = sorted(rows, key=lambda row: -nearest[row[0]])
        return tuple(found(row[1:], nearest[row[0]]) for row in best)
