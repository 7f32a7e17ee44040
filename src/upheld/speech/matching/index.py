"""An inverted index over the propositions of one view, extended as the conversation grows."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

from upheld.errors import UnknownReference
from upheld.logic.language.propositions import Proposition
from upheld.speech.following import Follower
from upheld.speech.matching.entities import TELLING, Entity, ValueKind, affirmed
from upheld.speech.matching.moods import SAID_BY
from upheld.speech.matching.tokens import Frame, frame
from upheld.speech.view import Known, View

MOST_SCORED = 1_000
"""Propositions that one search scores; beyond it the rarest terms decide which (Moffat and Zobel 1996, "continue")."""

MOST_VALUES = 200
"""Values of one sort and key that are looked at, newest first: a limit, so that a turn costs no more in a long talk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A value, and the proposition that puts it forward."""

    known: Known
    said: Frame
    entity: Entity


class LexicalIndex:
    """Postings and document frequencies of exactly the propositions of the view it was last brought up to.

    A view that goes on from the last one adds what is new. Cost: see :class:`~upheld.speech.following.Follower`, and
    the analysis of what is new.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._view: View | None = None
        self._follower = Follower()
        self._frames: list[Frame] = []
        self._postings: dict[str, list[int]] = {}
        self._filled: dict[tuple[ValueKind, str], list[tuple[int, Entity]]] = {}

    def update(self, view: View) -> None:
        """Bring the index up to a view."""
        self._view = view
        news = self._follower.catch_up(view)
        if news.is_afresh:
            self._frames, self._postings, self._filled = [], {}, {}
        for proposition in news.propositions:
            self._add(proposition)

    def _known(self, place: int) -> Known:
        """Give the proposition at a place as it stands in the view."""
        id = self._follower.seen[place].id
        known = self._view.get(id) if self._view is not None else None
        if known is None:
            raise UnknownReference(id, where="a view that lists it")
        return known

    def _add(self, proposition: Proposition) -> None:
        place = len(self._frames)
        analysed = frame(SAID_BY.sub("", proposition.text, count=1))
        self._frames.append(analysed)
        for term in analysed.terms:
            self._postings.setdefault(term, []).append(place)
        for entity in affirmed(proposition.text):
            where = (entity.kind, "" if entity.kind in TELLING else entity.key)
            self._filled.setdefault(where, []).append((place, entity))

    def filled(self, entity: Entity) -> list[Filled]:
        """Give the propositions that put a value where an entity puts one, in order of introduction.

        A value that means one thing in the world (an address, a code) is looked for under any key.
        """
        where = (entity.kind, "" if entity.kind in TELLING else entity.key)
        return [
            Filled(known=self._known(place), said=self._frames[place], entity=other)
            for place, other in self._filled.get(where, ())[-MOST_VALUES:]
        ]

    def counted(self) -> list[Filled]:
        """Give the propositions that count something, in order of introduction."""
        found = [
            (place, entity)
            for (kind, _), entries in self._filled.items()
            if kind is ValueKind.COUNT
            for place, entity in entries[-MOST_VALUES:]
        ]
        found.sort(key=lambda entry: entry[0])
        del found[:-MOST_VALUES]
        return [Filled(known=self._known(place), said=self._frames[place], entity=entity) for place, entity in found]

    def is_heard(self, term: str) -> bool:
        """Tell whether a term is in any proposition."""
        return term in self._postings

    def weight(self, term: str) -> float:
        """Give the inverse document frequency of a term, smoothed: 1 for what all have, more for rare ones."""
        count = len(self._postings.get(term, ()))
        return 1.0 + math.log((1 + len(self._frames)) / (1 + count))

    def candidates(self, wanted: Frame, limit: int = 24) -> list[tuple[Known, Frame]]:
        """Give the propositions that share most weight with a frame, best first; ties in order of introduction."""
        scores: dict[int, float] = {}
        rarest_first = sorted(wanted.terms, key=lambda term: (len(self._postings.get(term, ())), term))
        for term in rarest_first:
            self._score(term, scores)
        best = heapq.nsmallest(limit, scores, key=lambda place: (-scores[place], place))
        return [(self._known(place), self._frames[place]) for place in best]

    def _score(self, term: str, scores: dict[int, float]) -> None:
        weight, postings = self.weight(term), self._postings.get(term, [])
        if len(scores) < MOST_SCORED:
            for place in postings[-MOST_SCORED:]:
                scores[place] = scores.get(place, 0.0) + weight
            return
        for place in scores:
            if term in self._frames[place].terms:
                scores[place] += weight
