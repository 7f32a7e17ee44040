"""An inverted index over the propositions of one view, extended as the conversation grows."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from upheld.logic.language.propositions import Proposition
from upheld.speech.matching.entities import TELLING, Entity, ValueKind, affirmed
from upheld.speech.matching.tokens import Frame, frame
from upheld.speech.view import Known, View

_SAID_BY = re.compile(r"\A\S+ (?:says|asks): ")
"""Who said it is no part of what was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A value, and the proposition that puts it forward."""

    known: Known
    said: Frame
    entity: Entity


class LexicalIndex:
    """Postings and document frequencies of exactly the propositions of the view it was last brought up to.

    A view that goes on from the last one adds what is new; any other view starts afresh, so that an answer never
    depends on what was asked before. Cost: one comparison a known proposition, and the analysis of new ones.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._indexed: list[Proposition] = []
        self._known: Sequence[Known] = ()
        self._frames: list[Frame] = []
        self._postings: dict[str, list[int]] = {}
        self._filled: dict[tuple[ValueKind, str], list[tuple[int, Entity]]] = {}

    def update(self, view: View) -> None:
        """Bring the index up to a view."""
        self._known = tuple(view.known())
        count = len(self._indexed)
        is_continued = count <= len(self._known) and all(
            old is new.proposition or old == new.proposition
            for old, new in zip(self._indexed, self._known[:count], strict=True)
        )
        if not is_continued:
            self._indexed, self._frames, self._postings, self._filled = [], [], {}, {}
        for known in self._known[len(self._indexed) :]:
            self._add(known.proposition)

    def _add(self, proposition: Proposition) -> None:
        place = len(self._indexed)
        analysed = frame(_SAID_BY.sub("", proposition.text, count=1))
        self._indexed.append(proposition)
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
            Filled(known=self._known[place], said=self._frames[place], entity=other)
            for place, other in self._filled.get(where, ())
        ]

    def counted(self) -> list[Filled]:
        """Give the propositions that count something, in order of introduction."""
        found = [
            (place, entity)
            for (kind, _), entries in self._filled.items()
            if kind is ValueKind.COUNT
            for place, entity in entries
        ]
        found.sort(key=lambda entry: entry[0])
        return [Filled(known=self._known[place], said=self._frames[place], entity=entity) for place, entity in found]

    def weight(self, term: str) -> float:
        """Give the inverse document frequency of a term, smoothed: 1 for what all have, more for rare ones."""
        count = len(self._postings.get(term, ()))
        return 1.0 + math.log((1 + len(self._indexed)) / (1 + count))

    def candidates(self, wanted: Frame, limit: int = 24) -> list[tuple[Known, Frame]]:
        """Give the propositions that share most weight with a frame, best first; ties in order of introduction."""
        scores: dict[int, float] = {}
        for term in sorted(wanted.terms):
            weight = self.weight(term)
            for place in self._postings.get(term, ()):
                scores[place] = scores.get(place, 0.0) + weight
        best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
        return [(self._known[place], self._frames[place]) for place in best]
