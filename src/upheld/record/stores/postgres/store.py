"""A store in a Postgres database, for several machines that share one record."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Self

from upheld.errors import StoreError, VersionConflict
from upheld.logic.language.identities import AgentId, ConversationId
from upheld.record.ledger.adopting import adopted
from upheld.record.ledger.appending import LAST_EPOCH, Append, Sealing, following, named, window
from upheld.record.ledger.chain import BEGINNING, Head, KeptEntry, Salts, random_salt
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Content, Entry
from upheld.record.ledger.erasing import Receipt, requested, to_drop
from upheld.record.ledger.search import Filing, refuse_misfiled
from upheld.record.ledger.snapshot import Snapshot, refuse_misfit
from upheld.record.ledger.store import Clock, system_clock
from upheld.record.stores.postgres import claims, statements
from upheld.record.stores.postgres.connection import Database, lock_of, schema_of
from upheld.record.stores.postgres.damage import damage_of
from upheld.record.stores.postgres.news import News
from upheld.record.stores.postgres.places import PostgresBookmarks, PostgresReviews, forget_steps, note_steps
from upheld.record.stores.postgres.schema import has_ledger, migrate, refuse_other_schema
from upheld.record.stores.postgres.searching import PostgresSearch
from upheld.record.stores.postgres.transaction import Transaction
from upheld.record.stores.rows import PAGE, EntryReader, kept_of


class PostgresStore(PostgresSearch, PostgresReviews, PostgresBookmarks):
    """A :class:`~upheld.record.ledger.search.SearchableStore` in one schema of a database, for many processes.

    The schema is that of a tenant, and no statement can see another. Appends to one conversation wait for each other,
    those to different ones do not, and nobody waits for a reader. An object does not outlive a fork: open it anew in
    the child. When the server restarts, what was asked meanwhile fails or waits, and the object works again after it.

    What is erased is deleted, and its place is given back at once (VACUUM). Postgres keeps the bytes nevertheless: in
    pages until something else is written over them, in rows that a transaction from before can still see, in its log
    (WAL), on standbys and in backups, and each word by itself in the index of words. Where they must not be there,
    VACUUM FULL rewrites the table with its indexes, and the log and the copies have their own ends.
    """

    def __init__(
        self,
        address: str,
        *,
        tenant: str = "default",
        clock: Clock = system_clock,
        codec: Codec | None = None,
        salts: Salts = random_salt,
        pool_size: int = 8,
        is_read_only: bool = False,
        beside: PostgresStore | None = None,
    ) -> None:
        """Connect to ``postgresql://user@host/database``, and make or update the tenant's schema; read-only does not.

        Up to ``pool_size`` calls are answered at a time; one more connection listens while anybody follows. What an
        address does not say is taken from the environment, as every program of Postgres does (``PGPASSWORD``, …).
        ``beside`` is a store of another tenant at the same address, which lends its connections and is closed after
        this one: many tenants then need no more of them than one. Each transaction names its schema anew.

        Raises:
            StoreError: no connection, no such database, no right to it, read-only, or written by a newer version; when
                opened for reading only, also a schema that is not there or of an older version.
            MalformedInput: an address that cannot be read, or a tenant's name that breaks the rule.
        """
        lender = None if beside is None else beside._database
        PostgresSearch.__init__(self, Database(address, schema_of(tenant), pool_size=pool_size, beside=lender))
        self._clock = clock
        self._codec = codec or Codec()
        self._sealing = Sealing(codec=self._codec, salts=salts)
        self._entries = EntryReader(codec=self._codec, between=statements.BETWEEN, erasing_act=statements.ERASING_ACT)
        self._is_read_only = is_read_only
        self._news = News(self._database)
        with self._database.connected() as connection:
            if is_read_only:
                refuse_other_schema(connection, self._database.schema)
            else:
                migrate(connection, self._database.schema, clock)
        self._database.open()

    @property
    def is_read_only(self) -> bool:
        """Tell whether the store was opened for reading only."""
        return self._is_read_only

    def append(
        self,
        conversation: ConversationId,
        contents: Sequence[Content],
        *,
        expected: int | Head | None = None,
        key: str | Sequence[str] = "",
        filings: Sequence[Filing] | None = None,
    ) -> tuple[Entry, ...]:
        """Append all contents or none, and file how claims stand; when this returns, both are on the server's disk.

        When the connection breaks while they are sent, nobody knows whether they are: the error says so, and a retry
        with the same ``key`` is safe either way.
        """
        refuse_misfiled(filings or ())
        append = self._sealing.asked(conversation, contents, expected=expected, key=key)
        with self._writing(append.conversation) as transaction:
            first, head = statements.first_and_head(transaction, append.conversation, append.key)
            if first:
                found = [self._entries.entry(transaction.rows, kept_of(row)) for row in first]
                return append.repeats(found, self._codec)
            entries = self._written(transaction, append, head)
            if entries and filings is not None:
                last = entries[-1]
                claims.file(transaction, append.conversation, filings, since=last.epoch, recorded_at=last.recorded_at)
        self._news.ring(self._lock(append.conversation))
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
        """Delete bodies and salts, and put the act on record; the class says what Postgres keeps nevertheless."""
        request = requested(conversation, epochs, reason=reason, by=by, key=key)
        with self._writing(request.conversation) as transaction:
            rows = transaction.rows
            head = statements.head_of(rows, request.conversation)
            erasure = request.act(head.epoch, lambda epoch: self._entries.entry_at(rows, request.conversation, epoch))
            if erasure is None:
                return None
            append = self._sealing.act(request.conversation, erasure, key=request.key)
            (act,) = self._written(transaction, append, head)
            statements.let_go(transaction, erasure, act)
            forget_steps(transaction, request.conversation, erasure)
            # What was filed may be the very words: whoever knows what is left files it anew.
            claims.unfile(transaction, request.conversation)
        self._news.ring(self._lock(request.conversation))
        self._tidy("contents", "snapshots", "reviews", *claims.TABLES)
        return act

    def drop(
        self,
        conversation: ConversationId,
        *,
        reason: str,
        by: AgentId | None = None,
        expected: int | Head | None = None,
    ) -> Receipt:
        """Delete a conversation whole; the class says what Postgres keeps nevertheless."""
        dropping = to_drop(conversation, reason=reason, by=by, expected=expected)
        name = dropping.conversation
        with self._writing(name) as transaction:
            receipt = dropping.receipt(statements.head_of(transaction.rows, name), self._clock())
            statements.drop(transaction, name, channel=self._database.schema, notice=str(self._lock(name)))
            claims.unfile(transaction, name)
        self._news.ring(self._lock(name))
        self._tidy(*statements.TABLES, *claims.TABLES)
        return receipt

    def adopt(self, conversation: ConversationId, kept: Iterable[KeptEntry]) -> None:
        """Take over a whole record; when this returns, it is on the server's disk."""
        record = adopted(conversation, kept, self._codec)
        with self._writing(record.conversation) as transaction:
            found = statements.head_of(transaction.rows, record.conversation).epoch
            if found:
                raise VersionConflict(record.conversation, expected=0, found=found)
            notice = str(self._lock(record.conversation))
            statements.write(transaction, record.kept, channel=self._database.schema, notice=notice)
            statements.note_erasures(transaction, record.conversation, record.acts)
            note_steps(transaction, record.entries)
        self._news.ring(self._lock(record.conversation))

    def read(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Give the entries with ``after`` < epoch <= ``upto`` in order, a page at a time."""
        name = named(conversation)
        wanted = (
            name,
            min(max(after, 0), LAST_EPOCH),
            LAST_EPOCH if upto is None else max(0, min(upto, LAST_EPOCH)),
            PAGE,
        )
        head, page = self._database.rows_of_both((statements.HEAD, (name,)), (statements.BETWEEN, wanted))
        low, high = window(after, upto, statements.head_in(head).epoch)
        first = [row for row in page if row[1] <= high]
        return self._entries.whole(self._database.rows, name, low, high, first=first)

    def kept(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[KeptEntry]:
        """Give the entries with ``after`` < epoch <= ``upto`` as they are kept, a page at a time."""
        name = named(conversation)
        if upto is not None:
            return self._entries.pages(self._database.rows, name, *window(after, upto, LAST_EPOCH))
        ((newest,),) = self._database.rows(statements.NEWEST_ENTRY, (name,))
        low, high = window(after, upto, max(newest, self.version(name)))
        return self._entries.pages(self._database.rows, name, low, high)

    def head(self, conversation: ConversationId) -> Head:
        """Give where the ledger ends, as was noted at the last append."""
        return statements.head_of(self._database.rows, named(conversation))

    def heads(self, conversations: Sequence[ConversationId]) -> tuple[Head, ...]:
        """Give where each of these ledgers ends, from one question."""
        names = [named(each) for each in conversations]
        found = statements.heads_of(self._database.rows(statements.HEADS, (names,)))
        return tuple(found.get(name, BEGINNING) for name in names)

    def version(self, conversation: ConversationId) -> int:
        """Give the number of entries; 0 for an unknown conversation."""
        return self.head(conversation).epoch

    def conversations(self) -> tuple[ConversationId, ...]:
        """Give the ids of all conversations, sorted by code point."""
        return tuple(ConversationId(name) for (name,) in self._database.rows(statements.CONVERSATIONS, ()))

    def damage(self) -> tuple[str, ...]:
        """Give what is wrong below the entries: rows that belong to nothing, and pages that cannot be read.

        Every row is read, so that a page whose checksum is wrong is found; indexes are looked into where the extension
        ``amcheck`` is installed and this user may call it.
        """
        try:
            return damage_of(self._database.rows)
        except StoreError as error:
            self._database.refuse_if_unusable()
            return (str(error),)

    def save_snapshot(self, conversation: ConversationId, snapshot: Snapshot) -> None:
        """Keep a snapshot beside the ledger."""
        name = named(conversation)
        with self._writing(name) as transaction:
            rows = transaction.rows
            is_there = 1 <= snapshot.epoch <= statements.head_of(rows, name).epoch
            found = rows(statements.CHAIN_AT, (name, snapshot.epoch)) if is_there else []
            refuse_misfit(snapshot, found[0][0] if found else None)
            statements.keep_snapshot(transaction, name, snapshot)

    def snapshot(self, conversation: ConversationId, *, upto: int | None = None) -> Snapshot | None:
        """Give the newest snapshot with epoch <= ``upto``, of this very past."""
        name = named(conversation)
        _, high = window(0, upto, self.version(name))
        rows = self._database.rows(statements.SNAPSHOT, (name, high))
        return Snapshot(epoch=rows[0][0], chain=rows[0][1], fingerprint=rows[0][2], body=rows[0][3]) if rows else None

    def follow(self, conversation: ConversationId, *, after: int = 0, timeout: float | None = None) -> Iterator[Entry]:
        """Give the entries from ``after`` on, then each as it arrives, from whatever process or machine."""
        name = named(conversation)

        def has_news(seen: Head) -> bool:
            return self._news.is_there(self._lock(name), lambda: self.head(name).is_after(seen), timeout)

        return following(
            name,
            lambda epoch: self.read(name, after=epoch),
            lambda epoch: self._chain_at(name, epoch),
            has_news,
            Head(epoch=after, chain=self._chain_at(name, after) if self.version(name) >= after > 0 else ""),
        )

    def stirred(self, seen: int = 0, *, timeout: float) -> int:
        """Wait until something was appended to any conversation, by whatever process or machine."""
        self._database.refuse_if_unusable()
        mark = self._news.mark(seen, timeout)
        self._database.refuse_if_unusable()
        return mark

    def close(self) -> None:
        """Close all connections; closing twice is no fault, and a forked child leaves the parent's alone."""
        if self._database.is_usable:
            self._database.close()
            self._news.close()

    def __enter__(self) -> Self:
        """Give the store itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()

    @contextmanager
    def _writing(self, conversation: ConversationId) -> Generator[Transaction]:
        self._database.refuse_if_unusable()
        if self._is_read_only:
            raise StoreError(f"{self._database.place}: this store was opened for reading only")
        with self._database.writing(conversation) as transaction:
            yield transaction

    def _written(self, transaction: Transaction, append: Append, head: Head) -> tuple[Entry, ...]:
        kept = append.kept(head, self._clock())
        notice = str(self._lock(append.conversation))
        statements.write(transaction, kept, channel=self._database.schema, notice=notice)
        entries = append.held(kept)
        note_steps(transaction, entries)
        return entries

    def _tidy(self, *tables: str) -> None:
        # What was asked for is done; that cleaning up failed would be taken for its failure. Postgres does it later.
        with suppress(StoreError):
            self._database.tidy(*tables)

    def _chain_at(self, conversation: ConversationId, epoch: int) -> str:
        rows = self._database.rows(statements.CHAIN_AT, (conversation, epoch))
        return str(rows[0][0]) if rows else ""

    def _lock(self, conversation: ConversationId) -> int:
        return lock_of(self._database.schema, conversation)


def has_tenant(address: str, tenant: str) -> bool:
    """Tell whether a database has a ledger for a tenant; nothing is made.

    Raises:
        StoreError: no connection, or no right to look.
        MalformedInput: an address that cannot be read, or a tenant's name that breaks the rule.
    """
    database = Database(address, schema_of(tenant), pool_size=1)
    with database.connected() as connection:
        return has_ledger(connection, database.schema)
