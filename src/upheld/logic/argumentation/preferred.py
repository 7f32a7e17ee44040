"""One preferred extension: the semantics that the engine offers beside the grounded one.

What it costs and how it is found stands in ``semantics/``, which has the other semantics too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from upheld.logic.argumentation.framework import A, Framework
from upheld.logic.argumentation.semantics.extensions import an_extension
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.argumentation.semantics.oracle import DEFAULT_CONFLICTS

__all__ = ["DEFAULT_CONFLICTS", "Preferred", "preferred"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferred(Generic[A]):
    """An admissible set that contains the grounded extension, and whether it is proved that no larger one contains it.

    When ``proved_maximal`` is false the budget ran out: the set can be relied on, its maximality cannot.
    """

    extension: frozenset[A]
    proved_maximal: bool


def preferred(framework: Framework[A], *, conflict_budget: int | None = DEFAULT_CONFLICTS) -> Preferred[A]:
    """Give one preferred extension, or the best admissible set found within the budget; deterministic.

    ``conflict_budget`` counts conflicts of the solver (``None``: no limit).

    Cost: linear where no circle is open; else NP-hard to find and harder to prove, within the budget.
    """
    found = an_extension(framework, Semantics.PREFERRED, conflict_budget=conflict_budget)
    return Preferred(extension=found.extension or frozenset(), proved_maximal=found.is_proved)
