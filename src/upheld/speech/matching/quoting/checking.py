"""Whether somebody wrote what a reply quotes: word for word, nearly, elsewhere, in pieces, or nobody (C-47)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from upheld.speech.matching.entities import entities
from upheld.speech.matching.lexicon import OPPOSITES, TURNED
from upheld.speech.matching.quoting.closeness import Window, close_windows
from upheld.speech.matching.quoting.finding import FEWEST_WORDS, Quotation, quotations
from upheld.speech.matching.quoting.sources import Run, Source, Sources
from upheld.speech.matching.quoting.words import words_of
from upheld.speech.matching.tokens import frame, stem

FEWEST_OF_A_PART = 3
"""Words of a part of a stitched quotation."""

MOST_PARTS = 6
"""Parts of a stitched quotation; more would be found in any text that is long enough."""

COVERED = 0.8
"""Least share of a stitched quotation that its parts make up."""

MOST_LEFT_OUT = 60
"""Words that an ellipsis may stand for."""

SAME_WORD = 0.7
"""Least likeness in spelling of two words that may be one, misspelt or inflected otherwise."""

_CAUSAL = frozenset(map(stem, ("because", "since", "as", "for")))
"""Words that may take each other's place."""

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.\.\.|\u2026)\s*\]|\(\s*(?:\.\.\.|\u2026)\s*\)|\.\.\.|\u2026)\s*")


class QuoteStatus(StrEnum):
    """What became of a quotation.

    ``EXACT``: the same words in a row, letter case and punctuation aside. ``REPAIRED``: one wording is close, and no
    figure, name, negation or word of its own differs. ``MISATTRIBUTED``: it stands in another source than the one
    named. ``STITCHED``: its parts stand apart. ``FABRICATED``: nobody wrote it. ``TOO_SHORT``: it cannot be told from
    chance.
    """

    EXACT = "exact"
    REPAIRED = "repaired"
    MISATTRIBUTED = "misattributed"
    STITCHED = "stitched"
    FABRICATED = "fabricated"
    TOO_SHORT = "too_short"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a source has it: first and past-the-last character of the source's own text."""

    source: str
    span: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedQuote:
    """A quotation, and what is known of it.

    ``places`` are where it stands, one for each part; of a fabricated one what comes nearest, if anything does, and
    ``why`` says what is wrong with it. The text of the places is what it should read.
    """

    quotation: Quotation
    status: QuoteStatus
    places: tuple[Place, ...] = ()
    why: str = ""

    @property
    def passes(self) -> bool:
        """Tell whether somebody wrote it, where it says so."""
        return self.status in (QuoteStatus.EXACT, QuoteStatus.REPAIRED)


def check_quotes(text: str, sources: Iterable[Source]) -> tuple[CheckedQuote, ...]:
    """Check every quotation of a text, in its order. Cost: linear in the text and the sources, save for odd repeats."""
    return QuoteChecker(sources).check(text)


