"""Propositions nearest in meaning to what is said, in step with a conversation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, cast

from upheld.logic.language.identities import PropositionId
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.following import Follower
from upheld.speech.matching.trained.features import Near
from upheld.speech.retrieval.document import Document, ScoredIndex
from upheld.speech.view import View


class NearestFinder:
    """Finds propositions by the cosine of sentence vectors. Safe to call from several threads.

    Cost: embedding what is new since the last call and the texts, and one product of each text with all.
    """

    def __init__(self, embedder: Embedder, index: Callable[[], ScoredIndex]) -> None:
        """Start empty; ``index`` makes an empty index of vectors of ``embedder``."""
        self._embedder = embedder
        self._new_index = index
        self._index = index()
        self._follower = Follower()
        self._lock = Lock()

    def __call__(self, texts: Sequence[str], view: View, limit: int, /) -> Sequence[Sequence[Near]]:
        """Give, for each text, the nearest propositions of a view and their cosines, nearest first."""
        with self._lock:
            news = self._follower.catch_up(view)
            if news.is_afresh:
                self._index = self._new_index()
            self._index.add(Document(id=each.id, text=each.text, is_engine_item=True) for each in news.propositions)
            # All texts in one batch; the searches below find their vectors remembered.
            self._embedder.embed(texts)
            found = [self._index.search(text, limit) for text in texts]
        return [
            [
                Near(known=known, nearness=hit.score)
                for hit in hits
                if (known := view.get(PropositionId(hit.document.id))) is not None
            ]
            for hits in found
        ]

    def cosines(self, texts: Sequence[str], others: Sequence[str], /) -> Sequence[Sequence[float]]:
        """Give a row a text, with its cosine to each of the others. Cost: that of embedding what is not remembered."""
        # The arrays multiply; the port names no array library.
        left, right = cast("Any", self._embedder.embed(texts)), cast("Any", self._embedder.embed(others))
        return cast("Sequence[Sequence[float]]", (left @ right.T).tolist())
