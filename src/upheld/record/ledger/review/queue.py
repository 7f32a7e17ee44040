"""Which flags a store has, and where: found beside the entries, without reading every conversation.

An index, and derived: what became of a flag is told by its entries alone. It is written with them, in one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from upheld.errors import MalformedInput
from upheld.logic.language.identities import AgentId, ConversationId, FlagId
from upheld.record.ledger.entry import Entry, step_of
from upheld.record.ledger.review.contents import Assigned, Decided, Flagged
from upheld.record.ledger.store import Store

MOST_FLAGS = 1000
"""Most flags that one question gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagPlace:
    """Where a flag stands, in its conversation and in the queue; ``recorded_at`` is the store's time of it."""

    conversation: ConversationId
    epoch: int
    flag: FlagId
    urgency: int
    recorded_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagQuery:
    """Which flags are wanted: of one conversation, decided or not, of one assignee, after a place in the queue.

    A decision counts whenever it was made; the newest assignment alone does.
    """

    conversation: ConversationId | None = None
    is_decided: bool | None = None
    assignee: AgentId | None = None
    after: FlagPlace | None = None
    limit: int = 100

    def __post_init__(self) -> None:
        """Refuse a limit that is none; raises :class:`~upheld.errors.MalformedInput`."""
        if not 1 <= self.limit <= MOST_FLAGS:
            raise MalformedInput(f"a page has 1 to {MOST_FLAGS} flags, not {self.limit}", key="limit")


@runtime_checkable
class ReviewableStore(Protocol):
    """What a store offers that finds flags; a :class:`~upheld.record.ledger.store.Store` that does not is read whole.

    The suite ``upheld.testing.review_contract`` tells whether these promises are kept.
    """

    def flags(self, query: FlagQuery, /) -> tuple[FlagPlace, ...]:
        """Give the flags that are wanted: the most urgent first, and of these the newest by the store's clock.

        Cost: the flags that are wanted, and not the conversations.
        """
        ...

    def steps(self, conversation: ConversationId, flag: FlagId | None = None) -> tuple[Entry, ...]:
        """Give the entries of one flag, or of all flags of a conversation, in order. Cost: their number.

        What was erased is there as far as something of it remains.

        Raises:
            UnreadableEntry: one that is damaged or of a newer schema.
        """
        ...


def flags_of(store: Store, query: FlagQuery) -> tuple[FlagPlace, ...]:
    """Give the flags of any store, in the order of the queue. Cost: all entries, where it does not find flags."""
    if isinstance(store, ReviewableStore):
        return store.flags(query)
    names = store.conversations() if query.conversation is None else (query.conversation,)
    return scanned((entry for name in names for entry in store.read(name)), query)


def steps_of(store: Store, conversation: ConversationId, flag: FlagId | None = None) -> tuple[Entry, ...]:
    """Give the entries of flags of any store. Cost: all entries, where it does not find flags."""
    if isinstance(store, ReviewableStore):
        return store.steps(conversation, flag)
    return stepping(store.read(conversation), flag)


def stepping(entries: Iterable[Entry], flag: FlagId | None = None) -> tuple[Entry, ...]:
    """Give those entries of a conversation that are steps of flags. Cost: linear."""
    found = ((entry, step_of(entry.content)) for entry in entries)
    return tuple(entry for entry, step in found if step is not None and flag in (None, step.flag))


def scanned(entries: Iterable[Entry], query: FlagQuery) -> tuple[FlagPlace, ...]:
    """Find flags among all entries of a store: slow and obvious."""
    places: list[FlagPlace] = []
    decided: set[tuple[str, str]] = set()
    assignees: dict[tuple[str, str], AgentId | None] = {}
    for entry in entries:
        match step_of(entry.content):
            case Flagged(flag=flag, urgency=urgency):
                places.append(place_of(entry, flag, urgency))
            case Decided(flag=flag):
                decided.add((entry.conversation, flag))
            case Assigned(flag=flag, to=to):
                assignees[entry.conversation, flag] = to
            case _:
                pass
    wanted: list[FlagPlace] = []
    for place in places:
        name = (place.conversation, place.flag)
        is_meant = query.conversation in (None, place.conversation)
        is_so_far = query.is_decided is None or (name in decided) is query.is_decided
        is_theirs = query.assignee is None or assignees.get(name) == query.assignee
        if is_meant and is_so_far and is_theirs:
            wanted.append(place)
    ordered = in_order(wanted)
    if query.after is not None:
        ordered = [place for place in ordered if place != query.after and in_order([query.after, place])[1] is place]
    return tuple(ordered[: query.limit])


def place_of(entry: Entry, flag: FlagId, urgency: int) -> FlagPlace:
    """Give the place of a flag that an entry put on record."""
    return FlagPlace(
        conversation=entry.conversation,
        epoch=entry.epoch,
        flag=flag,
        urgency=urgency,
        recorded_at=entry.recorded_at,
    )


def in_order(places: Iterable[FlagPlace]) -> list[FlagPlace]:
    """Give places in the order of the queue; of two of one moment, that of the lesser name, then the newer entry."""
    # Sorted twice, since it is stable: the time goes down, and all else up.
    known = sorted(places, key=lambda place: (place.conversation, -place.epoch))
    newest = sorted(known, key=lambda place: place.recorded_at, reverse=True)
    return sorted(newest, key=lambda place: place.urgency)
