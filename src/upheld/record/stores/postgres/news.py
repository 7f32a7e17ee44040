"""How followers of a store in Postgres learn that something was appended: LISTEN, and a look now and then."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable
from threading import Condition, Thread

import psycopg

from upheld.errors import StoreError
from upheld.record.stores.postgres.connection import Connection, Database

POLL = 1.0
"""Seconds between looks of a follower that hears nothing: a notice can be lost with the connection that brings it."""

_BELLS = 256
"""Bells for all conversations, so that what is heard of millions takes no memory; sharing one wakes without need."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0
"""Seconds between two attempts to listen again; each pause is twice the one before."""


class News:
    """Wakes who waits for a conversation: at once for appends of this store, and by a notice for those of others.

    One connection listens for the whole store, from the first follower on, in a thread of its own. When it breaks, it
    is opened anew, and everybody looks once, for notices may have been missed.
    """

    def __init__(self, database: Database) -> None:
        """Listen to nothing yet."""
        self._database = database
        self._changed = Condition()
        self._rung = [0] * _BELLS
        self._is_closed = False
        self._hears = False
        self._thread: Thread | None = None
        self._caller: socket.socket | None = None

    def ring(self, lock: int) -> None:
        """Wake who waits for the conversation of this number."""
        with self._changed:
            self._rung[lock % _BELLS] += 1
            self._changed.notify_all()

    def is_there(self, lock: int, look: Callable[[], bool], timeout: float | None) -> bool:
        """Wait until ``look`` says that there is news, or for ``timeout`` seconds. Nothing is held while it looks."""
        if timeout != 0:
            self._listen()
        bell = lock % _BELLS
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            heard = self._rung[bell]
            if look():
                return True
            left = POLL if deadline is None else min(POLL, deadline - time.monotonic())
            if left <= 0:
                return False
            with self._changed:
                self._changed.wait_for(lambda: self._rung[bell] != heard, left)  # noqa: B023 - called at once

    def mark(self, seen: int, timeout: float) -> int:
        """Wait until any bell was rung since a mark, and give the mark of now.

        While nothing is heard marks are below 0, and no two are the same, for nobody knows what happened between them.
        """
        self._listen()
        with self._changed:
            is_sure = seen >= 0 and self._hears
            self._changed.wait_for(
                lambda: self._is_closed or (self._hears and sum(self._rung) + 1 != seen),
                timeout if is_sure else min(POLL, timeout),
            )
            return sum(self._rung) + 1 if self._hears else min(seen, 0) - 1

    def close(self) -> None:
        """Stop listening, and wake everybody."""
        with self._changed:
            self._is_closed = True
            thread, caller = self._thread, self._caller
        if thread is not None and caller is not None:
            caller.close()
            # Not for ever: it may be connecting to a server that does not answer, and ends by itself.
            thread.join(_LONGEST_PAUSE)
        self._ring_all()

    def _ring_all(self) -> None:
        with self._changed:
            self._rung = [count + 1 for count in self._rung]
            self._changed.notify_all()

    def _listen(self) -> None:
        with self._changed:
            if self._thread is None and not self._is_closed:
                # A thread that waits for two things at once is called away through a socket.
                self._caller, called = socket.socketpair()
                self._thread = Thread(target=self._heard, args=(called,), name="upheld-news", daemon=True)
                self._thread.start()

    def _heard(self, called: socket.socket) -> None:
        pause = _FIRST_PAUSE
        with called:
            while not self._is_closed:
                try:
                    with self._database.connected() as connection:
                        connection.execute(f'LISTEN "{self._database.schema}"'.encode())
                        pause = _FIRST_PAUSE
                        self._hears = True
                        self._ring_all()
                        self._hear(connection, called)
                except StoreError:
                    self._hears = False
                    # Followers look by themselves until it can be heard again.
                    _wait(called, pause)
                    pause = min(2 * pause, _LONGEST_PAUSE)

    def _hear(self, connection: Connection, called: socket.socket) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            selector.register(called, selectors.EVENT_READ)
            while not self._is_closed:
                selector.select()
                for notice in connection.notifies(timeout=0):
                    self._understood(notice)

    def _understood(self, notice: psycopg.Notify) -> None:
        try:
            self.ring(int(notice.payload))
        except ValueError:
            # Anybody who may connect can send one; it is no more than a reason to look.
            self._ring_all()


def _wait(called: socket.socket, pause: float) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(called, selectors.EVENT_READ)
        selector.select(pause)
