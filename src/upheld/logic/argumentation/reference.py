"""The semantics by enumeration of all sets: slow, obvious, and the oracle of the tests.

Every function is its definition at the top of ``framework.py`` read aloud, and uses nothing that the fast ones use.
Source: Dung (1995), definitions 5 to 23; Caminada (2006) for labels; Nouioua and Risch (2011) for necessary supports.
Cost: 2^n sets, so frameworks of more than ``MOST_ARGUMENTS`` are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations

from upheld.errors import LimitExceeded
from upheld.logic.argumentation.framework import A, Framework, Justifications
from upheld.logic.language.standing import Label

MOST_ARGUMENTS = 12


def conflict_free_sets(framework: Framework[A]) -> frozenset[frozenset[A]]:
    """Give the sets in which nobody attacks a member."""
    return _such_that(framework, lambda chosen: _is_conflict_free(framework, chosen))


def admissible_sets(framework: Framework[A]) -> frozenset[frozenset[A]]:
    """Give the conflict-free, supported sets that defend each member."""
    return _such_that(framework, lambda chosen: _is_admissible(framework, chosen))


def complete_extensions(framework: Framework[A]) -> frozenset[frozenset[A]]:
    """Give the admissible sets that hold everything they defend."""
    return frozenset(chosen for chosen in admissible_sets(framework) if _defended(framework, chosen) == chosen)


def grounded_extension(framework: Framework[A]) -> frozenset[A]:
    """Give the least fixpoint of defence, from the empty set upwards."""
    reached: frozenset[A] = frozenset()
    while (larger := _defended(framework, reached)) != reached:
        reached = larger
    return reached


def grounded_labelling(framework: Framework[A]) -> dict[A, Label]:
    """Give the labelling of the grounded extension."""
    return labelling_of(framework, grounded_extension(framework))


def preferred_extensions(framework: Framework[A]) -> frozenset[frozenset[A]]:
    """Give the admissible sets that no admissible set exceeds."""
    found = admissible_sets(framework)
    return frozenset(chosen for chosen in found if not any(chosen < other for other in found))


def stable_extensions(framework: Framework[A]) -> frozenset[frozenset[A]]:
    """Give the admissible sets that reject everything else; there may be none."""
    everything = frozenset(framework.arguments)
    return frozenset(
        chosen for chosen in admissible_sets(framework) if chosen | rejected_by(framework, chosen) == everything
    )


def semi_stable_extensions(framework: Framework[A]) -> frozenset[frozenset[A]]:
    """Give the admissible sets with a range that no admissible set has a larger one than (Caminada 2006)."""
    return _of_largest_range(framework, admissible_sets(framework))


def stage_extensions(framework: Framework[A]) -> frozenset[frozenset[A]]:
    """Give the conflict-free, supported sets with a range that no such set exceeds (Verheij 1996)."""
    chosen_from = conflict_free_sets(framework)
    supported = frozenset(chosen for chosen in chosen_from if supported_part(framework, chosen) == chosen)
    return _of_largest_range(framework, supported)


def ideal_extension(framework: Framework[A]) -> frozenset[A]:
    """Give the largest admissible set within every preferred extension (Dung, Mancarella and Toni 2007)."""
    preferred = preferred_extensions(framework)
    within = [chosen for chosen in admissible_sets(framework) if all(chosen <= other for other in preferred)]
    (largest,) = (chosen for chosen in within if all(other <= chosen for other in within))
    return largest


def labelling_of(framework: Framework[A], chosen: frozenset[A]) -> dict[A, Label]:
    """Label ``chosen`` in, what it rejects out, and the rest undecided."""
    rejected = rejected_by(framework, chosen)
    return {
        name: Label.IN if name in chosen else Label.OUT if name in rejected else Label.UNDECIDED
        for name in framework.arguments
    }


def rejected_by(framework: Framework[A], chosen: frozenset[A]) -> frozenset[A]:
    """Give the least set of what ``chosen`` attacks and of what has a rejected premise in every justification."""
    rejected: frozenset[A] = frozenset()
    while True:
        larger = frozenset(
            name
            for name in framework.arguments
            if any((attacker, name) in framework.attacks for attacker in chosen)
            or all(way & rejected for way in _ways(framework, name))
        )
        if larger == rejected:
            return rejected
        rejected = larger


def supported_part(framework: Framework[A], chosen: frozenset[A]) -> frozenset[A]:
    """Give the members of ``chosen`` that can be put in an order, each justified by those before it."""
    reached: frozenset[A] = frozenset()
    while True:
        larger = frozenset(name for name in chosen if any(way <= reached for way in _ways(framework, name)))
        if larger == reached:
            return reached
        reached = larger


def _of_largest_range(framework: Framework[A], chosen_from: frozenset[frozenset[A]]) -> frozenset[frozenset[A]]:
    ranges = {chosen: chosen | rejected_by(framework, chosen) for chosen in chosen_from}
    return frozenset(chosen for chosen in chosen_from if not any(ranges[chosen] < other for other in ranges.values()))


def _is_conflict_free(framework: Framework[A], chosen: frozenset[A]) -> bool:
    return not any(attacker in chosen and target in chosen for attacker, target in framework.attacks)


def _is_admissible(framework: Framework[A], chosen: frozenset[A]) -> bool:
    return (
        _is_conflict_free(framework, chosen)
        and supported_part(framework, chosen) == chosen
        and chosen <= _defended(framework, chosen)
    )


def _defended(framework: Framework[A], chosen: frozenset[A]) -> frozenset[A]:
    rejected = rejected_by(framework, chosen)
    return frozenset(
        name
        for name in framework.arguments
        if all(attacker in rejected for attacker, target in framework.attacks if target == name)
        and any(way <= chosen for way in _ways(framework, name))
    )


def _ways(framework: Framework[A], name: A) -> Justifications[A]:
    return framework.justifications.get(name, (frozenset(),))


def _such_that(framework: Framework[A], holds: Callable[[frozenset[A]], bool]) -> frozenset[frozenset[A]]:
    names = framework.arguments
    if len(names) > MOST_ARGUMENTS:
        raise LimitExceeded(f"{len(names)} arguments; enumeration is for at most {MOST_ARGUMENTS}")
    subsets = chain.from_iterable(combinations(names, size) for size in range(len(names) + 1))
    return frozenset(chosen for chosen in map(frozenset, subsets) if holds(chosen))
