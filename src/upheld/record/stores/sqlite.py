"""A store in one SQLite file, with nothing but the standard library."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Condition, Lock
from types import TracebackType
from typing import Any, Self

from upheld.errors import MalformedInput, StoreError
from upheld.logic.language.identities import ConversationId, Epoch, TurnId
from upheld.record.ledger.appending import asked, following, named, window
from upheld.record.ledger.codec import Codec, unreadable
from upheld.record.ledger.entry import Content, Entry
from upheld.record.ledger.store import Clock, system_clock
from upheld.record.stores.sqlite_connection import connected, translated
from upheld.record.stores.sqlite_schema import migrate

_PAGE = 100
"""Entries read at once: a reader holds no lock and no snapshot between pages, so it never stands in a writer's way."""

_POLL = 0.05
"""Seconds between looks for what another process appended; a follower is woken at once by appends through its store."""

# The body as bytes: whatever was done to it, it can be fetched, and its digest tells.
_SELECT = (
    "SELECT conversation, epoch, turn, key, recorded_at, digest, CAST(body AS BLOB)"
    " FROM entries LEFT JOIN contents USING (conversation, epoch)"
)
_BETWEEN = f"{_SELECT} WHERE conversation = ? AND epoch > ? AND epoch <= ? ORDER BY epoch"
_BY_KEY = f"{_SELECT} WHERE conversation = ? AND key = ? AND key <> '' ORDER BY epoch"
_VERSION = "SELECT coalesce(max(epoch), 0) FROM entries WHERE conversation = ?"
# Jumps from name to name in the primary key; SELECT DISTINCT would walk over every entry.
_CONVERSATIONS = """
    WITH RECURSIVE names (name) AS (
        SELECT min(conversation) FROM entries
        UNION ALL
        SELECT (SELECT min(conversation) FROM entries WHERE conversation > name) FROM names WHERE name IS NOT NULL
    )
    SELECT name FROM names WHERE name IS NOT NULL
"""


