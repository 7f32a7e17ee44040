"""What would change: the difference that a retraction makes, asked before anybody makes it (semantics, section 7)."""

from __future__ import annotations

from collections.abc import Iterable

from upheld.errors import UnknownReference
from upheld.logic.dependency.affected import RingOf, direct, losses
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw
from upheld.logic.language.verdicts import Affected, Delta, Effect
from upheld.logic.reasoning.compilation import held_introductions
from upheld.logic.reasoning.lifecycle import is_reopened, lifecycle_of
from upheld.logic.reasoning.nodes import Role
from upheld.logic.reasoning.retractions import consequences
from upheld.logic.reasoning.state import State


def affected(state: State, retraction: Retraction) -> Delta:
    """Give what a retraction would change; the state stays as it is.

    Cost: the edges that leave what is lost, and the labels that change; never the length of the conversation.

    Raises:
        UnknownReference: nobody introduced the target, or nothing came from the source.
    """
    after, changed = consequences(state, retraction)
    gone = _gone(state, after, retraction)
    reached = [
        item
        for item in losses(state.dependencies, gone, state.stands, _ring_of(state))
        if item.id not in gone and _is_reported(state, item.id) and lifecycle_of(state, item.id) not in GIVEN_UP
    ]
    reached.sort(key=lambda item: state.node(item.id).moment)
    known = {item.id for item in reached} | gone
    moved = [PropositionId(key) for key in changed if _is_reported(state, PropositionId(key))]
    moved.sort(key=lambda id: state.node(id).moment)
    activated = _activated(state, gone, moved, after)
    return Delta(
        lost=_with(reached, Effect.LOST),
        thinned=_with(reached, Effect.THINNED),
        defeated=tuple(id for id in moved if id not in known and _falls(state, after, id)),
        explained_by=_unexplained(state, [*gone, *(item.id for item in _with(reached, Effect.LOST))]),
        reinstated=tuple(
            id for id in moved if id not in activated and id not in gone and _rises(state, after, id)
        ),
        reopened=tuple(
            id for id in moved if is_reopened(after, after.node(id)) and not is_reopened(state, state.node(id))
        ),
        activated=activated,
    )


def directly_affected(state: State, id: PropositionId) -> tuple[PropositionId, ...]:
    """Give the paper's Affected(p): every claim with ``id`` in its Dep, standing or not, in the ledger's order."""
    state.node(id)
    found = [node for node in direct(state.dependencies, id) if _is_reported(state, node)]
    return tuple(sorted(found, key=lambda node: state.node(node).moment))


def review(state: State, id: PropositionId) -> tuple[PropositionId, ...]:
    """Give all that a person should look at when ``id`` is in doubt: over every kind of edge and recorded reason.

    That one value replaced another is no reason that rests on the newer one. Nearest first.
    """
    state.node(id)
    found: dict[PropositionId, None] = {id: None}
    pending = [id]
    for current in pending:
        for neighbour in _neighbours(state, current):
            if neighbour not in found:
                found[neighbour] = None
                pending.append(neighbour)
    return tuple(each for each in found if each != id and _is_reported(state, each))


def _neighbours(state: State, id: PropositionId) -> Iterable[PropositionId]:
    dependencies = state.dependencies
    for signed in (Literal(id), Literal(id, negated=True)):
        for dependent in dependencies.dependents_of(signed):
            node = state.node(dependent)
            if node.role is Role.REVISION and node.acts[0].replacement == id:
                continue
            yield dependent
            if node.is_act and node.about is not None:
                yield node.about
    yield from dependencies.explained_by(id)


def _gone(state: State, after: State, retraction: Retraction) -> set[PropositionId]:
    match retraction:
        case Retract(target=target) | Falsify(target=target):
            return {target}
        case Supersede(older=older):
            return {older}
        case Withdraw(source=source):
            touched = state.touched_by.get(source)
            if touched is None:
                raise UnknownReference(source)
            nodes = (state.node(id) for id in touched)
            return {node.id for node in nodes if held_introductions(state, node) and not held_introductions(after, node)}


def _ring_of(state: State) -> RingOf:
    return lambda id: frozenset(PropositionId(key) for key in state.network.in_ring(id))


def _is_reported(state: State, id: PropositionId) -> bool:
    """Only claims are reported: an act without an id shows in what it does to claims."""
    return id in state.propositions


def _with(items: list[Affected], effect: Effect) -> tuple[Affected, ...]:
    return tuple(item for item in items if item.effect is effect)


def _falls(before: State, after: State, id: PropositionId) -> bool:
    return before.label(id) is Label.IN and after.label(id) is Label.OUT


def _rises(before: State, after: State, id: PropositionId) -> bool:
    return before.label(id) is not Label.IN and after.label(id) is Label.IN


def _activated(
    state: State, gone: set[PropositionId], moved: list[PropositionId], after: State
) -> tuple[PropositionId, ...]:
    resting = {node for id in gone for node in state.dependencies.dependents_of(Literal(id, negated=True))}
    return tuple(id for id in moved if id in resting and _rises(state, after, id))


def _unexplained(state: State, fallen: Iterable[PropositionId]) -> tuple[PropositionId, ...]:
    found = {id for story in fallen for id in state.dependencies.explained_by(story)}
    found = {id for id in found if lifecycle_of(state, id) not in GIVEN_UP}
    return tuple(sorted(found, key=lambda id: state.node(id).moment))
