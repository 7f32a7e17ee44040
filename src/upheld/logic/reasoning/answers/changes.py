"""What would change: the difference that a retraction makes, asked before anybody makes it (semantics, section 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from upheld.errors import UnknownReference
from upheld.logic.dependency.affected import RingOf, Stands, direct, losses
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw
from upheld.logic.language.verdicts import Affected, Delta, Effect
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
    reached = _reached(state, after, gone)
    lost = tuple(item for item in reached if item.effect is Effect.LOST)
    known = {item.id for item in reached} | gone
    falling = [key for key, (old, new) in changed.items() if old is Label.IN and new is Label.OUT and key not in known]
    rising = [key for key, (_, new) in changed.items() if new is Label.IN and key not in gone]
    activated = _resting_on_negation(state, gone)
    return Delta(
        lost=lost,
        thinned=tuple(item for item in reached if item.effect is Effect.THINNED),
        defeated=_claims(state, falling),
        explained_by=_claims(state, _unexplained(state, [*gone, *(item.id for item in lost)])),
        reinstated=_claims(state, (key for key in rising if key not in activated)),
        reopened=_claims(state, (id for id in _near(state, changed) if _reopens(state, after, id))),
        activated=_claims(state, (key for key in rising if key in activated)),
    )


def directly_affected(state: State, id: PropositionId) -> tuple[PropositionId, ...]:
    """Give the paper's Affected(p): every claim with ``id`` in its Dep, standing or not, in the ledger's order."""
    state.node(id)
    found = direct(state.dependencies, id)
    return _claims(state, found)


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
    return tuple(each for each in found if each != id and each in state.propositions)


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
    return lambda id: cast("frozenset[PropositionId]", state.network.in_ring(id))


def _standing_in(before: State, after: State) -> Stands:
    """Tell what holds a claim up now, or will: an alternative that only the change brings to life is one too."""
    return lambda item: before.stands(item) or after.stands(item)


def _reached(state: State, after: State, gone: set[PropositionId]) -> list[Affected]:
    """Give the claims that rest on what is gone and that nobody had given up, in the order of the ledger."""
    found: list[tuple[int, Affected]] = []
    for item in losses(state.dependencies, gone, _standing_in(state, after), _ring_of(state), after.dependencies):
        node = state.node(item.id)
        # With nothing withdrawn and a single act, its introduction, nobody can have given it up.
        may_be_over = len(node.acts) > 1 or len(state.withdrawn) > 0
        is_given_up = may_be_over and lifecycle_of(state, item.id) in GIVEN_UP
        if item.id in state.propositions and item.id not in gone and not is_given_up:
            found.append((node.moment, item))
    found.sort(key=lambda pair: pair[0])
    return [item for _, item in found]


def _claims(state: State, keys: Iterable[str]) -> tuple[PropositionId, ...]:
    """Give those that are claims, in the order of the ledger: an act without an id shows in what it does to claims."""
    nodes = [node for key in keys if (node := state.nodes.get(PropositionId(key))) is not None]
    nodes.sort(key=lambda node: node.moment)
    return tuple(node.id for node in nodes if node.id in state.propositions)


def _near(state: State, changed: Mapping[str, tuple[Label, Label]]) -> set[str]:
    """Give what may have been reopened: what became undecided, and the targets of the revisions that moved.

    A claim that was undecided while its revision was is reopened when that falls, and its label does not move.
    """
    found = {key for key, (_, new) in changed.items() if new is Label.UNDECIDED}
    for key in changed:
        if "#" in key:
            found.update(state.attacked.get(key, ()))
    return {key for key in found if PropositionId(key) in state.propositions}


def _reopens(before: State, after: State, key: str) -> bool:
    id = PropositionId(key)
    return is_reopened(after, after.node(id)) and not is_reopened(before, before.node(id))


def _resting_on_negation(state: State, gone: set[PropositionId]) -> set[str]:
    return {node for id in gone for node in state.dependencies.dependents_of(Literal(id, negated=True))}


def _unexplained(state: State, fallen: Iterable[PropositionId]) -> set[PropositionId]:
    found = {id for story in fallen for id in state.dependencies.explained_by(story)}
    return {id for id in found if lifecycle_of(state, id) not in GIVEN_UP}
