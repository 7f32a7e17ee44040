"""The documents of an index, by place and by id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from upheld.errors import RepeatedIdentity
from upheld.speech.retrieval.document import Document, Hit


class Shelf:
    """Documents in the order in which they came; a place never changes."""

    def __init__(self) -> None:
        """Start empty."""
        self._documents: list[Document] = []
        self._places: dict[str, int] = {}

    def __len__(self) -> int:
        """Count the documents."""
        return len(self._documents)

    def __getitem__(self, place: int) -> Document:
        """Give the document at a place."""
        return self._documents[place]

    def __contains__(self, id: str) -> bool:
        """Tell whether a document has this id."""
        return id in self._places

    def place(self, id: str) -> int:
        """Give the place of a document; raises ``KeyError`` for an id that is not there."""
        return self._places[id]

    def new_of(self, documents: Iterable[Document]) -> list[Document]:
        """Give those of the documents that are not here yet, once each; nothing is taken in.

        Raises:
            RepeatedIdentity: an id is taken by another text.
        """
        coming: dict[str, Document] = {}
        for document in documents:
            earlier = coming.get(document.id) or self.get(document.id)
            if earlier is not None and earlier.text != document.text:
                raise RepeatedIdentity(f"document {document.id!r} is there with another text: build the index anew")
            coming[document.id] = document
        return [document for id, document in coming.items() if id not in self._places]

    def put(self, documents: Iterable[Document]) -> None:
        """Take documents in that :meth:`new_of` let pass; one of a known id takes the earlier one's place."""
        for document in documents:
            if document.id in self._places:
                self._documents[self._places[document.id]] = document
            else:
                self._places[document.id] = len(self._documents)
                self._documents.append(document)

    def get(self, id: str) -> Document | None:
        """Give a document by id."""
        return self._documents[self._places[id]] if id in self._places else None

    def hits(self, ranked: Iterable[tuple[int, float]], why: str) -> tuple[Hit, ...]:
        """Give scored places as hits for one reason."""
        return tuple(Hit(document=self._documents[place], score=score, why=(why,)) for place, score in ranked)


def best(scores: Mapping[int, float], limit: int) -> list[tuple[int, float]]:
    """Give the highest scores with their places, at most ``limit``; of equal ones the earlier place first."""
    return sorted(scores.items(), key=lambda each: (-each[1], each[0]))[: max(limit, 0)]
