"""The retriever that a conversation wants: by words, by meaning, by what stands around, by time, and over the graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from importlib import import_module

from upheld.errors import MissingExtra
from upheld.logic.language.standing import GIVEN_UP
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.retrieval.bm25 import Bm25Index
from upheld.speech.retrieval.dates import Order, Period, Timing, date_of, timing_of
from upheld.speech.retrieval.document import Document, Hit, ScoredIndex
from upheld.speech.retrieval.fusion import Fusion, mean_of, scaled
from upheld.speech.retrieval.links import SEEDS, Neighbours, Reached, reached
from upheld.speech.retrieval.passages import Passage, Run, spoken
from upheld.speech.retrieval.shelf import Shelf, best

HOPS = 2
"""Steps over the graph; a third adds little that is near."""

GIVEN_UP_WORTH = 0.9
"""What an item that was given up is worth beside one that stands, unless the question is about the past."""

IN_PERIOD = 0.5
"""What a document gains when it was said in the time that the question names."""

ORDERED = 0.15
"""What the newest (or oldest) gains over the other end, when the question asks for it."""

RECENT = 0.1
"""What the newest gains otherwise: of two that are equally near, the later one has seen more."""

EXPANDED_BY, EXPANDED_WORTH, EXPANDED_WORDS = 3, 0.2, 60
"""So many of the best documents lend their first words to a second question, which counts so much beside the first."""

_TELLING = 0.3
"""Share of a leg's best score from which it is named as a reason for a hit."""


@dataclass(frozen=True, slots=True)
class _Leg:
    """Scaled scores by place, of one source: over documents themselves, and over the passages that they are in."""

    why: str
    own: Mapping[int, float]
    around: Mapping[int, float]


