"""One preferred extension, by a SAT solver, as far as a budget of conflicts goes.

Components are settled in topological order (directionality: a choice made upstream is never regretted), so that the
solver sees only the circles that the grounded labelling leaves open, one at a time. For each:

- variables say in and out; clauses say that the labelling is complete (Besnard and Doutre 2004, on labels);
- phases start at true, so that the first labelling found is nearly maximal;
- what is in is fixed, and something undecided is asked to join, until the solver says that nothing can. What is out
  cannot join: rejection only grows;
- support that turns out to hold itself up in a circle is cut off by a loop clause (Lin and Zhao 2004) and asked again,
  as is rejection that does; most conversations never need one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, cast

from pysat.solvers import Solver

from upheld.logic.argumentation.components import strongly_connected
from upheld.logic.argumentation.framework import A, Framework, Indexed, index_of, indexed
from upheld.logic.argumentation.grounded import grounded_labels
from upheld.logic.argumentation.postulates import rejected_in, supported_in
from upheld.logic.language.standing import Label

DEFAULT_CONFLICTS = 20_000
"""Conflicts of the solver, over all components: about a second on a thousand arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferred(Generic[A]):
    """An admissible set that contains the grounded extension, and whether it is proved that no larger one contains it.

    When ``proved_maximal`` is false the budget ran out: the set can be relied on, its maximality cannot.
    """

    extension: frozenset[A]
    proved_maximal: bool


def preferred(framework: Framework[A], *, conflict_budget: int | None = DEFAULT_CONFLICTS) -> Preferred[A]:
    """Give one preferred extension, or the best admissible set found within the budget; deterministic.

    ``conflict_budget`` counts conflicts of the solver (``None``: no limit). A budget and not a time-out: an interrupted
    clock would make the answer depend on the machine, and this solver cannot be interrupted.

    Cost: linear where no circle is open; else NP-hard to find and harder to prove, within the budget.
    """
    index = indexed(framework)
    labels = grounded_labels(index)
    search = _Search(conflict_budget)
    for component in _open_components(index, labels):
        settled = search.settle(_part_of(index, component, labels))
        for place, name in enumerate(component):
            labels[name] = settled[place]
    inside = frozenset(name for name, label in zip(framework.arguments, labels, strict=True) if label is Label.IN)
    return Preferred(extension=inside, proved_maximal=search.is_proved)


def _open_components(index: Indexed, labels: Sequence[Label]) -> list[tuple[int, ...]]:
    """Give the components of what is undecided, each after those that bear on it."""
    undecided = [name for name, label in enumerate(labels) if label is Label.UNDECIDED]
    if not undecided:
        return []
    place = {name: number for number, name in enumerate(undecided)}
    ahead = index.dependents
    graph = [[place[other] for other in ahead[name] if other in place] for name in undecided]
    return [tuple(undecided[number] for number in component) for component in strongly_connected(graph)]


def _part_of(index: Indexed, component: tuple[int, ...], labels: Sequence[Label]) -> Indexed:
    """Give ``component`` as a framework of its own, given the labels before it.

    Its last argument attacks itself, so it is undecided whatever happens, and stands for all that is undecided outside.
    """
    local = {name: place for place, name in enumerate(component)}
    unknown = len(component)
    attackers: list[list[int]] = []
    ways: dict[int, list[list[int]]] = {}
    for place, name in enumerate(component):
        attackers.append([])
        for attacker in index.attackers[name]:
            if attacker in local or labels[attacker] is Label.UNDECIDED:
                attackers[place].append(local.get(attacker, unknown))
            elif labels[attacker] is Label.IN:
                ways[place] = []
        if place not in ways and (numbers := index.ways[name]) is not None:
            open_ways = [index.premises[way] for way in numbers]
            ways[place] = [
                [local.get(premise, unknown) for premise in needed if labels[premise] is not Label.IN]
                for needed in open_ways
                if all(labels[premise] is not Label.OUT for premise in needed)
            ]
    attackers.append([unknown])
    return index_of(attackers, ways)


class _Sat(Protocol):
    def add_clause(self, clause: list[int]) -> None: ...
    def set_phases(self, literals: list[int]) -> None: ...
    def conf_budget(self, budget: int) -> None: ...
    def solve_limited(self) -> bool | None: ...
    def get_model(self) -> list[int]: ...
    def accum_stats(self) -> dict[str, int]: ...
    def delete(self) -> None: ...


