"""One choice, or every choice, for a part of a framework: what each semantics asks of the solver.

The parts come from ``parts.py``; the last argument of each is its unknown, which is never asked to be decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from upheld.logic.argumentation.framework import Indexed
from upheld.logic.argumentation.grounded import grounded_labels
from upheld.logic.argumentation.semantics.clauses import Standard
from upheld.logic.argumentation.semantics.defending import preferred_labels
from upheld.logic.argumentation.semantics.ideal import ideal_of
from upheld.logic.argumentation.semantics.maximal import Climb, Labels, every, last_top, tops
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.argumentation.semantics.oracle import Budget, Oracle
from upheld.logic.argumentation.semantics.parts import Members, circles, islands, undecided_in
from upheld.logic.language.standing import Label

BY_RANGE = frozenset({Semantics.SEMI_STABLE, Semantics.STAGE})
BY_CIRCLES = frozenset({Semantics.COMPLETE, Semantics.PREFERRED})
WITHOUT_GROUNDED = frozenset({Semantics.ADMISSIBLE, Semantics.STAGE})
"""Semantics with extensions that need not contain the grounded one, so that it settles nothing beforehand."""

HAVING_GROUNDED = frozenset({Semantics.ADMISSIBLE, Semantics.COMPLETE, Semantics.GROUNDED})
"""Semantics of which the grounded extension is always one, so that one needs no search."""

FEW = 8
"""Arguments of a part whose choices are listed at once, so that no solver waits open for each small circle."""


def standard_of(semantics: Semantics) -> Standard:
    """Give what a labelling must meet before anything is maximised."""
    match semantics:
        case Semantics.STAGE:
            return Standard.CONFLICT_FREE
        case Semantics.ADMISSIBLE:
            return Standard.ADMISSIBLE
        case _:
            return Standard.COMPLETE


def labels_before(index: Indexed, semantics: Semantics) -> list[Label]:
    """Give the labels that every extension shares: the grounded ones, or none."""
    return [Label.UNDECIDED] * len(index) if semantics in WITHOUT_GROUNDED else grounded_labels(index)


def blocks_of(index: Indexed, labels: Labels, semantics: Semantics) -> list[Members]:
    """Give what is open as parts that are settled one after the other."""
    if semantics is Semantics.GROUNDED:
        return []
    split = circles if semantics in BY_CIRCLES else islands
    return split(index, undecided_in(labels))


def a_choice(part: Indexed, semantics: Semantics, budget: Budget) -> Labels | None:
    """Label a part by one extension; ``None`` when there is none (stable).

    With the budget spent it is the best found, at the least the grounded labels (for stage: nothing).
    """
    if semantics is Semantics.PREFERRED and not part.premises:
        return preferred_labels(part, budget)
    labels = grounded_labels(part)
    if semantics in HAVING_GROUNDED or _is_settled(labels, semantics):
        return labels
    if semantics is Semantics.IDEAL:
        return ideal_of(part, len(part) - 1, budget)
    with Oracle(part, standard_of(semantics), budget) as oracle:
        if semantics is Semantics.STABLE:
            demand_decisions(oracle, len(part) - 1)
            return oracle.find()
        if semantics is Semantics.STAGE:
            labels = [Label.UNDECIDED] * len(part)
        return last_top(Climb(oracle, len(part) - 1, by_range=semantics in BY_RANGE), labels)


def choices(part: Indexed, semantics: Semantics, budget: Budget) -> Iterator[Labels]:
    """Label a part by every extension, each once; they are all if the budget is not spent at the end."""
    found = _choices(part, semantics, budget)
    return iter(list(found)) if len(part) <= FEW else found


def demand_decisions(oracle: Oracle, count: int) -> None:
    """Ask that each of the first ``count`` arguments is in or out."""
    encoding = oracle.encoding
    oracle.add(*([encoding.inside(name), encoding.outside(name)] for name in range(count)))


def _choices(part: Indexed, semantics: Semantics, budget: Budget) -> Iterator[Labels]:
    labels = grounded_labels(part)
    if semantics is not Semantics.ADMISSIBLE and _is_settled(labels, semantics):
        yield labels
        return
    if semantics is Semantics.IDEAL:
        found = ideal_of(part, len(part) - 1, budget)
        if not budget.is_spent:
            yield found
        return
    with Oracle(part, standard_of(semantics), budget) as oracle:
        climb = Climb(oracle, len(part) - 1, by_range=semantics in BY_RANGE)
        if semantics is Semantics.STABLE:
            demand_decisions(oracle, climb.count)
        is_maximal = semantics is Semantics.PREFERRED or semantics in BY_RANGE
        yield from tops(climb) if is_maximal else every(climb)


def _is_settled(labels: Sequence[Label], semantics: Semantics) -> bool:
    """Tell whether the grounded labels of a part are the only ones; where all are decided they are stable.

    One argument alone is decided by what is before it, or can never be in; in a stage extension it can.
    """
    if Label.UNDECIDED not in labels[:-1]:
        return True
    return len(labels) == 2 and semantics in {*BY_CIRCLES, Semantics.IDEAL, Semantics.SEMI_STABLE}
