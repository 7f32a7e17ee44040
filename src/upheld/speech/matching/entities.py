"""Values in a text, each with what it is a value of: addresses, codes, times, dates, amounts, counts of something.

A bare number says nothing that could be compared; "three lamps", "3 Mill Lane" and "3 pm" do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from upheld.speech.matching.lexicon import NEGATIONS, NUMBER_WORDS, STOP_WORDS, UNITS
from upheld.speech.matching.tokens import NUMERAL, SCALED, frame, has_compound, numeral, stem


class ValueKind(StrEnum):
    """What sort of value: two values can only replace or exclude each other within one sort."""

    NAME = "name"
    EMAIL = "e-mail address"
    ADDRESS = "address"
    CODE = "code"
    PHONE = "phone number"
    MONEY = "amount"
    TIME = "time"
    DATE = "date"
    WEEKDAY = "weekday"
    LABEL = "label"
    COUNT = "count"
    NUMBER = "number"
    OPTION = "option"


TELLING = frozenset({ValueKind.EMAIL, ValueKind.ADDRESS, ValueKind.CODE, ValueKind.PHONE})
"""Sorts whose values mean one thing in the world, whatever is said about them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One value: ``key`` says of what (the thing counted, the word before a code), ``value`` is its normal form.

    ``span`` is its place in the text; ``figure`` the place of what changes when another value takes its place, and
    ``written`` the words of the value itself.
    """

    kind: ValueKind
    key: str
    value: str
    span: tuple[int, int]
    figure: tuple[int, int]
    written: str

    @property
    def terms(self) -> frozenset[str]:
        """The stems and figures that it takes up in a frame: of a count the number and what is counted.

        The city of an address is none of them: another city is another claim.
        """
        if self.kind is ValueKind.COUNT:
            return frozenset((self.value, self.key))
        return frame(self.written[: len(self.value)] if self.kind is ValueKind.ADDRESS else self.written).terms

    @property
    def place(self) -> tuple[ValueKind, str]:
        """What it is a value of: values of the same place exclude each other."""
        return self.kind, self.key


_STREETS = (
    "Street|St|Road|Rd|Lane|Avenue|Ave|Square|Court|Crescent|Drive|Close|Way|Place|Terrace|Row|Hill|Gardens|Quay|"
    "Boulevard|Grove|Walk|Park|Wharf|Yard|Mews|Parade|Green|Bridge|Alley"
)
_MONTHS: list[str] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)\b"
)
_WEEKDAY = r"\b(?P<weekday>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b"
_CODED = "order|booking|ticket|case|invoice|serial|membership|reference|tracking|customer|flight|confirmation|contract"
_LABELLED = (
    "room|gate|platform|seat|table|page|floor|door|terminal|version|level|apartment|flat|bay|track|bus|train|size|"
    "line|step|group|class|zone"
)
_FIGURE = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_NO_NUMERALS = frozenset(["one", "once", "half", "twice", "double", "doubled", "triple", "tripled"])
_WORDS = "|".join(sorted(NUMBER_WORDS.keys() - _NO_NUMERALS, key=len, reverse=True))
_SIMPLE = rf"(?:{_FIGURE}|(?:{_WORDS})\b(?!-))"
_COMPOUND = rf"(?:{SCALED}\b|(?i:{NUMERAL})\b(?!-)|{_SIMPLE})"
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_CURRENCY = {"\u20ac": "euro", "$": "dollar", "\u00a3": "pound"}


_ANY_NUMBER = "@number@"
"""Stands in the patterns for a number, which is read in one of two ways."""

# In the order in which they take their characters; what an earlier one took, a later one does not see.
_SOURCES: tuple[tuple[ValueKind, str], ...] = (
    (
        ValueKind.NAME,
        (
            r"\b(?i:(?:my|your) name(?:'s| is)(?: now)?|call me) (?P<figure>[A-Z][\w'-]{0,30})\b|"
            r"\b(?i:this is) (?P<here>[A-Z][\w'-]{0,30}) (?:now|here|speaking)\b"
        ),
    ),
    (ValueKind.EMAIL, r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"),
    (
        ValueKind.ADDRESS,
        (
            rf"\b(?P<house>\d{{1,5}}[a-z]?(?: [A-Z][\w'\u2019-]{{1,30}}){{1,3}}? (?:{_STREETS})\b)"
            r"(?:, (?P<city>[A-Z]\w{2,30}(?: [A-Z]\w{2,30})?)\b)?"
        ),
    ),
    (
        ValueKind.CODE,
        (
            rf"\b(?:(?P<key>(?i:{_CODED}))(?: (?i:number|reference|no\.?|id|code))?(?: (?:is|was|to|:))? #?)?"
            r"(?P<figure>[A-Z]{1,4}-?\d{2,12}(?:-\d{1,8})?)\b"
        ),
    ),
    (
        ValueKind.CODE,
        (
            rf"\b(?P<key>(?i:{_CODED}))(?: (?i:number|reference|no\.?|id|code))?(?: (?:is|was|to))?:? ?#?"
            r"(?P<figure>\d{3,14})\b"
        ),
    ),
    (ValueKind.PHONE, r"(?<![\w.:-])\+?\d{2,5}(?:[ /-]\d{2,6}){1,4}(?![\w:.-]\d)"),
    (
        ValueKind.MONEY,
        (
            rf"(?P<sign>[\u20ac$\u00a3]) ?(?P<figure>{_FIGURE})|"
            rf"\b(?P<amount>{_ANY_NUMBER}) ?(?P<unit>(?i:euros?|dollars?|pounds|EUR|USD|GBP)\b|[\u20ac])"
        ),
    ),
    (
        ValueKind.TIME,
        (
            r"\b(?P<hour>\d{1,2}):(?P<minute>\d{2})(?!:?\d)(?: ?(?P<half>[ap])\.?m\b\.?)?|"
            r"\b(?P<hour2>\d{1,2}) ?(?P<half2>[ap])\.?m\b\.?|\b(?P<word>noon|midnight)\b|"
            rf"\b(?P<part>(?i:half past|quarter past|quarter to)) (?P<hour3>\d{{1,2}}|(?i:{_HOURS})\b)|"
            rf"\b(?P<hour4>\d{{1,2}}|(?i:{_HOURS}))(?: o'clock\b|(?= in the (?:morning|afternoon|evening)\b))"
        ),
    ),
    (
        ValueKind.DATE,
        (
            rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})|"
            rf"\b(?P<month2>{_MONTH}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b|"
            r"\b\d{4}-(?P<month3>\d{2})-(?P<day3>\d{2})\b"
        ),
    ),
    (ValueKind.WEEKDAY, _WEEKDAY),
    (ValueKind.LABEL, rf"\b(?P<key>(?i:{_LABELLED})) (?P<figure>[A-Z]?\d{{1,4}}[A-Z]?)\b"),
    (
        ValueKind.COUNT,
        (
            rf"(?<![\w.,:/-])(?P<figure>(?i:{_ANY_NUMBER}))(?=(?P<unit>(?: (?!(?i:more|fewer|less|o'clock|of)\b)"
            r"[^\W\d_][\w'-]{0,30}){1,3}))"
        ),
    ),
    (ValueKind.NUMBER, rf"(?<![\w.,:/-])(?P<figure>(?i:{_ANY_NUMBER}))(?![\w:-])"),
)


def _patterns(number: str) -> tuple[tuple[ValueKind, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(source.replace(_ANY_NUMBER, number))) for kind, source in _SOURCES)


_PATTERNS, _LONGER_PATTERNS = _patterns(_SIMPLE), _patterns(_COMPOUND)

_CALLED = re.compile(r"\b(?:phone|number|call|mobile|cell|tel|reach|ring|text)\b", re.IGNORECASE)
_HALF = re.compile(r"\d ?([ap])\.?m", re.IGNORECASE)
_PLURALS = frozenset({"people", "children", "men", "women", "persons", "feet", "mice", "teeth"})


@lru_cache(maxsize=65536)
def entities(text: str) -> tuple[Entity, ...]:
    """Give the values of a text in its order; they do not overlap. Cost: linear; remembered for texts seen before."""
    found: list[Entity] = []
    taken = bytearray(len(text))
    for kind, pattern in _LONGER_PATTERNS if has_compound(text) else _PATTERNS:
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            entity = _READERS[kind](match) if kind in _READERS else _plain(kind, match)
            if entity is not None:
                found.append(entity)
                taken[slice(*entity.span)] = b"\1" * (entity.span[1] - entity.span[0])
    return tuple(sorted(found, key=lambda entity: entity.span))


def _entity(kind: ValueKind, match: re.Match[str], value: str, *, key: str = "", group: str | int = 0) -> Entity:
    return Entity(kind=kind, key=key, value=value, span=match.span(), figure=match.span(group), written=match[group])


def _plain(kind: ValueKind, match: re.Match[str]) -> Entity:
    return _entity(kind, match, match.group().casefold())


def _name(match: re.Match[str]) -> Entity:
    group = "figure" if match["figure"] else "here"
    return _entity(ValueKind.NAME, match, match[group].casefold(), group=group)


def _address(match: re.Match[str]) -> Entity:
    return _entity(ValueKind.ADDRESS, match, match["house"].casefold())


def _code(match: re.Match[str]) -> Entity:
    key = (match["key"] or "").casefold()
    value = match["figure"].casefold().replace("-", "")
    return _entity(ValueKind.CODE, match, value, key=key, group="figure")


def _phone(match: re.Match[str]) -> Entity | None:
    digits = re.sub(r"\D", "", match.group())
    if len(digits) < 7 or not _CALLED.search(match.string):
        return None
    return _entity(ValueKind.PHONE, match, digits)


def _money(match: re.Match[str]) -> Entity:
    figure = match["figure"] or match["amount"]
    sign = match["sign"] or match["unit"].casefold()
    unit = _CURRENCY.get(sign) or UNITS.get(sign) or sign.removesuffix("s")
    return _entity(ValueKind.MONEY, match, f"{_figure(figure)} {unit}")


def _time(match: re.Match[str]) -> Entity | None:
    """Give a time within half a day: "2:30" may be that of the afternoon, and nobody can tell."""
    if match["word"]:
        return _entity(ValueKind.TIME, match, match["word"])
    written = match["hour"] or match["hour2"] or match["hour3"] or match["hour4"]
    hour, minute = int(NUMBER_WORDS.get(written.casefold(), written)), match["minute"] or "00"
    if match["part"]:
        kind = match["part"].casefold()
        hour, minute = (hour - 1, "45") if kind.endswith("to") else (hour, "30" if kind.startswith("half") else "15")
    if hour > 24 or minute > "59":
        return None
    return _entity(ValueKind.TIME, match, f"{hour % 12}:{minute}")


def _date(match: re.Match[str]) -> Entity:
    day = int(match["day"] or match["day2"] or match["day3"])
    named = match["month"] or match["month2"]
    month = _MONTHS.index(named[:3].casefold()) + 1 if named else int(match["month3"])
    return _entity(ValueKind.DATE, match, f"{month:02}-{day:02}")


def _label(match: re.Match[str]) -> Entity:
    key = match["key"].casefold()
    return _entity(ValueKind.LABEL, match, match["figure"].casefold(), key=key, group="figure")


def _count(match: re.Match[str]) -> Entity | None:
    """Count the last plural after the number, before any function word: "two large pizzas to" counts pizzas."""
    end, unit = match.end("figure"), ""
    for word in re.finditer(r"[\w'-]+", match["unit"]):
        plain = word.group().casefold()
        if plain in STOP_WORDS or plain in NEGATIONS or (plain in NUMBER_WORDS and plain != "dozen"):
            break
        is_single = match["figure"] == "1" and not plain.endswith(("ed", "ing"))
        is_plural = plain in UNITS or plain in _PLURALS or (plain.endswith("s") and not plain.endswith("ss"))
        if is_single or is_plural:
            unit, end = stem(plain), match.start("unit") + word.end()
            break
    if not unit:
        return None
    figure = match["figure"]
    return Entity(
        kind=ValueKind.COUNT,
        key=unit,
        value=_figure(figure),
        span=(match.start(), end),
        figure=match.span("figure"),
        written=figure,
    )


def _bare(match: re.Match[str]) -> Entity:
    return _entity(ValueKind.NUMBER, match, _figure(match["figure"]), group="figure")


def _figure(written: str) -> str:
    plain = written.casefold()
    if plain in NUMBER_WORDS:
        return NUMBER_WORDS[plain]
    if plain[-1].isalpha():
        return numeral(plain) or plain
    return plain.replace(",", "").lstrip("0") or "0"


_READERS = {
    ValueKind.NAME: _name,
    ValueKind.ADDRESS: _address,
    ValueKind.CODE: _code,
    ValueKind.PHONE: _phone,
    ValueKind.MONEY: _money,
    ValueKind.TIME: _time,
    ValueKind.DATE: _date,
    ValueKind.LABEL: _label,
    ValueKind.COUNT: _count,
    ValueKind.NUMBER: _bare,
}

_PUT_ASIDE = re.compile(
    r"\b(?:not|isn't|wasn't|instead of|rather than|no longer|never|old|wrong|previous|former|than)"
    r"(?: (?:to|at|on|in|the|my|a|address|number|for|is|was))*\W*\Z",
    re.IGNORECASE,
)
_PART = re.compile(r"\bof (?:the|my|our|your|these|those|all)(?: last| first)?\W*\Z", re.IGNORECASE)
_FROM = re.compile(r"\bfrom(?: the)?\W*\Z", re.IGNORECASE)
_TO = re.compile(r"\A\W*(?:\w+\W+)?to\b", re.IGNORECASE)


def is_put_aside(text: str, entity: Entity) -> bool:
    """Tell whether a text sets a value aside: 14:00 in "not 14:00 but 15:30", three in "two of the three lamps"."""
    before = text[: entity.span[0]]
    is_left = _FROM.search(before) is not None and _TO.match(text[entity.span[1] :]) is not None
    return is_left or _PART.search(before) is not None or _PUT_ASIDE.search(before) is not None


def is_same(one: Entity, other: Entity) -> bool:
    """Tell whether two values are one; a figure without its unit is no other value than one with it."""
    if one.kind is not other.kind:
        return ValueKind.NUMBER in (one.kind, other.kind) and one.value == other.value
    if one.value != other.value or (one.key != other.key and one.kind not in TELLING):
        return False
    halves = {_half(one), _half(other)} - {""} if one.kind is ValueKind.TIME else set[str]()
    return len(halves) < 2


def _half(time: Entity) -> str:
    """Give the half of the day that a time names, if it does."""
    named = _HALF.search(time.written)
    if named is not None:
        return named.group(1).casefold()
    hour = time.written.partition(":")[0]
    return "p" if hour.isdigit() and 12 < int(hour) < 24 else ""


def affirmed(text: str) -> tuple[Entity, ...]:
    """Give the values that a text puts forward, without those that it sets aside."""
    return tuple(entity for entity in entities(text) if not is_put_aside(text, entity))
