"""Work that is waited for until a deadline and no longer; what comes later is dropped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Generic, TypeVar

T = TypeVar("T")


class Slot(Generic[T]):
    """A place for a result, which may be bettered until it is taken; what is put after that is dropped."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._value: T | None = None
        self._is_taken = False
        self._wake: Callable[[], object] | None = None

    @property
    def is_taken(self) -> bool:
        """Tell whether nobody waits any more."""
        return self._is_taken

    def put(self, value: T) -> None:
        """Keep a value, unless it is too late."""
        with self._lock:
            if not self._is_taken:
                self._value = value

    def finish(self) -> None:
        """Say that nothing better will come."""
        self._done.set()
        with self._lock:
            wake = self._wake
        if wake is not None:
            # Whoever waited in an event loop that is closed by now waits no more.
            with suppress(RuntimeError):
                wake()

    def taken(self) -> T | None:
        """Take what there is; ``None`` if nothing came."""
        with self._lock:
            self._is_taken = True
            return self._value

    def waited(self, patience: float | None) -> T | None:
        """Wait at most ``patience`` seconds, and take what there is."""
        try:
            self._done.wait(patience)
        finally:
            value = self.taken()
        return value

    async def awaited(self, patience: float | None) -> T | None:
        """Wait like :meth:`waited`, without holding up the event loop; a cancelled wait drops what comes."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        with self._lock:
            self._wake = lambda: loop.call_soon_threadsafe(_settle, future)
        if self._done.is_set():
            _settle(future)
        try:
            await asyncio.wait([future], timeout=patience)
        finally:
            value = self.taken()
        return value


def _settle(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


class Bench:
    """Does one piece of work at a time, each on a thread that does not keep the program alive.

    What runs over its deadline is not interrupted, for Python cannot: the next piece waits for it within its own
    deadline, so that a matcher is never used by two threads, and one that hangs makes every later check too late.
    """

    def __init__(self) -> None:
        """Begin idle."""
        self._turn = threading.Lock()

    def begin(self, work: Callable[[Slot[T]], None], patience: float | None) -> Slot[T]:
        """Start a piece of work and give the slot that it puts its results into."""
        slot: Slot[T] = Slot()
        context = copy_context()

        def perform() -> None:
            try:
                self.perform(lambda: context.run(work, slot), slot, patience)
            finally:
                slot.finish()

        threading.Thread(target=perform, name="upheld guard", daemon=True).start()
        return slot

    def perform(self, work: Callable[[], None], slot: Slot[T], patience: float | None) -> None:
        """Do a piece of work on this thread, when it is its turn and somebody still waits for it."""
        if not self._turn.acquire(timeout=-1 if patience is None else patience):
            return
        try:
            if not slot.is_taken:
                work()
        finally:
            self._turn.release()
