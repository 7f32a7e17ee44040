"""Explaining what surprises: the paper's Definition E.2, on the base as it was without the surprise.

Once χ is announced everybody believes it, so the definition read on the base after the announcement finds nothing
surprising. Every question here is therefore asked of the base without the entries that say χ.
A hypothesis is best an atom with a fact that defines it (``h -> cause & chain``): a bare implication is known as soon
as its consequent is observed, and then explains nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.formulas import Formula, Iff, Not

_TRIED = "\0tried"
"""Key of the entry that puts a candidate to the test, in a value that is dropped at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbductiveProblem:
    """An observation to be explained, and the base without the entries that say it."""

    observation: Formula
    before: OrderedBase = field(repr=False)

    @property
    def is_surprising(self) -> bool:
        """Tell whether nothing else led one to believe the observation."""
        return not self.before.believes(self.observation)


def abductive_problem(base: OrderedBase, observation: Formula, owners: Iterable[str] = ()) -> AbductiveProblem:
    """Give the problem that an observation poses; ``owners`` are the keys of the entries that say it."""
    return AbductiveProblem(observation=observation, before=base.without_entries(owners))


def is_surprising(base: OrderedBase, observation: Formula, owners: Iterable[str] = ()) -> bool:
    """Tell whether an observation was not believed before it was made (Definition E.2, first sentence)."""
    return abductive_problem(base, observation, owners).is_surprising


def is_consistent(problem: AbductiveProblem, candidate: Formula) -> bool:
    """Tell whether the candidate's negation is not believed (condition 1)."""
    return not problem.before.believes(Not(candidate))


def is_explanatory(problem: AbductiveProblem, candidate: Formula) -> bool:
    """Tell whether the observation would be believed, with the candidate on top of the base (condition 2)."""
    return problem.before.upgrade(_TRIED, candidate, Mode.RADICAL).believes(problem.observation)


def is_trivial(problem: AbductiveProblem, candidate: Formula) -> bool:
    """Tell whether the candidate says no more than the observation or than nothing at all (condition 3).

    Read up to equivalence: ``χ & true`` explains χ no better than χ does.
    """
    empty = OrderedBase()
    return empty.knows(candidate) or empty.knows(Iff(candidate, problem.observation))


def is_already_believed(problem: AbductiveProblem, candidate: Formula) -> bool:
    """Tell whether the candidate is believed anyway (condition 3)."""
    return problem.before.believes(candidate)


def is_solution(problem: AbductiveProblem, candidate: Formula) -> bool:
    """Tell whether a candidate meets all conditions of Definition E.2."""
    return (
        not is_trivial(problem, candidate)
        and is_consistent(problem, candidate)
        and not is_already_believed(problem, candidate)
        and is_explanatory(problem, candidate)
    )


def abduce(
    base: OrderedBase, observation: Formula, candidates: Sequence[Formula], *, owners: Iterable[str] = ()
) -> tuple[Formula, ...]:
    """Give the candidates that solve the problem, order kept; none when the observation surprises nobody."""
    problem = abductive_problem(base, observation, owners)
    if not problem.is_surprising:
        return ()
    return tuple(candidate for candidate in candidates if is_solution(problem, candidate))
