"""One claim with its past: what was done to it, which values it replaced, and since when it stands as it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from upheld.conversation.asking.picturing import Standing
from upheld.conversation.events import Event, Took
from upheld.conversation.looking.log import Log
from upheld.conversation.looking.mentions import mentions_in
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.plain import plain_retraction
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.answers.changes import directly_affected
from upheld.logic.reasoning.nodes import Node
from upheld.logic.reasoning.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """What was done to a claim; without a turn it was done by whoever keeps the record."""

    turn: TurnId | None
    act: str
    speaker: AgentId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One of the values that replaced each other."""

    id: PropositionId
    text: str
    turn: TurnId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """A claim's past. ``values`` are those that it replaced and that replaced it, itself included, oldest first."""

    mentions: tuple[Touch, ...]
    values: tuple[Value, ...]
    rests_on_it: tuple[PropositionId, ...]
    lifecycle_turn: TurnId | None
    standing_turn: TurnId | None


def detail_of(id: PropositionId, state: State, log: Log, events: Sequence[Event]) -> Detail:
    """Give what became of a claim up to a state, which is that after these events; the log knows them all.

    Cost: the claim's records, and a look at the changes and at which claims were replaced.

    Raises:
        UnknownReference: nobody introduced it.
    """
    node = state.node(id)

    def turn_at(found: int | None) -> TurnId | None:
        event = events[found - 1] if found else None
        return event.id if isinstance(event, Turn) else None

    return Detail(
        mentions=tuple(dict.fromkeys(_touches(node, state, log, events))),
        values=tuple(_value(state, each) for each in _chain(state, id)),
        rests_on_it=directly_affected(state, id),
        lifecycle_turn=turn_at(_since(log, id, len(events), lambda each: each.lifecycle)),
        standing_turn=turn_at(_since(log, id, len(events), lambda each: each.label)),
    )


def _touches(node: Node, state: State, log: Log, events: Sequence[Event]) -> Iterator[Touch]:
    records = (*node.introductions, *node.corroborations, *node.attacks, *node.acts, *node.stories)
    for place in sorted({log.place_of(each.origin.moment) for each in records}):
        event = events[place - 1] if place else None
        if isinstance(event, Turn):
            acts = (each.act for each in mentions_in(event, state, log) if each.id == node.id)
            yield from (Touch(turn=event.id, act=act, speaker=event.speaker) for act in acts)
        elif isinstance(event, Took):
            yield Touch(turn=None, act=plain_retraction(event.retraction)["act"], speaker=event.by)


def _chain(state: State, id: PropositionId) -> list[PropositionId]:
    newer = {each.id: [item.newer for item in each.replacements] for each in state.nodes.values() if each.replacements}
    older: dict[PropositionId, list[PropositionId]] = {}
    for old, values in newer.items():
        for value in values:
            older.setdefault(value, []).append(old)
    found = {id, *_along(newer, id), *_along(older, id)}
    return sorted(found, key=lambda each: (state.node(each).moment, each))


def _along(ways: dict[PropositionId, list[PropositionId]], start: PropositionId) -> set[PropositionId]:
    found: set[PropositionId] = set()
    pending = [start]
    while pending:
        fresh = [each for each in ways.get(pending.pop(), ()) if each not in found]
        found.update(fresh)
        pending.extend(fresh)
    return found


def _value(state: State, id: PropositionId) -> Value:
    proposition = state.propositions.get(id)
    return Value(
        id=id,
        text=proposition.text if proposition is not None else "",
        turn=state.node(id).first.origin.turn or None,
    )


def _since(log: Log, id: PropositionId, place: int, part: Callable[[Standing], object]) -> int | None:
    """Give the place since which a part of how a claim stands is what it is."""
    since: int | None = None
    last: object = None
    for each in log.changes():
        if each.place > place:
            break
        if each.claim == id and (since is None or part(each.standing) != last):
            since, last = each.place, part(each.standing)
    return since
