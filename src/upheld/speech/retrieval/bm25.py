"""Ranking by shared words: BM25, exact, and growing with the conversation."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from upheld.speech.retrieval.document import Document, Hit
from upheld.speech.retrieval.shelf import Shelf, best
from upheld.speech.retrieval.terms import Terms, stemmed_terms

K1 = 1.2
"""How soon more of the same word stops counting (usual: 1.2 to 2)."""

B = 0.75
"""How much a long text is held against its words: 0 not at all, 1 in full proportion."""


class Bm25Index:
    """Okapi BM25 (Robertson & Zaragoza 2009, section 3.4, formula 3.15) over postings.

    A term counts ``idf * tf / (tf + k1 (1 - b + b length / mean length))``, once for each time the query has it, with
    ``idf = ln(1 + (N - n + 0.5) / (n + 0.5))``, which is never negative, so that a word that most documents have
    still counts a little. The frequencies are those of all documents that are in at the time of the search: a
    document added later gives the scores that an index built at once would give.

    Cost: adding is linear in the document; a search in the postings of the query's terms.
    """

    def __init__(self, *, k1: float = K1, b: float = B, terms: Terms = stemmed_terms) -> None:
        """Start empty."""
        self._k1, self._b, self._terms = k1, b, terms
        self._shelf = Shelf()
        self._postings: dict[str, list[tuple[int, int]]] = {}
        self._lengths: list[int] = []
        self._total = 0

    @property
    def name(self) -> str:
        """Name and constants."""
        return f"bm25(k1={self._k1:g}, b={self._b:g}, {self._terms.__name__})"

    def __len__(self) -> int:
        """Count the documents."""
        return len(self._shelf)

    def add(self, documents: Iterable[Document], /) -> None:
        """Take documents in; raises :class:`~upheld.errors.RepeatedIdentity` for an id with another text."""
        coming = list(documents)
        for document in self._shelf.new_of(coming):
            place = len(self._lengths)
            counted = Counter(self._terms(document.text))
            for term, count in counted.items():
                self._postings.setdefault(term, []).append((place, count))
            self._lengths.append(counted.total())
            self._total += counted.total()
        self._shelf.put(coming)

    def scores(self, query: str) -> dict[int, float]:
        """Give the score of each place that shares a term with the query."""
        found: dict[int, float] = {}
        mean = self._total / len(self._lengths) if self._total else 1.0
        for term, weight in Counter(self._terms(query)).items():
            postings = self._postings.get(term, ())
            idf = math.log(1 + (len(self._lengths) - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, count in postings:
                damping = self._k1 * (1 - self._b + self._b * self._lengths[place] / mean)
                found[place] = found.get(place, 0.0) + weight * idf * count / (count + damping)
        return found

    def search(self, query: str, limit: int, *, when: str | None = None) -> tuple[Hit, ...]:
        """Give the documents that share most with the query; ``when`` says nothing to it."""
        return self._shelf.hits(best(self.scores(query), limit), "words")
