"""What happens to explicit worlds when an event model is executed: the action-priority product, obvious and slow.

Sources: Baltag, Moss and Solecki 1998 (the product of worlds and events); van Ditmarsch, van der Hoek and Kooi 2007,
chapter 6; Baltag and Smets 2008, section 4 (the order of the product: events first, worlds where events tie).

A pair of a world and an event is itself written as a world: the atoms of the world, and the one that says which event
happened (:func:`~upheld.logic.epistemic.structures.events.occurrence`).

Events that change facts: van Benthem, van Eijck and Kooi 2006, *Logics of communication and change*.
"""

from __future__ import annotations

from dataclasses import replace

from upheld.errors import RepeatedIdentity, UnknownReference
from upheld.logic.epistemic.reference import Noticed, PlausibilityModel, World, Worlds
from upheld.logic.epistemic.structures.events import EventModel, former, occurrence
from upheld.logic.language.formulas import Atom

Pair = tuple[World, str]
"""A world, and an event that can happen there."""


def product(before: PlausibilityModel, events: EventModel, *, name: str | None = None) -> PlausibilityModel:
    """Give what is known and believed after an event, which changes no facts here: for those, :func:`executed`.

    Among the pairs of a cell, a more plausible event comes first, and between equally plausible events the more
    plausible world. Preconditions are judged before. ``name`` tells this update from others in the atoms of what
    happened; by default updates count from "1". Refused, so unchanged, when nothing can happen anywhere.

    Cost: worlds times events.

    Raises:
        UnknownReference: the event model names an agent that there is not.
        RepeatedIdentity: an atom of what happened is there already.
    """
    for agent in sorted(events.agents - before.observes.keys()):
        raise UnknownReference(agent, where="the agents of the model")
    called = _name(before, name)
    atoms = {event: occurrence(called, event) for event in events.events}
    known = {each.name for each in before.noticed}
    if called in known or any(world & frozenset(atoms.values()) for world in before.worlds):
        raise RepeatedIdentity(f"an update is already called {called!r}: give this one another name")
    written = {(world, event): world | {atoms[event]} for world, event in pairs(before, events)}
    if not written:
        return before
    noticed = {
        agent: tuple(frozenset(atoms[event] for event in each) for each in events.classes_of(agent))
        for agent in before.observes
    }
    return replace(
        before,
        worlds=frozenset(written.values()),
        ranks={agent: _ranks(before, events, agent, written) for agent in before.observes},
        noticed=(*before.noticed, Noticed(name=called, classes=noticed)),
    )


def executed(before: PlausibilityModel, events: EventModel, *, name: str | None = None) -> PlausibilityModel:
    """Give the product, with the facts that the events change.

    An atom that some event sets is true where the event makes it so; what it was stays beside it
    (:func:`~upheld.logic.epistemic.structures.events.former`), and whoever observed the atom observes that.

    Raises:
        UnknownReference: the event model names an agent that there is not.
        RepeatedIdentity: an atom of what happened is there already.
    """
    after = product(before, events, name=name)
    if after is before:
        return before
    called = _name(before, name)
    old = {atom: former(called, atom) for atom in events.changed}
    written: dict[World, World] = {}
    for world, event in pairs(before, events):
        meant = {atom: events.changes.get(event, {}).get(atom, Atom(atom)) for atom in old}
        true = frozenset(atom for atom, formula in meant.items() if before.holds_at(world, formula))
        kept = frozenset(old.get(atom, atom) for atom in world)
        written[world | {occurrence(called, event)}] = kept | true | {occurrence(called, event)}
    return replace(
        after,
        worlds=frozenset(written.values()),
        observes={agent: frozenset(old.get(atom, atom) for atom in seen) for agent, seen in after.observes.items()},
        ranks={agent: {written[pair]: rank for pair, rank in ranks.items()} for agent, ranks in after.ranks.items()},
    )


def pairs(before: PlausibilityModel, events: EventModel) -> list[Pair]:
    """Give the pairs of a world and an event whose precondition holds there, event by event."""
    return [(world, event) for event in events.events for world in before.extension(events.preconditions[event])]


def worlds_after(after: PlausibilityModel, event: str, *, name: str) -> Worlds:
    """Give the worlds of a product where an event of the update called ``name`` happened."""
    return frozenset(world for world in after.worlds if occurrence(name, event) in world)


def _name(before: PlausibilityModel, name: str | None) -> str:
    return str(len(before.noticed) + 1) if name is None else name


def _ranks(before: PlausibilityModel, events: EventModel, agent: str, written: dict[Pair, World]) -> dict[World, int]:
    places = {pair: (events.rank(agent, pair[1]), before.ranks[agent][pair[0]]) for pair in written}
    order = {place: rank for rank, place in enumerate(sorted(set(places.values())))}
    return {written[pair]: order[place] for pair, place in places.items()}
