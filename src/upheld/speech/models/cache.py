"""Replies kept in a file, so that the same request is paid for once: across runs, threads and processes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import threading
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from upheld.errors import StoreError
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.plain import plain_reply, read_reply
from upheld.speech.models.reply import Reply, Usage
from upheld.speech.models.request import Request

_BUSY_SECONDS = 60.0


class ReplyStore(Protocol):
    """Keeps replies by key; safe to use from several threads."""

    def find(self, key: str) -> Reply | None:
        """Give the reply that was kept first under a key."""
        ...

    def keep(self, key: str, reply: Reply) -> Reply:
        """Keep a reply, unless another was first; give the one that is kept.

        Raises:
            StoreError: the medium would not take it.
        """
        ...


class SqliteReplyStore:
    """Keeps replies in one SQLite file, for several threads and processes at once.

    A connection lasts for one look or one reply: that costs some 100 µs, and a connection that is kept could not be
    shared by threads, nor survive a fork.
    """

    def __init__(self, path: Path | str) -> None:
        """Open the file, or make it (not its folder).

        Raises:
            StoreError: it cannot be opened, or is something else.
        """
        self.path = Path(path)
        with self._opened() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)")

    def find(self, key: str) -> Reply | None:
        """Give the reply that was kept first under a key."""
        with self._opened() as connection:
            row = connection.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else read_reply(json.loads(row[0]), source=str(self.path))

    def keep(self, key: str, reply: Reply) -> Reply:
        """Keep a reply, unless another was first; give the one that is kept."""
        text = json.dumps(plain_reply(reply), ensure_ascii=False)
        with self._opened() as connection:
            connection.execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", (key, text))
        return self.find(key) or reply

    @contextlib.contextmanager
    def _opened(self) -> Generator[sqlite3.Connection, None, None]:
        """One transaction on a connection of its own."""
        try:
            connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS)
            try:
                with connection:
                    yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: the kept replies cannot be used: {error}") from error


class CachedModel:
    """Gives the reply that the same request had before; else asks, and keeps what comes. Failures are not kept.

    The key is that of the request and the name of the language model. Of several threads that want one reply, one
    asks and the others wait for it. A reply that was kept costs nothing and says ``reused=1``.
    """

    def __init__(self, inner: LanguageModel, store: ReplyStore, *, settings: str = "") -> None:
        """``settings`` names what else decides a reply, so that replies made under other settings are not taken."""
        self.name = inner.name
        self._inner = inner
        self._store = store
        self._settings = settings
        self._turns = _Turns()

    def ask(self, request: Request, /) -> Reply:
        """Answer a request from what is kept, or by asking."""
        key = self.key_of(request)
        with self._turns.of(key):
            kept = self._store.find(key)
            if kept is not None:
                return replace(kept, usage=Usage(reused=1))
            reply = self._inner.ask(request)
            # Another process may have been first. Everybody then goes on with its reply, but this call was paid for.
            return replace(self._store.keep(key, reply), usage=reply.usage)

    def key_of(self, request: Request) -> str:
        """Give the key that a request is kept under."""
        whole = json.dumps([request.key, self.name, self._settings])
        return hashlib.sha256(whole.encode()).hexdigest()


class _Turns:
    """One at a time for each key; a key that nobody waits for is forgotten."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[threading.Lock, int]] = {}

    @contextlib.contextmanager
    def of(self, key: str) -> Generator[None, None, None]:
        with self._lock:
            turn, waiting = self._waiting.get(key, (threading.Lock(), 0))
            self._waiting[key] = turn, waiting + 1
        try:
            with turn:
                yield
        finally:
            with self._lock:
                turn, waiting = self._waiting[key]
                if waiting == 1:
                    del self._waiting[key]
                else:
                    self._waiting[key] = turn, waiting - 1
