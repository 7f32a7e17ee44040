"""The plain bar: BM25 over lowercase words, no stemming, as the protocols' baselines were run.

Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with k1 = 1.2, b = 0.75 and the
idf of Lucene, log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative. It stays this plain on purpose: a bar that
improves with the thing that is measured against it is none.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Give the lowercase words of a text."""
    return _WORD.findall(text.casefold())


class Bm25(Generic[Key]):
    """An index over documents that are all known at once. Cost of a search: the postings of the query's words."""

    def __init__(self, documents: Sequence[tuple[Key, str]], *, k1: float = 1.2, b: float = 0.75) -> None:
        """Index documents under their keys."""
        self._keys = [key for key, _ in documents]
        counts = [Counter(words(text)) for _, text in documents]
        lengths = [count.total() for count in counts]
        average = sum(lengths) / len(lengths) if lengths else 1.0
        self._weights = [k1 * (1 - b + b * length / (average or 1.0)) for length in lengths]
        self._k1 = k1
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for place, count in enumerate(counts):
            for word, times in count.items():
                self._postings.setdefault(word, []).append((place, times))

    def search(self, query: str, limit: int) -> list[tuple[Key, float]]:
        """Give the best documents, best first, those that share no word left out; ties in the order of indexing."""
        scores: dict[int, float] = {}
        for word in words(query):
            postings = self._postings.get(word, ())
            idf = math.log(1 + (len(self._keys) - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, times in postings:
                gain = idf * times * (self._k1 + 1) / (times + self._weights[place])
                scores[place] = scores.get(place, 0.0) + gain
        best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
        return [(self._keys[place], scores[place]) for place in best]