class QuoteChecker:
    """Sources indexed once, for many texts."""

    def __init__(self, sources: Iterable[Source]) -> None:
        """Index these sources. Cost: linear."""
        self._sources = Sources(sources)
        self._names = self._sources.names

    def check(self, text: str) -> tuple[CheckedQuote, ...]:
        """Check every quotation of a text."""
        return tuple(self._checked(quotation) for quotation in quotations(text, self._names))

    def _checked(self, quotation: Quotation) -> CheckedQuote:
        forms = _forms(quotation.text)
        if len(forms) < FEWEST_WORDS:
            return CheckedQuote(quotation=quotation, status=QuoteStatus.TOO_SHORT)
        found = [(run,) for run in self._sources.exact(forms)] or self._elided(quotation.text)
        if found:
            return self._attributed(quotation, QuoteStatus.EXACT, [self._runs(runs) for runs in found])
        return self._nearly(quotation, forms)

    def _elided(self, text: str) -> list[tuple[Run, ...]]:
        """Find the parts around marks of omission in one source, in order and near."""
        parts = [forms for part in _ELLIPSIS.split(text) if (forms := _forms(part))]
        if len(parts) < 2 or any(len(part) < 2 for part in parts):
            return []
        found: list[tuple[Run, ...]] = []
        for number in self._sources.holding(parts[0]):
            worded, at, runs = self._sources.worded[number], 0, list[Run]()
            for part in parts:
                place = worded.find(part, at)
                if place < 0 or (runs and place - at > MOST_LEFT_OUT):
                    break
                runs.append(Run(number, place, len(part)))
                at = place + len(part)
            if len(runs) == len(parts):
                found.append(tuple(runs))
        return found

    def _nearly(self, quotation: Quotation, forms: Sequence[str]) -> CheckedQuote:
        windows = close_windows(forms, self._sources)
        best = [each for each in windows if each.changes == windows[0].changes]
        wordings = {self._forms_of(each) for each in best}
        altered = _altered(quotation.text, self._place_of(best[0]).text) if best else ""
        if len(wordings) == 1 and not altered:
            return self._attributed(quotation, QuoteStatus.REPAIRED, [(self._place_of(each),) for each in best])
        parts = () if altered else self._parts(forms)
        if parts:
            return CheckedQuote(quotation=quotation, status=QuoteStatus.STITCHED, places=self._runs(parts))
        why = altered or ("several wordings are equally near" if best else "nobody wrote that")
        nearest = tuple(self._place_of(each) for each in best)
        return CheckedQuote(quotation=quotation, status=QuoteStatus.FABRICATED, places=nearest, why=why)

    def _parts(self, forms: Sequence[str]) -> tuple[Run, ...]:
        """Cover a quotation with rows of words that stand somewhere, longest first from the left."""
        runs: list[Run] = []
        at = 0
        while at < len(forms) and len(runs) <= MOST_PARTS:
            run = self._sources.longest_run(forms, at)
            if run is not None and run.count >= FEWEST_OF_A_PART:
                runs.append(run)
                at += run.count
            else:
                at += 1
        is_covered = sum(run.count for run in runs) >= COVERED * len(forms)
        return tuple(runs) if 1 < len(runs) <= MOST_PARTS and is_covered else ()

    def _attributed(self, quotation: Quotation, status: QuoteStatus, found: list[tuple[Place, ...]]) -> CheckedQuote:
        """Give the place in a named source, if one is named and has it."""
        if quotation.cited:
            why = f"{quotation.cited} is no source that is known"
            return CheckedQuote(quotation=quotation, status=QuoteStatus.MISATTRIBUTED, places=found[0], why=why)
        named = [places for places in found if places[0].source in quotation.named]
        if quotation.named and not named:
            why = f"it stands in {found[0][0].source}, not in {', '.join(sorted(quotation.named)[:3])}"
            return CheckedQuote(quotation=quotation, status=QuoteStatus.MISATTRIBUTED, places=found[0], why=why)
        return CheckedQuote(quotation=quotation, status=status, places=(named or found)[0])

    def _runs(self, runs: Iterable[Run]) -> tuple[Place, ...]:
        return tuple(self._place(run.source, run.place, run.count) for run in runs)

    def _place_of(self, window: Window) -> Place:
        return self._place(window.source, window.first, window.past - window.first)

    def _forms_of(self, window: Window) -> tuple[str, ...]:
        return self._sources.worded[window.source].forms[window.first : window.past]

    def _place(self, number: int, first: int, count: int) -> Place:
        span = self._sources.worded[number].span(first, count)
        source = self._sources.all[number]
        return Place(source=source.id, span=span, text=source.text[slice(*span)])


def _forms(text: str) -> tuple[str, ...]:
    return tuple(word.form for word in words_of(text))


def _altered(quoted: str, written: str) -> str:
    """Say what of the meaning differs between a quotation and the words that it is close to; empty if nothing does."""
    ours, theirs = frame(quoted), frame(written)
    if ours.numbers != theirs.numbers or _values(quoted) != _values(written):
        return "a figure or a date differs"
    if ours.negated != theirs.negated:
        return "a negation differs"
    if (ours.names - theirs.terms) or (theirs.names - ours.terms):
        return "a name differs"
    strange, left = ours.terms - theirs.terms - _CAUSAL, theirs.terms - ours.terms
    if any(all(SequenceMatcher(None, one, other).ratio() < SAME_WORD for other in left) for one in strange):
        return "a word differs"
    turned = _pairs(ours.guards, theirs.guards) & TURNED or _pairs(ours.terms, theirs.terms) & OPPOSITES
    return "a word that turns the sense differs" if turned else ""


def _values(text: str) -> list[str]:
    return sorted(entity.value for entity in entities(text))


def _pairs(ours: frozenset[str], theirs: frozenset[str]) -> set[frozenset[str]]:
    return {frozenset((one, other)) for one in ours - theirs for other in theirs - ours}
