"""Opening an SQLite file the way a ledger needs it, and the one place where its errors become ours."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from upheld.errors import DamagedStore, StoreError

_RETRY_EVERY = 0.01
"""Seconds between two attempts to switch a fresh file to write-ahead logging."""

_LOG_LIMIT = 4 * 1024 * 1024
"""Bytes to which the log is cut back once it is copied into the file; SQLite copies it every 1000 pages."""

_MEANINGS = {
    "SQLITE_BUSY": "another process is writing for longer than the busy timeout; try again",
    "SQLITE_CANTOPEN": "the file cannot be opened or created; does its folder exist, may this user write there?",
    "SQLITE_CORRUPT": "the file is damaged; see what `upheld ledger verify` finds, and go back to a copy",
    "SQLITE_FULL": "the disk is full; nothing was written: make room and try again",
    "SQLITE_IOERR": "the disk refused (full, over a quota or failing); nothing was written: make room and try again",
    "SQLITE_NOTADB": "the file is no SQLite database",
    "SQLITE_READONLY": "the file or its folder is read-only; open it for reading only, or make it writable",
    "SQLITE_TOOBIG": "a text is larger than SQLite can keep",
}

_DAMAGE = {"SQLITE_CORRUPT", "SQLITE_NOTADB"}


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Turn every error of the driver into a ``StoreError`` that names the file and the remedy."""
    try:
        yield
    except sqlite3.Error as error:
        name: str = getattr(error, "sqlite_errorname", "")
        # Extended codes refine a primary one by a suffix: SQLITE_READONLY_DIRECTORY is SQLITE_READONLY.
        code = "_".join(name.split("_")[:2])
        # A file that ends early: SQLite calls it an error of the disk.
        is_cut = name == "SQLITE_IOERR_SHORT_READ"
        meaning = _MEANINGS.get("SQLITE_CORRUPT" if is_cut else code, "the database refused")
        kind = DamagedStore if is_cut or code in _DAMAGE else StoreError
        raise kind(f"{path}: {meaning} ({error})") from error


def connected(path: Path, *, busy_timeout: float) -> sqlite3.Connection:
    """Open the file with write-ahead logging, full synchronisation, and transactions begun by hand.

    Full, not normal: a reply may rest on an entry as soon as ``append`` returns, so an entry has to outlive a power
    cut. It costs one fsync an append (0.4 ms on the disk where it was measured, against 0.02 ms). What is deleted is
    overwritten with zeros, so that an erased content is gone from the file and not merely unlinked.
    """
    connection = sqlite3.connect(path, timeout=busy_timeout, isolation_level=None, check_same_thread=False)
    try:
        _log_ahead(connection, busy_timeout)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG_LIMIT}")
    except BaseException:
        connection.close()
        raise
    return connection


def connected_for_reading(path: Path, *, busy_timeout: float) -> sqlite3.Connection:
    """Open the file for reading only; nothing is created or changed.

    A reader of a log needs a little memory that it shares with writers, in files beside. Who may write cleans them up
    again, so that is tried first, unless somebody left a log that would then be copied into the file. Where the files
    cannot be made, as on a read-only medium, and no log is there, the file is taken for one that nobody writes to
    (SQLite, wal.html, section 6).
    """
    has_log = _has_log(path)
    for mode in ("mode=ro",) if has_log else ("mode=rw", "mode=ro"):
        try:
            return _opened(path, mode, busy_timeout)
        except sqlite3.OperationalError:
            if has_log or not path.exists():
                raise
    return _opened(path, "mode=ro&immutable=1", busy_timeout)


def let_go_of_log(connection: sqlite3.Connection, *, busy_timeout: float) -> None:
    """Copy the log into the file and empty it, and give free pages back when they are a quarter of the file.

    What was erased stands in the log until then. When another process is in the way, its end is not waited for: the
    next erasure, or the last one who closes the file, does it.
    """
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        if free * 4 > pages:
            # As a script: it gives back a page a step, and ``execute`` takes one step where there are no columns.
            connection.executescript("PRAGMA incremental_vacuum")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.OperationalError as error:
        if not error.sqlite_errorname.startswith("SQLITE_BUSY"):
            raise
    finally:
        connection.execute(f"PRAGMA busy_timeout = {round(busy_timeout * 1000)}")


def _opened(path: Path, mode: str, busy_timeout: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(os.fspath(path))}?{mode}",
        uri=True,
        timeout=busy_timeout,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        connection.execute("PRAGMA query_only = ON")
        # The file is not looked at before something is asked of it.
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _log_ahead(connection: sqlite3.Connection, busy_timeout: float) -> None:
    """Switch to write-ahead logging; SQLite does not wait by itself when two processes do this to a fresh file."""
    deadline = time.monotonic() + busy_timeout
    while True:
        try:
            # Takes effect in a fresh file only, before anything is in it; asked of another, it would be written to.
            if connection.execute("PRAGMA page_count").fetchone() == (0,):
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_EVERY)
        else:
            return
