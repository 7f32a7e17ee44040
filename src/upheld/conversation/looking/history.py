"""All that happened in a conversation, and what it did: enough to draw it, and to go back and forth in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from upheld.conversation.asking.effects import Effects
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Event, Joined, is_event, words_in
from upheld.conversation.looking.drawing import DatedEdge, Drawn, drawn_in, edges_in, keepers_in
from upheld.conversation.looking.log import Change, Log
from upheld.conversation.looking.mentions import Mention, mentions_in
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.operations import Operation
from upheld.logic.language.turns import Retraction, Turn
from upheld.record.ledger.entry import Entry, Erased, Interpretation
from upheld.record.ledger.store import Store

MomentKind = Literal["turn", "retraction", "joined"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One event at its place: a turn, a retraction by whoever keeps the record, or somebody who joined."""

    place: int
    kind: MomentKind
    turn: TurnId | None = None
    speaker: AgentId | None = None
    text: str = ""
    at: str = ""
    session: str = ""
    recorded_at: str = ""
    audience: frozenset[AgentId] | None = None
    is_erased: bool = False
    is_unread: bool = False
    change: Retraction | None = None
    reason: str = ""
    operations: tuple[Operation, ...] = ()
    claims: tuple[Mention, ...] = ()
    effects: Effects | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What came after a place: everything, after place 0. ``place`` is the last one.

    An edge that is known already is given again where it may have ended.
    """

    id: str
    title: str
    version: int
    place: int
    agents: tuple[Agent, ...]
    moments: tuple[Moment, ...]
    claims: tuple[Drawn, ...]
    edges: tuple[DatedEdge, ...]
    changes: tuple[Change, ...]


def history_of(conversation: Conversation, store: Store, log: Log, *, after: int = 0) -> History:
    """Give what happened in a conversation after a place; a place that is not there yet is the end.

    ``store`` is the conversation's, and ``log`` is kept with it: it catches up first. Cost: what is new to the log is
    folded once more; then what is given.
    """
    timeline, state = conversation.timeline, conversation.state
    log.follow(timeline)
    after = min(after, log.count)
    # What was on the table from the beginning is told to whoever has nothing yet.
    past = after if after else -1
    ids = log.touched(after=past)
    edges = tuple(edges_in(state, log, ids))
    fresh = [each for each in drawn_in(state, log, {*ids, *(edge.source for edge in edges)}) if each.place > past]
    keepers = {each.id: each for each in keepers_in(edges, state) if each.place > past}
    return History(
        id=conversation.id,
        title=conversation.beginning().title,
        version=conversation.version,
        place=log.count,
        agents=tuple(state.agents[id] for id in sorted(state.agents)),
        moments=tuple(_moments(conversation, store, log, after)),
        claims=(*fresh, *keepers.values()),
        edges=edges,
        changes=tuple(log.changes(after=past)),
    )


def _moments(conversation: Conversation, store: Store, log: Log, after: int) -> Iterator[Moment]:
    timeline, state = conversation.timeline, conversation.state
    count = log.count - after
    if not count:
        return
    events = [timeline.around(after)[0]] if count == 1 else timeline.events[after:]
    tail = _tail(store, conversation, count)
    meant = {entry.turn for entry in tail if isinstance(entry.content, Interpretation) or _is_gone(entry)}
    entries = [entry for entry in tail if is_event(entry)][-count:]
    for place, (event, entry) in enumerate(zip(events, entries, strict=True), after + 1):
        effects = log.steps[place].effects
        if isinstance(event, Turn):
            yield _turn(place, event, entry, effects, tuple(mentions_in(event, state, log)), event.id not in meant)
        else:
            yield _other(place, event, entry, effects)


def _tail(store: Store, conversation: Conversation, count: int) -> Sequence[Entry]:
    """Give the end of the record, as far back as its last ``count`` events. Cost: what is read."""
    reach = 4 * count
    while True:
        after = max(0, conversation.version - reach)
        entries = list(store.read(conversation.id, after=after, upto=conversation.version))
        if not after or sum(map(is_event, entries)) >= count:
            return entries
        reach *= 2


def _is_gone(entry: Entry) -> bool:
    """Tell whether an entry held a meaning that was erased: its turn was read."""
    return isinstance(entry.content, Erased) and words_in(entry) is None


def _turn(
    place: int, turn: Turn, entry: Entry, effects: Effects | None, claims: tuple[Mention, ...], is_unread: bool
) -> Moment:
    return Moment(
        place=place,
        kind="turn",
        turn=turn.id,
        speaker=turn.speaker,
        text=turn.text,
        at=turn.at,
        session=turn.session,
        recorded_at=entry.recorded_at,
        audience=turn.audience,
        is_erased=isinstance(entry.content, Erased),
        is_unread=is_unread,
        operations=turn.operations,
        claims=claims,
        effects=effects,
    )


def _other(place: int, event: Event, entry: Entry, effects: Effects | None) -> Moment:
    if isinstance(event, Joined):
        names = ", ".join(each.name or each.id for each in event.agents)
        return Moment(place=place, kind="joined", text=names, recorded_at=entry.recorded_at)
    assert not isinstance(event, Turn), "a turn is no other event"
    return Moment(
        place=place,
        kind="retraction",
        speaker=event.by,
        recorded_at=entry.recorded_at,
        change=event.retraction,
        reason=event.reason,
        effects=effects,
    )
