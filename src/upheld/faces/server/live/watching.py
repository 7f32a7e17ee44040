"""What wakes those who listen: one thread for each store, however many they are."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from contextlib import suppress

from upheld.errors import StoreError
from upheld.faces.server.models.events import VerdictEvent
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.chain import Head
from upheld.record.ledger.store import Store

IDLE = 1.0
"""Seconds after which a thread that heard of nothing looks whether anybody still listens."""

REST = 4
"""How many times as long as it looked a thread rests, so that looking takes a fifth of a processor at most."""

LONGEST_REST = 0.5
PATIENCE = 0.2
"""Seconds until a store that gave an error is asked again."""

MOST_VERDICTS = 100
"""Verdicts that wait for a slow listener; the oldest is lost then, for verdicts are not kept."""


class Listener:
    """One who listens to a conversation, on the event loop on which this is made. Woken from any thread.

    ``version`` is how many entries the conversation had when this was last woken for news; 0 is not known.
    """

    def __init__(self, tenant: str, conversation: ConversationId) -> None:
        """Listen to one conversation of a tenant."""
        self.tenant = tenant
        self.conversation = conversation
        self.version = 0
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._verdicts: deque[VerdictEvent] = deque(maxlen=MOST_VERDICTS)

    def wake(self) -> None:
        """Let it look what is new."""
        # A loop that is closed has nobody who listens any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._woken.set)

    def tell(self, verdict: VerdictEvent) -> None:
        """Let it know of a verdict."""
        self._verdicts.append(verdict)
        self.wake()

    def heard(self) -> list[VerdictEvent]:
        """Give the verdicts since the last time."""
        return [self._verdicts.popleft() for _ in range(len(self._verdicts))]

    async def is_woken(self, seconds: float) -> bool:
        """Wait until it is woken, at most so long, and tell whether it was. What woke it before counts, once."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return False
        self._woken.clear()
        return True


class Watcher:
    """Wakes the listeners of one store's conversations when they are appended to or dropped, by whatever process.

    Its thread runs while anybody listens. When a store breaks, all are woken, and learn of it as they read.
    """

    def __init__(self, store: Store) -> None:
        """Watch nothing yet."""
        self._store = store
        self._lock = threading.Lock()
        self._followed: dict[ConversationId, set[Listener]] = {}
        self._known: dict[ConversationId, Head] = {}
        self._thread: threading.Thread | None = None

    def add(self, listener: Listener) -> None:
        """Wake a listener from now on; what was appended before it was added it reads by itself."""
        with self._lock:
            self._followed.setdefault(listener.conversation, set()).add(listener)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="upheld-watcher", daemon=True)
                self._thread.start()

    def remove(self, listener: Listener) -> None:
        """Wake it no more."""
        with self._lock:
            others = self._followed.get(listener.conversation, set())
            others.discard(listener)
            if not others:
                self._followed.pop(listener.conversation, None)
                self._known.pop(listener.conversation, None)

    def _watch(self) -> None:
        mark = 0
        while self._has_listeners():
            try:
                before, mark = mark, self._store.stirred(mark, timeout=IDLE)
                if mark != before:
                    self._look()
            except StoreError:
                self._wake_all()
                time.sleep(PATIENCE)

    def _has_listeners(self) -> bool:
        with self._lock:
            if not self._followed:
                self._thread = None
            return bool(self._followed)

    def _look(self) -> None:
        begun = time.monotonic()
        with self._lock:
            names = tuple(self._followed)
        for name in names:
            head = self._store.head(name)
            with self._lock:
                is_news = name in self._followed and self._known.get(name) != head
                woken = tuple(self._followed[name]) if is_news else ()
                if is_news:
                    self._known[name] = head
            for each in woken:
                each.version = head.epoch
                each.wake()
        time.sleep(min(LONGEST_REST, REST * (time.monotonic() - begun)))

    def _wake_all(self) -> None:
        with self._lock:
            everybody = [each for listeners in self._followed.values() for each in listeners]
            self._known.clear()
        for each in everybody:
            # What was known is not known any more: with a version a page that is kept would be given, and no error.
            each.version = 0
            each.wake()
