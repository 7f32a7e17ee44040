"""A store in one SQLite file, with nothing but the standard library."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Lock
from types import TracebackType
from typing import Any, Self

from upheld.errors import MalformedInput, StoreError, VersionConflict
from upheld.logic.language.identities import AgentId, ConversationId
from upheld.record.ledger.adopting import adopted
from upheld.record.ledger.appending import Append, Sealing, following, named, window
from upheld.record.ledger.chain import BEGINNING, Head, KeptEntry, Salts, random_salt
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Content, Entry
from upheld.record.ledger.erasing import Receipt, requested, to_drop
from upheld.record.ledger.search import Filing, refuse_misfiled
from upheld.record.ledger.snapshot import Snapshot, refuse_misfit
from upheld.record.ledger.store import Clock, system_clock
from upheld.record.stores.rows import EntryReader, Rows, kept_of
from upheld.record.stores.sqlite import claims, statements
from upheld.record.stores.sqlite.bookmarking import SqliteBookmarks
from upheld.record.stores.sqlite.committing import Committer
from upheld.record.stores.sqlite.connection import connected, connected_for_reading, let_go_of_log, translated
from upheld.record.stores.sqlite.reviewing import SqliteReviews, forget_steps, note_steps
from upheld.record.stores.sqlite.schema import migrate, refuse_other_schema
from upheld.record.stores.sqlite.searching import SqliteSearch

_POLL = 0.05
"""Seconds between looks for what another process appended; a follower is woken at once by appends through its store."""


class SqliteStore(SqliteSearch, SqliteReviews, SqliteBookmarks):
    """A :class:`~upheld.record.ledger.search.SearchableStore` in one file; several processes may have it open.

    One connection writes and one reads, each under its lock: readers never wait for a writer, of this process or of
    another. Appends that come at once share a transaction, and with it the wait for the disk. An object does not
    outlive a fork: open the file anew in the child. What is erased is overwritten in the file and in its log; when
    another process reads at that moment, the log follows at the next erasure or the last close. Copies of the file, and
    blocks that the file system has freed, are out of reach.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        clock: Clock = system_clock,
        codec: Codec | None = None,
        salts: Salts = random_salt,
        busy_timeout: float = 10.0,
        is_read_only: bool = False,
    ) -> None:
        """Open the file, create it if need be, and bring its schema up to date; read-only does neither.

        ``busy_timeout`` is how many seconds an append waits for other processes to finish theirs.

        Raises:
            StoreError: no database, read-only, damaged, or written by a newer version; when opened for reading only,
                also one that is not there, or of an older schema.
            MalformedInput: ``:memory:`` or an empty path, which two connections could not share.
        """
        if os.fspath(path) in ("", ":memory:"):
            raise MalformedInput("names no file; EphemeralStore keeps a ledger in memory", source=os.fspath(path))
        self._path = Path(path).absolute()
        self._clock = clock
        self._codec = codec or Codec()
        self._sealing = Sealing(codec=self._codec, salts=salts)
        self._entries = EntryReader(codec=self._codec, between=statements.BETWEEN, erasing_act=statements.ERASING_ACT)
        self._busy_timeout = busy_timeout
        self._process = os.getpid()
        self._is_closed = False
        self._write_lock, self._read_lock = Lock(), Lock()
        self._committer = Committer(self._transaction)
        SqliteSearch.__init__(self)
        self._news = Condition()
        with translated(self._path):
            opened = _opened_for_reading if is_read_only else _opened
            self._writer, self._reader = opened(self._path, clock, busy_timeout)

    @property
    def is_read_only(self) -> bool:
        """Tell whether the file was opened for reading only."""
        return self._writer is None

    def append(
        self,
        conversation: ConversationId,
        contents: Sequence[Content],
        *,
        expected: int | Head | None = None,
        key: str | Sequence[str] = "",
        filings: Sequence[Filing] | None = None,
    ) -> tuple[Entry, ...]:
        """Append all contents or none, and file how claims stand; when this returns, both are on the disk."""
        refuse_misfiled(filings or ())
        append = self._sealing.asked(conversation, contents, expected=expected, key=key)
        # Before anybody is waited for: whoever wrote when this process was forked is not in it.
        self._refuse_if_unusable()
        entries = self._committer.done(lambda connection: self._appended(connection, append, filings))
        self._tell_followers()
        return entries

    def erase(
        self,
        conversation: ConversationId,
        epochs: Iterable[int],
        *,
        reason: str,
        by: AgentId | None = None,
        key: str = "",
    ) -> Entry | None:
        """Delete bodies and salts, and put the act on record; when this returns, both are on the disk."""
        request = requested(conversation, epochs, reason=reason, by=by, key=key)
        with self._transaction() as connection:
            version = statements.head_of(connection, request.conversation).epoch
            rows = _rows_of(connection)
            erasure = request.act(version, lambda epoch: self._entries.entry_at(rows, request.conversation, epoch))
            if erasure is None:
                return None
            (act,) = self._written(connection, self._sealing.act(request.conversation, erasure, key=request.key))
            statements.let_go(connection, erasure, act)
            forget_steps(connection, request.conversation, erasure)
            # What was filed may be the very words: whoever knows what is left files it anew.
            claims.unfile(connection, request.conversation)
            claims.forget_words(connection)
        self._end_erasing(connection)
        return act

    def drop(
        self,
        conversation: ConversationId,
        *,
        reason: str,
        by: AgentId | None = None,
        expected: int | Head | None = None,
    ) -> Receipt:
        """Delete a conversation whole; when this returns, it is overwritten on the disk, as what is erased."""
        dropping = to_drop(conversation, reason=reason, by=by, expected=expected)
        with self._transaction() as connection:
            receipt = dropping.receipt(statements.head_of(connection, dropping.conversation), self._clock())
            statements.drop(connection, dropping.conversation)
            claims.unfile(connection, dropping.conversation)
            claims.forget_words(connection)
        self._end_erasing(connection)
        return receipt

    def adopt(self, conversation: ConversationId, kept: Iterable[KeptEntry]) -> None:
        """Take over a whole record; when this returns, it is on the disk."""
        record = adopted(conversation, kept, self._codec)
        with self._transaction() as connection:
            found = statements.head_of(connection, record.conversation).epoch
            if found:
                raise VersionConflict(record.conversation, expected=0, found=found)
            statements.write(connection, record.kept)
            statements.note_erasures(connection, record.conversation, record.acts)
            note_steps(connection, record.entries)
        self._tell_followers()

    def read(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Give the entries with ``after`` < epoch <= ``upto`` in order, a page at a time."""
        name = named(conversation)
        low, high = window(after, upto, self.version(name))
        return self._entries.whole(self._rows, name, low, high)

    def kept(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[KeptEntry]:
        """Give the entries with ``after`` < epoch <= ``upto`` as they are kept, a page at a time."""
        name = named(conversation)
        ((newest,),) = self._rows(statements.NEWEST_ENTRY, (name,))
        return self._entries.pages(self._rows, name, *window(after, upto, max(newest, self.version(name))))

    def head(self, conversation: ConversationId) -> Head:
        """Give where the ledger ends, as was noted at the last append."""
        rows = self._rows(statements.HEAD, (named(conversation),))
        return Head(epoch=rows[0][0], chain=rows[0][1]) if rows else BEGINNING

    def heads(self, conversations: Sequence[ConversationId]) -> tuple[Head, ...]:
        """Give where each of these ledgers ends."""
        return tuple(map(self.head, conversations))

    def version(self, conversation: ConversationId) -> int:
        """Give the number of entries; 0 for an unknown conversation."""
        return self.head(conversation).epoch

    def conversations(self) -> tuple[ConversationId, ...]:
        """Give the ids of all conversations, sorted by code point."""
        return tuple(ConversationId(name) for (name,) in self._rows(statements.CONVERSATIONS, ()))

    def damage(self) -> tuple[str, ...]:
        """Give what SQLite finds wrong with the file, and entries that no reader would come upon."""
        try:
            found = [line for (line,) in self._rows("PRAGMA integrity_check", ()) if line != "ok"]
            hidden = self._rows(statements.HIDDEN, ())
        except StoreError as error:
            self._refuse_if_unusable()
            return (str(error),)
        return (*found, *(f"conversation {name!r} has entries that no reader comes upon" for (name,) in hidden))

    def save_snapshot(self, conversation: ConversationId, snapshot: Snapshot) -> None:
        """Keep a snapshot beside the ledger."""
        name = named(conversation)
        with self._transaction() as connection:
            version = statements.head_of(connection, name).epoch
            is_there = 1 <= snapshot.epoch <= version
            row = connection.execute(statements.CHAIN_AT, (name, snapshot.epoch)).fetchone() if is_there else None
            refuse_misfit(snapshot, row[0] if row else None)
            statements.keep_snapshot(connection, name, snapshot)

    def snapshot(self, conversation: ConversationId, *, upto: int | None = None) -> Snapshot | None:
        """Give the newest snapshot with epoch <= ``upto``, of this very past."""
        name = named(conversation)
        _, high = window(0, upto, self.version(name))
        rows = self._rows(statements.SNAPSHOT, (name, high))
        return Snapshot(epoch=rows[0][0], chain=rows[0][1], fingerprint=rows[0][2], body=rows[0][3]) if rows else None

    def follow(self, conversation: ConversationId, *, after: int = 0, timeout: float | None = None) -> Iterator[Entry]:
        """Give the entries from ``after`` on, then each as it arrives, from whatever process."""
        name = named(conversation)
        return following(
            name,
            lambda epoch: self.read(name, after=epoch),
            lambda epoch: self._chain_at(name, epoch),
            lambda seen: self._has_news(name, seen, timeout),
            Head(epoch=after, chain=self._chain_at(name, after) if self.version(name) >= after > 0 else ""),
        )

    def stirred(self, seen: int = 0, *, timeout: float) -> int:
        """Wait until something was appended to any conversation, by whatever process.

        The mark is SQLite's ``data_version`` of the connection that reads: it grows when another connection commits.
        """
        deadline = time.monotonic() + timeout
        with self._news:
            while (mark := 1 + int(self._rows("PRAGMA data_version", ())[0][0])) == seen:
                left = min(_POLL, deadline - time.monotonic())
                if left <= 0:
                    break
                self._news.wait(left)
        return mark

    def close(self) -> None:
        """Close the file; closing twice is no fault, and a forked child leaves the parent's connections alone."""
        if self._is_closed or self._is_forked():
            return
        self._is_closed = True
        with self._write_lock, self._read_lock, translated(self._path):
            self._reader.close()
            if self._writer is not None:
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
        if self._writer is None:
            raise StoreError(f"{self._path}: this store was opened for reading only")
        with self._write_lock, translated(self._path), self._writer as connection:
            # Immediate: the lock is taken before the version is read, so that no other writer comes in between.
            connection.execute("BEGIN IMMEDIATE")
            yield connection

    def _appended(
        self, connection: sqlite3.Connection, append: Append, filings: Sequence[Filing] | None
    ) -> tuple[Entry, ...]:
        rows = _rows_of(connection)
        first = rows(statements.BY_KEY, (append.conversation, append.key)) if append.key else []
        if first:
            return append.repeats([self._entries.entry(rows, kept_of(row)) for row in first], self._codec)
        entries = self._written(connection, append)
        if entries and filings is not None:
            last = entries[-1]
            claims.file(connection, append.conversation, filings, since=last.epoch, recorded_at=last.recorded_at)
        return entries

    def _written(self, connection: sqlite3.Connection, append: Append) -> tuple[Entry, ...]:
        kept = append.kept(statements.head_of(connection, append.conversation), self._clock())
        statements.write(connection, kept)
        entries = append.held(kept)
        note_steps(connection, entries)
        return entries

    def _end_erasing(self, connection: sqlite3.Connection) -> None:
        self._tell_followers()
        with self._write_lock, translated(self._path):
            let_go_of_log(connection, busy_timeout=self._busy_timeout)

    def _rows(self, query: str, values: tuple[object, ...]) -> list[Any]:
        self._refuse_if_unusable()
        with self._read_lock, translated(self._path):
            return self._reader.execute(query, values).fetchall()

    def _tell_followers(self) -> None:
        with self._news:
            self._news.notify_all()

    def _chain_at(self, conversation: ConversationId, epoch: int) -> str:
        rows = self._rows(statements.CHAIN_AT, (conversation, epoch))
        return str(rows[0][0]) if rows else ""

    def _has_news(self, conversation: ConversationId, seen: Head, timeout: float | None) -> bool:
        """Wait until the conversation ends otherwise than ``seen``, or for ``timeout`` seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._news:
            while not self.head(conversation).is_after(seen):
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


def _rows_of(connection: sqlite3.Connection) -> Rows:
    return lambda query, values: connection.execute(query, values).fetchall()


def _opened(path: Path, clock: Clock, busy_timeout: float) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    writer = connected(path, busy_timeout=busy_timeout)
    try:
        migrate(writer, clock)
        return writer, connected(path, busy_timeout=busy_timeout)
    except BaseException:
        writer.close()
        raise


def _opened_for_reading(path: Path, _: Clock, busy_timeout: float) -> tuple[None, sqlite3.Connection]:
    reader = connected_for_reading(path, busy_timeout=busy_timeout)
    try:
        refuse_other_schema(reader)
    except BaseException:
        reader.close()
        raise
    return None, reader
