"""A solver that knows one framework, and is asked within a budget that it shares with others.

A budget of conflicts and not a time-out: a clock would make the answer depend on the machine, and CaDiCaL cannot be
interrupted from outside. It is spent in slices, so that a pressed Ctrl-C is seen between two of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from types import TracebackType
from typing import Protocol, Self, cast

from upheld.logic.argumentation.framework import Indexed
from upheld.logic.argumentation.semantics.clauses import Encoding, Standard
from upheld.logic.language.standing import Label

DEFAULT_CONFLICTS = 20_000
"""Conflicts of the solver for one task: about a second on a thousand arguments."""

SLICE = 5_000
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


class _Sat(Protocol):
    def add_clause(self, clause: list[int]) -> None: ...
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


class Oracle:
    """Finds labellings of one framework; a context, which lets the solver go whatever happens.

    Phases start at in, so that what is found first is nearly maximal.
    """

    def __init__(self, part: Indexed, standard: Standard, budget: Budget) -> None:
        """Tell a new solver about ``part``."""
        self.encoding = Encoding(part, standard)
        self.budget = budget
        self._solver = new_solver()
        self.add(*self.encoding.clauses())
        self._solver.set_phases([self.encoding.inside(name) for name in range(len(part))])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._solver.delete()

    def add(self, *clauses: list[int]) -> None:
        """Demand clauses of every labelling from now on."""
        add_clause = self._solver.add_clause
        for clause in clauses:
            add_clause(clause)

    def favour(self, literals: Iterable[int]) -> None:
        """Try these literals first."""
        self._solver.set_phases(list(literals))

    def find(self, assumptions: Sequence[int] = ()) -> list[Label] | None:
        """Give a labelling in which the assumptions hold; ``None`` when there is none, or when the budget is spent."""
        while self._is_satisfied(assumptions):
            labels = self.encoding.labels_of(self._solver.get_model())
            cuts = self.encoding.loop_clauses(labels)
            if not cuts:
                return labels
            self.add(*cuts)
        return None

    def core(self) -> frozenset[int]:
        """Give the assumptions that the last question failed on; they alone make it fail."""
        return frozenset(self._solver.get_core() or ())

    def _is_satisfied(self, assumptions: Sequence[int]) -> bool:
        while (conflicts := self.budget.slice()) and not self.budget.is_spent:
            before = self._solver.accum_stats()["conflicts"]
            self._solver.conf_budget(conflicts)
            outcome = self._solver.solve_limited(assumptions)
            self.budget.take(self._solver.accum_stats()["conflicts"] - before)
            if outcome is not None:
                return outcome
        self.budget.is_spent = True
        return False
