"""Connections to a Postgres server the way a ledger needs them: one schema a tenant, transactions begun by hand."""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from upheld.errors import MalformedInput, StoreError
from upheld.record.stores.postgres.transaction import Connection, Transaction, answers
from upheld.record.stores.postgres.translating import is_lost, translated
from upheld.record.stores.tenants import tenant_named

Question = tuple[str, tuple[object, ...]]
"""A statement, and its values by place."""

_PORTS = re.compile(r"[0-9,]*")

_PATIENCE = 10.0
"""Seconds that a call waits for a lock, and for a connection while others have them all."""

_ABSENCE = 2.0
"""Seconds that a call waits for a server that is away: a restart that is as quick is not felt."""

_GLANCE = 0.05
"""Seconds that it waits where another call waited in vain just before: they may stand in one row."""

_STANDSTILL = 60
"""Seconds after which the server ends a writer that stands still with the lock in its hand; nothing is written."""

_DEFAULTS = {
    "connect_timeout": "10",
    "fallback_application_name": "upheld",
    # A server that is gone without a word is noticed in half a minute, not after the many of the operating system.
    "keepalives_idle": "30",
    "tcp_user_timeout": "30000",
}
"""What an address need not say; what it says counts."""


def schema_of(tenant: str) -> str:
    """Give the name of a tenant's schema.

    Raises:
        MalformedInput: not 1 to 48 of a-z, 0-9, _ and -, or a sign first. It is never made into a name that is one.
    """
    return f"upheld_{tenant_named(tenant)}"


