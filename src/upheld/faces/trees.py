"""Any answer as a tree that JSON can carry."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, cast, get_args

from upheld.conversation.checking.claims import Checked
from upheld.faces.report.wording import reason_of, reasons_of
from upheld.logic.language.literals import Literal
from upheld.logic.language.plain import plain_retraction
from upheld.logic.language.turns import Retraction
from upheld.logic.language.verdicts import Affected, Delta

Tree = dict[str, Any]
"""A mapping whose leaves JSON can carry."""

_RETRACTIONS = get_args(Retraction)


def plain(value: Any) -> Any:
    """Give a frozen value as a tree: fields by their names, a literal in its notation, a set sorted."""
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, _RETRACTIONS):
        return plain_retraction(value)
    if isinstance(value, Affected):
        return {"id": value.id, "effect": value.effect.value, "path": list(value.path)}
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, Set):
        return sorted((plain(each) for each in cast("Set[Any]", value)), key=str)
    if isinstance(value, tuple | list):
        return [plain(each) for each in cast("tuple[Any, ...]", value)]
    return value


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
