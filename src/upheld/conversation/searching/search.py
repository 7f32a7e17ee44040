"""Claims of all conversations of a store, found by words and, with an embedder, by meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from upheld.errors import MalformedInput
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.search import MOST_FOUND, Found, Query, SearchableStore, Vector
from upheld.record.ledger.store import Store
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.retrieval.fusion import reciprocal_ranks

DEPTH, LEAST_DEPTH = 5, 50
"""How many times more than asked for a leg is looked at, and at least: what is tenth in both beats a first in one."""

BATCH = 64
"""Claims that are embedded and kept at a time."""

Progress = Callable[[int, int], None]
"""Told how many claims were embedded, and of how many."""

WORDS, MEANING = "words", "meaning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A claim that was found, and by what: ``words``, ``meaning``, or both, the one that ranks it higher first."""

    found: Found
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What a search found, best first, and the conversations that it could not look into."""

    hits: tuple[Hit, ...]
    unsearched: tuple[ConversationId, ...] = ()


class ClaimSearch:
    """Searches the claims of one store; only what stands, unless one asks for more. As safe for threads as the store.

    By meaning everything is somewhere near, so that with an embedder a search always finds something where anything is
    on record. Nearness is no truth.
    """

    def __init__(self, store: Store, embedder: Embedder | None = None) -> None:
        """Search this store; without an embedder by words alone.

        Raises:
            MalformedInput: the store cannot search.
        """
        if not isinstance(store, SearchableStore):
            raise MalformedInput(f"{type(store).__name__} keeps entries, and cannot search them", key="store")
        self._store = store
        self._embedder = embedder

    def search(
        self,
        words: str,
        *,
        conversation: str | None = None,
        as_of: int | str | None = None,
        has_superseded: bool = False,
        limit: int = 10,
    ) -> Searched:
        """Give the claims that fit best: both legs put together by reciprocal ranks.

        ``as_of`` is an epoch of that one conversation, or a time in ISO 8601; a date alone means its end.

        Raises:
            MalformedInput: no words, or a moment or limit that is none.

        Cost: the claims with one of the words; with an embedder, one product with all in view, and embedding what was
        never embedded.
        """
        asked = Query(
            words=words,
            conversation=None if conversation is None else ConversationId(conversation),
            as_of=as_of,
            has_superseded=has_superseded,
            limit=limit,
        )
        wide = replace(asked, limit=min(MOST_FOUND, max(LEAST_DEPTH, DEPTH * limit)))
        legs = {WORDS: self._store.find(wide)}
        if self._embedder is not None:
            self.embed_missing()
            (vector,) = self._vectors(self._embedder, [words])
            meant = replace(wide, words="", vector=vector, embedder=self._embedder.name)
            legs[MEANING] = self._store.find(meant)
        unsearched = self._store.unfiled()
        if asked.conversation is not None:
            unsearched = tuple(name for name in unsearched if name == asked.conversation)
        return Searched(hits=_fused(legs, limit), unsearched=unsearched)

    def embed_missing(self, progress: Progress | None = None) -> int:
        """Embed what was never embedded, and give how many claims that were; none without an embedder.

        Cost: a pass of the embedder a claim, once. Interrupted, it goes on where it was.
        """
        embedder = self._embedder
        if embedder is None or self._store.is_read_only:
            return 0
        done = 0
        while missing := self._store.unembedded(embedder.name, MOST_FOUND):
            for start in range(0, len(missing), BATCH):
                batch = missing[start : start + BATCH]
                rows = self._vectors(embedder, [text for _, text in batch])
                kept = [Vector(number=number, row=row) for (number, _), row in zip(batch, rows, strict=True)]
                self._store.embed(embedder.name, kept)
                done += len(batch)
                if progress is not None:
                    progress(done, done + len(missing) - start - len(batch))
        return done

    def _vectors(self, embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
        # The arrays know how to be written; the port names no array library.
        return [row.astype("<f4").tobytes() for row in cast("Any", embedder.embed(texts))]


def _fused(legs: dict[str, tuple[Found, ...]], limit: int) -> tuple[Hit, ...]:
    claims: dict[tuple[str, str, int], Found] = {}
    for found in legs.values():
        for each in found:
            claims.setdefault((each.conversation, each.id, each.since), each)
    places = {key: place for place, key in enumerate(claims)}
    ranks = {
        name: {places[each.conversation, each.id, each.since]: -float(rank) for rank, each in enumerate(found)}
        for name, found in legs.items()
    }
    scores = reciprocal_ranks(list(ranks.values()))
    listed = list(claims.values())
    best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
    return tuple(
        Hit(
            found=replace(listed[place], score=scores[place]),
            why=tuple(sorted((name for name in ranks if place in ranks[name]), key=lambda name: -ranks[name][place])),
        )
        for place in best
    )
