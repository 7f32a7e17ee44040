"""Which propositions a language model is shown beside a reply."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import chain, islice, zip_longest
from typing import Protocol

from upheld.speech.matching.clauses import sentences
from upheld.speech.matching.index import LexicalIndex
from upheld.speech.matching.tokens import frame
from upheld.speech.view import GrowingView, Known, View

MOST_SENTENCES = 300
"""Sentences that are looked up one by one; what comes after is looked up as one text."""


class Candidates(Protocol):
    """Gives the propositions that a text may be about, at most ``limit``; their order means nothing."""

    def __call__(self, text: str, view: View, limit: int, /) -> Sequence[Known]:
        """Give them. A view of no more than ``limit`` propositions is best given whole."""
        ...


class LexicalCandidates:
    """Candidates by shared words, the same number for each sentence; all of them while they are few.

    What is left of the limit goes to what was put forward last: a reply in other words is mostly about that. What
    stands and what does not is found alike. Safe to call from several threads.
    """

    def __init__(self) -> None:
        """Start with an empty index."""
        self._index = LexicalIndex()
        self._lock = threading.Lock()

    def __call__(self, text: str, view: View, limit: int, /) -> Sequence[Known]:
        """Give the candidates, best first. Cost: what is new in the view, and the postings of each sentence."""
        last = newest(view, limit + 1)
        if len(last) <= limit:
            return last
        spans = list(sentences(text))
        parts = [text[start:end] for start, end in spans[:MOST_SENTENCES]]
        parts += [text[spans[MOST_SENTENCES][0] :]] if len(spans) > MOST_SENTENCES else []
        with self._lock:
            self._index.update(view)
            found = [[known for known, _ in self._index.candidates(frame(part), limit)] for part in parts]
        best = (known for rank in zip_longest(*found) for known in rank if known is not None)
        unique = {known.proposition.id: known for known in chain(best, last)}
        return tuple(islice(unique.values(), limit))


def newest(view: View, count: int) -> Sequence[Known]:
    """Give what was put forward last, newest first. Cost: their number, where a view can be read from its end."""
    if not isinstance(view, GrowingView):
        return tuple(islice(reversed(tuple(view.known())), count))
    found = (view.get(proposition.id) for proposition in islice(view.newest(), count))
    return tuple(known for known in found if known is not None)
