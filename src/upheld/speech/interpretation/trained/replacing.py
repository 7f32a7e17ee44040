"""What the named values of a clause allow: whether it can put something new in the place of a report.

A small network takes another value of another thing for a new value of the same one more often than for anything else,
and a wrong replacement makes a good reply "superseded". Values are what it reads worst and what rules read best.
"""

from __future__ import annotations

from upheld.speech.matching.entities import Entity, ValueKind, affirmed, is_same
from upheld.speech.matching.lexicon import UNITS
from upheld.speech.matching.tokens import stem
from upheld.speech.view import Known

_PLAIN = frozenset(
    {
        ValueKind.EMAIL,
        ValueKind.ADDRESS,
        ValueKind.CODE,
        ValueKind.PHONE,
        ValueKind.MONEY,
        ValueKind.TIME,
        ValueKind.DATE,
        ValueKind.WEEKDAY,
    }
)
"""Sorts that are plain to see. A bare figure may be of any sort, and so may a count: "half past three suits us"."""


def may_replace(clause: str, known: Known) -> bool:
    """Tell whether what a clause reports may replace a report, by the values of both.

    It may not where it says but values that the report has already, nor where the values of each are of plain sorts and
    of none in common: a time does not replace an amount. Where either names no value, nothing is known against it.
    """
    ours = [entity for entity in affirmed(clause) if entity.kind is not ValueKind.NAME]
    theirs = affirmed(known.proposition.text)
    if not ours or not theirs:
        return True
    if all(any(_is_again(one, other) for other in theirs) for one in ours):
        return False
    sorts, others = {_sort(each) for each in ours}, {_sort(each) for each in theirs}
    return bool(sorts & others) or "" in sorts or "" in others


def _is_again(one: Entity, other: Entity) -> bool:
    """Tell whether a value is said again, perhaps without its unit."""
    is_bare = one.kind is ValueKind.NUMBER and one.value == other.value.partition(" ")[0]
    return is_same(one, other) or is_bare


def _sort(entity: Entity) -> str:
    """Name the sort of a value, with its unit where it is measured; empty where it might be any."""
    if entity.kind in _PLAIN:
        return entity.kind.value
    is_measured = entity.kind is ValueKind.COUNT and entity.key in _MEASURES
    return f"in {entity.key}" if is_measured else ""


_MEASURES = frozenset(map(stem, UNITS))
