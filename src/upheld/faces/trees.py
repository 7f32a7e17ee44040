"""Any answer as a tree that JSON can carry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, cast, get_args

from upheld.conversation.checking.claims import Checked
from upheld.faces.report.wording import reason_of, reasons_of
from upheld.logic.language.literals import Literal
from upheld.logic.language.plain import plain_retraction
from upheld.logic.language.turns import Retraction
from upheld.logic.language.verdicts import Affected, Delta

Tree = dict[str, Any]
"""A mapping whose leaves JSON can carry."""

_RETRACTIONS: tuple[type[Any], ...] = get_args(Retraction)
_LEAVES = frozenset({str, int, float, bool, type(None)})


def plain(value: Any) -> Any:
    """Give a frozen value as a tree: fields by their names, a literal in its notation, a set sorted."""
    kind = cast("type[Any]", type(value))
    return value if kind in _LEAVES else _writer(kind)(value)


@cache
def _writer(kind: type[Any]) -> Callable[[Any], Any]:
    """Find out once for each type how its values are written: an answer has a hundred of them."""
    if issubclass(kind, Literal):
        return str
    if issubclass(kind, _RETRACTIONS):
        return plain_retraction
    if issubclass(kind, Affected):
        return lambda each: {"id": each.id, "effect": each.effect.value, "path": list(each.path)}
    if issubclass(kind, Enum):
        return lambda each: each.value
    if is_dataclass(kind):
        names = tuple(field.name for field in fields(kind))
        return lambda each: {name: plain(getattr(each, name)) for name in names}
    if issubclass(kind, Mapping):
        return lambda each: {str(key): plain(found) for key, found in each.items()}
    if issubclass(kind, Set):
        return lambda each: sorted((plain(found) for found in each), key=str)
    if issubclass(kind, tuple | list):
        return lambda each: [plain(found) for found in each]
    return lambda each: each


def checked_tree(checked: Checked) -> Tree:
    """Give the verdict on a text as a tree: outcome, reasons, and each claim with its findings."""
    return {
        "outcome": checked.outcome.value,
        "reasons": plain(reasons_of(checked)),
        "abstained": checked.abstained,
        "claims": [{**plain(claim), "reason": plain(reason_of(claim))} for claim in checked.claims],
    }


def limited(delta: Delta, limit: int) -> Delta:
    """Give an answer with at most ``limit`` claims an effect; 0: all of it."""
    if not limit:
        return delta
    return Delta(**{each.name: getattr(delta, each.name)[:limit] for each in fields(Delta)})
