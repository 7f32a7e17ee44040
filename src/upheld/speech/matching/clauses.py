"""A text cut into sentences and clauses, with the place of each in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

# One blank, never a run of them, in each pattern: a run could be split in as many ways as it is long.
_ABBREVIATIONS = ("e.g.", "i.e.", "dr.", "mr.", "mrs.", "ms.", "st.", "no.", "vs.", "approx.", "etc.", "prof.")
_END = re.compile(r"[.!?]+[\"')\u201d\u2019]*(?=\s|$)|\n+")
_BREAK = re.compile(
    r";\s|\s[\u2013\u2014-]\s|,\s(?:and|but|so|while|whereas)\s|\sbut\s|:\s|"
    r",\s(?=(?:we|they|he|she|it|that|this|i|you|nobody|everyone)(?:'\w+)?\s)",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"\A(?:since|because|given that|now that|as long as|seeing that|with)\s(?P<given>[^,]+),\s(?P<then>.+)\Z",
    re.IGNORECASE | re.DOTALL,
)
_REASON = re.compile(r",?\s(?:because|since|given that|now that)\s", re.IGNORECASE)
_FEWEST_WORDS = 3


def sentences(text: str) -> Iterator[Span]:
    """Give the span of each sentence, without the blanks around it."""
    start = 0
    for found in _END.finditer(text):
        words = text[start : found.end()].casefold()
        if words.endswith(_ABBREVIATIONS) and found.end() < len(text) and not _is_answer(text, found.end(), words):
            continue
        yield from trimmed(text, start, found.end())
        start = found.end()
    yield from trimmed(text, start, len(text))


def _is_answer(text: str, end: int, words: str) -> bool:
    """Tell whether "No." is a sentence of its own, and no number, as in "no. 5"."""
    return words.strip() == "no." and not text[end:].lstrip()[:1].isdigit()


def clauses(text: str, span: Span) -> tuple[Span, ...]:
    """Give the coordinate clauses of a sentence; a part of fewer than three words stays with the one before it."""
    start, end = span
    parts: list[Span] = []
    for found in _BREAK.finditer(text, start, end):
        if _is_long(text[start : found.start()]) and _is_long(text[found.end() : end]):
            parts.extend(trimmed(text, start, found.start()))
            start = found.end()
    parts.extend(trimmed(text, start, end))
    return tuple(parts)


def given_and_then(text: str, span: Span) -> tuple[Span, Span] | None:
    """Give what a sentence takes for granted, and what it says on that ground: "Since X, Y", "Y because X"."""
    start, end = span
    found = _GIVEN.match(text[start:end])
    if found is not None:
        given, then = found.span("given"), found.span("then")
        parts = ((start + given[0], start + given[1]), (start + then[0], start + then[1]))
    else:
        split = _REASON.search(text, start, end)
        if split is None or not _is_long(text[start : split.start()]) or not _is_long(text[split.end() : end]):
            return None
        parts = ((split.end(), end), (start, split.start()))
    whole = [place for part in parts for place in trimmed(text, *part)]
    return (whole[0], whole[1]) if len(whole) == 2 else None


def trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """Give the span without blanks at its ends, or nothing when nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _is_long(text: str) -> bool:
    return len(text.split(maxsplit=_FEWEST_WORDS)) >= _FEWEST_WORDS
