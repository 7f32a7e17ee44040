"""Quotations in a text: between marks, as block quotes, each with the source that the words around it name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from upheld.speech.matching.quoting.words import words_of

Span = tuple[int, int]

_AROUND = 120
"""Characters before and after a quotation in which a source may be named."""

FEWEST_WORDS = 3
"""Words of a quotation that can be told from chance; nothing is looked up for a shorter one."""

_MARKED = re.compile(
    r"(?<![\w\"])\"(?=[^\s\"])(?P<straight>[^\"\n]*)\"|"
    r"\u201c(?P<curly>[^\u201c\u201d]*)\u201d|"
    r"\u201e(?P<low>[^\u201e\u201c\u201d]*)[\u201c\u201d]|"
    r"\u00ab(?P<angled>[^\u00ab\u00bb]*)\u00bb|"
    r"(?<!\w)\u2018(?P<single>[^\u2018\n]{8,}?)\u2019(?!\w)|"
    r"\u300c(?P<corner>[^\u300c\u300d]*)\u300d|"
    r"\u300e(?P<white>[^\u300e\u300f]*)\u300f|"
    r"^(?P<block>[ \t]{0,3}>[^\n]*(?:\n[ \t]{0,3}>[^\n]*)*)",
    re.MULTILINE,
)
_CITED = re.compile(r"\A[\s.,;]{0,3}(?:\[(?P<square>[^\]\n]{1,60})\]|\((?P<round>[^)\n]{1,60})\))")
_MARKER = re.compile(r"\b(?:source|see|in|from|doc|document|turn|ref)\b:?", re.IGNORECASE)
_IDENTIFIER = re.compile(r"(?=[\w.:-]*\d)(?=[\w.:-]*[A-Za-z])[\w.:-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """What a text puts between marks; ``span`` leaves the marks out.

    ``named`` are the sources that the words around it name, ``cited`` a name beside it that is no known source.
    """

    span: Span
    text: str
    named: frozenset[str] = frozenset()
    cited: str = ""


def quotations(text: str, names: Mapping[str, frozenset[str]] | None = None) -> tuple[Quotation, ...]:
    """Give the quotations of a text in its order, those within another left out.

    ``names`` maps the names of sources, as they may be written, to the ids that they may mean. Single straight marks
    are not read: they are apostrophes too. Cost: linear.
    """
    known = _by_first_word(names or {})
    return tuple(_quotation(text, span, known) for span in _spans(text))


def _spans(text: str) -> Iterator[Span]:
    for found in _MARKED.finditer(text):
        start, end = found.span(found.lastgroup or 0)
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start < end:
            yield start, end


Names = Mapping[str, Sequence[tuple[tuple[str, ...], frozenset[str]]]]
"""Under the first word of each name: all its words, and the sources that it may mean."""


def _by_first_word(names: Mapping[str, frozenset[str]]) -> Names:
    found: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = {}
    for name, ids in names.items():
        forms = tuple(word.form for word in words_of(name))
        if forms:
            found.setdefault(forms[0], []).append((forms, ids))
    return found


def _quotation(text: str, span: Span, known: Names) -> Quotation:
    words = text[slice(*span)]
    if len(words_of(words)) < FEWEST_WORDS:
        return Quotation(span=span, text=words)
    after = text[span[1] + 1 : span[1] + 1 + _AROUND]
    citation = _CITED.match(after)
    if citation is not None:
        written = citation["square"] or citation["round"]
        ids = _named(_MARKER.sub(" ", written), known) or _named(written, known)
        if ids:
            return Quotation(span=span, text=words, named=ids[-1])
        if citation["square"] and _IDENTIFIER.fullmatch(written.strip()):
            return Quotation(span=span, text=words, cited=written.strip())
    before = re.split(r"[\n.!?]\s", text[max(0, span[0] - _AROUND) : span[0]])[-1]
    said = _named(before, known)
    if said:
        return Quotation(span=span, text=words, named=said[-1])
    later = re.split(r"\n\n|[.!?]\s", after)[0]
    told = _named(later, known)
    return Quotation(span=span, text=words, named=told[0] if told else frozenset())


def _named(text: str, known: Names) -> list[frozenset[str]]:
    """Give the sources that a stretch of text names, in its order."""
    forms = tuple(word.form for word in words_of(text))
    found: list[frozenset[str]] = []
    for place, form in enumerate(forms):
        longest = max(
            (each for each in known.get(form, ()) if forms[place : place + len(each[0])] == each[0]),
            key=lambda each: len(each[0]),
            default=None,
        )
        if longest is not None:
            found.append(longest[1])
    return found
