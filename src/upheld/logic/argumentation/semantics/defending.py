"""Sets that defend themselves within an open part of a framework without supports: the steps of a preferred extension.

With S admissible, the preferred extensions that contain S are S with each preferred one of what S neither holds nor
rejects (modularization; Baumann, Brewka and Ulbricht 2020). So one preferred extension is reached in steps: any set
that defends itself in the first open circle is taken, what follows from it is labelled, and what is left of the circle
falls into smaller ones. Most circles are too small for a solver: there a set is grown, defender by defender.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from upheld.logic.argumentation.framework import Indexed, index_of
from upheld.logic.argumentation.grounded import Propagation
from upheld.logic.argumentation.semantics.clauses import Standard
from upheld.logic.argumentation.semantics.maximal import Climb, last_top
from upheld.logic.argumentation.semantics.oracle import Budget, Oracle, Solver
from upheld.logic.argumentation.semantics.parts import Members, circles, undecided_in
from upheld.logic.language.standing import Label

FEW = 8
"""Members of a circle in which a set is grown instead of asking a solver."""

FIRST_TRY = 1_000
"""Conflicts after which a circle counts as hard."""

CLIMB = 5_000
"""Conflicts that a climb over complete labellings may take where a circle is not decided at the first try."""

FEW_TURNS = 8
"""Cores after which members are let go by more than what a core says."""

STUBBORN = {"stabilizeonly": 1, "chrono": 0}
"""Options of CaDiCaL that suit a search for the one solution of a crowded problem."""


def preferred_labels(index: Indexed, budget: Budget) -> list[Label]:
    """Label a framework without supports by one preferred extension; with the budget spent, by what was found by then.

    Unless ``budget.is_spent`` afterwards, it is proved that nothing can be added.
    """
    search = Propagation(index)
    labels = search.labels
    pending = circles(index, undecided_in(labels))[::-1]
    while pending and not budget.is_spent:
        circle = pending.pop()
        members = tuple([name for name in circle if labels[name] is Label.UNDECIDED])
        if len(members) < 2:  # One alone is kept open by itself, or by something before it that stays open.
            continue
        if FEW < len(members) < len(circle):
            pending.extend(reversed(circles(index, members)))
            continue
        found = self_defending(index, members, labels, budget)
        if found:
            search.settle(found, Label.IN)
            left = tuple([name for name in members if labels[name] is Label.UNDECIDED])
            pending.extend(reversed(circles(index, left)))
    return labels


def self_defending(index: Indexed, members: Members, labels: Sequence[Label], budget: Budget) -> Iterable[int]:
    """Give some members that defend themselves together, given the labels of all that are before them; or nothing.

    Whoever attacks a member and is undecided must be a member, or stay undecided.
    """
    part = _Part(index, members, labels)
    if len(members) > FEW:
        found = part.searched(budget)
    elif budget.allows_a_question():
        found = part.grown()
    else:
        found = ()
    return [members[place] for place in found]


class _Part:
    """Members by their places; ``attackers[place]`` are the open ones among them."""

    def __init__(self, index: Indexed, members: Members, labels: Sequence[Label]) -> None:
        local = {name: place for place, name in enumerate(members)}
        self.attackers: list[list[int]] = []
        self.can_join: list[bool] = []
        for place, name in enumerate(members):
            near: list[int] = []
            is_free = True
            for attacker in index.attackers[name]:
                at = local.get(attacker)
                if at is not None:
                    near.append(at)
                    is_free = is_free and at != place
                elif labels[attacker] is Label.UNDECIDED:
                    is_free = False
            self.attackers.append(near)
            self.can_join.append(is_free)

    def grown(self) -> Sequence[int]:
        """Give a set that is grown from one member, depth first; exponential in the members."""
        for start, is_free in enumerate(self.can_join):
            pending: list[tuple[int, ...]] = [(start,)] if is_free else []
            while pending:
                chosen = pending.pop()
                answered = {place for place, near in enumerate(self.attackers) if not set(chosen).isdisjoint(near)}
                if not answered.isdisjoint(chosen):
                    continue
                threats = [other for place in chosen for other in self.attackers[place] if other not in answered]
                if not threats:
                    return chosen
                pending.extend((*chosen, other) for other in self.attackers[threats[0]] if self.can_join[other])
        return ()

    def searched(self, budget: Budget) -> Sequence[int]:
        """Give a set that a solver finds.

        A set that decides every member ends the matter, and whether there is one is mostly seen soon. If there is none,
        members are let go undecided, those that stand in the way and no others. Where it is not seen soon the circle is
        large or hard: a large one is climbed; in a hard one, still open then, the first question alone gets most of the
        budget, from a solver set up for it.
        """
        count = len(self.attackers)
        decided = range(count + 1, 2 * count + 1)
        every = 2 * count + 1
        with Solver(budget) as solver:
            solver.add(self._choices())
            solver.add([-every, each] for each in decided)
            solver.favour(range(1, every + 1))
            can_decide = solver.is_satisfied([every], within=FIRST_TRY)
            if can_decide:
                return self._members_in(solver.model())
            solver.add([[place + 1 for place in range(count) if self.can_join[place]]])
            found = None if can_decide is None else self._relaxed(solver)
            if found is None:
                found = self._climbed(budget) or None
            if found is None and can_decide is None:
                found = self._deciding(budget) or None
            if found is None:
                solver.add(self._defences(range(count)))
                solver.favour(range(-every, 0))  # Now a small set will do.
                found = self._members_in(solver.find() or ())
            return found

    def _climbed(self, budget: Budget) -> Sequence[int]:
        """Give the ins of the highest complete labelling that few conflicts lead to; often nothing."""
        few = Budget(CLIMB if budget.left is None else min(CLIMB, budget.left))
        before = few.left or 0
        # Who is kept open from outside is kept open by itself here.
        attackers = [
            near if free else [*near, at]
            for at, (near, free) in enumerate(zip(self.attackers, self.can_join, strict=True))
        ]
        part = index_of([sorted(set(near)) for near in attackers], {})
        with Oracle(part, Standard.COMPLETE, few) as oracle:
            labels = last_top(Climb(oracle, len(part)), [Label.UNDECIDED] * len(part))
        budget.take(before - (few.left or 0))
        return [place for place, label in enumerate(labels) if label is Label.IN]

    def _relaxed(self, solver: Solver) -> Sequence[int] | None:
        """Give a set that leaves few members undecided, or nothing if there is none; ``None`` if that takes long.

        Source: Fu and Malik (2006), for letting go what a core says cannot hold together.
        """
        first = len(self.attackers) + 1
        wanted = list(range(first, 2 * first - 1))
        let_go: set[int] = set()
        most = solver.conflicts + FIRST_TRY
        turns = 0
        while True:
            turns += 1
            outcome = solver.is_satisfied(wanted, within=most - solver.conflicts)
            if outcome:
                return self._members_in(solver.model())
            core = solver.core() if outcome is False else ()
            if not core:
                return None if outcome is None else ()
            fresh = {each - first for each in core}
            if turns > FEW_TURNS:
                # Where little can be decided it would go one by one: with a member goes what it attacks.
                fresh |= {place for place, near in enumerate(self.attackers) if not let_go.isdisjoint(near)} - let_go
            let_go |= fresh
            wanted = [each for each in wanted if each - first not in let_go]
            solver.add(self._defences(fresh))

    def _deciding(self, budget: Budget) -> Sequence[int]:
        """Give a set that decides every member, if it is found with most of what the budget has left."""
        within = None if budget.left is None else budget.left * 4 // 5
        with Solver(budget, options=STUBBORN) as solver:
            solver.add(self._choices(is_every_decided=True))
            solver.favour(range(1, len(self.attackers) + 1))
            return self._members_in(solver.model() if solver.is_satisfied(within=within) else ())

    def _members_in(self, assignment: Sequence[int]) -> list[int]:
        return [place for place, literal in enumerate(assignment[: len(self.attackers)]) if literal > 0]

    def _choices(self, *, is_every_decided: bool = False) -> Iterable[list[int]]:
        """No two that attack each other; who is called decided is in, or attacked by one who is."""
        count = len(self.attackers)
        for place, near in enumerate(self.attackers):
            name = place + 1
            reasons = [other + 1 for other in near]
            if not is_every_decided:
                reasons.append(-name - count)
            if not self.can_join[place]:
                yield [-name]
                yield reasons
                continue
            yield [name, *reasons]
            for other in near:
                # Of two that attack each other the one that comes first has said it.
                if other > place or place not in self.attackers[other]:
                    yield [-name, -other - 1]

    def _defences(self, undecided: Iterable[int]) -> Iterable[list[int]]:
        """Whom one of these attacks is in only if that one is decided; the others must be decided anyway."""
        count = len(self.attackers)
        let_go = frozenset(undecided)
        for place, near in enumerate(self.attackers):
            if self.can_join[place] and not let_go.isdisjoint(near):
                for other in near:
                    if other in let_go:
                        yield [-place - 1, count + other + 1]
