"""What became another between two states, one sentence a claim."""

from __future__ import annotations

from collections.abc import Iterable

from upheld.conversation.answering.items import StateItems
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.standing import Lifecycle
from upheld.logic.reasoning.answers.grounds import broken_path
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.context.changes import change_line
from upheld.speech.rendering.context.items import Item

_DEEDS = {
    Lifecycle.RETRACTED: "retraction",
    Lifecycle.SUPERSEDED: "replacement",
    Lifecycle.ABANDONED: "giving up",
}


def changes_between(
    before: StateItems, after: StateItems, state: State, ids: Iterable[PropositionId]
) -> tuple[str, ...]:
    """Say of some claims what became of them, in the order of the record; of those as before, nothing."""
    found = [item for id in ids if (item := after.get(id)) is not None]
    found.sort(key=lambda item: (item.moment, item.id))
    lines = (change_line(before.get(item.id), item, cause=cause_of(state, item)) for item in found)
    return tuple(line for line in lines if line)


def cause_of(state: State, item: Item) -> str:
    """Say what a claim lost its ground to: ``retraction of a3``; empty where it lost none."""
    if not item.fallen:
        return ""
    path = broken_path(state, item.id)
    root = path[-1] if len(path) > 1 else item.fallen[0].proposition
    deed = _DEEDS.get(lifecycle_of(state, root), "fall") if root in state.propositions else "fall"
    return f"{deed} of {root}"
