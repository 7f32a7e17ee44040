"""Figures of a text with their units, and dates and times, in forms that can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from upheld.speech.matching.entities import Entity, ValueKind, affirmed, entities, is_same
from upheld.speech.matching.lexicon import NUMBER_WORDS
from upheld.speech.matching.tokens import stem

_SCALES = {
    "k": 3, "thousand": 3, "million": 6, "mn": 6, "billion": 9, "bn": 9, "hundred": 2,
}  # fmt: skip
_UNITS: dict[str, tuple[str, Decimal]] = {
    form: (dimension, Decimal(factor))
    for dimension, factor, forms in (
        ("time", "0.000001", "\u00b5s us microsecond"),
        ("time", "0.001", "ms millisecond"),
        ("time", "1", "s sec second"),
        ("time", "60", "min minute"),
        ("time", "3600", "h hr hour"),
        ("time", "86400", "day"),
        ("time", "604800", "week"),
        ("months", "1", "month"),
        ("months", "12", "year"),
        ("bytes", "1", "b byte"),
        ("bytes", "1000", "kb kilobyte"),
        ("bytes", "1000000", "mb megabyte"),
        ("bytes", "1000000000", "gb gigabyte"),
        ("bytes", "1000000000000", "tb terabyte"),
        ("length", "0.001", "mm millimetre millimeter"),
        ("length", "0.01", "cm centimetre centimeter"),
        ("length", "1", "metre meter"),
        ("length", "1000", "km kilometre kilometer"),
        ("mass", "0.001", "mg milligram"),
        ("mass", "1", "g gram"),
        ("mass", "1000", "kg kilogram kilo"),
        ("share", "1", "% percent pct"),
        ("euro", "1", "\u20ac eur euro"),
        ("dollar", "1", "$ usd dollar"),
        ("pound", "1", "\u00a3 gbp"),
        ("celsius", "1", "\u00b0c celsius"),
        ("fahrenheit", "1", "\u00b0f fahrenheit"),
    )
    for form in forms.split()
}
_PLAIN = {
    word: int(value)
    for word, value in NUMBER_WORDS.items()
    if value.isdigit() and word not in {"once", "twice", "double", "doubled", "triple", "tripled"}
}
_SPOKEN = _PLAIN | {
    f"{tens}{joint}{unit}": _PLAIN[tens] + place
    for tens in ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
    for place, unit in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), start=1)
    for joint in "- "
}
_SMALL = 12
"""Most that people write as a word and count by the way: the two books, five of them, until nine."""

_PARTS = re.compile(r"\A[\s-]*(?:half|halves|third|quarter|fifth|sixth|eighth|tenth|hundredth|thousandth)s?\b", re.I)
_HEDGED = re.compile(
    r"\b(?:about|around|some|roughly|nearly|almost|approximately|over|under|(?:more|less|fewer|rather) than|at least|"
    r"at most|up to|above|below|close to|just)\s*\Z",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"(?P<sign>[\u20ac$\u00a3])?\s?(?<![\w.,:/-])(?P<minus>[-\u2212])?"
    r"(?:(?P<figure>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![.,:/]?\d)(?:st|nd|rd|th)?\b|"
    rf"(?P<word>\b(?:{'|'.join(sorted(_SPOKEN.keys() - {'hundred', 'thousand'}, key=len, reverse=True))})\b))"
    r"(?:\s?(?P<scale>k|thousand|million|mn|billion|bn|hundred)\b)?"
    r"(?:[\s-]?(?P<unit>%|\u20ac|\$|\u00a3|\u00b0[cf]|[^\W\d_]+))?",
    re.IGNORECASE,
)
_GLUED = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?)(?=(?:ms|s|sec|min|h|hr|kb|mb|gb|tb|mm|cm|km|mg|g|kg|k|bn|mn)\b)", re.I)
_WHEN = frozenset({ValueKind.DATE, ValueKind.WEEKDAY, ValueKind.TIME})
_MARKS = frozenset({ValueKind.EMAIL, ValueKind.ADDRESS, ValueKind.CODE, ValueKind.PHONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A figure in the first unit of its dimension; without a known unit ``dimension`` is empty.

    ``unit`` is the stem of the word after it. ``is_loose``: a small number in words, such as people use without meaning
    a measure. ``is_hedged``: about so much, more than that.
    """

    written: str
    figure: Decimal
    size: Decimal
    dimension: str
    unit: str
    is_loose: bool
    is_hedged: bool

    def is_same_as(self, other: Quantity) -> bool:
        """Tell whether both say the same size; one that is hedged may be up to a tenth off."""
        if self.dimension and other.dimension and self.dimension != other.dimension:
            return False
        one, two = (self.size, other.size) if self.dimension and other.dimension else (self.figure, other.figure)
        slack = abs(two) / 10 if self.is_hedged or other.is_hedged else 0
        return abs(one - two) <= slack or self.size == other.size


def quantities(text: str) -> tuple[Quantity, ...]:
    """Give the figures of a text, without those that are part of a date, a time, a code or a version. Cost: linear."""
    plain = _GLUED.sub(r"\1 ", text)
    taken = [entity.span for entity in entities(plain) if entity.kind in _WHEN | _MARKS]
    return tuple(
        quantity
        for found in _QUANTITY.finditer(plain)
        if not any(start < found.end() and found.start() < end for start, end in taken)
        and (quantity := _quantity(found, plain)) is not None
    )


def _quantity(found: re.Match[str], text: str) -> Quantity | None:
    end = found.end("figure") if found["figure"] else found.end("word")
    if _PARTS.match(text[end : end + 20]) is not None:
        return None
    plain = found["figure"].replace(",", "") if found["figure"] else str(_SPOKEN[found["word"].casefold()])
    scale = Decimal(10) ** _SCALES.get((found["scale"] or "").casefold(), 0)
    figure = Decimal(plain) * scale * (-1 if found["minus"] else 1)
    unit = (found["sign"] or found["unit"] or "").casefold()
    dimension, factor = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s")) or ("", Decimal(1))
    if found["word"] and found["word"].casefold() == "one" and not dimension:
        return None
    return Quantity(
        written=found.group().strip(),
        figure=figure,
        size=figure * factor,
        dimension=dimension,
        unit=stem(unit),
        is_loose=not found["figure"] and not dimension and figure <= _SMALL,
        is_hedged=_HEDGED.search(text[: found.start()][-20:]) is not None,
    )


def moments(text: str) -> tuple[Entity, ...]:
    """Give the dates, days of the week and times of a text, without those that it sets aside."""
    return tuple(entity for entity in affirmed(text) if entity.kind in _WHEN)


def marks(text: str) -> tuple[Entity, ...]:
    """Give what means one thing in the world: addresses, codes, telephone numbers."""
    return tuple(entity for entity in affirmed(text) if entity.kind in _MARKS)


def is_said_of(moment: Entity, text: str) -> bool:
    """Tell whether a text has the same date, day, time or mark, be it more exact: 05:12 is said of 05:12:09."""
    return any(is_same(moment, other) for other in affirmed(text)) or moment.written in text
