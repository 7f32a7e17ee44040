"""A run of turns cut into passages: short turns together with their neighbours, long ones in parts.

"Yes, but not before Friday" is found by what it answers, and one sentence of a long message by itself. A passage holds
some eighty words, about what the encoder was trained to read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from upheld.speech.matching.clauses import sentences
from upheld.speech.retrieval.document import Document

WORDS = 80
"""Words that a passage holds at most; chosen on dev conversations from 40, 60, 80, 120 and 160."""

STEP = 40
"""Words after which the next passage ends, so that each text is in about two; in four, nothing more was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Words of one document, or of several neighbouring ones. ``places`` are theirs, in order."""

    text: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """What a passage takes whole: a short turn, or a sentence of a long one."""

    place: int
    text: str
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The end of the conversation so far, as far back as a passage reaches; a value.

    ``unread`` counts the words since the last passage ended. Where one turn comes after another makes the passages,
    not how many were given at once.
    """

    units: tuple[Unit, ...] = ()
    unread: int = 0
    session: str = ""

    def extended(self, documents: Iterable[tuple[int, Document]]) -> tuple[Run, list[Passage]]:
        """Give the run with turns added at their places, and the passages that they complete.

        A session's last words wait for the next session, or for more of the same; engine items stand by themselves and
        are passed over.
        """
        run, made = self, list[Passage]()
        for place, document in documents:
            if document.is_engine_item:
                continue
            if document.session != run.session:
                if run.unread:
                    made.append(_passage(run.units))
                run = Run(session=document.session)
            for unit in _units(place, document):
                run, completed = run.followed_by(unit)
                made.extend(completed)
        return run, made

    def followed_by(self, unit: Unit) -> tuple[Run, list[Passage]]:
        """Give the run with one more unit, and the passages that end before it or with it."""
        made = list[Passage]()
        units = _fitting((*self.units, unit))
        unread = self.unread
        if unread > sum(each.words for each in units) - unit.words:
            # The unit leaves no room for words that no passage has had.
            made.append(_passage(self.units))
            unread = 0
        unread += unit.words
        if unread >= STEP:
            made.append(_passage(units))
            unread = 0
        return Run(units=units, unread=unread, session=self.session), made


def spoken(document: Document) -> str:
    """Give the words that are indexed: a turn with its speaker's name, an engine item as it is."""
    if document.is_engine_item or not document.speaker:
        return document.text
    return f"{document.speaker}: {document.text}"


def _units(place: int, document: Document) -> Iterator[Unit]:
    """Give a short turn whole, a long one by sentence, and a sentence that is too long in pieces."""
    text = spoken(document)
    words = text.split()
    if len(words) <= WORDS:
        yield Unit(place, text, max(len(words), 1))
        return
    for start, end in sentences(text):
        sentence = text[start:end].split()
        for first in range(0, len(sentence), WORDS):
            piece = sentence[first : first + WORDS]
            yield Unit(place, " ".join(piece), len(piece))


def _fitting(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Give the last units that fit a passage, the newest in any case."""
    total, first = 0, len(units)
    while first and (total + units[first - 1].words <= WORDS or first == len(units)):
        first -= 1
        total += units[first].words
    return units[first:]


def _passage(units: tuple[Unit, ...]) -> Passage:
    return Passage(
        text=" ".join(unit.text for unit in units),
        places=tuple(dict.fromkeys(unit.place for unit in units)),
    )
