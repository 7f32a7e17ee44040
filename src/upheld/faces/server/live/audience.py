"""All who listen to conversations of one service: how many they may be, and who tells them what."""

from __future__ import annotations

import threading

from upheld.faces.server.live.pages import Pages
from upheld.faces.server.live.watching import Listener, Watcher
from upheld.faces.server.models.events import VerdictEvent
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.store import Store

READERS = 4
"""Listeners that look at the record at a time."""


class Audience:
    """The listeners of a service. Safe to call from several threads; joining is for the event loop."""

    def __init__(self, most: int) -> None:
        """Have room for so many."""
        self.pages = Pages(READERS)
        self._most = most
        self._lock = threading.Lock()
        self._listeners: dict[tuple[str, ConversationId], set[Listener]] = {}
        self._watchers: dict[str, Watcher] = {}
        self._count = 0

    @property
    def count(self) -> int:
        """How many listen now."""
        return self._count

    def has_let_in(self) -> bool:
        """Let one more in who looks for themselves, and tell whether there was a place; whoever has it leaves it."""
        with self._lock:
            if self._count >= self._most:
                return False
            self._count += 1
            return True

    def let_out(self) -> None:
        """Let one out who was let in so."""
        with self._lock:
            self._count -= 1

    def join(self, store: Store, tenant: str, conversation: ConversationId) -> Listener | None:
        """Listen to a conversation of a tenant's store; ``None`` where there is no place left. Who joins leaves."""
        if not self.has_let_in():
            return None
        with self._lock:
            listener = Listener(tenant, conversation)
            self._listeners.setdefault((tenant, conversation), set()).add(listener)
            watcher = self._watchers.setdefault(tenant, Watcher(store))
        watcher.add(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        """Listen no more."""
        place = listener.tenant, listener.conversation
        with self._lock:
            others = self._listeners[place]
            others.remove(listener)
            self._count -= 1
            if not others:
                del self._listeners[place]
            watcher = self._watchers[listener.tenant]
        watcher.remove(listener)

    def tell(self, tenant: str, conversation: str, verdict: VerdictEvent) -> None:
        """Tell a verdict to those who listen to its conversation now; it is kept for nobody else."""
        with self._lock:
            listeners = tuple(self._listeners.get((tenant, ConversationId(conversation)), ()))
        for each in listeners:
            each.tell(verdict)

    def wake(self) -> None:
        """Let everybody look whether they may stay."""
        with self._lock:
            everybody = [each for listeners in self._listeners.values() for each in listeners]
        for each in everybody:
            each.wake()
