"""What would change: the difference that a retraction makes, asked before anybody makes it (semantics, section 7)."""

from __future__ import annotations

from collections.abc import Iterable

from upheld.errors import UnknownReference
from upheld.logic.dependency.affected import RingOf, Stands, direct, losses
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw
from upheld.logic.language.verdicts import Delta, Effect
from upheld.logic.reasoning.compilation import held_introductions
from upheld.logic.reasoning.lifecycle import is_reopened, lifecycle_of
from upheld.logic.reasoning.nodes import Role
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import consequences


def affected(state: State, retraction: Retraction) -> Delta:
    """Give what a retraction would change; the state stays as it is.

    Cost: the edges that leave what is lost, and the labels that change; never the length of the conversation.

    Raises:
        UnknownReference: nobody introduced the target, or nothing came from the source.
    """
    after, changed = consequences(state, retraction)
    gone = _gone(state, after, retraction)
    order = _Order(state)
    reached = [
        item
        for item in losses(state.dependencies, gone, _standing_in(state, after), _ring_of(state), after.dependencies)
        if item.id not in gone and item.id in state.propositions and lifecycle_of(state, item.id) not in GIVEN_UP
    ]
    reached.sort(key=lambda item: order.of(item.id))
    lost = tuple(item for item in reached if item.effect is Effect.LOST)
    known = {item.id for item in reached} | gone
    moved = order.sorted(PropositionId(key) for key in changed if key in state.propositions)
    rising = [id for id in moved if after.label(id) is Label.IN]
    activated = _resting_on_negation(state, gone)
    return Delta(
        lost=lost,
        thinned=tuple(item for item in reached if item.effect is Effect.THINNED),
        defeated=tuple(id for id in moved if id not in known and _falls(state, after, id)),
        explained_by=order.sorted(_unexplained(state, [*gone, *(item.id for item in lost)])),
        reinstated=tuple(id for id in rising if id not in activated and id not in gone),
        reopened=order.sorted(id for id in _near(state, changed) if _reopens(state, after, id)),
        activated=tuple(id for id in rising if id in activated),
    )


def directly_affected(state: State, id: PropositionId) -> tuple[PropositionId, ...]:
    """Give the paper's Affected(p): every claim with ``id`` in its Dep, standing or not, in the ledger's order."""
    state.node(id)
    found = direct(state.dependencies, id)
    return _Order(state).sorted(node for node in found if _is_reported(state, node))


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
        for dependent in sorted(dependencies.dependents_of(signed)):
            node = state.node(dependent)
            if node.role is Role.REVISION and node.acts[0].replacement == id:
                continue
            yield dependent
            if node.is_act and node.about is not None:
                yield node.about
    yield from sorted(dependencies.explained_by(id))


def _gone(state: State, after: State, retraction: Retraction) -> set[PropositionId]:
    match retraction:
        case Retract(target=target) | Falsify(target=target):
            return {target}
        case Supersede(older=older):
            # A value that does not stand replaces nothing yet.
            return set() if after.label(older) is Label.IN else {older}
        case Withdraw(source=source):
            touched = state.touched_by.get(source)
            if touched is None:
                raise UnknownReference(source)
            nodes = (state.node(id) for id in touched)
            return {
                node.id for node in nodes if held_introductions(state, node) and not held_introductions(after, node)
            }


def _ring_of(state: State) -> RingOf:
    return lambda id: frozenset(PropositionId(key) for key in state.network.in_ring(id))


def _standing_in(before: State, after: State) -> Stands:
    """Tell what holds a claim up now, or will: an alternative that only the change brings to life is one too."""
    return lambda item: before.stands(item) or after.stands(item)


def _is_reported(state: State, id: PropositionId) -> bool:
    """Only claims are reported: an act without an id shows in what it does to claims."""
    return id in state.propositions


def _falls(before: State, after: State, id: PropositionId) -> bool:
    return before.label(id) is Label.IN and after.label(id) is Label.OUT


def _near(state: State, changed: Iterable[str]) -> set[PropositionId]:
    """Give the claims that moved or are attacked by what moved.

    One that was undecided while its revision was is reopened when that falls, and its label does not move.
    """
    found = {PropositionId(key) for key in changed}
    found.update(target for key in changed for target in state.attacked.get(key, ()))
    return {id for id in found if id in state.propositions}


def _reopens(before: State, after: State, id: PropositionId) -> bool:
    return is_reopened(after, after.node(id)) and not is_reopened(before, before.node(id))


def _resting_on_negation(state: State, gone: set[PropositionId]) -> set[PropositionId]:
    return {node for id in gone for node in state.dependencies.dependents_of(Literal(id, negated=True))}


def _unexplained(state: State, fallen: Iterable[PropositionId]) -> set[PropositionId]:
    found = {id for story in fallen for id in state.dependencies.explained_by(story)}
    return {id for id in found if lifecycle_of(state, id) not in GIVEN_UP}


class _Order:
    """The order of the ledger."""

    def __init__(self, state: State) -> None:
        self._nodes = state.nodes

    def of(self, id: PropositionId) -> int:
        return self._nodes[id].moment

    def sorted(self, ids: Iterable[PropositionId]) -> tuple[PropositionId, ...]:
        return tuple(sorted(ids, key=self.of))
