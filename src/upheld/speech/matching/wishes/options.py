"""Options in a text: an area, a price range, a sort of food, a place with a name. A wish has one of a sort at a time.

They are no values in the sense of :mod:`~upheld.speech.matching.entities`: "the north gate" and "the south gate" are
two things, and neither speaks against the other. Only wishes for one thing exclude each other by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from upheld.speech.matching.entities import Entity, ValueKind, entities, is_put_aside
from upheld.speech.matching.lexicon import NUMBER_WORDS
from upheld.speech.matching.wishes.words import AREAS, CLASSES, COLOURS, CUISINES, LODGINGS, PRICES, SIGHTS, SIZES

_I = re.IGNORECASE


def _any_of(forms: Mapping[str, str]) -> str:
    return "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))


_OF_FOOD = r"food|cuisine|restaurants?|dish(?:es)?|places?|meals?|kitchen|takeaway|one"
_SORTS: tuple[tuple[str, Mapping[str, str], re.Pattern[str]], ...] = tuple(
    (sort, forms, re.compile(pattern, _I))
    for sort, forms, pattern in (
        ("area", AREAS, rf"\b(?P<option>{_any_of(AREAS)})\b(?! (?:street|road|station|avenue))"),
        ("price", PRICES, rf"\b(?P<option>{_any_of(PRICES)})\b"),
        (
            "cuisine",
            CUISINES,
            rf"\b(?P<option>{_any_of(CUISINES)})\b(?= (?:{_OF_FOOD})\b)|"
            rf"\b(?:about|serv(?:e|es|ing)|try|for|than|like|prefer|of) (?P<other>{_any_of(CUISINES)})\b"
            r"(?=\W*(?:\Z|instead|then|please|and|or|in|for|[.,?!]))",
        ),
        ("size", SIZES, rf"\b(?P<option>{_any_of(SIZES)})\b(?! of)"),
        ("colour", COLOURS, rf"\b(?:in |the |a |an )(?P<option>{_any_of(COLOURS)})\b"),
        ("lodging", LODGINGS, rf"\b(?P<option>{_any_of(LODGINGS)})\b"),
        ("sight", SIGHTS, rf"\b(?P<option>{_any_of(SIGHTS)})\b"),
        ("class", CLASSES, rf"\b(?P<option>{_any_of(CLASSES)})\b"),
    )
)
_STARS = re.compile(r"\b(?P<option>[0-5]|zero|one|two|three|four|five)[ -]stars?\b", _I)
_FEW = r"\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten"
_STAY = re.compile(rf"\b(?P<option>{_FEW}) (?:nights?|days)\b", _I)
_DAY = re.compile(
    r"\b(?P<option>(?:(?:this|next|coming) )?(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?: next week)?|today|"
    r"tonight|(?:the )?day after tomorrow|tomorrow|(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of (?:this|next) month)?)\b"
    r"(?! of [A-Z])",
    _I,
)
_PEOPLE = re.compile(
    rf"\b(?P<option>{_FEW}) (?:more )?(?:(?:[\w-]+ ){{0,4}}?(?=(?:tickets?|seats?)\b))?"
    r"(?:people|persons?|passengers?|riders?|travell?ers?|adults|seats?|tickets?|of us|guests?)\b|"
    rf"\bfor (?:just |only )?(?P<other>{_FEW})\b"
    r"(?=\W*(?:\Z|[.,?!]|instead|on|at|in|please|and))",
    _I,
)
_PROPER = r"[A-Z][\w'&.-]*"
_NAME = rf"(?P<option>(?:[tT]he )?(?:\d{{1,5}} )?{_PROPER}(?: (?:{_PROPER}|of|and|the|&|#? ?\d{{1,4}}\w?(?![\d:])))*)"
_NAMED = re.compile(
    rf"\b(?P<lead>at|in|to|from|about|try(?: out)?|visit|around|with|reserve|book|like|called|go for|"
    rf"change it to|it to) (?:the (?:city|town) of )?{_NAME}"
)
_LEADS = {"at": "at", "in": "in", "around": "in", "to": "to", "visit": "to", "from": "from"}
_UNTIL = re.compile(r"\b(?:till|until|to|through|return(?:ing)?(?: on)?)(?: the)?\s*\Z", _I)
_NO_NAME = re.compile(
    r"\A(?:I|I'm|I'd|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July"
    r"|August|September|October|November|December|AM|PM)\b"
)
_WORDS = frozenset(form for _, forms, _ in _SORTS for form in forms)
_TRAILING = re.compile(r"(?: (?:of|and|the|&))+\Z")


@lru_cache(maxsize=65536)
def options(text: str) -> tuple[Entity, ...]:
    """Give the options of a text in its order, those that it sets aside left out. Cost: linear; remembered."""
    read = (*_named(text), *_days(text), *_people(text), *_worded(text))
    # "From Leeds to York" sets nothing aside where it tells of a way.
    found = [each for each in read if each.key == "from" or not is_put_aside(text, each)]
    taken: list[Entity] = []
    for each in found:
        if not any(each.span[0] < other.span[1] and other.span[0] < each.span[1] for other in taken):
            taken.append(each)
    return tuple(sorted(taken, key=lambda each: each.span))


def _option(match: re.Match[str], sort: str, value: str, *, group: str = "option") -> Entity:
    span = match.span(group)
    return Entity(kind=ValueKind.OPTION, key=sort, value=value, span=span, figure=span, written=match[group])


def _worded(text: str) -> Iterator[Entity]:
    for sort, forms, pattern in _SORTS:
        for match in pattern.finditer(text):
            group = "option" if match["option"] else "other"
            yield _option(match, sort, forms[match[group].casefold()], group=group)
    for sort, pattern in (("stars", _STARS), ("stay", _STAY)):
        for match in pattern.finditer(text):
            written = match["option"].casefold()
            yield replace(_option(match, sort, NUMBER_WORDS.get(written, written)), span=match.span())


def _days(text: str) -> Iterator[Entity]:
    for each in entities(text):
        if each.kind is ValueKind.DATE:
            yield replace(each, kind=ValueKind.OPTION, key=_day_sort(text, each.span[0]))
    for match in _DAY.finditer(text):
        value = " ".join(match["option"].casefold().removeprefix("the ").split())
        yield _option(match, _day_sort(text, match.start()), value)


def _day_sort(text: str, start: int) -> str:
    return "last day" if _UNTIL.search(text[:start]) else "day"


def _people(text: str) -> Iterator[Entity]:
    for match in _PEOPLE.finditer(text):
        group = "option" if match["option"] else "other"
        written = match[group].casefold()
        number = _option(match, "people", NUMBER_WORDS.get(written, written), group=group)
        yield replace(number, span=match.span())


def _named(text: str) -> Iterator[Entity]:
    for match in _NAMED.finditer(text):
        if _NO_NAME.match(match["option"]):
            continue
        name = _TRAILING.sub("", match["option"]).rstrip(".")
        start = match.start("option")
        span = (start, start + len(name))
        value = name.casefold().removeprefix("the ")
        if value in _WORDS:
            continue
        sort = _LEADS.get(match["lead"].casefold(), "at")
        yield Entity(kind=ValueKind.OPTION, key=sort, value=value, span=span, figure=span, written=name)
