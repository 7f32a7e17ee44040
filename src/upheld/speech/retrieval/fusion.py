"""Several rankings made one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Scores = Mapping[int, float]
"""Scores by place; a place that is not there has none."""

Fusion = Callable[[Sequence[Scores]], dict[int, float]]
"""Makes legs one."""

RANK_OFFSET = 60
"""The constant of reciprocal rank fusion, as its authors give it."""


def scaled(scores: Scores) -> dict[int, float]:
    """Give scores as shares of the highest, so that legs of different units can be added; none below zero."""
    highest = max(scores.values(), default=0.0)
    if highest <= 0:
        return {}
    return {place: score / highest for place, score in scores.items() if score > 0}


def mean_of(legs: Sequence[Scores]) -> dict[int, float]:
    """Give the mean of scaled scores; what a leg does not have counts as nothing there.

    Beside reciprocal ranks it keeps how clear a leg's choice was; ``benchmarks/retrieval.py`` has both.
    """
    summed: dict[int, float] = {}
    for leg in legs:
        for place, score in leg.items():
            summed[place] = summed.get(place, 0.0) + score / len(legs)
    return summed


def reciprocal_ranks(legs: Sequence[Scores]) -> dict[int, float]:
    """Give the sum of ``1 / (60 + rank)`` over the legs (Cormack, Clarke & Büttcher 2009), ranks from 1."""
    summed: dict[int, float] = {}
    for leg in legs:
        ordered = sorted(leg, key=lambda place: (-leg[place], place))
        for rank, place in enumerate(ordered, start=1):
            summed[place] = summed.get(place, 0.0) + 1 / (RANK_OFFSET + rank)
    return summed


NEARLY = 0.8
"""Share of the best score from which a document is about as much to the point as the best one."""


def later_first(scores: Scores, moments: Mapping[int, int], *, nearly: float = NEARLY) -> list[int]:
    """Give places best first, but of those that are nearly the best the latest first.

    Of two values for one thing the later is the current one, as a rule, even where nobody said that it replaces the
    other. ``moments`` has the order in which things were said. Below ``nearly`` of the best score nothing moves.
    """
    ordered = sorted(scores, key=lambda place: (-scores[place], place))
    bar = nearly * max(scores.values(), default=0.0)
    near = [place for place in ordered if scores[place] >= bar]
    return [*sorted(near, key=lambda place: -moments[place]), *ordered[len(near) :]]