class _Search:
    """The budget that all components share, and whether each was searched to the end."""

    def __init__(self, conflict_budget: int | None) -> None:
        self.left = conflict_budget
        self.is_proved = True

    def settle(self, part: Indexed) -> Sequence[Label]:
        """Label a part so that no admissible labelling has more in; its last argument is the unknown."""
        labels = grounded_labels(part)
        if len(part) == 2 or Label.UNDECIDED not in labels[:-1]:
            return labels  # one argument alone is decided by what is before it, or can never be in
        solver = cast("_Sat", cast("Any", Solver)(name="cadical195"))
        try:
            return self._maximal(part, labels, solver)
        finally:
            solver.delete()

    def _maximal(self, part: Indexed, labels: Sequence[Label], solver: _Sat) -> Sequence[Label]:
        encoding = _Encoding(part)
        for clause in encoding.clauses():
            solver.add_clause(clause)
        solver.set_phases([encoding.inside(name) for name in range(len(part))])
        while (outcome := self._ask(solver)) is not None:
            if not outcome:
                return labels
            found = encoding.labels_of(solver.get_model())
            if cuts := encoding.loop_clauses(found):
                for clause in cuts:
                    solver.add_clause(clause)
                continue
            labels = found
            joining = [encoding.inside(name) for name in range(len(part) - 1) if labels[name] is Label.UNDECIDED]
            if not joining:
                return labels
            for name in range(len(part) - 1):
                if labels[name] is Label.IN:
                    solver.add_clause([encoding.inside(name)])
            solver.add_clause(joining)
        self.is_proved = False
        return labels

    def _ask(self, solver: _Sat) -> bool | None:
        if self.left is None:
            return solver.solve_limited()
        if self.left <= 0:
            return None
        before = solver.accum_stats()["conflicts"]
        solver.conf_budget(self.left)
        outcome = solver.solve_limited()
        # A question without a conflict costs one too, so that ever more loop clauses end as well.
        self.left -= max(1, solver.accum_stats()["conflicts"] - before)
        return outcome


class _Encoding:
    """Complete labellings as clauses; the variables of supports come last, and are not there without supports."""

    def __init__(self, part: Indexed) -> None:
        self.part = part
        self.top = 4 * len(part) + 2 * len(part.premises)

    def inside(self, name: int) -> int:
        return 2 * name + 1

    def outside(self, name: int) -> int:
        return 2 * name + 2

    def held(self, name: int) -> int:
        """Some justification has all premises in."""
        return 2 * (len(self.part) + name) + 1

    def fallen(self, name: int) -> int:
        """Every justification has a premise out."""
        return 2 * (len(self.part) + name) + 2

    def complete(self, way: int) -> int:
        return 4 * len(self.part) + 2 * way + 1

    def broken(self, way: int) -> int:
        return 4 * len(self.part) + 2 * way + 2

    def clauses(self) -> Iterable[list[int]]:
        """Give what makes a labelling complete, circles of support aside."""
        for name, attackers in enumerate(self.part.attackers):
            is_in, is_out, ways = self.inside(name), self.outside(name), self.part.ways[name]
            held = [] if ways is None else [self.held(name)]
            fallen = [] if ways is None else [self.fallen(name)]
            yield [-is_in, -is_out]
            yield from _all_of(is_in, [*map(self.outside, attackers), *held])
            yield from _any_of(is_out, [*map(self.inside, attackers), *fallen])
            if ways is not None:
                yield from _any_of(self.held(name), list(map(self.complete, ways)))
                yield from _all_of(self.fallen(name), list(map(self.broken, ways)))
        for way, needed in enumerate(self.part.premises):
            yield from _all_of(self.complete(way), list(map(self.inside, needed)))
            yield from _any_of(self.broken(way), list(map(self.outside, needed)))

    def labels_of(self, assignment: Sequence[int]) -> list[Label]:
        """Read the labelling off an assignment, which lists a literal for each variable in order."""
        last = 2 * len(self.part)
        return [
            Label.IN if inside > 0 else Label.OUT if outside > 0 else Label.UNDECIDED
            for inside, outside in zip(assignment[:last:2], assignment[1:last:2], strict=True)
        ]

    def loop_clauses(self, labels: Sequence[Label]) -> list[list[int]]:
        """Give clauses that every labelling without self-support meets and ``labels`` breaks; none if it has none."""
        if not self.part.premises:
            return []
        inside = {name for name, label in enumerate(labels) if label is Label.IN}
        outside = {name for name, label in enumerate(labels) if label is Label.OUT}
        floating = inside - supported_in(self.part, inside)
        sinking = outside - rejected_in(self.part, inside)
        return [*self._cuts_of_support(floating), *self._cuts_of_rejection(sinking)]

    def _cuts_of_support(self, floating: set[int]) -> Iterable[list[int]]:
        """If one of them is in, then some justification of one of them reaches beyond them."""
        beyond = [
            self.complete(way)
            for name in sorted(floating)
            for way in self.part.ways[name] or ()
            if floating.isdisjoint(self.part.premises[way])
        ]
        return [[-self.inside(name), *beyond] for name in sorted(floating)]

    def _cuts_of_rejection(self, sinking: set[int]) -> Iterable[list[int]]:
        """If one of them is out, then one of them is attacked, or broken in every way by something beyond them."""
        clauses: list[list[int]] = []
        beyond: list[int] = []
        for name in sorted(sinking):
            beyond.extend(map(self.inside, self.part.attackers[name]))
            causes = [set(self.part.premises[way]) - sinking for way in self.part.ways[name] or ()]
            if causes and all(causes):
                self.top += 1
                beyond.append(self.top)
                clauses.extend([-self.top, *map(self.outside, sorted(cause))] for cause in causes)
        clauses.extend([-self.outside(name), *beyond] for name in sorted(sinking))
        return clauses


def _all_of(whole: int, parts: list[int]) -> Iterable[list[int]]:
    """Say that ``whole`` is true iff all of ``parts`` are."""
    yield from ([-whole, part] for part in parts)
    yield [whole, *(-part for part in parts)]


def _any_of(whole: int, parts: list[int]) -> Iterable[list[int]]:
    """Say that ``whole`` is true iff some of ``parts`` is."""
    yield from ([whole, -part] for part in parts)
    yield [-whole, *parts]
