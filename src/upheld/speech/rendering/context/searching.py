"""Which items a question is about: by words that they share with it, then along what rests on what."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import GIVEN_UP
from upheld.speech.matching.tokens import frame
from upheld.speech.rendering.context.items import Item

Hits = Sequence[tuple[PropositionId, float]]
"""Items with how well each fits, best first; scores are positive, and compare within one answer alone."""

_BEGINNING = 5
"""Letters of a word that stand for its family, weaker than the word: ``conversion`` for ``convert``."""

_OWN, _TURN, _FAMILY = 1.0, 0.7, 0.7
"""Weights of a word of the item, a word of its turn or its kind, and a beginning instead of a word."""

_KINDS = {
    Kind.DECISION: "decision decided agreed settled chosen",
    Kind.DISSENT: "dissent disagreed objected against opposed",
    Kind.CONSTRAINT: "must allowed required condition",
}
"""What people call an item of some kind when they ask for it."""

_GIVEN_UP = "rejected ruled out dropped abandoned wrong"


class HitSource(Protocol):
    """Finds items for a question, whether by words, by vectors or by both."""

    def search(self, query: str, limit: int, /) -> Hits:
        """Give at most ``limit`` items, best first."""
        ...


class TermSearch:
    """Items that share words with a question, rare words counting more; kept item by item.

    A word counts by its inverse document frequency as in BM25 (Robertson and Zaragoza 2009), once an item: less when
    only the turn that put the item forward has it, and less when just the beginning is the same. Items are of one
    length, a sentence, so that there is nothing to normalise.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._terms: dict[PropositionId, Mapping[str, float]] = {}
        self._postings: dict[str, dict[PropositionId, float]] = {}

    def put(self, item: Item) -> None:
        """Take an item in, or take it in anew. Cost: its words and those of its turn."""
        terms = _weighed(item)
        before = self._terms.get(item.id)
        if before == terms:
            return
        self.drop(item.id)
        self._terms[item.id] = terms
        for term, weight in terms.items():
            self._postings.setdefault(term, {})[item.id] = weight

    def drop(self, id: PropositionId) -> None:
        """Forget an item, if it is there."""
        for term in self._terms.pop(id, ()):
            del self._postings[term][id]
            if not self._postings[term]:
                del self._postings[term]

    def search(self, query: str, limit: int, /) -> Hits:
        """Give the items that share most with a question. Cost: the items that share a word with it."""
        scores: dict[PropositionId, float] = {}
        for term in sorted(_terms_of(query)):
            rarity = self.rarity(term)
            for id, weight in self._postings.get(term, {}).items():
                scores[id] = scores.get(id, 0.0) + rarity * weight
        return _best(scores, limit)

    def rarity(self, term: str) -> float:
        """Give the weight of a term, never 0: next to nothing for what all have, more for what few have."""
        count = len(self._postings.get(term, ()))
        return math.log(1 + (len(self._terms) - count + 0.5) / (count + 0.5))

    def has(self, term: str) -> bool:
        """Tell whether any item has a term."""
        return term in self._postings

    def terms_of(self, id: PropositionId) -> Mapping[str, float]:
        """Give the terms of an item with their weights."""
        return self._terms.get(id, {})


def coverage(terms: TermSearch, words: Sequence[str], id: PropositionId) -> float:
    """Give the part of the weight of some words that an item has, in [0, 1]; 0 for no words."""
    own = terms.terms_of(id)
    whole = sum(terms.rarity(word) for word in words)
    found = 0.0
    for word in words:
        found += terms.rarity(word) * max(own.get(word, 0.0), _FAMILY * own.get(family_of(word), 0.0))
    return found / whole if whole > 0 else 0.0


def family_of(term: str) -> str:
    """Give the term that a word shares with those that begin alike."""
    return f"^{term[:_BEGINNING]}"


def spread(
    hits: Hits,
    neighbours: Callable[[PropositionId], Sequence[PropositionId]],
    *,
    hops: int = 3,
    share: float = 0.8,
) -> Hits:
    """Let hits lend weight to what they have to do with, and that in turn, ``hops`` times; best first.

    What a question needs is often said in none of its words, but is the reason for what is. Each item gets its own
    score and a ``share`` of its neighbours', divided by the root of how many neighbours both have, so that what has to
    do with everything lends little to each (Zhou et al. 2004, "Learning with Local and Global Consistency", cut off
    after some rounds). Cost: the neighbours of what is reached.
    """
    own = dict(hits)
    beside: dict[PropositionId, Sequence[PropositionId]] = {}

    def around(id: PropositionId) -> Sequence[PropositionId]:
        if id not in beside:
            beside[id] = neighbours(id)
        return beside[id]

    scores = own
    for _ in range(hops):
        lent: dict[PropositionId, float] = {}
        for id in sorted(scores):
            for other in around(id):
                part = share * scores[id] / math.sqrt(len(around(id)) * max(len(around(other)), 1))
                lent[other] = lent.get(other, 0.0) + part
        scores = {id: own.get(id, 0.0) + lent.get(id, 0.0) for id in (*own, *lent)}
    return _best(scores, len(scores))


def _best(scores: Mapping[PropositionId, float], limit: int) -> Hits:
    found = heapq.nsmallest(limit, scores.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple((id, score) for id, score in found if score > 0)


def _weighed(item: Item) -> Mapping[str, float]:
    weights: dict[str, float] = {}
    called = f"{_KINDS.get(item.kind, '')} {_GIVEN_UP if item.lifecycle in GIVEN_UP else ''}"
    for text, weight in ((called, _TURN), (item.words, _TURN), (item.text, _OWN)):
        for term in _terms_of(text):
            worth = weight * (_FAMILY if term.startswith("^") else 1.0)
            weights[term] = max(weights.get(term, 0.0), worth)
    return weights


def _terms_of(text: str) -> set[str]:
    found = set(frame(text).terms)
    return found | {family_of(term) for term in found if term.isalpha() and len(term) >= _BEGINNING}
