"""Statistics of small samples: intervals, paired tests, agreement, F1 and rankings. Pure; chance only from a seed.

Sources: Wilson (JASA 22, 1927); McNemar (Psychometrika 12, 1947), exact as a binomial test; Cohen (Educational and
Psychological Measurement 20, 1960); Efron and Tibshirani (An Introduction to the Bootstrap, 1993, chapter 13);
Hanley and McNeil (Radiology 143, 1982) for the area under the curve as a probability of order.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeVar

from upheld.conversation.scoring.tallies import Tally

Sampled = TypeVar("Sampled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval around an estimate, both ends included, with the method that gave it."""

    low: float
    high: float
    method: str


def wilson(right: int, of: int, *, level: float = 0.95) -> Interval | None:
    """Give Wilson's score interval of a share; ``None`` when nothing was counted.

    It stays within [0, 1] and is not empty at 0 or all, which the normal approximation is.
    """
    if not of:
        return None
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = right / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    low = 0.0 if right == 0 else max(0.0, middle - half)
    high = 1.0 if right == of else min(1.0, middle + half)
    return Interval(low=low, high=high, method=f"Wilson {level:.0%}")


def bootstrap(
    clusters: Sequence[Sequence[Sampled]],
    statistic: Callable[[Sequence[Sampled]], float | None],
    *,
    seed: int,
    draws: int = 1_000,
    level: float = 0.95,
) -> Interval | None:
    """Give the percentile interval of a statistic over resampled clusters.

    What belongs together (the turns of one conversation) is drawn together, since such items are not independent; for
    plain items give clusters of one. ``None`` with fewer than two clusters, or where the statistic has no value.

    Cost: ``draws`` times that of the statistic.
    """
    if len(clusters) < 2:
        return None
    chance = random.Random(seed)
    found: list[float] = []
    for _ in range(draws):
        drawn = [item for cluster in chance.choices(clusters, k=len(clusters)) for item in cluster]
        value = statistic(drawn)
        if value is not None:
            found.append(value)
    if not found:
        return None
    found.sort()
    edge = (1 - level) / 2
    return Interval(low=_quantile(found, edge), high=_quantile(found, 1 - edge), method=f"bootstrap {level:.0%}")


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Two arms on the same items: how many only the first, and only the second, got right; the exact p of that."""

    only_first: int
    only_second: int
    n: int
    p: float


def mcnemar(pairs: Iterable[tuple[bool, bool]]) -> Paired:
    """Compare two arms on the items that both answered: a two-sided binomial test of the discordant pairs.

    With no discordant pair the p is 1.
    """
    both = list(pairs)
    first = sum(one and not other for one, other in both)
    second = sum(other and not one for one, other in both)
    discordant, few = first + second, min(first, second)
    tail = sum(math.comb(discordant, each) for each in range(few + 1)) / 2**discordant
    return Paired(only_first=first, only_second=second, n=len(both), p=min(1.0, 2 * tail))


def kappa(pairs: Iterable[tuple[Hashable, Hashable]]) -> float | None:
    """Give Cohen's kappa of two annotators; ``None`` when there is nothing, or only one label on both sides."""
    both = list(pairs)
    if not both:
        return None
    n = len(both)
    seen = sum(one == other for one, other in both) / n
    first, second = Counter(one for one, _ in both), Counter(other for _, other in both)
    expected = sum(first[label] * second[label] for label in first) / (n * n)
    return (seen - expected) / (1 - expected) if expected < 1 else None


def overlap(expected: Iterable[Hashable], found: Iterable[Hashable]) -> Tally:
    """Count two multisets against each other."""
    tally = Tally()
    tally.count(Counter(expected), Counter(found))
    return tally


def pooled(overlaps: Iterable[Tally]) -> Tally:
    """Add overlaps up, for micro averages."""
    return sum(overlaps, Tally())


