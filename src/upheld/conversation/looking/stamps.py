"""When each event was recorded, and what became of its words: read once, and kept without any words."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.conversation.events import events_after, is_event, words_in
from upheld.logic.language.identities import ConversationId, TurnId
from upheld.record.ledger.entry import Entry, Erased, Interpretation
from upheld.record.ledger.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What the record says of an event beside what was said. ``turn`` is set for a turn."""

    recorded_at: str
    turn: TurnId | None
    is_erased: bool


class Stamps:
    """The stamps of the events of one conversation, in order."""

    def __init__(self) -> None:
        """Begin with none."""
        self._version = 0
        self.each: list[Stamp] = []
        self.read: set[TurnId] = set()
        """Turns that have, or had, a meaning."""

    def follow(self, store: Store, conversation: ConversationId, *, version: int) -> None:
        """Catch up with the record. Cost: what is new; all of it where something was erased or given another meaning.

        ``version`` is that of the fold beside which the stamps are held.
        """
        if version == self._version:
            return
        entries = list(store.read(conversation, after=self._version, upto=version))
        if self._version and (version < self._version or events_after(entries) is None):
            self.each, self.read = [], set()
            entries = list(store.read(conversation, upto=version))
        for entry in entries:
            if is_event(entry):
                self.each.append(_stamp(entry))
            elif entry.turn is not None and isinstance(entry.content, Interpretation | Erased):
                self.read.add(entry.turn)
        self._version = version


def _stamp(entry: Entry) -> Stamp:
    words = words_in(entry)
    return Stamp(
        recorded_at=entry.recorded_at,
        turn=None if words is None else words.turn,
        is_erased=isinstance(entry.content, Erased),
    )
