"""Claims that can be found, in the memory of the process: plain to see, and linear in what was filed."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from upheld.logic.language.identities import ConversationId, PropositionId
from upheld.record.ledger.search import Filing, Found, Query, Vector, is_standing, moment_in_time
from upheld.record.stores.vectors import VectorShelf

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """How a claim stood from one epoch to before another; ``upto`` 0: how it stands. ``number`` is that of its text."""

    conversation: ConversationId
    number: int
    filing: Filing
    since: int
    recorded_at: str
    upto: int = 0
    ended_at: str = ""

    def was_so(self, as_of: int | str | None) -> bool:
        """Tell whether it stood so at an epoch, at a time, or does now."""
        if as_of is None:
            return not self.upto
        if isinstance(as_of, int):
            return self.since <= as_of and (not self.upto or self.upto > as_of)
        at = moment_in_time(as_of)
        return self.recorded_at <= at and (not self.ended_at or self.ended_at > at)


class ClaimShelf:
    """The claims of a store, in the order in which they were filed. Not safe for threads by itself."""

    def __init__(self) -> None:
        """Start empty."""
        self._standings: list[_Standing] = []
        self._newest: dict[tuple[ConversationId, PropositionId], int] = {}
        self._numbers: dict[tuple[ConversationId, PropositionId, str], int] = {}
        self._count = 0
        self._vectors: dict[str, dict[int, bytes]] = {}
        self.filed: dict[ConversationId, int] = {}

    def file(self, conversation: ConversationId, filings: Sequence[Filing], *, since: int, recorded_at: str) -> None:
        """Note how claims stand from an epoch on. Cost: what is filed."""
        for each in filings:
            place = self._newest.get((conversation, each.id))
            if place is not None:
                self._standings[place] = replace(self._standings[place], upto=since, ended_at=recorded_at)
            self._newest[conversation, each.id] = len(self._standings)
            self._standings.append(
                _Standing(
                    conversation=conversation,
                    number=self._number(conversation, each),
                    filing=each,
                    since=since,
                    recorded_at=recorded_at,
                )
            )
        self.filed[conversation] = since

    def unfile(self, conversation: ConversationId) -> None:
        """Let go of all that was filed of a conversation. Cost: all of the store."""
        self._standings = [each for each in self._standings if each.conversation != conversation]
        # What has ended is no claim's newest: a later one of the same claim comes after it.
        self._newest = {(each.conversation, each.filing.id): place for place, each in enumerate(self._standings)}
        gone = {number for (name, *_), number in self._numbers.items() if name == conversation}
        self._numbers = {key: number for key, number in self._numbers.items() if number not in gone}
        for vectors in self._vectors.values():
            for number in gone & vectors.keys():
                del vectors[number]
        self.filed.pop(conversation, None)

    def find(self, query: Query, in_step: Container[ConversationId]) -> tuple[Found, ...]:
        """Give the claims that match best: by shared words, or by the nearest vector."""
        looked_at = sorted(self._looked_at(query, in_step), key=lambda each: (each.conversation, each.number))
        scores = self._meant(looked_at, query) if query.vector else _worded(looked_at, query)
        best = sorted(scores, key=lambda place: (-scores[place], place))[: query.limit]
        return tuple(_found(looked_at[place], scores[place]) for place in best)

    def unembedded(self, embedder: str, limit: int) -> tuple[tuple[int, str], ...]:
        """Give claims that have no vector of an embedder yet."""
        known = self._vectors.get(embedder, {})
        missing = [(number, text) for (_, _, text), number in self._numbers.items() if number not in known]
        return tuple(sorted(missing)[:limit])

    def embed(self, embedder: str, vectors: Iterable[Vector]) -> None:
        """Keep vectors of claims."""
        there = set(self._numbers.values())
        known = self._vectors.setdefault(embedder, {})
        for each in vectors:
            if each.number in there:
                known.setdefault(each.number, each.row)

    def _number(self, conversation: ConversationId, filing: Filing) -> int:
        key = (conversation, filing.id, filing.text)
        if key not in self._numbers:
            self._count += 1
            self._numbers[key] = self._count
        return self._numbers[key]

    def _looked_at(self, query: Query, in_step: Container[ConversationId]) -> Iterator[_Standing]:
        for each in self._standings:
            is_meant = query.conversation in (None, each.conversation) and each.conversation in in_step
            is_shown = query.has_superseded or is_standing(each.filing.label, each.filing.lifecycle)
            if is_meant and is_shown and each.was_so(query.as_of):
                yield each

    def _meant(self, looked_at: Sequence[_Standing], query: Query) -> dict[int, float]:
        known = self._vectors.get(query.embedder, {})
        shelf = VectorShelf()
        shelf.take((place, known[each.number]) for place, each in enumerate(looked_at) if each.number in known)
        return dict(shelf.nearest(query.vector, range(len(looked_at)), query.limit))


def _worded(looked_at: Sequence[_Standing], query: Query) -> dict[int, float]:
    wanted = _words(query.words)
    shared = {place: len(wanted & _words(each.filing.text)) for place, each in enumerate(looked_at)}
    return {place: float(count) for place, count in shared.items() if count}


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _found(standing: _Standing, score: float) -> Found:
    filing = standing.filing
    return Found(
        conversation=standing.conversation,
        id=filing.id,
        text=filing.text,
        kind=filing.kind,
        label=filing.label,
        lifecycle=filing.lifecycle,
        since=standing.since,
        recorded_at=standing.recorded_at,
        score=score,
    )