def mean_f1(overlaps: Iterable[Tally], *, when_empty: float = 1.0) -> float | None:
    """Give the F1 averaged over items (macro over samples); two empty sides agree, and count ``when_empty``."""
    values = [each.f1 if each.f1 is not None else when_empty for each in overlaps]
    return sum(values) / len(values) if values else None


def mean(values: Iterable[float]) -> float | None:
    """Give the mean; ``None`` of nothing."""
    found = list(values)
    return math.fsum(found) / len(found) if found else None


def balanced_accuracy(counts: Mapping[tuple[str, str], int]) -> float | None:
    """Give the mean recall over the labels that occur, from counts of (expected, found).

    What is not the label is wrong, abstaining included. ``Counter(pairs)`` makes the counts of a list of pairs.
    """
    of: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for (expected, found), count in counts.items():
        of[expected] += count
        right[expected] += count * (expected == found)
    return mean(right[label] / of[label] for label in of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """Accuracy on the items that are answered when only the surest are: one point of the curve."""

    coverage: float
    accuracy: float
    threshold: float


def selective(answered: Iterable[tuple[float, bool]], *, of: int) -> tuple[Selected, ...]:
    """Give accuracy against coverage, surest first, from pairs of (certainty, is right).

    ``of`` counts all items, those abstained on included. Equal certainties are taken in together.
    """
    ordered = sorted(answered, key=lambda pair: -pair[0])
    points: list[Selected] = []
    right = 0
    for place, (certainty, is_right) in enumerate(ordered, start=1):
        right += is_right
        if place == len(ordered) or ordered[place][0] != certainty:
            points.append(Selected(coverage=place / of, accuracy=right / place, threshold=certainty))
    return tuple(points)


def auroc(scored: Iterable[tuple[float, bool]]) -> float | None:
    """Give the probability that a positive item scores above a negative one, ties counting half.

    ``None`` when either kind is missing. Cost: sorting.
    """
    ordered = sorted(scored, key=lambda pair: pair[0])
    positives = sum(is_positive for _, is_positive in ordered)
    negatives = len(ordered) - positives
    if not positives or not negatives:
        return None
    ranks, place = 0.0, 0
    while place < len(ordered):
        end = place
        while end < len(ordered) and ordered[end][0] == ordered[place][0]:
            end += 1
        middle = (place + 1 + end) / 2
        ranks += middle * sum(is_positive for _, is_positive in ordered[place:end])
        place = end
    return (ranks - positives * (positives + 1) / 2) / (positives * negatives)


def ties(scored: Iterable[tuple[float, bool]]) -> float | None:
    """Give the share of pairs, one positive and one negative, that have the same score: what ``auroc`` counts half.

    ``None`` when either kind is missing.
    """
    positives: Counter[float] = Counter()
    negatives: Counter[float] = Counter()
    for score, is_positive in scored:
        (positives if is_positive else negatives)[score] += 1
    pairs = positives.total() * negatives.total()
    return sum(count * negatives[score] for score, count in positives.items()) / pairs if pairs else None


def best_f1(scored: Iterable[tuple[float, bool]]) -> float | None:
    """Give the greatest F1 of the positives over all thresholds, ``score >= threshold`` meaning positive.

    The threshold is chosen on what it is then scored on, so that this is an upper bound. ``None`` without positives.
    Cost: sorting.
    """
    ordered = sorted(scored, key=lambda pair: -pair[0])
    positives = sum(is_positive for _, is_positive in ordered)
    if not positives:
        return None
    best, right = 0.0, 0
    for place, (score, is_positive) in enumerate(ordered, start=1):
        right += is_positive
        if place == len(ordered) or ordered[place][0] != score:
            best = max(best, 2 * right / (place + positives))
    return best


def by_group(items: Iterable[tuple[Hashable, Sampled]]) -> Mapping[Hashable, list[Sampled]]:
    """Gather what belongs to one key, keys in the order in which they came."""
    groups: dict[Hashable, list[Sampled]] = {}
    for key, item in items:
        groups.setdefault(key, []).append(item)
    return groups
