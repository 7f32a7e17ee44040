"""The plain bar: BM25 over lowercase words, no stemming, as the protocols' baselines were run.

The formula is that of :class:`~upheld.speech.retrieval.bm25.Bm25Index` with its usual constants; what makes it plain is
the terms. They stay this plain on purpose: a bar that improves with the thing that is measured against it is none.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from upheld.speech.retrieval.bm25 import Bm25Index
from upheld.speech.retrieval.document import Document

Key = TypeVar("Key", bound=Hashable)

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Give the lowercase words of a text."""
    return _WORD.findall(text.casefold())


class Bm25(Generic[Key]):
    """An index over documents that are all known at once, under any keys."""

    def __init__(self, documents: Sequence[tuple[Key, str]]) -> None:
        """Index documents."""
        self._keys = [key for key, _ in documents]
        self._index = Bm25Index(terms=words)
        self._index.add(Document(id=str(place), text=text) for place, (_, text) in enumerate(documents))

    def search(self, query: str, limit: int) -> list[tuple[Key, float]]:
        """Give the best documents, best first, those that share no word left out; ties in the order of indexing."""
        return [(self._keys[int(hit.document.id)], hit.score) for hit in self._index.search(query, limit)]
