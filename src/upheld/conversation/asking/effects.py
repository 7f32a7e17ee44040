"""What an event did to claims that were there before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from upheld.conversation.events import Event, Took
from upheld.conversation.searching.filing import moved
from upheld.errors import UnknownReference
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.reasoning.answers.changes import affected
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.state import State

Ids = tuple[PropositionId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What became of earlier claims, each listed once, in the order of the record.

    ``given_up`` were let go of or replaced by whoever spoke; ``lost`` were in and have no complete justification left;
    ``defeated`` were in and fell to an attack; ``thinned`` are in, and one of their alternative justifications fell;
    ``reinstated`` are in again.
    """

    given_up: Ids = ()
    lost: Ids = ()
    thinned: Ids = ()
    defeated: Ids = ()
    reinstated: Ids = ()


def effects_of(event: Event, before: State, after: State) -> Effects:
    """Give what an event did to earlier claims; for a retraction the answer of ``affected`` before it was made.

    Cost: what the event touched, the labels that it changed, and what rests directly on those.
    """
    if isinstance(event, Took):
        return _of_retraction(event, before)
    there = [id for id in moved(before, after, event) if id in before.nodes]
    given_up = tuple(id for id in there if _is_given_up(after, id) and not _is_given_up(before, id))
    rest = [id for id in there if id not in given_up]
    fallen = [id for id in rest if before.label(id) is Label.IN and after.label(id) is not Label.IN]
    lost = tuple(id for id in fallen if _complete(before, id) and not _complete(after, id))
    return Effects(
        given_up=given_up,
        lost=lost,
        defeated=tuple(id for id in fallen if id not in lost),
        thinned=_thinned(before, after, (*given_up, *fallen)),
        reinstated=tuple(id for id in rest if before.label(id) is not Label.IN and after.label(id) is Label.IN),
    )


def _of_retraction(event: Took, before: State) -> Effects:
    try:
        delta = affected(before, event.retraction)
    except UnknownReference:
        # On record from before an amendment that took away what it was about.
        return Effects()
    return Effects(
        lost=tuple(each.id for each in delta.lost),
        thinned=tuple(each.id for each in delta.thinned),
        defeated=delta.defeated,
        reinstated=(*delta.reinstated, *delta.activated),
    )


def _thinned(before: State, after: State, fallen: Iterable[PropositionId]) -> Ids:
    found = {
        dependent
        for id in fallen
        for dependent in after.dependencies.dependents_of(Literal(id))
        if dependent in before.nodes and dependent in after.propositions
    }
    thinned = (id for id in found if before.label(id) is after.label(id) is Label.IN)
    return _in_order(after, (id for id in thinned if _complete(after, id) < _complete(before, id)))


def _complete(state: State, id: PropositionId) -> int:
    """Count the justifications of a claim whose premises all stand."""
    return sum(all(map(state.stands, group)) for group in state.dependencies.justifications_of(id))


def _in_order(state: State, ids: Iterator[PropositionId]) -> Ids:
    return tuple(sorted(ids, key=lambda id: (state.node(id).moment, id)))


def _is_given_up(state: State, id: PropositionId) -> bool:
    return lifecycle_of(state, id) in GIVEN_UP