def lock_of(schema: str, conversation: str) -> int:
    """Give the 64-bit number that stands for a conversation where Postgres takes no names: in locks and notices.

    Two conversations with one number wait for each other without need, and wake each other's followers; no more.
    """
    # The zero byte is in neither name, so no two pairs read alike.
    digest = blake2b(f"{schema}\0{conversation}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def begin_reading(schema: str) -> bytes:
    """Give the statements that begin a transaction which sees this schema alone and writes nothing."""
    # Quoting is safe: the name was held against the rule of tenants.
    return f'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL search_path = "{schema}"'.encode()


def reading(schema: str) -> bytes:
    """Give what stands before one question: together they are a transaction like that of :func:`begin_reading`."""
    return f'SET TRANSACTION ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL search_path = "{schema}"; '.encode()


def begin_writing(schema: str, lock: int) -> bytes:
    """Give the statements that begin a transaction which sees this schema alone, and wait for a lock until its end.

    READ COMMITTED is enough, and right: each statement sees what was committed before it began. The one after the lock
    is given therefore sees all that the holder before wrote, and nobody else writes to this conversation until the end.
    At a higher level the statement that waits would fix what is seen before the wait. What is acknowledged is on the
    disk, whatever the server does by default.
    """
    return (
        f'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL search_path = "{schema}";'
        f" SET LOCAL synchronous_commit = on; SET LOCAL lock_timeout = '{_PATIENCE:.0f}s';"
        f" SET LOCAL idle_in_transaction_session_timeout = '{_STANDSTILL}s';"
        f" SELECT pg_advisory_xact_lock({lock})"
    ).encode()


class Database:
    """The connections of one store: a pool of them, and such as somebody needs alone.

    Passwords stay in the address: neither ``place`` nor any message has one.
    """

    def __init__(self, address: str, schema: str, *, pool_size: int, beside: Database | None = None) -> None:
        """Read the address; nothing is connected yet. ``beside`` lends its pool, and must stay open for as long.

        Raises:
            MalformedInput: the address cannot be read, or a pool of no size.
        """
        if pool_size < 1:
            raise MalformedInput(f"{pool_size} connections carry nothing", key="pool_size")
        given = _read(address)
        self.schema = schema
        self.place = f"postgresql://{_host(given)}/{given.get('dbname', '')} ({schema})"
        self._conninfo = make_conninfo(**{**_DEFAULTS, **given, "client_encoding": "utf8"})
        self._process = os.getpid()
        self._is_closed = False
        self._missed = -math.inf
        self._reading = reading(schema)
        self._is_lent = beside is not None
        self._pool = self._made(pool_size) if beside is None else beside._pool

    def _made(self, pool_size: int) -> ConnectionPool[Connection]:
        return ConnectionPool(
            self._conninfo,
            # No prepared statements: a pooler that hands each transaction to another session would not find them.
            kwargs={"autocommit": True, "prepare_threshold": None},
            min_size=1,
            max_size=pool_size,
            open=False,
            timeout=_ABSENCE,
            # As long as a call waits: the next one begins to try anew, where a longer pause would be slept out.
            reconnect_timeout=_ABSENCE,
            num_workers=1,
        )

    def open(self) -> None:
        """Let the pool begin to connect."""
        if not self._is_lent:
            self._pool.open()

    @contextmanager
    def connected(self) -> Generator[Connection]:
        """Give a connection outside the pool; at the end it is closed, and what is open committed if all went well."""
        with translated(self.place), psycopg.connect(self._conninfo, autocommit=True) as connection:
            yield connection

    def rows(self, query: str, values: tuple[object, ...]) -> list[Any]:
        """Ask in a transaction that sees this schema alone. When the connection breaks, it is asked once more."""
        (found,) = self._again_if_lost(query, values)
        return found

    def rows_of_both(self, one: Question, other: Question) -> tuple[list[Any], list[Any]]:
        """Ask two questions at once, in a transaction in which each sees what was committed before it; as there."""
        first, second = self._again_if_lost(f"{one[0]}; {other[0]}", (*one[1], *other[1]))
        return first, second

    @contextmanager
    def writing(self, conversation: str) -> Generator[Transaction]:
        """Give a transaction that writes to a conversation, alone from its first question until its end.

        Raises:
            StoreError: the server refused, and nothing was written; or the connection broke before the end was
                acknowledged, and nobody knows: the message says which.
        """
        self.refuse_if_unusable()
        begin = begin_writing(self.schema, lock_of(self.schema, conversation))
        with translated(self.place), self._transaction(begin) as transaction:
            yield transaction
            transaction.begin()
            try:
                transaction.end()
            except psycopg.Error as error:
                if is_lost(error):
                    raise StoreError(
                        f"{self.place}: the connection broke before the server acknowledged, so nobody knows whether it"
                        " was written; append again with the same key, or read the conversation and see"
                    ) from error
                raise

    def tidy(self, *tables: str) -> None:
        """Let Postgres clean up tables, outside any transaction; where it may not or cannot now, it does so later."""
        self.refuse_if_unusable()
        names = ", ".join(f'"{self.schema}".{name}' for name in tables)
        with translated(self.place), ExitStack() as stack:
            connection = self._lent(stack)
            # A notice and no error where this user is not the owner; whoever holds the table is not waited for.
            connection.execute(f"VACUUM (SKIP_LOCKED) {names}".encode())

    @property
    def is_usable(self) -> bool:
        """Tell whether it is neither closed nor carried into a forked child, which leaves the parent's alone."""
        return not self._is_closed and os.getpid() == self._process

    def close(self) -> None:
        """Close the pool; what is being asked is answered still."""
        self._is_closed = True
        if not self._is_lent:
            self._pool.close()

    def refuse_if_unusable(self) -> None:
        """Refuse any use after closing, and in a forked child.

        Raises:
            StoreError: closed, or opened before a fork.
        """
        if self._is_closed:
            raise StoreError(f"{self.place}: this store is closed")
        if not self.is_usable:
            raise StoreError(f"{self.place}: this store was opened before a fork; open it anew in the child")

    def _again_if_lost(self, queries: str, values: tuple[object, ...]) -> list[list[Any]]:
        self.refuse_if_unusable()
        with translated(self.place):
            try:
                return self._asked(queries, values)
            except psycopg.OperationalError as error:
                if not is_lost(error):
                    raise
            self._pool.check()
            return self._asked(queries, values)

    def _asked(self, queries: str, values: tuple[object, ...]) -> list[list[Any]]:
        with ExitStack() as stack:
            return answers(self._lent(stack), self._reading + queries.encode(), values)

    @contextmanager
    def _transaction(self, begin: bytes) -> Generator[Transaction]:
        with ExitStack() as stack:

            def another() -> Connection:
                stack.close()
                self._pool.check()
                return self._lent(stack)

            yield Transaction(self._lent(stack), begin, another=another)

    def _lent(self, stack: ExitStack) -> Connection:
        is_missed = time.monotonic() < self._missed + _ABSENCE
        with suppress(PoolTimeout):
            return stack.enter_context(self._pool.connection(_GLANCE if is_missed else _ABSENCE))
        # The pool does not say why it has none; who connects alone is told. Translated at once: it is not asked again.
        with translated(self.place):
            try:
                psycopg.connect(self._conninfo, connect_timeout=round(_ABSENCE)).close()
            except psycopg.Error:
                self._missed = time.monotonic()
                raise
        return stack.enter_context(self._pool.connection(_PATIENCE - _ABSENCE))


def _read(address: str) -> dict[str, Any]:
    given: dict[str, Any] | None = None
    with suppress(psycopg.ProgrammingError):
        given = {name: value for name, value in conninfo_to_dict(address).items() if value is not None}
    if given is None or _is_cut(given):
        # Nothing is quoted, as the driver would: it may be the password.
        rule = "write postgresql://user:password@host/database, with % codes for : / ? # [ ] @ in a password"
        raise MalformedInput(f"the address cannot be read: {rule}", key="address")
    return given


def _is_cut(given: dict[str, Any]) -> bool:
    """Tell whether a sign in a password ended it early: the rest is then read as a port, a host or a database."""
    shown = [str(given.get(part, "")) for part in ("host", "hostaddr", "dbname")]
    return _PORTS.fullmatch(str(given.get("port", ""))) is None or any("@" in part for part in shown)


def _host(given: dict[str, Any]) -> str:
    port = given.get("port")
    return f"{given.get('host', given.get('hostaddr', ''))}{f':{port}' if port else ''}"
