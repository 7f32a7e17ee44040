"""What events can have changed in the items of a state, so that only that is read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from upheld.conversation.events import Event, Joined
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import NEGATION
from upheld.logic.language.turns import Falsify, Retract, Supersede, Turn, Withdraw
from upheld.logic.reasoning.nodes import falsified_key, replaced_key, settling_key
from upheld.logic.reasoning.state import State


def touched(before: State, after: State, events: Iterable[Event]) -> frozenset[PropositionId]:
    """Give every proposition whose item may be another after some events than before; more is no mistake.

    Those that the events were about, those whose label changed, and those that rest directly on either, since an item
    tells which of its grounds fell. Cost: what was touched, and what rests on whatever changed its label.
    """
    seeds = {id for event in events for id in _named(before, after, event)}
    seeds.update(_decided(after, tuple(seeds)))
    pending = [key for id in seeds for key in _vertices(id)]
    seen = set(pending)
    while pending:
        key = pending.pop()
        seeds.add(_id_of(key))
        if before.network.label(key) is after.network.label(key):
            continue
        fresh = [each for each in after.network.successors(key) if each not in seen]
        seen.update(fresh)
        pending.extend(fresh)
    seeds.update(_decided(after, tuple(seeds)))
    return frozenset(id for id in seeds if id in after.propositions)


def _named(before: State, after: State, event: Event) -> Iterable[PropositionId]:
    """Give what an event is about."""
    match event:
        case Turn():
            return after.touched_by.get(event.id, ())
        case Joined():
            return ()
        case _:
            pass
    match event.retraction:
        case Retract(target=target) | Falsify(target=target):
            return (target,)
        case Supersede(older=older, newer=newer):
            return (older, newer)
        case Withdraw(source=source):
            return (*before.touched_by.get(source, ()), *after.touched_by.get(source, ()))


def _decided(state: State, ids: Iterable[PropositionId]) -> Iterator[PropositionId]:
    """Give what decisions, and dissents from them, say of others: whether those are settled goes with it."""
    pending = list(ids)
    seen = set(pending)
    while pending:
        node = state.nodes.get(pending.pop())
        if node is None:
            continue
        found = [*node.against]
        if node.decision is not None:
            target = node.decision.target.proposition
            found += [target, *state.dependencies.explained_by(target)]
            found += [node.decision.issue] if node.decision.issue is not None else []
        fresh = [each for each in found if each not in seen]
        seen.update(fresh)
        pending.extend(fresh)
        yield from fresh


def _vertices(id: PropositionId) -> tuple[str, ...]:
    return (id, f"{NEGATION}{id}", replaced_key(id), settling_key(id), falsified_key(id))


def _id_of(key: str) -> PropositionId:
    return PropositionId(key.removeprefix(NEGATION).partition(" ")[0])
