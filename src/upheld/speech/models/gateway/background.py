"""One event loop on a thread of its own, so that one may ask in a script, in a thread or in a running loop."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class BackgroundLoop:
    """Runs coroutines to their end, one loop a process: after a fork the child starts a loop of its own.

    Connections belong to the loop that opened them; a loop for each call could keep none of them open.
    """

    def __init__(self) -> None:
        """Start nothing yet: a process that asks nobody needs no thread."""
        self._lock = threading.RLock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Give what the coroutine returns, or raise what it raises; it is cancelled if the caller is interrupted."""
        future = self.start(coroutine)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def start(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine, and give the future of its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._running())

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._process != os.getpid():
                self._process = os.getpid()
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="upheld-models", daemon=True).start()
            return self._loop


BACKGROUND = BackgroundLoop()
"""The loop that all language models of a process share."""
os.register_at_fork(after_in_child=lambda: setattr(BACKGROUND, "_lock", threading.RLock()))
