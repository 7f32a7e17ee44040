"""Documents with questions whose evidence is known, the finders that are compared on them, and what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from upheld.speech.embedding.embedder import Embedder
from upheld.speech.retrieval.bm25 import Bm25Index
from upheld.speech.retrieval.document import Document, Index
from upheld.speech.retrieval.fusion import reciprocal_ranks
from upheld.speech.retrieval.hybrid import hybrid_retriever
from upheld.speech.retrieval.links import Neighbours
from upheld.speech.retrieval.terms import plain_terms

DEPTHS = (1, 5, 10, 20, 50)
"""Numbers of documents among which the evidence is looked for."""

BM25, LEXICAL, HYBRID = "bm25", "lexical", "hybrid"
NO_HOPS = "hybrid, no hops"
"""Worth a run only where there are links to hop along."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, the ids of its evidence, and the time of asking."""

    text: str
    gold: frozenset[str]
    when: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Documents with the questions that are asked of them."""

    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    neighbours: Neighbours | None = None


Finder = Callable[[Material], Index]
"""Makes an empty index for some material."""


def finders(embedder: Embedder | None) -> dict[str, Finder]:
    """Give the finders by name, the baseline first; without an embedder only those that count words."""
    made: dict[str, Finder] = {
        BM25: lambda _: Bm25Index(terms=plain_terms),
        "bm25 stemmed": lambda _: Bm25Index(),
        LEXICAL: lambda material: hybrid_retriever(neighbours=material.neighbours),
    }
    if embedder is not None:
        made[NO_HOPS] = lambda _: hybrid_retriever(embedder=embedder)
        made["hybrid, ranks"] = lambda material: hybrid_retriever(
            embedder=embedder, neighbours=material.neighbours, fuse=reciprocal_ranks
        )
        made["hybrid, no feedback"] = lambda material: hybrid_retriever(
            embedder=embedder, neighbours=material.neighbours, feedback=0.0
        )
        made[HYBRID] = lambda material: hybrid_retriever(embedder=embedder, neighbours=material.neighbours)
    return made


def filled(finder: Finder, material: Material) -> Index:
    """Give a finder's index of some material. Cost: that of indexing it."""
    index = finder(material)
    index.add(material.documents)
    return index


def found_for(question: Question, index: Index) -> list[str]:
    """Give the ids that an index finds for a question, best first, as many as the greatest depth."""
    return [hit.document.id for hit in index.search(question.text, DEPTHS[-1], when=question.when)]


def ranked(finder: Finder, material: Material) -> Iterator[tuple[list[str], Question]]:
    """Give what a finder finds for each question of some material."""
    index = filled(finder, material)
    for question in material.questions:
        yield found_for(question, index), question


def recall(found: Sequence[str], gold: frozenset[str], depth: int) -> float:
    """Share of the evidence among the first; ``gold`` is not empty."""
    return len(gold & set(found[:depth])) / len(gold)


def hit(found: Sequence[str], gold: frozenset[str], depth: int) -> float:
    """One when any evidence is among the first."""
    return float(not gold.isdisjoint(found[:depth]))
