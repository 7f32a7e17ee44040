"""Budgets, and that nothing stays behind when somebody stops."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from upheld.logic.argumentation.framework import framework_of, indexed
from upheld.logic.argumentation.semantics import oracle as oracles
from upheld.logic.argumentation.semantics.clauses import Standard
from upheld.logic.argumentation.semantics.extensions import an_extension, extensions, iter_extensions
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.argumentation.semantics.oracle import SLICE, Budget, Oracle
from upheld.logic.language.standing import Label


def pairs(text: str) -> list[tuple[str, str]]:
    """Attacks as ``ab bc``: a on b, and b on c."""
    return [(pair[0], pair[1]) for pair in text.split()]


CIRCLE = framework_of(range(12), [(name, (name + 1) % 12) for name in range(12)])


class Watched:
    """A solver that counts how many of its kind are open, and that somebody interrupts at a given question."""

    opened: ClassVar[list[Watched]] = []
    stop_at: ClassVar[int] = 0

    def __init__(self) -> None:
        """Open the real one."""
        self.real: Any = REAL()
        Watched.opened.append(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def solve_limited(self, assumptions: list[int]) -> bool | None:
        """Ask, unless it is time to stop."""
        Watched.stop_at -= 1
        if not Watched.stop_at:
            raise KeyboardInterrupt
        return self.real.solve_limited(assumptions)

    def delete(self) -> None:
        """Let go."""
        self.real.delete()
        Watched.opened.remove(self)


REAL: Any = oracles.new_solver


@pytest.mark.parametrize("stop_at", [1, 2])
@pytest.mark.parametrize("semantics", [Semantics.PREFERRED, Semantics.SEMI_STABLE, Semantics.STAGE, Semantics.IDEAL])
def test_whoever_interrupts_leaves_no_solver_behind(
    semantics: Semantics, stop_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our promise: a pressed Ctrl-C between two questions goes through, and frees the solver."""
    monkeypatch.setattr(oracles, "new_solver", Watched)
    Watched.opened, Watched.stop_at = [], stop_at
    with pytest.raises(KeyboardInterrupt):
        extensions(CIRCLE, semantics)
    assert Watched.opened == []


def test_an_iterator_that_is_closed_lets_its_solvers_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: who takes two of many extensions keeps nothing open."""
    monkeypatch.setattr(oracles, "new_solver", Watched)
    Watched.opened, Watched.stop_at = [], 0
    two = framework_of(range(24), [*CIRCLE.attacks, *((one + 12, other + 12) for one, other in CIRCLE.attacks)])
    found = iter_extensions(two, Semantics.PREFERRED, budget=Budget())
    assert len(next(found)) == 12
    assert len(Watched.opened) == 2
    found.close()
    assert Watched.opened == []


def test_a_spent_budget_answers_nothing_more() -> None:
    """Our promise: what was not searched is not called searched; a question costs one at least."""
    budget = Budget(1)
    with Oracle(indexed(CIRCLE), Standard.ADMISSIBLE, budget) as oracle:
        assert oracle.find() is not None
        assert not budget.is_spent
        assert oracle.find() is None
        assert budget.is_spent


def test_without_a_limit_somebody_can_still_stop_between_slices() -> None:
    """Our promise: no question to the solver is longer than a slice."""
    unlimited = Budget(None)
    unlimited.take(10**9)
    assert unlimited.slice() == SLICE
    assert Budget(SLICE + 1).slice() == SLICE
    assert Budget(3).slice() == 3


def test_what_fails_a_question_is_named() -> None:
    """Our promise: of the assumptions those that made it fail."""
    with Oracle(indexed(framework_of("abc", pairs("ab"))), Standard.ADMISSIBLE, Budget()) as oracle:
        inside = [oracle.encoding.inside(place) for place in range(3)]
        assert oracle.find(inside) is None
        assert inside[1] in oracle.core()
        assert inside[2] not in oracle.core()
        assert oracle.find(inside[:1]) in [
            [Label.IN, Label.OUT, Label.IN],
            [Label.IN, Label.OUT, Label.UNDECIDED],
        ]


def test_many_small_circles_leave_few_solvers_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: memory does not grow with the circles that an enumeration combines."""
    monkeypatch.setattr(oracles, "new_solver", Watched)
    Watched.opened, Watched.stop_at = [], 0
    pairs = framework_of(range(400), [(name, name ^ 1) for name in range(400)])
    found = iter_extensions(pairs, Semantics.PREFERRED, budget=Budget())
    assert len(next(found)) == 200
    assert Watched.opened == []
    assert an_extension(pairs, Semantics.STABLE).is_proved
