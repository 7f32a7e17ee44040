"""Why an argument falls: what forces it out, what keeps it open, or which attackers nobody can answer.

What the grounded labelling decides is explained by a derivation, in which each label follows from later ones down to
what needs no reason; what it leaves undecided, by the circle that the reasons run in. Where a semantics takes sides,
the reason is an extension without the argument, or a set of attackers that no admissible set can answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic

from upheld.errors import UnknownReference
from upheld.logic.argumentation.framework import A, Framework, Indexed, index_of, indexed, places_of
from upheld.logic.argumentation.grounded import labels_and_order
from upheld.logic.argumentation.postulates import rejected
from upheld.logic.argumentation.semantics.acceptance import credulously_accepted, sceptically_accepted
from upheld.logic.argumentation.semantics.clauses import Standard
from upheld.logic.argumentation.semantics.extensions import an_extension
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.argumentation.semantics.oracle import DEFAULT_CONFLICTS, Budget, Oracle
from upheld.logic.argumentation.semantics.parts import cone, part_of
from upheld.logic.language.standing import Label


class Cause(StrEnum):
    """Why an argument falls."""

    REJECTED = "rejected"
    """The grounded extension rejects it, and so every complete one; ``steps`` derive it."""
    CIRCULAR = "circular"
    """The grounded labelling leaves it undecided; ``steps`` lead into ``circle``."""
    INDEFENSIBLE = "indefensible"
    """No admissible set has it; ``unanswered`` are attackers that no such set can answer together."""
    OMITTED = "omitted"
    """``extension`` has it not."""
    NO_EXTENSION = "no extension"
    """There is none at all (stable); some circle elsewhere may be what forbids it."""
    UNSETTLED = "unsettled"
    """The budget ran out before a set was proved to be an extension without the argument."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Generic[A]):
    """One label and what gives it.

    In: every attacker is out, and the premises of one justification are in. Out: one attacker is in, or each
    justification has one of the premises, which are out (both empty: it has no justification). Undecided: one attacker
    or one premise is undecided.
    """

    argument: A
    label: Label
    attackers: tuple[A, ...] = ()
    premises: tuple[A, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyOut(Generic[A]):
    """Why an argument is not in every extension, or why there is none that it could be in.

    ``label`` is its label by the grounded extension, or by ``extension`` where there is one. ``steps`` begin with the
    argument, and what a step rests on has its own step later. ``circle`` are arguments each of which is kept open by
    the next, and the last by the first. ``unanswered`` is minimal: were the argument attacked by any fewer of these
    alone, some admissible set would have it; when it is empty, nothing that can stand holds the argument up.
    """

    argument: A
    semantics: Semantics
    cause: Cause
    label: Label
    steps: tuple[Step[A], ...] = ()
    circle: tuple[A, ...] = ()
    extension: frozenset[A] | None = None
    unanswered: tuple[A, ...] = ()


def why_out(
    framework: Framework[A],
    argument: A,
    semantics: Semantics = Semantics.GROUNDED,
    *,
    conflict_budget: int | None = DEFAULT_CONFLICTS,
) -> WhyOut[A] | None:
    """Explain why ``argument`` is not in every extension (of the admissible sets: not in any); ``None`` when it is.

    Where there is no extension at all (stable) it is in none, and that is explained.

    Cost: linear for grounded and complete, and where the grounded extension rejects the argument; else what acceptance
    costs. The budget is for each of the questions that acceptance is split into.

    Raises:
        UnknownReference: ``argument`` is none of the framework's.
    """
    index, name = indexed(framework), places_of(framework).get(argument)
    if name is None:
        raise UnknownReference(str(argument), where="a question why")
    reasons = _Reasons(framework, index)
    label = reasons.labels[name]
    if label is Label.OUT and semantics is not Semantics.STAGE:
        steps = reasons.derivation(name)
        return WhyOut(argument=argument, semantics=semantics, cause=Cause.REJECTED, label=label, steps=steps)
    if semantics in {Semantics.GROUNDED, Semantics.COMPLETE}:
        if label is Label.IN:
            return None
        steps, circle = reasons.circle(name)
        return WhyOut(
            argument=argument, semantics=semantics, cause=Cause.CIRCULAR, label=label, steps=steps, circle=circle
        )
    return _by_search(framework, argument, semantics, conflict_budget)


class _Reasons(Generic[A]):
    """Reads reasons off the grounded labels."""

    def __init__(self, framework: Framework[A], index: Indexed) -> None:
        self.names = framework.arguments
        self.index = index
        self.labels, order = labels_and_order(index)
        self.turn = {name: turn for turn, name in enumerate(order)}

    def derivation(self, name: int) -> tuple[Step[A], ...]:
        """Give the steps for a decided label, latest label first; reasons that need the fewest steps are taken."""
        reasons: dict[int, tuple[list[int], list[int]]] = {}
        pending = [name]
        while pending:
            current = pending.pop()
            if current not in reasons:
                reasons[current] = self._why(current)
                pending.extend(part for group in reasons[current] for part in group)
        latest_first = sorted(reasons, key=lambda number: -self.turn[number])
        return tuple(self._step(number, *reasons[number]) for number in latest_first)

    def circle(self, name: int) -> tuple[tuple[Step[A], ...], tuple[A, ...]]:
        """Give the steps from an undecided label into a circle, and the circle."""
        met: dict[int, int] = {}
        steps: list[Step[A]] = []
        while name not in met:
            met[name] = len(steps)
            attackers, premises = self._what_keeps_open(name)
            steps.append(self._step(name, attackers, premises))
            name = (attackers or premises)[0]
        return tuple(steps), tuple(step.argument for step in steps[met[name] :])

    def _why(self, name: int) -> tuple[list[int], list[int]]:
        ways = [self.index.premises[way] for way in self.index.ways[name] or ()]
        if self.labels[name] is Label.IN:
            complete = [way for way in ways if all(self._is_before(premise, name, Label.IN) for premise in way)]
            first = min(complete, key=self._last_turn, default=())
            return list(self.index.attackers[name]), list(first)
        attackers = [other for other in self.index.attackers[name] if self._is_before(other, name, Label.IN)]
        if attackers:
            return [min(attackers, key=self.turn.__getitem__)], []
        lost = ([premise for premise in way if self._is_before(premise, name, Label.OUT)] for way in ways)
        return [], sorted({min(out, key=self.turn.__getitem__) for out in lost})

    def _what_keeps_open(self, name: int) -> tuple[list[int], list[int]]:
        attackers = [other for other in self.index.attackers[name] if self.labels[other] is Label.UNDECIDED]
        if attackers:
            return attackers[:1], []
        ways = [self.index.premises[way] for way in self.index.ways[name] or ()]
        open_way = next(way for way in ways if all(self.labels[premise] is not Label.OUT for premise in way))
        return [], [next(premise for premise in open_way if self.labels[premise] is Label.UNDECIDED)]

    def _is_before(self, reason: int, name: int, label: Label) -> bool:
        return self.labels[reason] is label and self.turn[reason] < self.turn[name]

    def _last_turn(self, way: tuple[int, ...]) -> int:
        return max(self.turn[premise] for premise in way)

    def _step(self, name: int, attackers: list[int], premises: list[int]) -> Step[A]:
        return Step(
            argument=self.names[name],
            label=self.labels[name],
            attackers=tuple(self.names[other] for other in attackers),
            premises=tuple(self.names[other] for other in premises),
        )


def _by_search(
    framework: Framework[A], argument: A, semantics: Semantics, conflict_budget: int | None
) -> WhyOut[A] | None:
    if semantics is Semantics.IDEAL:
        by_preferred = _by_search(framework, argument, Semantics.PREFERRED, conflict_budget)
        if by_preferred is not None:
            return replace(by_preferred, semantics=semantics)
    unsettled = WhyOut(argument=argument, semantics=semantics, cause=Cause.UNSETTLED, label=Label.UNDECIDED)
    if semantics is not Semantics.STAGE:
        defensible = credulously_accepted(framework, argument, Semantics.ADMISSIBLE, conflict_budget=conflict_budget)
        if defensible.is_accepted is False:
            unanswered = tuple(_unanswered(framework, argument, Budget(conflict_budget)))
            return replace(unsettled, cause=Cause.INDEFENSIBLE, unanswered=unanswered)
        if semantics is Semantics.ADMISSIBLE:
            return None if defensible.is_accepted else unsettled
    found = sceptically_accepted(framework, argument, semantics, conflict_budget=conflict_budget)
    if found.is_accepted:
        return _none_at_all(framework, unsettled, conflict_budget) if semantics is Semantics.STABLE else None
    if found.witness is None:
        return unsettled
    is_out = argument in rejected(found.witness, framework)
    label = Label.OUT if is_out else Label.UNDECIDED
    return replace(unsettled, cause=Cause.OMITTED, label=label, extension=found.witness)


def _none_at_all(framework: Framework[A], unsettled: WhyOut[A], conflict_budget: int | None) -> WhyOut[A] | None:
    found = an_extension(framework, Semantics.STABLE, conflict_budget=conflict_budget)
    if found.extension is not None:
        return None
    return replace(unsettled, cause=Cause.NO_EXTENSION) if found.is_proved else unsettled


def _unanswered(framework: Framework[A], argument: A, budget: Budget) -> Iterator[A]:
    """Give attackers that no admissible set with the argument answers; minimal, unless the budget runs out."""
    index, name = indexed(framework), places_of(framework)[argument]
    members = cone(index, range(len(index)), name)
    part = part_of(index, members, [Label.UNDECIDED] * len(index))
    place = members.index(name)
    attackers = [list(others) for others in part.attackers]
    attackers[place] = []
    ways = {
        owner: [list(part.premises[way]) for way in numbers]
        for owner, numbers in enumerate(part.ways)
        if numbers is not None
    }
    with Oracle(index_of(attackers, ways), Standard.ADMISSIBLE, budget) as oracle:
        inside = oracle.encoding.inside(place)
        selector = {other: oracle.encoding.fresh() for other in part.attackers[place]}
        oracle.add(*([-chosen, -inside, oracle.encoding.outside(other)] for other, chosen in selector.items()))
        needed = list(selector)
        for other in selector:
            if other in needed:
                fewer = [selector[left] for left in needed if left != other]
                if oracle.find([inside, *fewer]) is None and not budget.is_spent:
                    core = oracle.core()
                    needed = [left for left in needed if selector[left] in core]
    yield from (framework.arguments[members[other]] for other in needed)
