"""All that happened in a conversation, and what it did: enough to draw it, and to go back and forth in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from upheld.conversation.asking.effects import Effects
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Joined, Took
from upheld.conversation.looking.drawing import DatedEdge, Drawn, drawn_in, edges_in, keepers_in
from upheld.conversation.looking.log import Change, Log
from upheld.conversation.looking.mentions import Mention, mentions_in
from upheld.conversation.looking.stamps import Stamp
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.operations import Operation
from upheld.logic.language.turns import Retraction, Turn
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
    log.stamps.follow(store, conversation.id, version=conversation.version)
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
        moments=tuple(_moments(conversation, log, after)),
        claims=(*fresh, *keepers.values()),
        edges=edges,
        changes=tuple(log.changes(after=past)),
    )


def _moments(conversation: Conversation, log: Log, after: int) -> Iterator[Moment]:
    timeline, state = conversation.timeline, conversation.state
    if after == log.count:
        return
    events = [timeline.around(after)[0]] if after == log.count - 1 else timeline.events[after:]
    for place, (event, stamp) in enumerate(zip(events, log.stamps.each[after:], strict=True), after + 1):
        effects = log.steps[place].effects
        if not isinstance(event, Turn):
            yield _other(place, event, stamp, effects)
            continue
        yield Moment(
            place=place,
            kind="turn",
            turn=event.id,
            speaker=event.speaker,
            text=event.text,
            at=event.at,
            session=event.session,
            recorded_at=stamp.recorded_at,
            audience=event.audience,
            is_erased=stamp.is_erased,
            is_unread=event.id not in log.stamps.read,
            operations=event.operations,
            claims=tuple(mentions_in(event, state, log)),
            effects=effects,
        )


def _other(place: int, event: Joined | Took, stamp: Stamp, effects: Effects | None) -> Moment:
    if isinstance(event, Joined):
        names = ", ".join(each.name or each.id for each in event.agents)
        return Moment(place=place, kind="joined", text=names, recorded_at=stamp.recorded_at)
    return Moment(
        place=place,
        kind="retraction",
        speaker=event.by,
        recorded_at=stamp.recorded_at,
        change=event.retraction,
        reason=event.reason,
        effects=effects,
    )
