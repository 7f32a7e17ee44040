"""What is new in a conversation, entry by entry, with what each did to earlier claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Self

from upheld.conversation.asking.effects import effects_of
from upheld.conversation.events import is_event, words_in
from upheld.conversation.timeline import Timeline
from upheld.errors import UnknownReference
from upheld.faces.server.access import Visit
from upheld.faces.server.models.events import Event, EventKind
from upheld.faces.server.models.turns import Effects
from upheld.faces.trees import plain
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Content, Entry, Erased, Erasure, Interpretation, Opening, Retracted, Words
from upheld.record.ledger.review.contents import Assigned, Commented, Decided, Flagged

PAGE = 100
"""Entries that are told at once."""

_STEPS: Mapping[type[Content], EventKind] = {
    Flagged: "flag",
    Assigned: "assignment",
    Decided: "decision",
    Commented: "comment",
}


@dataclass(slots=True, kw_only=True)
class Follower:
    """Where one listener is: after which entry, and how many events of the conversation lie before that.

    ``_words`` is the turn whose words were the last entry: the next entry is their meaning, if they have one yet.
    """

    visit: Visit
    conversation: ConversationId
    after: int
    _place: int
    _words: TurnId | None

    @classmethod
    def begun(cls, visit: Visit, conversation: str, *, after: int) -> Self:
        """Begin after an entry; one that is not there yet means the end.

        Cost: reading what comes after it.

        Raises:
            UnknownConversation: there is none of that name.
        """
        with visit.entered(conversation) as room:
            talk = room.conversation
            after = min(after, talk.version)
            store = visit.host.store
            ahead = sum(map(is_event, store.read(talk.id, after=after, upto=talk.version)))
            last = [words_in(entry) for entry in store.read(talk.id, after=after - 1, upto=after)] if after else []
            return cls(
                visit=visit,
                conversation=talk.id,
                after=after,
                _place=talk.timeline.count - ahead,
                _words=last[0].turn if last and last[0] is not None else None,
            )

    def news(self, wait: float) -> Sequence[Event]:
        """Wait so many seconds for an entry, and give all that are there then, but no more than a page of them.

        Raises:
            StoreError: the store was closed.
        """
        store = self.visit.host.store
        first = next(iter(store.follow(self.conversation, after=self.after, timeout=wait)), None)
        if first is None:
            return ()
        entries = [first, *islice(store.read(self.conversation, after=first.epoch), PAGE - 1)]
        with self.visit.entered(self.conversation) as room:
            return [self._told(entry, room.conversation.timeline) for entry in entries]

    def _told(self, entry: Entry, timeline: Timeline) -> Event:
        content = entry.content
        words, meant = words_in(entry), self._words
        kind = _kind_of(entry, meant)
        if is_event(entry):
            self._place += 1
        self.after, self._words = entry.epoch, words.turn if words is not None else None
        counts = kind in {"meaning", "retraction"}
        speaker: AgentId | None = words.speaker if words is not None else getattr(content, "by", None)
        return Event(
            epoch=entry.epoch,
            kind=kind,
            turn=entry.turn,
            speaker=speaker,
            recorded_at=entry.recorded_at,
            effects=_effects(timeline, self._place - 1) if counts else None,
        )


def _effects(timeline: Timeline, place: int) -> Effects | None:
    with suppress(UnknownReference):
        return Effects.model_validate(plain(effects_of(*timeline.around(place))))
    return None


def _kind_of(entry: Entry, words: TurnId | None) -> EventKind:
    match entry.content:
        case Opening():
            return "opening"
        case Words():
            return "words"
        case Interpretation(turn=turn):
            return "meaning" if turn == words else "amendment"
        case Retracted():
            return "retraction"
        case Erasure():
            return "erasure"
        case Erased():
            return "erased"
        case _:
            return _STEPS[type(entry.content)]
