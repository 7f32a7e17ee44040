"""Ranking by nearness in meaning: exact cosine over vectors, growing with the conversation.

Loads numpy, so it is itself loaded only where an embedder is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from upheld.speech.embedding.embedder import Embedder
from upheld.speech.retrieval.document import Document, Hit
from upheld.speech.retrieval.shelf import Shelf

_FIRST = 64


class VectorIndex:
    """Vectors of length one in a float32 matrix that doubles when it is full; the cosine is their product.

    No approximation: a conversation has thousands of pieces, and a product with them all takes less than embedding
    the question. Cost: adding is one embedding a document, a search one product with all.
    """

    def __init__(self, embedder: Embedder) -> None:
        """Start empty."""
        self._embedder = embedder
        self._shelf = Shelf()
        self._rows: NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)

    @property
    def name(self) -> str:
        """Name of the embedder."""
        return f"vectors({self._embedder.name})"

    def __len__(self) -> int:
        """Count the documents."""
        return len(self._shelf)

    def add(self, documents: Iterable[Document], /) -> None:
        """Take documents in; raises :class:`~upheld.errors.RepeatedIdentity` for an id with another text."""
        coming = list(documents)
        new = self._shelf.new_of(coming)
        count = len(self._shelf)
        if new:
            rows = self._embedded([document.text for document in new])
            if count + len(new) > len(self._rows):
                larger = np.zeros((max(_FIRST, 2 * (count + len(new))), rows.shape[1]), dtype=np.float32)
                if count:
                    larger[:count] = self._rows[:count]
                self._rows = larger
            self._rows[count : count + len(new)] = rows
        self._shelf.put(coming)

    def scores(self, query: str) -> dict[int, float]:
        """Give the cosine of the query with each place."""
        return dict(enumerate(cast("list[float]", self._cosines(query).tolist())))

    def search(self, query: str, limit: int, *, when: str | None = None) -> tuple[Hit, ...]:
        """Give the documents nearest to the query, however far; ``when`` says nothing to it."""
        cosines = self._cosines(query)
        places = np.argsort(-cosines, kind="stable")[: max(limit, 0)]
        return self._shelf.hits([(int(place), float(cosines[place])) for place in places], "meaning")

    def _cosines(self, query: str) -> NDArray[np.float32]:
        if not len(self._shelf):
            return np.zeros(0, dtype=np.float32)
        return self._rows[: len(self._shelf)] @ self._embedded([query])[0]

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray(cast("Any", self._embedder.embed(texts)), dtype=np.float32)
