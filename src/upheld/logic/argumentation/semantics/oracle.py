"""A solver that knows one framework, and is asked within a budget that it shares with others.

A budget of conflicts and not a time-out: a clock would make the answer depend on the machine, and CaDiCaL cannot be
interrupted from outside. It is spent in slices, so that a pressed Ctrl-C is seen between two of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from types import TracebackType
from typing import Protocol, Self, cast

from upheld.logic.argumentation.framework import Indexed
from upheld.logic.argumentation.semantics.clauses import Encoding, Standard
from upheld.logic.language.standing import Label

DEFAULT_CONFLICTS = 60_000
"""Conflicts of the solver for one task: about a second on a hard circle of two hundred arguments."""

SLICE = 10_000
"""Conflicts between two looks at whether somebody wants to stop."""


class Budget:
    """Conflicts that all questions of one task may cost together (``None``: no limit).

    Questions after the last conflict are not answered, and ``is_spent`` says that there was one. A question without a
    conflict costs one too, so that ever more easy questions end as well.
    """

    def __init__(self, conflicts: int | None = DEFAULT_CONFLICTS) -> None:
        """Start with nothing spent."""
        self.left = conflicts
        self.is_spent = False

    def slice(self) -> int:
        """Give the conflicts that may be used before the next look; 0 when none are left."""
        return SLICE if self.left is None else max(0, min(SLICE, self.left))

    def take(self, conflicts: int) -> None:
        """Count what was used."""
        if self.left is not None:
            self.left -= max(1, conflicts)

    def allows_a_question(self) -> bool:
        """Count a question that is answered without a solver, and tell whether there was budget for it."""
        if self.is_spent or not self.slice():
            self.is_spent = True
            return False
        self.take(1)
        return True


class _Sat(Protocol):
    def add_clause(self, clause: list[int]) -> None: ...
    def configure(self, parameters: Mapping[str, int]) -> None: ...
    def set_phases(self, literals: list[int]) -> None: ...
    def conf_budget(self, budget: int) -> None: ...
    def solve_limited(self, assumptions: Sequence[int]) -> bool | None: ...
    def get_model(self) -> list[int]: ...
    def get_core(self) -> list[int] | None: ...
    def accum_stats(self) -> dict[str, int]: ...
    def delete(self) -> None: ...


def new_solver() -> _Sat:
    """Give a fresh CaDiCaL. The package is loaded at the first question that needs one: most frameworks never do."""
    return cast("_Sat", import_module("pysat.solvers").Cadical195())


class Solver:
    """Answers about clauses within a budget; a context, which lets the solver go whatever happens."""

    def __init__(self, budget: Budget, *, options: Mapping[str, int] | None = None) -> None:
        """Start with no clause; ``options`` are the solver's own."""
        self.budget = budget
        self._solver = new_solver()
        if options:
            self._solver.configure(options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._solver.delete()

    def add(self, clauses: Iterable[list[int]]) -> None:
        """Demand clauses of every assignment from now on."""
        add_clause = self._solver.add_clause
        for clause in clauses:
            add_clause(clause)

    def favour(self, literals: Iterable[int]) -> None:
        """Try these literals first."""
        self._solver.set_phases(list(literals))

    def find(self, assumptions: Sequence[int] = ()) -> list[int] | None:
        """Give a literal for each variable, in order; ``None`` when there is none, or when the budget is spent."""
        return self.model() if self.is_satisfied(assumptions) else None

    def is_satisfied(self, assumptions: Sequence[int] = (), *, within: int | None = None) -> bool | None:
        """Tell whether some assignment makes the assumptions true; ``None`` when that is not known.

        It is not when the budget is spent, or after ``within`` conflicts, which leave the rest of the budget.
        """
        start, assumed = self.conflicts, list(assumptions)
        while (conflicts := self.budget.slice()) and not self.budget.is_spent:
            before = self.conflicts
            if within is not None and before - start >= within:
                return None
            self._solver.conf_budget(conflicts if within is None else min(conflicts, start + within - before))
            outcome = self._solver.solve_limited(assumed)
            self.budget.take(self.conflicts - before)
            if outcome is not None:
                return outcome
        self.budget.is_spent = True
        return None

    def model(self) -> list[int]:
        """Give the assignment that the last question was answered by: a literal for each variable, in order."""
        return self._solver.get_model()

    def core(self) -> frozenset[int]:
        """Give the assumptions that the last question failed on; they alone make it fail."""
        return frozenset(self._solver.get_core() or ())

    @property
    def conflicts(self) -> int:
        """Count the conflicts up to now."""
        return self._solver.accum_stats()["conflicts"]


class Oracle:
    """Finds labellings of one framework; a context, which lets the solver go whatever happens.

    Phases start at in, so that what is found first is nearly maximal.
    """

    def __init__(self, part: Indexed, standard: Standard, budget: Budget) -> None:
        """Tell a new solver about ``part``."""
        self.encoding = Encoding(part, standard)
        self.budget = budget
        self._solver = Solver(budget)
        self.add(*self.encoding.clauses())
        self._solver.favour([self.encoding.inside(name) for name in range(len(part))])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._solver.__exit__(kind, error, at)

    def add(self, *clauses: list[int]) -> None:
        """Demand clauses of every labelling from now on."""
        self._solver.add(clauses)

    def favour(self, literals: Iterable[int]) -> None:
        """Try these literals first."""
        self._solver.favour(literals)

    def find(self, assumptions: Sequence[int] = ()) -> list[Label] | None:
        """Give a labelling in which the assumptions hold; ``None`` when there is none, or when the budget is spent."""
        while (assignment := self._solver.find(assumptions)) is not None:
            labels = self.encoding.labels_of(assignment)
            cuts = self.encoding.loop_clauses(labels)
            if not cuts:
                return labels
            self.add(*cuts)
        return None

    def core(self) -> frozenset[int]:
        """Give the assumptions that the last question failed on; they alone make it fail."""
        return self._solver.core()
