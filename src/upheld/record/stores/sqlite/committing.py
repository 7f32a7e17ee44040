"""What several threads write at once goes into one transaction: whoever comes first writes for all who wait by then.

One fsync then keeps what else took one each (group commit: DeWitt et al., "Implementation techniques for main memory
database systems", 1984). Nobody is answered before it is on the disk, and each is written whole or not at all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any, Generic, TypeVar, cast

from upheld.errors import StoreError

Answer = TypeVar("Answer")

Work = Callable[[sqlite3.Connection], Answer]
"""Writes something, or refuses; it may be called again where what it wrote was rolled back."""

Transaction = Callable[[], AbstractContextManager[sqlite3.Connection]]
"""Begins a transaction that is on the disk once its block has ended."""

INTERRUPTED = "whoever wrote for several was interrupted, and this may not be on record: try again"


@dataclass(slots=True, eq=False)
class _Waiting(Generic[Answer]):
    """One who waits for their work to be done; ``is_over`` tells one who was woken from one who is to lead."""

    work: Work[Answer]
    woken: Event = field(default_factory=Event)
    is_over: bool = False
    answer: Answer | None = None
    error: BaseException | None = None

    def attempt(self, connection: sqlite3.Connection) -> None:
        """Do it beside others; raises only what spoils the transaction for them too."""
        before = connection.total_changes
        try:
            self.answer = self.work(connection)
        except Exception as error:
            if isinstance(error, sqlite3.Error) or connection.total_changes != before:
                raise
            # Refused before it wrote anything: nobody else has to know.
            self.error = error

    def alone(self, transaction: Transaction) -> None:
        """Do it in a transaction of its own."""
        self.error = None
        try:
            with transaction() as connection:
                self.answer = self.work(connection)
        except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
            self.error = error


class Committer:
    """Does what several threads want done, as many of them at once as wait. Safe to call from several threads."""

    def __init__(self, transaction: Transaction) -> None:
        """Write in transactions that this begins."""
        self._transaction = transaction
        self._lock = Lock()
        self._queue: list[_Waiting[Any]] = []
        self._is_led = False

    @property
    def waiting(self) -> int:
        """How many wait for the next transaction."""
        return len(self._queue)

    def done(self, work: Work[Answer]) -> Answer:
        """Do this work, and give its answer once it is on the disk; raises what it raises.

        Cost: one transaction, for all whose work came while the one before was under way.
        """
        mine, leads = _Waiting(work), False
        try:
            with self._lock:
                self._queue.append(mine)
                leads, self._is_led = not self._is_led, True
            if not leads:
                mine.woken.wait()
            if not mine.is_over:
                self._lead()
        except BaseException:
            self._give_up(mine, is_leading=leads or mine.woken.is_set())
            raise
        if mine.error is not None:
            raise mine.error
        return cast("Answer", mine.answer)

    def _give_up(self, mine: _Waiting[Any], *, is_leading: bool) -> None:
        """Leave the queue after an interrupt; work that was taken out of it already is another one's to end."""
        with self._lock:
            if mine in self._queue:
                self._queue.remove(mine)
                if is_leading:
                    self._hand_on()

    def _lead(self) -> None:
        """Do the work of all who wait, tell them, and let the next one lead."""
        with self._lock:
            batch, self._queue = self._queue, []
        try:
            self._together(batch)
        except BaseException:
            for each in batch:
                each.error = each.error or StoreError(INTERRUPTED)
            raise
        finally:
            for each in batch:
                each.is_over = True
                each.woken.set()
            with self._lock:
                self._hand_on()

    def _hand_on(self) -> None:
        self._is_led = bool(self._queue)
        if self._queue:
            self._queue[0].woken.set()

    def _together(self, batch: Sequence[_Waiting[Any]]) -> None:
        if len(batch) == 1:
            batch[0].alone(self._transaction)
            return
        has_begun = False
        try:
            with self._transaction() as connection:
                has_begun = True
                for each in batch:
                    each.attempt(connection)
        except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
            # Nothing of it is kept. One must not fail for another, so each is tried by itself; but where the file is
            # held by another process, they would only wait for it one after the other.
            for each in batch:
                if has_begun:
                    each.alone(self._transaction)
                else:
                    each.error = error
