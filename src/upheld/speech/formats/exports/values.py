"""Contents of a stranger's tree, looked at without trust: of another type than expected is as good as absent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TypeGuard

from upheld.errors import MalformedInput
from upheld.logic.language.plain import kind_of

_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""From which size on a number of an epoch counts in nanoseconds, microseconds, milliseconds."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOMENTS = range(10**11, 2**64 // 10**6)


def is_list(content: object) -> TypeGuard[list[object]]:
    """Tell whether a content is a list."""
    return isinstance(content, list)


def is_mapping(content: object) -> TypeGuard[Mapping[str, object]]:
    """Tell whether a content is an object of JSON."""
    return isinstance(content, dict)


def mapping(content: object) -> Mapping[str, object]:
    """Give a mapping, or an empty one."""
    return content if is_mapping(content) else {}


def listed(content: object) -> list[object]:
    """Give a list, or an empty one."""
    return content if is_list(content) else []


def text(content: object) -> str:
    """Give a text, or an empty one; a whole number, as an id may be, is its digits."""
    if isinstance(content, int) and not isinstance(content, bool):
        return str(content) if abs(content) < 10**30 else ""
    return content if isinstance(content, str) else ""


def first_text(tree: Mapping[str, object], *names: str) -> str:
    """Give the first text that is not blank under some keys."""
    return next((found for name in names if (found := text(tree.get(name))).strip()), "")


def required(content: object, what: str) -> Mapping[str, object]:
    """Give a record's mapping.

    Raises:
        MalformedInput: it is something else, or has no key at all.
    """
    if not is_mapping(content) or not content:
        found = "nothing in it" if is_mapping(content) else kind_of(content)
        raise MalformedInput(f"expected {what}, found {found}")
    return content


def kind_and_record(content: object, what: str) -> tuple[str, Mapping[str, object]]:
    """Give the type of a record that must have one, and the record.

    Raises:
        MalformedInput: it is no object, or has no type.
    """
    tree = required(content, what)
    kind = text(tree.get("type"))
    if not kind:
        raise MalformedInput(f"{what} needs a type")
    return kind, tree


def time_of(content: object) -> str:
    """Give a time in ISO 8601: text as it stands, a number as seconds (or less) since 1970 in UTC; empty if it is none.

    A number says its unit by its size: from 1e11 on milliseconds, from 1e14 microseconds, from 1e17 nanoseconds.
    """
    if isinstance(content, str) and not _is_number(content):
        return content.strip()
    if isinstance(content, bool) or not isinstance(content, int | float | str):
        return ""
    try:
        number = float(content)
        unit = next((unit for least, unit in _UNITS if abs(number) >= least), 1.0)
        moment = _EPOCH + timedelta(milliseconds=round(number / unit * 1000))
    except (OverflowError, ValueError):
        return ""
    timespec = "milliseconds" if moment.microsecond else "seconds"
    return moment.isoformat(timespec=timespec).replace("+00:00", "Z")


def milliseconds_of(at: str) -> int | None:
    """Give a time in ISO 8601 as milliseconds since 1970, which :func:`time_of` reads as the same moment.

    Nothing for a time that is none, that tells no offset from UTC and so no moment, or that lies before March 1973,
    when the number would be one of seconds, or after 2554, when it does not fit into 64 bits as nanoseconds.
    """
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    if moment.tzinfo is None:
        return None
    found = (moment - _EPOCH) // timedelta(milliseconds=1)
    return found if found in _MOMENTS else None


def json_or_text(content: object) -> object:
    """Read a text that should be JSON; one that is none stays the text that it is."""
    if not isinstance(content, str):
        return content
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content


def as_json(content: object) -> str:
    """Write a tree on one line.

    Raises:
        MalformedInput: it is nested too deeply.
    """
    try:
        return json.dumps(content, ensure_ascii=False, default=str)
    except RecursionError:
        raise MalformedInput("nested too deeply") from None


def _is_number(content: str) -> bool:
    return content.replace(".", "", 1).strip().isdecimal() and content.isascii()