class SqliteStore:
    """A :class:`~upheld.record.ledger.store.Store` in one file; several processes may have it open.

    One connection writes and one reads, each under its lock: readers never wait for a writer, of this process or of
    another. An object does not outlive a fork: open the file anew in the child.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        clock: Clock = system_clock,
        codec: Codec | None = None,
        busy_timeout: float = 10.0,
    ) -> None:
        """Open the file, create it if need be, and bring its schema up to date.

        ``busy_timeout`` is how many seconds an append waits for other processes to finish theirs.

        Raises:
            StoreError: no database, read-only, damaged, or written by a newer version.
            MalformedInput: ``:memory:`` or an empty path, which two connections could not share.
        """
        if os.fspath(path) in ("", ":memory:"):
            raise MalformedInput("names no file; EphemeralStore keeps a ledger in memory", source=os.fspath(path))
        self._path = Path(path).absolute()
        self._clock = clock
        self._codec = codec or Codec()
        self._process = os.getpid()
        self._is_closed = False
        self._write_lock, self._read_lock = Lock(), Lock()
        self._news = Condition()
        with translated(self._path):
            self._writer = connected(self._path, busy_timeout=busy_timeout)
            try:
                migrate(self._writer, clock)
                self._reader = connected(self._path, busy_timeout=busy_timeout)
            except BaseException:
                self._writer.close()
                raise

    def append(
        self,
        conversation: ConversationId,
        contents: Sequence[Content],
        *,
        expected: int | None = None,
        key: str = "",
    ) -> tuple[Entry, ...]:
        """Append all contents or none; when this returns, they are on the disk."""
        append = asked(self._codec, conversation, contents, expected=expected, key=key)
        with self._transaction() as connection:
            first = connection.execute(_BY_KEY, (append.conversation, key)).fetchall() if key else []
            if first:
                return append.repeats([self._entry(row) for row in first], self._codec)
            (version,) = connection.execute(_VERSION, (append.conversation,)).fetchone()
            entries = append.entries(version, self._clock())
            connection.executemany(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
                [(e.conversation, e.epoch, e.turn, e.key, e.recorded_at, e.digest) for e in entries],
            )
            connection.executemany(
                "INSERT INTO contents VALUES (?, ?, ?)",
                [(e.conversation, e.epoch, item.text) for e, item in zip(entries, append.sealed, strict=True)],
            )
        with self._news:
            self._news.notify_all()
        return entries

    def read(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Give the entries with ``after`` < epoch <= ``upto`` in order, a page at a time."""
        low, high = window(after, upto, self.version(conversation))
        return self._pages(conversation, low, high)

    def version(self, conversation: ConversationId) -> int:
        """Give the number of entries; 0 for an unknown conversation."""
        ((version,),) = self._rows(_VERSION, (named(conversation),))
        return int(version)

    def conversations(self) -> tuple[ConversationId, ...]:
        """Give the ids of all conversations, sorted by code point."""
        return tuple(ConversationId(name) for (name,) in self._rows(_CONVERSATIONS, ()))

    def follow(self, conversation: ConversationId, *, after: int = 0, timeout: float | None = None) -> Iterator[Entry]:
        """Give the entries from ``after`` on, then each as it arrives, from whatever process."""
        self.version(conversation)
        return following(
            lambda seen: self.read(conversation, after=seen),
            lambda seen: self._has_news(conversation, seen, timeout),
            after,
        )

    def close(self) -> None:
        """Close the file; closing twice is no fault, and a forked child leaves the parent's connections alone."""
        if self._is_closed or self._is_forked():
            return
        self._is_closed = True
        with self._write_lock, self._read_lock, translated(self._path):
            self._reader.close()
            self._writer.close()
        with self._news:
            self._news.notify_all()

    def __enter__(self) -> Self:
        """Give the store itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()

    @contextmanager
    def _transaction(self) -> Generator[sqlite3.Connection]:
        self._refuse_if_unusable()
        with self._write_lock, translated(self._path), self._writer as connection:
            # Immediate: the lock is taken before the version is read, so that no other writer comes in between.
            connection.execute("BEGIN IMMEDIATE")
            yield connection

    def _rows(self, query: str, values: tuple[object, ...]) -> list[Any]:
        self._refuse_if_unusable()
        with self._read_lock, translated(self._path):
            return self._reader.execute(query, values).fetchall()

    def _pages(self, conversation: ConversationId, after: int, upto: int) -> Iterator[Entry]:
        for start in range(after, upto, _PAGE):
            for row in self._rows(_BETWEEN, (conversation, start, min(start + _PAGE, upto))):
                yield self._entry(row)

    def _entry(self, row: tuple[str, int, str | None, str, str, str, bytes | None]) -> Entry:
        conversation, epoch, turn, key, recorded_at, digest, body = row
        name = ConversationId(conversation)
        if body is None or sha256(body).hexdigest() != digest:
            raise unreadable(name, epoch, "its content is missing" if body is None else "its content was damaged")
        return Entry(
            conversation=name,
            epoch=Epoch(epoch),
            turn=None if turn is None else TurnId(turn),
            content=self._codec.decode(body.decode(), conversation=name, epoch=epoch),
            key=key,
            recorded_at=recorded_at,
            digest=digest,
        )

    def _has_news(self, conversation: ConversationId, seen: int, timeout: float | None) -> bool:
        """Wait until the conversation is longer than ``seen``, or for ``timeout`` seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._news:
            while self.version(conversation) <= seen:
                left = _POLL if deadline is None else min(_POLL, deadline - time.monotonic())
                if left <= 0:
                    return False
                self._news.wait(left)
        return True

    def _is_forked(self) -> bool:
        return os.getpid() != self._process

    def _refuse_if_unusable(self) -> None:
        if self._is_closed:
            raise StoreError(f"{self._path}: this store is closed")
        if self._is_forked():
            raise StoreError(f"{self._path}: this store was opened before a fork; open it anew in the child")
