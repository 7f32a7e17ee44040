"""The one place where errors of the driver become ours, with the remedy in the sentence."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

from upheld.errors import DamagedStore, StoreError

_NO_ROOM = "the server's disk is full; nothing was written: make room and try again"
_NO_SLOT = "the server has no connection left; close some, open stores with a smaller pool_size, or raise its limit"
_NOT_READY = "the server is starting, stopping or recovering; try again in a moment"
_NOT_LET_IN = "the server does not let this user in; check user, password and its pg_hba.conf"
_NO_DATABASE = "there is no such database; create it first (createdb)"
_NO_TABLES = "the tables of the ledger are gone, or this user may not see them"
_READ_ONLY = "the database is read-only (a standby?); open it for reading only, or take the address of the primary"

_BY_STATE: Mapping[str, str] = {
    "22021": "the database cannot carry this text; create one with ENCODING 'UTF8'",
    "22P05": "the database cannot carry this text; create one with ENCODING 'UTF8'",
    "25006": _READ_ONLY,
    "25P03": "this process stood still in the middle of writing; nothing was written: try again",
    "28000": _NOT_LET_IN,
    "28P01": _NOT_LET_IN,
    "3D000": _NO_DATABASE,
    "3F000": _NO_TABLES,
    "42501": "this user may not do that; its owner can grant it, and GRANT CREATE ON DATABASE lets one make a schema",
    "42P01": _NO_TABLES,
    "42P07": "the schema holds tables of another program; choose another tenant",
    "53100": _NO_ROOM,
    "53200": "the server is out of memory; nothing was written: try again",
    "53300": _NO_SLOT,
    "54000": "a name or key is too long for an index of Postgres (some 2,700 bytes), or a text is larger than it keeps",
    "55P03": "another process is writing for longer than the lock is waited for; try again",
    "57014": "the server ended the statement (its statement_timeout?); nothing was written: try again",
    "57P01": "the server was stopped or restarted; try again",
    "57P02": "the server lost a process and restarts; try again",
    "57P03": _NOT_READY,
    "XX001": "the database is damaged; go back to a copy",
    "XX002": "an index of the database is damaged; REINDEX it, and see what `upheld ledger verify` finds",
}
"""By SQLSTATE (PostgreSQL, Appendix A)."""

_BY_TEXT: tuple[tuple[str, str], ...] = (
    ("too many clients", _NO_SLOT),
    ("too many connections", _NO_SLOT),
    ("connection slots are reserved", _NO_SLOT),
    ("starting up", _NOT_READY),
    ("shutting down", _NOT_READY),
    ("in recovery mode", _NOT_READY),
    ("not yet accepting", _NOT_READY),
    ("not accepting connections", _NOT_READY),
    ("authentication failed", _NOT_LET_IN),
    ("no password supplied", _NOT_LET_IN),
    ("no pg_hba.conf entry", _NOT_LET_IN),
    ("role ", _NOT_LET_IN),
    ("database ", _NO_DATABASE),
)
"""By words: who is refused before a session has begun gets no code from the driver. In another language, or for
anything else, it is said that there is no connection, which is true as well."""

_DAMAGE = {"XX001", "XX002"}


@contextmanager
def translated(place: str) -> Generator[None]:
    """Turn every error of the driver into a ``StoreError`` that names the place and the remedy."""
    try:
        yield
    except psycopg.Error as error:
        kind = DamagedStore if error.sqlstate in _DAMAGE else StoreError
        raise kind(f"{place}: {_meaning(error)} ({_first_line(error)})") from error


def is_lost(error: psycopg.Error) -> bool:
    """Tell whether an error says that the connection is gone, so that on another one the same may succeed."""
    if isinstance(error, PoolTimeout | PoolClosed) or not isinstance(error, psycopg.OperationalError):
        return False
    state = error.sqlstate
    return state is None or state.startswith(("08", "57P01", "57P02"))


def _meaning(error: psycopg.Error) -> str:
    if isinstance(error, PoolTimeout):
        return "all connections of this store are in use; open it with a larger pool_size"
    if isinstance(error, PoolClosed):
        return "this store is closed"
    if error.sqlstate is not None:
        return _BY_STATE.get(error.sqlstate, "the database refused")
    if not isinstance(error, psycopg.OperationalError):
        return "the database refused"
    text = str(error)
    # What the server says of itself begins with FATAL; without it, nobody was reached or the connection broke.
    if "FATAL" in text:
        return next((meaning for words, meaning in _BY_TEXT if words in text), "the server refused the connection")
    return "no connection to the server; does it run, and is the address right?"


def _first_line(error: psycopg.Error) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
