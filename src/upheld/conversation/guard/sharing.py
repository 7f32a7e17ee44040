"""A conversation that several threads speak in and ask, and that other processes may write to."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from upheld.conversation.asking.view import Earlier
from upheld.conversation.conversation import Conversation
from upheld.conversation.details import Setting
from upheld.conversation.speaking import Told
from upheld.errors import VersionConflict
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.answers.views import was_told
from upheld.logic.reasoning.state import State

T = TypeVar("T")

RACES = 5
"""How often a turn is told, or an act done, again after another writer was first."""

MOST_UNREAD = 100
"""Turns that could not be read and are remembered; whoever opens a conversation anew remembers none."""


class SharedConversation:
    """A conversation under a lock. States are values, so whoever has one works on it without."""

    def __init__(self, conversation: Conversation) -> None:
        """Share a conversation."""
        self.conversation = conversation
        self._lock = threading.RLock()
        self._unread: deque[TurnId] = deque(maxlen=MOST_UNREAD)

    def said(self, speaker: str, text: str, setting: Setting) -> Told:
        """Tell a turn, again where another process was first."""
        with self._lock:
            told = self._told(speaker, text, setting)
            if told.abstained:
                self._unread.append(told.turn)
            return told

    def acted(self, act: Callable[[Conversation], T]) -> T:
        """Do something with the conversation as it is on record now, again where another process was first."""
        with self._lock:
            for _ in range(RACES):
                self.conversation.refresh()
                try:
                    return act(self.conversation)
                except VersionConflict:
                    continue
            self.conversation.refresh()
            return act(self.conversation)

    def state(self) -> State:
        """Give the state, with what other processes recorded since. Cost: what is new."""
        with self._lock:
            self.conversation.refresh()
            return self.conversation.state

    def unread(self) -> tuple[TurnId, ...]:
        """Give the turns that could not be read, and were given no meaning since."""
        with self._lock:
            told = self.conversation.timeline.told
            return tuple(turn for turn in self._unread if not told(turn).operations)

    def earlier(self, state: State, agent: AgentId) -> Earlier:
        """Give the turns that led to a state, as far as an agent heard them; they are read when asked for."""

        def earlier(count: int) -> Sequence[Turn]:
            with self._lock:
                turns = self.conversation.timeline.last(count)
            return [turn for turn in turns if turn.id in state.turns and was_told(turn, agent)]

        return earlier

    def close(self) -> None:
        """Close the store."""
        with self._lock:
            self.conversation.close()

    def _told(self, speaker: str, text: str, setting: Setting) -> Told:
        for _ in range(RACES):
            try:
                return self.conversation.say(speaker, text, **setting)
            except VersionConflict:
                self.conversation.refresh()
        return self.conversation.say(speaker, text, **setting)
