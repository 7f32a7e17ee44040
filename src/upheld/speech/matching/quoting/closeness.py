"""Where a quotation nearly stands in a source: the window of fewest changed words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from upheld.speech.matching.quoting.sources import Sources

MOST_WORDS = 100
"""Words of a quotation that is compared word by word."""

WINDOWS = 3
"""Windows of all sources that are compared word by word, those with most pairs of words in common."""

MOST_VOTES = 2_000
"""Places of pairs of words that are counted for one quotation, those of rare pairs first."""

CLOSE = 0.8
"""Least share of words that a mended quotation has in common with its source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A stretch of a source beside a quotation: ``changes`` words put in, left out or replaced."""

    source: int
    first: int
    past: int
    changes: int
    similarity: float


def close_windows(forms: Sequence[str], sources: Sources) -> list[Window]:
    """Give the windows that are close enough, closest first; none of a quotation that is too long or too short.

    Cost: the places of its pairs, and a banded alignment of at most :data:`WINDOWS`.
    """
    if not 3 <= len(forms) <= MOST_WORDS:
        return []
    allowed = int(len(forms) * (1 - CLOSE) + 1e-9) or 1
    windows = [_aligned(forms, sources, number, start, allowed) for number, start in _starts(forms, sources, allowed)]
    close = {(each.source, each.first, each.past): each for each in windows if each.similarity >= CLOSE}
    return sorted(close.values(), key=lambda each: (each.changes, each.source, each.first))


def _starts(forms: Sequence[str], sources: Sources, slack: int) -> list[tuple[int, int]]:
    """Give where a window may begin: pairs of words vote for it, and neighbours by the allowed shift count together.

    Each changed word takes two pairs with it at most (Jokinen and Ukkonen 1991, the lemma of q-grams).
    """
    votes: Counter[tuple[int, int]] = Counter()
    counted = 0
    for place, pair in sorted(enumerate(pairwise(forms)), key=lambda each: len(sources.places(each[1]))):
        places = sources.places(pair)
        if len(places) + votes.total() > MOST_VOTES:
            break
        counted += 1
        votes.update((number, where - place) for number, where in places)
    least = max(1, counted - 2 * slack)
    ranked = sorted((-near, number, start) for number, start, near in _near(votes, slack) if near >= least)
    chosen: list[tuple[int, int]] = []
    for _, number, start in ranked:
        if all(number != other or abs(start - place) > slack for other, place in chosen):
            chosen.append((number, max(0, start)))
        if len(chosen) == WINDOWS:
            break
    return chosen


def _near(votes: Counter[tuple[int, int]], slack: int) -> Iterator[tuple[int, int, int]]:
    """Give each start with the votes that lie no further from it than the slack. Cost: that of sorting them."""
    starts = sorted(votes)
    first = past = total = 0
    for number, start in starts:
        while past < len(starts) and starts[past] <= (number, start + slack):
            total += votes[starts[past]]
            past += 1
        while starts[first] < (number, start - slack):
            total -= votes[starts[first]]
            first += 1
        yield number, start, total


def _aligned(forms: Sequence[str], sources: Sources, number: int, start: int, slack: int) -> Window:
    """Align a quotation with a window, whose ends are free, by words put in, left out or replaced (Sellers 1980)."""
    theirs = sources.worded[number].forms
    low, high = max(0, start - slack), min(len(theirs), start + len(forms) + slack)
    window = theirs[low:high]
    before = [(0, place) for place in range(len(window) + 1)]
    for row, form in enumerate(forms, start=1):
        now = [(row, before[0][1])]
        for place, other in enumerate(window):
            diagonal, left, above = before[place], now[place], before[place + 1]
            now.append(
                min(
                    (diagonal[0] + (form != other), diagonal[1]),
                    (left[0] + 1, left[1]),
                    (above[0] + 1, above[1]),
                )
            )
        before = now
    end = min(range(len(window) + 1), key=lambda place: (before[place][0], abs(place - before[place][1] - len(forms))))
    changes, first = before[end]
    length = max(len(forms), end - first)
    return Window(
        source=number,
        first=low + first,
        past=low + end,
        changes=changes,
        similarity=1 - changes / length if end > first else 0.0,
    )
