"""The smallest sets of marks that some clauses allow, one after the other, by core-guided search.

Each time the solver is asked for a model without any mark. It answers with a core, of which at least one mark must be
set; the core is replaced by a counter that may rise one at a time (OLL; Morgado, Dodaro and Marques-Silva 2014). What
the solver then allows is smallest, and is ruled out with all that contain it. So size after size comes out in order,
and nothing is enumerated that nobody asks for: of 2**20 answers only those that are taken cost anything.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, TypeVar, cast

Clause = Sequence[int]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """When a search stops, and says so: after so many answers, or so many conflicts of the solver."""

    answers: int = 1_000
    conflicts: int = 100_000


class _Solver(Protocol):
    """The calls that are used of the solver, whose package ships no types."""

    def add_clause(self, clause: list[int]) -> None: ...
    def conf_budget(self, budget: int) -> None: ...
    def solve_limited(self, *, assumptions: list[int]) -> bool | None: ...
    def get_model(self) -> list[int]: ...
    def get_core(self) -> list[int] | None: ...
    def accum_stats(self) -> dict[str, int]: ...
    def delete(self) -> None: ...


class _Clauses(Protocol):
    clauses: list[list[int]]


class _Counter(Protocol):
    """Says of some numbers that at least one, two, ... hold (``rhs``); its clauses grow with its bound."""

    cnf: _Clauses
    rhs: list[int]
    top_id: int
    nof_new: int

    def increase(self, *, ubound: int, top_id: int) -> None: ...


Objection = Callable[[frozenset[int], Sequence[int]], Iterable[Clause]]
"""Looks at the marks and at the model: further clauses where the model means nothing, none where it stands."""


def _no_objection(_: frozenset[int], __: Sequence[int]) -> Iterable[Clause]:
    return ()


class SmallestSets:
    """Clauses over numbers from 1, some of which are marks; sets of marks are asked for, smallest first."""

    def __init__(self, variables: int, marks: Iterable[int]) -> None:
        """``variables`` is the highest number in use.

        The solver's package is loaded here, at the first question that needs it; most conversations never ask one.
        """
        self._solver = cast("_Solver", import_module("pysat.solvers").Solver(name="glucose4"))
        # Left to its destructor, a solver that lives until the interpreter ends fails there, and complains on stderr.
        weakref.finalize(self, self._solver.delete)
        self._counting = import_module("pysat.card").ITotalizer
        self._top = variables
        self._marks = tuple(marks)
        self._unwanted: dict[int, None] = dict.fromkeys(self._marks)
        self._counters: dict[int, tuple[_Counter, int, int]] = {}

    def fresh(self) -> int:
        """Give a number that is not in use yet."""
        self._top += 1
        return self._top

    def add(self, *clause: int) -> None:
        """Demand that one of some numbers holds; a negative one: that it does not."""
        self._solver.add_clause(list(clause))

    def sets(self, conflicts: int, objection: Objection = _no_objection) -> Generator[frozenset[int], None, bool]:
        """Give the minimal sets of marks, smallest first; at the end, whether these were all.

        False when the solver came to ``conflicts`` conflicts. Where there is an objection to a model its clauses are
        demanded too, and the search goes on.
        """
        while True:
            self._solver.conf_budget(max(0, conflicts - self._solver.accum_stats()["conflicts"]))
            is_found = self._solver.solve_limited(assumptions=[-each for each in self._unwanted])
            if is_found is None:
                return False
            if not is_found:
                core = self._solver.get_core()
                if not core:
                    return True
                self._allow_one_more([-each for each in core])
                continue
            assignment = self._solver.get_model()
            found = frozenset(mark for mark in self._marks if mark <= len(assignment) and assignment[mark - 1] > 0)
            objections = list(objection(found, assignment))
            for clause in objections:
                self._solver.add_clause(list(clause))
            if objections:
                continue
            yield found
            if not found:
                return True
            self._solver.add_clause([-mark for mark in found])

    def _allow_one_more(self, core: list[int]) -> None:
        """Let one number of a core hold, and ask for no more than that."""
        for each in core:
            del self._unwanted[each]
            if each in self._counters:
                self._raise(*self._counters.pop(each))
        if len(core) == 1:
            self._solver.add_clause(core)
            return
        counter = cast("_Counter", self._counting(lits=core, ubound=1, top_id=self._top))
        self._top = max(self._top, counter.top_id)
        for clause in counter.cnf.clauses:
            self._solver.add_clause(clause)
        self._limit(counter, 1, len(core))

    def _raise(self, counter: _Counter, bound: int, size: int) -> None:
        if bound + 1 >= size:
            return
        counter.increase(ubound=bound + 1, top_id=self._top)
        self._top = max(self._top, counter.top_id)
        for clause in counter.cnf.clauses[-counter.nof_new :] if counter.nof_new else ():
            self._solver.add_clause(clause)
        self._limit(counter, bound + 1, size)

    def _limit(self, counter: _Counter, bound: int, size: int) -> None:
        """Ask that at most ``bound`` of the counted hold."""
        output = counter.rhs[bound]
        self._unwanted[output] = None
        self._counters[output] = (counter, bound, size)


def collected(search: Generator[Answer, None, bool], most: int) -> tuple[tuple[Answer, ...], bool]:
    """Give at most so many answers of a search, and whether these are all."""
    found: list[Answer] = []
    while True:
        try:
            answer = next(search)
        except StopIteration as ended:
            return tuple(found), bool(ended.value)
        if len(found) >= most:
            return tuple(found), False
        found.append(answer)
