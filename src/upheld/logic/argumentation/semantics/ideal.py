"""The ideal extension: what every preferred extension can be relied on to defend.

An admissible set lies in every preferred extension iff no admissible set attacks it (Dung, Mancarella and Toni 2007,
theorem 3.3; it holds with supports as well, since a preferred set that such a set attacks rejects an attacker). So one
preferred extension is taken, what some admissible set attacks is struck off it, and the rest is eroded to its
self-defending core. Source: Dunne (2009), section 4; Dvořák, Järvisalo, Wallner and Woltran (2014).
"""

from __future__ import annotations

from upheld.logic.argumentation.framework import Indexed
from upheld.logic.argumentation.postulates import core_in, rejected_in
from upheld.logic.argumentation.semantics.clauses import Standard
from upheld.logic.argumentation.semantics.maximal import Climb, top_above
from upheld.logic.argumentation.semantics.oracle import Budget, Oracle
from upheld.logic.language.standing import Label


def ideal_of(part: Indexed, count: int, budget: Budget) -> list[Label]:
    """Label the ideal extension among the first ``count`` arguments; nothing but what is out anyway if it is spent."""
    with Oracle(part, Standard.COMPLETE, budget) as oracle:
        climb = Climb(oracle, count)
        start = oracle.find()
        top = top_above(climb, start) if start is not None else ()
        candidates = {name for name, label in enumerate(top) if label is Label.IN}
        while candidates and (found := _an_attack_on(candidates, oracle)) is not None:
            for name, label in enumerate(found):
                if label is Label.IN:
                    candidates.difference_update(part.targets[name])
    inside = set[int]() if budget.is_spent else core_in(part, candidates)
    outside = rejected_in(part, inside)
    return [
        Label.IN if name in inside else Label.OUT if name in outside else Label.UNDECIDED for name in range(len(part))
    ]


def _an_attack_on(candidates: set[int], oracle: Oracle) -> list[Label] | None:
    """Give a labelling with an attacker of a candidate in, if there is one."""
    attackers = sorted({other for name in candidates for other in oracle.encoding.part.attackers[name]})
    if not attackers:
        return None
    step = oracle.encoding.fresh()
    oracle.add([-step, *map(oracle.encoding.inside, attackers)])
    return oracle.find([step])