class HybridRetriever:
    """BM25 and cosine over documents and over passages, in equal parts; then standing, time, and hops.

    Each of the four legs is scaled by its best score and counts the same; a document in no passage (an engine item, the
    last words said) has its own scores in their place. Without vectors the two legs of words are left. The question is
    then asked once more with the words of its best documents (pseudo-relevance feedback; Rocchio 1971): people ask in
    other words than those that were used, which shows where there is much to search (``benchmarks/retrieval.py``).
    ``neighbours`` may be set anew when the state has changed. Cost: adding is linear in the documents; a search goes
    twice over all of them, and embeds two texts.
    """

    def __init__(
        self,
        *,
        vectors: ScoredIndex | None = None,
        neighbours: Neighbours | None = None,
        hops: int = HOPS,
        fuse: Fusion = mean_of,
        feedback: float = EXPANDED_WORTH,
    ) -> None:
        """Start empty, with an empty index of vectors, or none; ``neighbours`` are the ways between engine items.

        ``fuse`` makes the legs one; ``feedback`` is what the second question counts beside the first (0: not asked).
        """
        self._vectors = vectors
        self._hops = hops
        self._fuse = fuse
        self._feedback = feedback
        self.neighbours = neighbours
        self._shelf = Shelf()
        self._words, self._around = Bm25Index(), Bm25Index()
        self._run = Run()
        self._passages: list[Passage] = []
        self._rows: list[tuple[bool, int]] = []
        self._covered: set[int] = set()
        self._latest: date | None = None

    @property
    def name(self) -> str:
        """Say what it is made of."""
        parts = [self._words.name, *([self._vectors.name] if self._vectors is not None else [])]
        return f"hybrid({', '.join(parts)}{f', {self._hops} hops' if self.neighbours is not None else ''})"

    def __len__(self) -> int:
        """Count the documents."""
        return len(self._shelf)

    def add(self, documents: Iterable[Document], /) -> None:
        """Take documents in; turns must come in their order, engine items may come between them.

        Raises:
            RepeatedIdentity: an id is taken by another text; nothing was added.
            MalformedInput: the embedder cannot be loaded; nothing was added.
        """
        coming = list(documents)
        new = list(enumerate(self._shelf.new_of(coming), start=len(self._shelf)))
        run, passages = self._run.extended(new)
        own = [Document(id=f"d{place}", text=spoken(document)) for place, document in new]
        wider = [
            Document(id=f"p{number}", text=passage.text)
            for number, passage in enumerate(passages, start=len(self._passages))
        ]
        if self._vectors is not None:
            self._vectors.add([*own, *wider])
        self._rows.extend((False, place) for place, _ in new)
        self._rows.extend((True, number) for number, _ in enumerate(passages, start=len(self._passages)))
        self._words.add(own)
        self._around.add(wider)
        self._passages.extend(passages)
        self._covered.update(place for passage in passages for place in passage.places)
        days = [day for document in coming if (day := date_of(document.at)) is not None]
        self._latest = max([*days, *([self._latest] if self._latest else [])], default=None)
        self._run = run
        self._shelf.put(coming)

    def search(self, query: str, limit: int, *, when: str | None = None) -> tuple[Hit, ...]:
        """Give what bears on the question: see :class:`~upheld.speech.retrieval.document.Retriever`."""
        legs = self._legs(query)
        timing = timing_of(query, now=date_of(when) if when else self._latest)
        scores = self._weighed(legs, timing)
        if self._feedback:
            for place, score in self._weighed(self._legs(self._expanded(query, scores)), timing).items():
                scores[place] = scores.get(place, 0.0) + self._feedback * score
        gained = self._gained(scores)
        for place, gain in gained.items():
            scores[place] = scores.get(place, 0.0) + gain.score
        return tuple(
            Hit(document=self._shelf[place], score=score, why=self._why(place, legs, timing, gained.get(place)))
            for place, score in best(scores, limit)
        )

    def _legs(self, query: str) -> tuple[_Leg, ...]:
        words = _Leg("words", scaled(self._words.scores(query)), scaled(self._pooled(self._around.scores(query))))
        if self._vectors is None:
            return (words,)
        own: dict[int, float] = {}
        around: dict[int, float] = {}
        for row, cosine in self._vectors.scores(query).items():
            is_passage, number = self._rows[row]
            (around if is_passage else own)[number] = cosine
        return (words, _Leg("meaning", scaled(own), scaled(self._pooled(around))))

    def _weighed(self, legs: tuple[_Leg, ...], timing: Timing) -> dict[int, float]:
        """Give the legs made one, times what each document is worth to a question about such a time."""
        scores = self._fuse([part for leg in legs for part in (leg.own, self._filled(leg))])
        return {place: score * self._worth(place, timing) for place, score in scores.items()}

    def _expanded(self, query: str, scores: Mapping[int, float]) -> str:
        """Give the question in the conversation's own words as well."""
        found = (self._shelf[place].text for place, _ in best(scores, EXPANDED_BY))
        return " ".join([query, *(" ".join(text.split()[:EXPANDED_WORDS]) for text in found)])

    def _pooled(self, scores: Mapping[int, float]) -> dict[int, float]:
        """Give each document the best score of its passages."""
        found: dict[int, float] = {}
        for number, score in scores.items():
            for place in self._passages[number].places:
                found[place] = max(found.get(place, 0.0), score)
        return found

    def _filled(self, leg: _Leg) -> dict[int, float]:
        """Give the scores around, and a document's own where it is in no passage."""
        return {**{place: score for place, score in leg.own.items() if place not in self._covered}, **leg.around}

    def _worth(self, place: int, timing: Timing) -> float:
        """Give the factor for how a document stands, and for when it was said."""
        document, worth = self._shelf[place], 1.0
        if document.lifecycle in GIVEN_UP and timing.order is not Order.OLDEST:
            worth *= GIVEN_UP_WORTH
        if timing.period is not None and _is_within(document, timing.period):
            worth *= 1 + IN_PERIOD
        share = (place + 1) / len(self._shelf)
        match timing.order:
            case Order.OLDEST:
                return worth * (1 + ORDERED * (1 - share))
            case Order.NEWEST:
                return worth * (1 + ORDERED * share)
            case None:
                return worth * (1 + RECENT * share)

    def _gained(self, scores: Mapping[int, float]) -> dict[int, Reached]:
        if self.neighbours is None or self._hops < 1:
            return {}
        known = {self._shelf[place].id: score for place, score in best(scores, SEEDS)}
        found = reached(known, self.neighbours, hops=self._hops)
        return {self._shelf.place(id): gain for id, gain in found.items() if id in self._shelf}

    def _why(self, place: int, legs: tuple[_Leg, ...], timing: Timing, gain: Reached | None) -> tuple[str, ...]:
        document = self._shelf[place]
        parts = [(leg.own.get(place, 0.0), leg.why) for leg in legs]
        parts.append((max(leg.around.get(place, 0.0) for leg in legs), "around"))
        named = [why for share, why in sorted(parts, key=lambda each: -each[0]) if share >= _TELLING]
        if gain is not None:
            named.append(f"{gain.relation} of {gain.source}")
        if timing.period is not None and _is_within(document, timing.period):
            named.append("date")
        return tuple(named)


def _is_within(document: Document, period: Period) -> bool:
    day = date_of(document.at)
    return day is not None and period.has(day)


def hybrid_retriever(
    *,
    embedder: Embedder | None = None,
    neighbours: Neighbours | None = None,
    fuse: Fusion = mean_of,
    feedback: float = EXPANDED_WORTH,
) -> HybridRetriever:
    """Give an empty retriever; with an embedder it searches by meaning as well. The rest as for the class.

    Raises:
        MissingExtra: an embedder is given and numpy is not installed.
    """
    if embedder is None:
        return HybridRetriever(neighbours=neighbours, fuse=fuse, feedback=feedback)
    try:
        vectors = import_module("upheld.speech.retrieval.vectors")
    except ModuleNotFoundError as error:
        raise MissingExtra("local", needed_for="searching by meaning") from error
    found_by_meaning = vectors.VectorIndex(embedder)
    return HybridRetriever(vectors=found_by_meaning, neighbours=neighbours, fuse=fuse, feedback=feedback)
