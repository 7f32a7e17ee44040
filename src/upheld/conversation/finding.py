"""What in a conversation a text is about: the hybrid retriever kept in step with it, for whoever wants to know.

One finder serves one conversation, as the candidates of a matcher and as the search behind a context window.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from threading import Lock

from upheld.conversation.asking.view import StateView
from upheld.errors import MissingExtra
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.propositions import Proposition
from upheld.logic.reasoning.state import State
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.embedding.local import local_embedder
from upheld.speech.following import Follower
from upheld.speech.matching.llm.candidates import newest
from upheld.speech.retrieval.document import Document
from upheld.speech.retrieval.hybrid import HybridRetriever, hybrid_retriever
from upheld.speech.retrieval.links import neighbours_of
from upheld.speech.view import Known, View

RANKED = 0.7
"""Share of the candidates that are found; the rest are what was put forward last, which a reply is mostly about.

Chosen at 60 candidates on the long conversations, out of 0.4, 0.5, 0.7 and 1; ``benchmarks/shown.py`` has the figures.
"""


class Finder:
    """Finds propositions by words and, with an embedder, by meaning. Safe to call from several threads.

    Cost: what is new since the last call, and a search over all.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        """Start empty; without an embedder, by words alone (:func:`finder` takes the local one if it can)."""
        self._embedder = embedder
        self._lock = Lock()
        self._follower = Follower()
        self._retriever: HybridRetriever = hybrid_retriever(embedder=embedder)

    @property
    def name(self) -> str:
        """Say what it finds by, weights included."""
        return self._retriever.name

    def __call__(self, text: str, view: View, limit: int, /) -> Sequence[Known]:
        """Give the propositions that a text may be about, as a matcher wants them: all of them while they are few."""
        last = newest(view, limit + 1)
        if len(last) <= limit:
            return last
        with self._lock:
            self._follow(view)
            hits = self._retriever.search(text, limit)
        found = (view.get(PropositionId(hit.document.id)) for hit in hits)
        best = [known for known in found if known is not None]
        share = round(limit * RANKED)
        unique = {known.proposition.id: known for known in chain(best[:share], last, best)}
        return tuple(islice(unique.values(), limit))

    def search_in(self, state: State, query: str, limit: int) -> Sequence[tuple[PropositionId, float]]:
        """Give the propositions that a question is about, best first, over the graph of a state as well."""
        with self._lock:
            self._follow(StateView(state))
            self._retriever.neighbours = neighbours_of(state)
            try:
                hits = self._retriever.search(query, limit)
            finally:
                self._retriever.neighbours = None
        return tuple((PropositionId(hit.document.id), hit.score) for hit in hits)

    def _follow(self, view: View) -> None:
        news = self._follower.catch_up(view)
        if news.is_afresh:
            self._retriever = hybrid_retriever(embedder=self._embedder)
        self._retriever.add(_documents(news.propositions, view))


class StateSearch:
    """A finder as the search behind a context window, over one state.

    The renderer's own search keeps more of what a question needs in 1,500 tokens (``benchmarks/shown.py``: 147 of 148
    propositions, against 135 with the local embedder), so that it is the default there.
    """

    def __init__(self, state: State, finder: Finder) -> None:
        """Search this state."""
        self._state = state
        self._finder = finder

    def search(self, query: str, limit: int, /) -> Sequence[tuple[PropositionId, float]]:
        """Give at most ``limit`` items, best first."""
        return self._finder.search_in(self._state, query, limit)


def finder() -> Finder:
    """Give a finder with the local embedder, or by words alone where ``upheld[local]`` is not installed."""
    try:
        return Finder(local_embedder())
    except MissingExtra:
        return Finder()


def _documents(propositions: Iterable[Proposition], view: View) -> list[Document]:
    return [
        Document(
            id=each.id,
            text=each.text,
            turn=(known.turn or "") if (known := view.get(each.id)) is not None else "",
            is_engine_item=True,
        )
        for each in propositions
    ]
