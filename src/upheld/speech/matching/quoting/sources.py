"""What may be quoted: turns, results of tools, documents; and an index of their words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from upheld.logic.language.turns import Turn
from upheld.speech.matching.quoting.words import Worded

PAIRS_LOOKED_AT = 100
"""Places of one pair of words that are looked at; what is said more often tells little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A text under an id. ``names`` are others by which it may be called: a title, whoever said it."""

    id: str
    text: str
    names: tuple[str, ...] = ()


def sources_of(turns: Iterable[Turn]) -> tuple[Source, ...]:
    """Give turns as sources, each called by its id and its speaker."""
    return tuple(Source(id=turn.id, text=turn.text, names=(turn.speaker,)) for turn in turns if turn.text)


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a quotation that stand in a row in one source: where, and how many."""

    source: int
    place: int
    count: int


class Sources:
    """Sources with an index of their pairs of words. Cost: linear in their length, once."""

    def __init__(self, sources: Iterable[Source]) -> None:
        """Index these."""
        self.all = tuple(sources)
        self.worded = tuple(Worded(source.text) for source in self.all)
        self._pairs: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self._in_sources: dict[tuple[str, str], set[int]] = {}
        for number, worded in enumerate(self.worded):
            for place, pair in enumerate(pairwise(worded.forms)):
                places = self._pairs.setdefault(pair, [])
                if len(places) < PAIRS_LOOKED_AT:
                    places.append((number, place))
                self._in_sources.setdefault(pair, set()).add(number)

    @property
    def names(self) -> dict[str, frozenset[str]]:
        """Every way to call a source, with the ids that it may mean."""
        found: dict[str, set[str]] = {}
        for source in self.all:
            for name in (source.id, *source.names):
                found.setdefault(name, set()).add(source.id)
        return {name: frozenset(ids) for name, ids in found.items()}

    def holding(self, forms: Sequence[str]) -> list[int]:
        """Give the sources that have every neighbouring pair of these words, in order. Cost: the pairs, and answers."""
        pairs = list(pairwise(forms))
        if not pairs:
            return []
        groups = sorted((self._in_sources.get(pair, set[int]()) for pair in set(pairs)), key=len)
        return sorted(groups[0].intersection(*groups[1:]))

    def exact(self, forms: Sequence[str]) -> Iterator[Run]:
        """Give, for each source that has these words in a row, the first place."""
        for number in self.holding(forms):
            place = self.worded[number].find(forms)
            if place >= 0:
                yield Run(number, place, len(forms))

    def places(self, pair: tuple[str, str]) -> Sequence[tuple[int, int]]:
        """Give the places of two words in a row, at most :data:`PAIRS_LOOKED_AT`."""
        return self._pairs.get(pair, ())

    def longest_run(self, forms: Sequence[str], start: int) -> Run | None:
        """Give the longest row of a quotation's words from one on that stands in a source; two at least."""
        best: Run | None = None
        for number, place in self.places((forms[start], forms[start + 1])) if start + 1 < len(forms) else ():
            theirs = self.worded[number].forms
            if best is not None and not _goes_on(forms, start, theirs, place, best.count):
                continue
            count = 2
            while (
                start + count < len(forms)
                and place + count < len(theirs)
                and forms[start + count] == theirs[place + count]
            ):
                count += 1
            if best is None or count > best.count:
                best = Run(number, place, count)
        return best


def _goes_on(forms: Sequence[str], start: int, theirs: Sequence[str], place: int, count: int) -> bool:
    """Tell whether the word after ``count`` of them is the same too: else it is no longer run."""
    return start + count < len(forms) and place + count < len(theirs) and forms[start + count] == theirs[place + count]
