"""Where the claims that a language model gave stand in the reply, and what of the reply it passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from upheld.speech.matching.clauses import Span, sentences, trimmed
from upheld.speech.matching.cues import is_small_talk
from upheld.speech.matching.llm.request import printable
from upheld.speech.matching.quoting.words import Worded, words_of

FEWEST_WORDS = 4
"""Words of a passage that is too long to be passed over in silence."""

EXACT, REPAIRED, SENTENCE, NOWHERE = "", "found by its words alone", "found as a sentence only", "not in the reply"
"""How a claim was found in the reply: what stands in the note of a claim."""

_QUOTES = " \t\r\n\"'\u201c\u201d\u2018\u2019"


class Locator:
    """Finds passages of one reply, each after the one before while it can."""

    def __init__(self, text: str) -> None:
        """Look in this text."""
        self._text = printable(text)
        self._worded = Worded(self._text)
        self._after = 0

    def find(self, passage: str) -> tuple[Span, str]:
        """Give the span of a passage and how it was found; one that is not there at all has the span of the whole."""
        wanted = printable(passage).strip(_QUOTES)
        span = self._exact(wanted) or self._exact(wanted.rstrip(".,;:!? "))
        how = EXACT
        if span is None:
            span, how = self._by_words(passage), REPAIRED
        if span is None:
            span, how = self._sentence(passage), SENTENCE
        if span is None:
            return (0, len(self._text)), NOWHERE
        self._after = span[1]
        return span, how

    def _exact(self, wanted: str) -> Span | None:
        if not wanted:
            return None
        for start in (self._after, 0):
            found = self._text.find(wanted, start)
            if found >= 0:
                return self._to_the_end_of_words((found, found + len(wanted)))
        return None

    def _to_the_end_of_words(self, span: Span) -> Span | None:
        """Give a span unless it cuts a word in two: "cat" is not in "concatenate"."""
        start, end = span
        is_cut = (start > 0 and self._text[start - 1 : start + 1].isalnum()) or (
            end < len(self._text) and self._text[end - 1 : end + 1].isalnum()
        )
        return None if is_cut else span

    def _by_words(self, passage: str) -> Span | None:
        forms = [word.form for word in words_of(passage)]
        first, _ = self._worded.within((self._after, self._after))
        for start in (first, 0):
            found = self._worded.find(forms, start)
            if found >= 0:
                return self._worded.span(found, len(forms))
        return None

    def _sentence(self, passage: str) -> Span | None:
        """Give the sentence that shares most words with a passage, at least half of them."""
        forms = {word.form for word in words_of(passage)}
        best, most = None, len(forms) / 2
        for span in sentences(self._text):
            first, past = self._worded.within(span)
            shared = len(forms.intersection(self._worded.forms[first:past]))
            if shared >= most and shared > 0 and (best is None or shared > most):
                best, most = span, shared
        return best


def apart(spans: Sequence[Span]) -> list[Span]:
    """Give spans without overlap, one for one: what two share belongs to the one that begins later.

    ``spans`` must be sorted. Those that cannot be told apart come out equal.
    """
    found: list[Span] = []
    for start, end in spans:
        if not found or start >= found[-1][1]:
            found.append((start, end))
            continue
        before = found[-1]
        if before[0] < start:
            place = len(found)
            while place and found[place - 1] == before:
                place -= 1
                found[place] = (before[0], start)
            found.append((start, max(end, before[1])))
        else:
            found.append((before[1], end) if end > before[1] else before)
    return found


def passed_over(text: str, covered: Iterable[Span]) -> Iterator[Span]:
    """Give each stretch of a sentence that no span covers, if it is long enough to claim something.

    ``covered`` must be sorted. Cost: linear.
    """
    spans = list(covered)
    place = 0
    for start, end in sentences(text):
        at = start
        while place < len(spans) and spans[place][1] <= start:
            place += 1
        ahead = place
        while ahead < len(spans) and spans[ahead][0] < end:
            yield from _telling(text, at, spans[ahead][0])
            at = max(at, spans[ahead][1])
            ahead += 1
        yield from _telling(text, at, end)


def _telling(text: str, start: int, end: int) -> Iterator[Span]:
    for span in trimmed(text, start, end):
        part = text[slice(*span)]
        if len(words_of(part)) >= FEWEST_WORDS and not is_small_talk(part):
            yield span
