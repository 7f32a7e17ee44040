"""The open conversations of one store: each under a lock of its own, and no more of them than there is room for."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice

from upheld.conversation.answering.context import ConversationContext
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.conversation.guard.instructions import InstructionWatch
from upheld.conversation.hosting.heads import Heads
from upheld.conversation.looking.log import Log
from upheld.conversation.reading.reader import Reader
from upheld.errors import DroppedConversation, UnknownConversation
from upheld.logic.language.identities import AgentId, ConversationId
from upheld.logic.reasoning.policy import PEOPLE_AND_TOOLS, SourcePolicy
from upheld.record.ledger.appending import named
from upheld.record.ledger.chain import Head
from upheld.record.ledger.erasing import Receipt
from upheld.record.ledger.store import Store
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.matcher import Matcher

MOST_OPEN = 1000
"""Conversations that stay open at once; the next one lets go of the one that was longest not asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """What each conversation is opened with: a reader and a matcher of its own, since both keep an index."""

    reader: Callable[[], Reader] = Reader
    matcher: Callable[[], Matcher] = LexicalMatcher
    policy: SourcePolicy = PEOPLE_AND_TOOLS


@dataclass(slots=True)
class Room:
    """One open conversation with its matcher, and what keeps step with it. Whoever is in it is there alone.

    That is a log of its events, its pages for a context window, and the instructions in it: each reads what is new.
    """

    conversation: Conversation
    matcher: Matcher
    log: Log = field(default_factory=Log)
    watch: InstructionWatch = field(default_factory=InstructionWatch)
    context: ConversationContext = field(init=False)

    def __post_init__(self) -> None:
        """Begin with nothing read."""
        self.context = ConversationContext(self.conversation)


@dataclass(slots=True)
class _Door:
    lock: threading.RLock = field(default_factory=threading.RLock)
    room: Room | None = None
    users: int = 0


class Host:
    """Opens conversations of one store when they are asked for. Safe to call from several threads.

    What other processes appended is read on entering. The store is not the host's: closing the host lets go of the
    conversations, and leaves it open.
    """

    def __init__(self, store: Store, equipment: Equipment | None = None, *, most_open: int = MOST_OPEN) -> None:
        """Host the conversations of this store; at least one stays open."""
        self.store = store
        self.heads = Heads(store.heads)
        self._equipment = equipment or Equipment()
        self._most_open = max(1, most_open)
        self._doors: OrderedDict[ConversationId, _Door] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def open_count(self) -> int:
        """Conversations that are open now."""
        with self._lock:
            return sum(1 for each in self._doors.values() if each.room is not None)

    @contextmanager
    def entered(self, conversation: str, *, beginning: Beginning | None = None) -> Generator[Room]:
        """Give a conversation as it is now, alone with it; others wait, those who want another one do not.

        With a ``beginning``, one that the store does not have is begun with it.

        Raises:
            UnknownConversation: the store has none of that name; nothing was begun.
            MalformedInput: no name.

        Cost: what was appended since it was left; opening it, where it was not open.
        """
        name = named(conversation)
        door = self._door(name)
        try:
            with door.lock:
                yield self._room(name, door, beginning)
        finally:
            self._left(name, door)

    def is_open(self, conversation: str) -> bool:
        """Tell whether a conversation is open now. Nothing is asked."""
        with self._lock:
            door = self._doors.get(ConversationId(conversation))
            return door is not None and door.room is not None

    @contextmanager
    def at_hand(self, conversation: str, head: Head | None = None) -> Generator[Room | None]:
        """Give a conversation that is open, as it is now, if nobody is in it; ``None`` else. Nothing is waited for.

        ``head`` is where it ends now, for who knows that already.

        Cost: else one question to the store, whether anything was appended.
        """
        name = ConversationId(conversation)
        with self._lock:
            door = self._doors.get(name)
            if door is None or door.room is None or not door.lock.acquire(blocking=False):
                door = None
            else:
                self._doors.move_to_end(name)
        if door is None or door.room is None:
            yield None
            return
        try:
            is_now = (head or self.store.head(name)) == door.room.conversation.seen
            yield door.room if is_now else None
        finally:
            door.lock.release()

    def forget(self, conversation: str) -> None:
        """Let go of a conversation, since what it was opened from is gone; whoever is in it stays till they leave."""
        with self._lock:
            self._doors.pop(ConversationId(conversation), None)

    def drop(
        self, conversation: str, *, reason: str, by: AgentId | None = None, expected: int | None = None
    ) -> Receipt:
        """Drop a conversation from the store whole, when nobody is in it, and let go of it; give the receipt.

        It need not be open, nor readable. Who wants to enter it finds it gone, and so do hosts of other processes.

        Raises:
            UnknownConversation: the store has none of that name.
            VersionConflict: it is not at the version ``expected``; nothing was dropped.
            MalformedInput: no name, or no reason.
        """
        name = named(conversation)
        door = self._door(name)
        try:
            with door.lock:
                receipt = self.store.drop(name, reason=reason, by=by, expected=expected)
                door.room = None
                return receipt
        finally:
            self._left(name, door)

    def close(self) -> None:
        """Let go of all conversations."""
        with self._lock:
            self._doors.clear()

    def _door(self, name: ConversationId) -> _Door:
        with self._lock:
            door = self._doors.setdefault(name, _Door())
            self._doors.move_to_end(name)
            door.users += 1
            return door

    def _room(self, name: ConversationId, door: _Door, beginning: Beginning | None) -> Room:
        if door.room is not None:
            # Of one that another process dropped, a later one may have begun under its name.
            with suppress(DroppedConversation):
                door.room.conversation.refresh()
                return door.room
            door.room = None
        if beginning is None and not self.store.version(name):
            raise UnknownConversation(f"there is no conversation {name!r}")
        made = self._equipment
        opened = Conversation(beginning or (), id=name, store=self.store, interpreter=made.reader(), policy=made.policy)
        door.room = Room(conversation=opened, matcher=made.matcher())
        return door.room

    def _left(self, name: ConversationId, door: _Door) -> None:
        with self._lock:
            door.users -= 1
            if door.room is None and not door.users and self._doors.get(name) is door:
                # Nothing was opened: a name that nobody has must not fill the house.
                del self._doors[name]
            surplus = len(self._doors) - self._most_open
            if surplus > 0:
                # Looked for only then: with a thousand open, going through them takes as long as a short question.
                idle = (each for each, found in self._doors.items() if not found.users)
                for each in list(islice(idle, surplus)):
                    del self._doors[each]
