"""A transaction that goes to the server as seldom as it can: a turn is on its disk after two ways there and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import psycopg

from upheld.record.stores.postgres.translating import is_lost

Connection = psycopg.Connection[tuple[Any, ...]]
Values = tuple[object, ...] | Mapping[str, object]
"""Values of a statement, by place or by name."""


MOST_ROWS = 500
"""Rows of one statement, so that none becomes too large to be planned."""

MOST_UNSENT = 500
"""Statements that wait at most: a whole record that is filed anew does not wait in memory."""


def answers(connection: Connection, statements: bytes, values: Values | None = None) -> list[list[Any]]:
    """Send statements at once, and give the rows of each that gives rows.

    The server takes several statements in one message only as text (simple query), so the driver quotes the values.
    """
    with psycopg.ClientCursor(connection) as cursor:
        cursor.execute(statements, values)
        found = [cursor.fetchall()] if cursor.description is not None else []
        while cursor.nextset():
            if cursor.description is not None:
                found.append(cursor.fetchall())
        return found


def listed(rows: Sequence[tuple[object, ...]], row: str = "") -> Iterator[tuple[str, tuple[object, ...]]]:
    """Give what stands after VALUES, and the values, some rows at a time; ``row`` says how one is written."""
    for first in range(0, len(rows), MOST_ROWS):
        some = rows[first : first + MOST_ROWS]
        one = row or f"({', '.join(['%s'] * len(some[0]))})"
        yield ", ".join([one] * len(some)), tuple(value for each in some for value in each)


class Transaction:
    """What is written in one transaction. It begins with the first question, or at the end.

    What gives no answer (:meth:`tell`) waits for the next question, or for the end, and goes with it. An error of it is
    therefore raised there, and nothing after it is done.
    """

    def __init__(self, connection: Connection, begin: bytes, *, another: Callable[[], Connection]) -> None:
        """Send nothing yet. ``another`` gives a new connection, where the first broke while nobody used it."""
        self._connection = connection
        self._another = another
        self._unsent = [begin]
        self._has_begun = False

    def begin(self) -> None:
        """Begin now, and wait for the lock; on another connection, where this one broke while nobody used it."""
        if not self._has_begun:
            self._sent()

    def rows(self, query: str, values: Values) -> list[Any]:
        """Ask, after all that was told before, and give all rows."""
        self.tell(query, values)
        return self._sent()[-1]

    def rows_of_both(self, one: tuple[str, Values], other: tuple[str, Values]) -> tuple[list[Any], list[Any]]:
        """Ask two questions at once, and give all rows of each."""
        self.tell(*one)
        self.tell(*other)
        *_, first, second = self._sent()
        return first, second

    def tell(self, query: str, values: Values = ()) -> None:
        """Write something whose answer nobody needs."""
        if len(self._unsent) >= MOST_UNSENT:
            self._sent()
        self._unsent.append(psycopg.ClientCursor(self._connection).mogrify(query.encode(), values).encode())

    def end(self) -> None:
        """Write what was told, and let it last: when this returns, all is on the server's disk.

        Raises:
            psycopg.Error: where :func:`~upheld.record.stores.postgres.translating.is_lost` tells that the connection
                broke, nobody knows whether it was written; else nothing was.
        """
        self._unsent.append(b"COMMIT")
        self._sent()

    def _sent(self) -> list[list[Any]]:
        statements, self._unsent = b";\n".join(self._unsent), []
        try:
            found = answers(self._connection, statements)
        except psycopg.OperationalError as error:
            if self._has_begun or not is_lost(error):
                raise
            self._connection = self._another()
            found = answers(self._connection, statements)
        self._has_begun = True
        return found
