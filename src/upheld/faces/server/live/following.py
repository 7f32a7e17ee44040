"""What is new in a conversation, entry by entry, with what each did to earlier claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Self

from upheld.conversation.asking.effects import effects_of
from upheld.conversation.events import is_event, words_in
from upheld.conversation.timeline import Timeline
from upheld.errors import DroppedConversation, UnknownReference
from upheld.faces.server.access import Visit
from upheld.faces.server.live.pages import Page, Place
from upheld.faces.server.models.events import Event, EventKind
from upheld.faces.server.models.turns import Effects
from upheld.faces.trees import plain
from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Content, Entry, Erased, Erasure, Interpretation, Opening, Retracted, Words
from upheld.record.ledger.review.contents import Assigned, Commented, Decided, Flagged
from upheld.record.ledger.store import Store

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
    """One listener's place in a conversation, which only it changes.

    ``record`` is the link of its first entry: a later conversation of the same name has another.
    """

    visit: Visit
    conversation: ConversationId
    record: str
    place: Place

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
            words = last[0].turn if last and last[0] is not None else None
            place = Place(after=after, events=talk.timeline.count - ahead, words=words)
            return cls(visit=visit, conversation=talk.id, record=_record_of(store, talk.id), place=place)

    def look(self) -> Page:
        """Give what is there by now, but no more than a page of it. Nothing is changed: whoever reads it goes on.

        Raises:
            DroppedConversation: it is gone.
            StoreError: it cannot be read, or the store was closed.
        """
        place, store = self.place, self.visit.host.store
        entries = [*islice(store.read(self.conversation, after=place.after), PAGE)]
        # Asked after they were read: it was there then, if it is now.
        if _record_of(store, self.conversation) != self.record:
            raise DroppedConversation(self.conversation)
        if not entries:
            return Page(events=(), end=place)
        with self.visit.entered(self.conversation) as room:
            told = [*_told(entries, place, room.conversation.timeline)]
        return Page(events=[event for event, _ in told], end=told[-1][1])


def _record_of(store: Store, conversation: ConversationId) -> str:
    return next((each.chain for each in store.kept(conversation, upto=1)), "")


def _told(entries: list[Entry], place: Place, timeline: Timeline) -> Iterator[tuple[Event, Place]]:
    """Tell each entry with the place after it."""
    for entry in entries:
        content = entry.content
        words = words_in(entry)
        kind = _kind_of(entry, place.words)
        place = Place(
            after=entry.epoch,
            events=place.events + is_event(entry),
            words=words.turn if words is not None else None,
        )
        speaker: AgentId | None = words.speaker if words is not None else getattr(content, "by", None)
        counts = kind in {"meaning", "retraction"}
        event = Event(
            epoch=entry.epoch,
            kind=kind,
            turn=entry.turn,
            speaker=speaker,
            recorded_at=entry.recorded_at,
            effects=_effects(timeline, place.events - 1) if counts else None,
        )
        yield event, place


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
