"""What would change: the difference that a retraction makes, asked before anybody makes it (semantics, section 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from upheld.errors import UnknownReference
from upheld.logic.dependency.affected import Losses, RingOf, Stands, direct, losses, no_ring
from upheld.logic.dependency.justifications import DependencyMap
from upheld.logic.dependency.streaming import iter_losses
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import NEGATION, Literal
from upheld.logic.language.standing import GIVEN_UP, Label
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw
from upheld.logic.language.verdicts import Affected, Delta, Effect
from upheld.logic.reasoning.compilation import held_introductions
from upheld.logic.reasoning.lifecycle import is_reopened, lifecycle_of
from upheld.logic.reasoning.nodes import Role, replaced_key, settling_key
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import consequences


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """How many claims a change would lose, and how many it would thin."""

    lost: int
    thinned: int

    @property
    def total(self) -> int:
        """Give both together."""
        return self.lost + self.thinned


def affected(state: State, retraction: Retraction) -> Delta:
    """Give what a retraction would change; the state stays as it is.

    Cost: the edges that leave what is lost, and the labels that change; never the length of the conversation.

    Raises:
        UnknownReference: nobody introduced the target, or nothing came from the source.
    """
    after, changed = consequences(state, retraction)
    gone = _gone(state, after, retraction)
    reached = _in_order(state, gone, _losses(state, after, changed, gone, retraction))
    lost = tuple([item for item in reached if item.effect is Effect.LOST])
    known = {item.id for item in reached} | gone
    falling = [key for key, (old, new) in changed.items() if old is Label.IN and new is Label.OUT and key not in known]
    rising = [key for key, (_, new) in changed.items() if new is Label.IN and key not in gone]
    activated = _resting_on_negation(state, gone)
    return Delta(
        lost=lost,
        thinned=tuple([item for item in reached if item.effect is Effect.THINNED]),
        defeated=_claims(state, falling),
        explained_by=_claims(state, _unexplained(state, [*gone, *(item.id for item in lost)])),
        reinstated=_claims(state, (key for key in rising if key not in activated)),
        reopened=_claims(state, (id for id in _near(state, changed) if _reopens(state, after, id))),
        activated=_claims(state, (key for key in rising if key in activated)),
    )


def iter_affected(state: State, retraction: Retraction) -> Iterator[Affected]:
    """Give what a retraction would lose or thin, one by one: the ``lost`` and ``thinned`` of :func:`affected`.

    Each effect is exact when it is given, which forbids the order of nearness (see
    :mod:`~upheld.logic.dependency.streaming`): a claim comes after all that it may rest on. Cost: what is taken; the
    labels after the change are worked out only where an attack, a denial or another alternative makes them matter.

    Raises:
        UnknownReference: nobody introduced the target, or nothing came from the source.
    """
    aftermath = _Aftermath(state, retraction)
    gone = aftermath.gone
    found = iter_losses(
        state.dependencies,
        gone,
        aftermath.stands,
        state.network.rank,
        _ring_of(state),
        aftermath.left,
        aftermath.unsettled_by,
    )
    counts = _counting(state, gone)
    return (item for item in found if counts(item.id))


def count_affected(state: State, retraction: Retraction) -> Counted:
    """Count what a retraction would lose and thin. Cost: the edges that leave what is lost; nothing is put in order.

    Raises:
        UnknownReference: nobody introduced the target, or nothing came from the source.
    """
    aftermath = _Aftermath(state, retraction)
    gone, counts = aftermath.gone, _counting(state, aftermath.gone)
    reached = aftermath.losses(gone)
    lost = thinned = 0
    for id, effect in reached.effects.items():
        if not counts(id):
            continue
        if effect is Effect.LOST:
            lost += 1
        else:
            thinned += 1
    return Counted(lost=lost, thinned=thinned)


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


@dataclass(slots=True)
class _Aftermath:
    """The labels after a change, worked out when they are first needed.

    A plain fall needs none: what rests on the lost is lost. They matter where something that fell attacks, answers or
    denies, and where an alternative does not stand yet.
    """

    state: State
    retraction: Retraction
    _known: tuple[State, Mapping[str, tuple[Label, Label]]] | None = field(default=None)

    @property
    def after(self) -> State:
        return self._worked_out()[0]

    @property
    def gone(self) -> set[PropositionId]:
        match self.retraction:
            case Retract(target=target) | Falsify(target=target):
                self.state.node(target)
                return {target}
            case _:
                return _gone(self.state, self.after, self.retraction)

    @property
    def left(self) -> DependencyMap:
        is_local = isinstance(self.retraction, Retract | Falsify)
        return self.state.dependencies if is_local else self.after.dependencies

    def stands(self, item: Literal) -> bool:
        return self.state.stands(item) or self.after.stands(item)

    def unsettled_by(self, id: PropositionId) -> Iterable[PropositionId]:
        """Give all that is unsettled as soon as something falls that may have to do with it."""
        if self._known is None and not self._spreads(id):
            return ()
        return _unsettled(self._worked_out()[1])

    def losses(self, gone: set[PropositionId]) -> Losses:
        """Give all that is lost or thinned at once."""
        given = (self.state.dependencies, gone, self.stands, _ring_of(self.state), self.left)
        found = losses(*given)
        fallen = (id for id, effect in found.effects.items() if effect is Effect.LOST)
        if self._known is None and not any(self._spreads(id) for each in (gone, fallen) for id in each):
            return found
        unsettled = _unsettled(self._worked_out()[1])
        return losses(*given, unsettled) if unsettled else found

    def _spreads(self, id: PropositionId) -> bool:
        """Tell whether a fall may change labels otherwise than along premises."""
        attacked = self.state.attacked
        if len(attacked) > 0 and any(key in attacked for key in (id, settling_key(id), replaced_key(id))):
            return True
        return f"{NEGATION}{id}" in self.state.dependencies.dependents

    def _worked_out(self) -> tuple[State, Mapping[str, tuple[Label, Label]]]:
        if self._known is None:
            self._known = consequences(self.state, self.retraction)
        return self._known


def _ring_of(state: State) -> RingOf:
    if not len(state.network.rings):
        return no_ring
    return lambda id: cast("frozenset[PropositionId]", state.network.in_ring(id))


def _standing_in(before: State, after: State) -> Stands:
    """Tell what holds a claim up now, or will: an alternative that only the change brings to life is one too."""
    return lambda item: before.stands(item) or after.stands(item)


def _losses(
    state: State,
    after: State,
    changed: Mapping[str, tuple[Label, Label]],
    gone: set[PropositionId],
    retraction: Retraction,
) -> Losses:
    stands, unsettled = _standing_in(state, after), _unsettled(changed)
    left = _left(state, after, retraction)
    return losses(state.dependencies, gone, stands, _ring_of(state), left, unsettled)


def _left(state: State, after: State, retraction: Retraction) -> DependencyMap:
    """Give the justifications after a change; a claim that is itself taken back is the only one to lose its own."""
    return state.dependencies if isinstance(retraction, Retract | Falsify) else after.dependencies


def _unsettled(changed: Mapping[str, tuple[Label, Label]]) -> list[PropositionId]:
    """Give the propositions whose negation was established and is not any more."""
    return [
        PropositionId(key.removeprefix(NEGATION))
        for key, (old, new) in changed.items()
        if key.startswith(NEGATION) and old is Label.IN and new is not Label.IN
    ]


def _in_order(state: State, gone: set[PropositionId], reached: Losses) -> list[Affected]:
    """Give the claims that rest on what is gone and that nobody had given up, in the order of the ledger."""
    counts, nodes = _counting(state, gone), state.nodes
    moments = {id: nodes[id].moment for id in reached.effects if counts(id)}
    effects, came_from = reached.effects, reached.came_from
    return [Affected(id=id, effect=effects[id], came_from=came_from) for id in sorted(moments, key=moments.__getitem__)]


def _counting(state: State, gone: set[PropositionId]) -> Callable[[PropositionId], bool]:
    """Give the test of what an answer lists: claims, other than what is gone, that nobody had given up."""
    nodes, propositions, is_anything_withdrawn = state.nodes, state.propositions, len(state.withdrawn) > 0

    def counts(id: PropositionId) -> bool:
        # Most ids are told from those of acts by their look, which is quicker than looking them up.
        if id in gone or ("#" in id and id not in propositions):
            return False
        # With nothing withdrawn and a single act, its introduction, nobody can have given it up.
        may_be_over = is_anything_withdrawn or len(nodes[id].acts) > 1
        return not may_be_over or lifecycle_of(state, id) not in GIVEN_UP

    return counts


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
    if not len(state.dependencies.explained):
        return set()
    found = {id for story in fallen for id in state.dependencies.explained_by(story)}
    return {id for id in found if lifecycle_of(state, id) not in GIVEN_UP}
