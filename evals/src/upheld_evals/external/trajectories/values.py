"""Values in a reply of an airline's agent, of five kinds, each with the words as written and a normal form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What sort of value; one is only ever swapped for another of its sort."""

    RESERVATION = "reservation id"
    ACCOUNT = "user or payment id"
    FLIGHT = "flight number"
    AMOUNT = "amount"
    DATE = "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value: ``normal`` is the same for two ways to write the same; ``span`` its place in the text."""

    kind: Kind
    written: str
    normal: str
    span: tuple[int, int]


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_PATTERNS = (
    (Kind.ACCOUNT, re.compile(r"\b[a-z]+(?:_[a-z]+)*_\d{4,8}\b")),
    (Kind.FLIGHT, re.compile(r"\bHAT\d{3}\b")),
    (Kind.RESERVATION, re.compile(r"\b(?!HAT\d{3}\b)(?=\d*[A-Z])[A-Z\d]{6}\b")),
    (Kind.AMOUNT, re.compile(r"\$ ?(?P<amount>\d[\d,]*(?:\.\d+)?)")),
    (Kind.DATE, re.compile(r"\b(?P<year>\d{4})-(?P<number>\d\d)-(?P<date>\d\d)(?!\d)")),
    (Kind.DATE, re.compile(rf"\b(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<of>\d{{4}})\b)?")),
)
_FIGURE = re.compile(r'(?<=": )\d{2,6}(?:\.\d+)?(?=[,}])')
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


def values_in(text: str) -> tuple[Value, ...]:
    """Give the values of a text in its order. Cost: linear."""
    found: list[Value] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            normal = _normal(kind, match)
            if normal:
                found.append(Value(kind=kind, written=match[0], normal=normal, span=match.span()))
    return tuple(sorted(found, key=lambda each: each.span))


def values_told(text: str) -> Iterator[Value]:
    """Give the values of a source; in the output of a tool, a bare figure may be an amount."""
    yield from values_in(text)
    for match in _FIGURE.finditer(text):
        yield Value(kind=Kind.AMOUNT, written=f"${match[0]}", normal=_figure(match[0]), span=match.span())


def has_literally(text: str, value: Value) -> bool:
    """Tell whether a text has a value as it is written, as a word of its own; an amount without sign and commas.

    A date may have a time at its end.
    """
    written = value.written.lstrip("$ ").replace(",", "") if value.kind is Kind.AMOUNT else value.written
    end = r"(?!\d)" if value.kind is Kind.DATE else r"(?!\w)"
    return re.search(rf"(?<!\w){re.escape(written)}{end}", text, re.IGNORECASE) is not None


def normal_forms(text: str) -> frozenset[tuple[Kind, str]]:
    """Give what a source says, in normal forms; a date also without its year, and every number as an amount."""
    found: set[tuple[Kind, str]] = {(Kind.AMOUNT, _figure(match[0])) for match in _NUMBER.finditer(text)}
    for value in values_told(text):
        found.add((value.kind, value.normal))
        if value.kind is Kind.DATE:
            found.add((value.kind, value.normal[-5:]))
    return frozenset(found)


def _normal(kind: Kind, match: re.Match[str]) -> str:
    if kind is Kind.AMOUNT:
        return _figure(match["amount"])
    if kind is not Kind.DATE:
        return match[0]
    if match.re is _PATTERNS[-1][1]:
        month = _MONTHS.index(match["month"][:3].casefold()) + 1
        day = f"{month:02}-{int(match['day']):02}"
        return f"{match['of']}-{day}" if match["of"] else day
    return f"{match['year']}-{match['number']}-{match['date']}"


def _figure(written: str) -> str:
    return f"{float(written.replace(',', '')):g}"
