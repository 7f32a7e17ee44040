"""When a question is about: a day, a month, "last week", "before June", "the latest"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

_YEARS = range(1900, 2200)
"""Years of asking; a time outside them is a mistake of the source, and the calendar ends at 1 and at 9999."""

_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_FEW = {"couple": 2, "few": 3}

_MONTH = "(?P<month>" + "|".join(f"{name}|{name[:3]}\\.?" for name in _MONTHS) + ")"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"

_ISO = re.compile(rf"\b{_YEAR}[-/](?P<month>\d\d?)[-/](?P<day>\d\d?)\b")
_DAY_MONTH = re.compile(rf"\b{_DAY} (?:of )?{_MONTH}(?:,? {_YEAR})?\b", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"\b{_MONTH} {_DAY}(?:,? {_YEAR})?\b", re.IGNORECASE)
_MONTH_YEAR = re.compile(rf"\b{_MONTH},? {_YEAR}\b", re.IGNORECASE)
_MONTH_ALONE = re.compile(rf"\b(?:in|since|during|before|after|by|until|last) {_MONTH}\b", re.IGNORECASE)
_YEAR_ALONE = re.compile(rf"\b(?:in|since|during|before|after|until|by) {_YEAR}\b", re.IGNORECASE)
_AGO = re.compile(
    r"\b(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|(?:a )?(?:few|couple)(?: of)?) "
    r"(?P<unit>day|week|month|year)s? ago\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?P<which>last|this|past|previous) (?P<unit>week|month|year)\b", re.IGNORECASE)
_WEEKDAY = re.compile(rf"\b(?:on|last) (?P<name>{'|'.join(_DAYS)})\b", re.IGNORECASE)
_NEAR = re.compile(r"\b(?P<word>today|yesterday)\b", re.IGNORECASE)

_BEFORE = re.compile(r"\b(?:before|until|till|by|prior to)\s+(?:the\s+)?$", re.IGNORECASE)
_AFTER = re.compile(r"\bafter\s+(?:the\s+)?$", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:since|from)\s+(?:the\s+)?$", re.IGNORECASE)
_LEADING = re.compile(r"^(?P<word>in|since|during|before|after|by|until|last|on)\s+", re.IGNORECASE)

_OLDEST = re.compile(
    r"\b(?:first|earliest|original|originally|initial|initially|at the (?:beginning|start|outset)|to begin with|"
    r"previous|previously|formerly|used to)\b",
    re.IGNORECASE,
)
_NEWEST = re.compile(
    r"\b(?:latest|last|newest|most recent|most recently|current|currently|now|nowadays|these days|at present|"
    r"at the moment|in the end|finally|eventually|still)\b",
    re.IGNORECASE,
)


class Order(StrEnum):
    """Which of several that fit a question means."""

    OLDEST = "oldest"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Days from ``first`` to ``last``, both included; ``None`` is open."""

    first: date | None = None
    last: date | None = None

    def has(self, day: date) -> bool:
        """Tell whether a day lies in the period."""
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What a question says about time; nothing, for most."""

    period: Period | None = None
    order: Order | None = None


def date_of(at: str) -> date | None:
    """Give the day of a time in ISO 8601 (what follows the day is passed over), or ``None`` for anything else."""
    try:
        return date.fromisoformat(at[:10])
    except ValueError:
        return None


def timing_of(question: str, *, now: date | None) -> Timing:
    """Read the time that a question names; "last week" and "in May" are counted from ``now``, or not read without it.

    Of several dates the first counts. A day without a year is the last such day, as of ``now``.
    """
    if now is not None and now.year not in _YEARS:
        now = None
    for found, period in _periods(question, now):
        rest = question[: found.start()] + question[found.end() :]
        return Timing(period=_directed(question, found, period), order=_order(rest))
    return Timing(order=_order(question))


def _order(text: str) -> Order | None:
    if _OLDEST.search(text):
        return Order.OLDEST
    return Order.NEWEST if _NEWEST.search(text) else None


def _directed(question: str, found: re.Match[str], period: Period) -> Period:
    """Open the period to one side: "before June", "since 7 May"."""
    leading = _LEADING.match(found.group())
    before = question[: found.start()] + (leading.group() if leading else "")
    if _BEFORE.search(before) and period.first is not None:
        return Period(last=period.first - timedelta(days=1))
    if _AFTER.search(before) and period.last is not None:
        return Period(first=period.last + timedelta(days=1))
    if _SINCE.search(before):
        return Period(first=period.first)
    return period


def _periods(question: str, now: date | None) -> Iterator[tuple[re.Match[str], Period]]:
    readers = (
        (_ISO, _full),
        (_DAY_MONTH, _full),
        (_MONTH_DAY, _full),
        (_MONTH_YEAR, _month),
        (_MONTH_ALONE, _month),
        (_YEAR_ALONE, _year),
        (_AGO, _ago),
        (_RELATIVE, _relative),
        (_WEEKDAY, _weekday),
        (_NEAR, _near),
    )
    for pattern, read in readers:
        found = pattern.search(question)
        if found is not None and (period := read(found, now)) is not None:
            yield found, period


def _full(found: re.Match[str], now: date | None) -> Period | None:
    parts = found.groupdict()
    month, day = _month_number(parts["month"]), int(parts["day"])
    if parts["year"]:
        exact = _day(int(parts["year"]), month, day)
    elif now is not None:
        exact = _day(now.year, month, day)
        if exact is not None and exact > now:
            exact = _day(now.year - 1, month, day)
    else:
        exact = None
    return Period(first=exact, last=exact) if exact is not None else None


def _month(found: re.Match[str], now: date | None) -> Period | None:
    parts = found.groupdict()
    month = _month_number(parts["month"])
    if parts.get("year"):
        return _months(int(parts["year"]), month)
    if now is None:
        return None
    return _months(now.year if month <= now.month else now.year - 1, month)


def _year(found: re.Match[str], _: date | None) -> Period | None:
    year = int(found["year"])
    return Period(first=date(year, 1, 1), last=date(year, 12, 31))


def _ago(found: re.Match[str], now: date | None) -> Period | None:
    if now is None:
        return None
    word = found["count"].casefold().removeprefix("a ").removesuffix(" of")
    count = int(word) if word.isdigit() else _FEW.get(word) or _COUNTS[word]
    # Who says "two weeks ago" means a week, not a day.
    length, spread = {"day": (1, 0), "week": (7, 3), "month": (30, 15), "year": (365, 182)}[found["unit"].casefold()]
    return _around(now, count * length, spread)


def _relative(found: re.Match[str], now: date | None) -> Period | None:
    if now is None:
        return None
    is_this = found["which"].casefold() == "this"
    match found["unit"].casefold():
        case "week":
            monday = now - timedelta(days=now.weekday() + (0 if is_this else 7))
            return Period(first=monday, last=monday + timedelta(days=6))
        case "month":
            year, month = (now.year, now.month) if is_this else (now.year - (now.month == 1), (now.month - 2) % 12 + 1)
            return _months(year, month)
        case _:
            year = now.year if is_this else now.year - 1
            return Period(first=date(year, 1, 1), last=date(year, 12, 31))


def _weekday(found: re.Match[str], now: date | None) -> Period | None:
    if now is None:
        return None
    back = (now.weekday() - _DAYS.index(found["name"].casefold())) % 7
    return _around(now, back or 7, 0)


def _near(found: re.Match[str], now: date | None) -> Period | None:
    return None if now is None else _around(now, 0 if found["word"].casefold() == "today" else 1, 0)


def _around(now: date, days: int, spread: int) -> Period:
    middle = now - timedelta(days=days)
    return Period(first=middle - timedelta(days=spread), last=middle + timedelta(days=spread))


def _month_number(text: str) -> int:
    if text.isdigit():
        return int(text)
    return next(number for number, name in enumerate(_MONTHS, start=1) if name.startswith(text.casefold()[:3]))


def _months(year: int, month: int) -> Period:
    following = date(year + month // 12, month % 12 + 1, 1)
    return Period(first=date(year, month, 1), last=following - timedelta(days=1))


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
