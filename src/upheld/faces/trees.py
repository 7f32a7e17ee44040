"""Any answer as a tree that JSON can carry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, cast, get_args

from upheld.conversation.checking.claims import Checked
from upheld.conversation.reviewing.looking import LookedAt
from upheld.conversation.reviewing.review import Review, StepTaken
from upheld.faces.report.wording import reason_of, reasons_of, summary_of
from upheld.logic.language.literals import Literal
from upheld.logic.language.plain import plain_retraction
from upheld.logic.language.turns import Retraction
from upheld.logic.language.verdicts import Affected, Delta
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import opened
from upheld.record.ledger.review.contents import Assigned, Commented, Decided, Flagged

Tree = dict[str, Any]
"""A mapping whose leaves JSON can carry."""

_RETRACTIONS: tuple[type[Any], ...] = get_args(Retraction)
_LEAVES = frozenset({str, int, float, bool, type(None)})
_NOTHING_SAID = opened()


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
        return lambda each: _named(each, names)
    if issubclass(kind, Mapping):
        return lambda each: {str(key): plain(found) for key, found in each.items()}
    if issubclass(kind, Set):
        return lambda each: sorted((plain(found) for found in each), key=str)
    if issubclass(kind, tuple | list):
        return lambda each: [plain(found) for found in each]
    return lambda each: each


def _named(value: Any, names: tuple[str, ...]) -> Tree:
    """Give the fields of a value. Most are leaves, and to ask for each of those again would take half of the time."""
    tree: Tree = {}
    for name in names:
        each = getattr(value, name)
        kind = cast("type[Any]", type(each))
        tree[name] = each if kind in _LEAVES else _writer(kind)(each)
    return tree


def checked_tree(checked: Checked) -> Tree:
    """Give the verdict on a text as a tree: outcome, reasons, and each claim with its findings."""
    return {
        "outcome": checked.outcome.value,
        "reasons": plain(reasons_of(checked)),
        "abstained": checked.abstained,
        "claims": [{**plain(claim), "reason": plain(reason_of(claim))} for claim in checked.claims],
    }


def summary_tree(review: Review, state: State = _NOTHING_SAID) -> Tree:
    """Give a flag as one line of a queue; without a state claims are named by their ids."""
    flagged, checked = review.flagged, review.checked
    return {
        "conversation": review.conversation,
        "id": review.id,
        "version": review.version,
        "text": flagged.text,
        "speaker": flagged.speaker,
        "outcome": flagged.outcome.value,
        "reasons": plain(reasons_of(checked)),
        "line": summary_of(state, checked),
        "status": review.status.value,
        "assignee": review.assignee,
        "decided": None if review.decision is None else review.decision.outcome.value,
        "flagged_at": review.flagged_at,
        "turn": flagged.at,
        "is_erased": review.is_erased,
    }


def review_tree(looked: LookedAt, state: State) -> Tree:
    """Give a flag with all that a reviewer needs: what was found, how it stands now, the turns that matter."""
    review = looked.review
    checked = review.checked
    return {
        **summary_tree(review, state),
        "by": review.flagged.by,
        "note": review.flagged.note,
        "abstained": checked.abstained,
        "claims": [
            {
                **plain(kept),
                "text": claim.text,
                "reason": plain(reason_of(claim)),
                "findings": [
                    {**plain(each), "now": plain(looked.now.get((each.literal, claim.stance, claim.modality)))}
                    for each in claim.findings
                ],
            }
            for claim, kept in zip(checked.claims, review.flagged.claims, strict=True)
        ],
        "rests_on": plain(looked.rests_on),
        "ended_by": plain(looked.ended_by),
        "decision": plain(review.decision),
        "comments": [_step_tree(step) for step in review.comments],
        "history": [_step_tree(step) for step in review.history],
    }


def _step_tree(step: StepTaken) -> Tree:
    about = {"epoch": step.epoch, "at": step.recorded_at, "by": step.content.by, "is_erased": step.is_erased}
    match step.content:
        case Flagged(note=note):
            return {**about, "kind": "flag", "text": note}
        case Assigned(to=to):
            return {**about, "kind": "assignment", "to": to}
        case Decided(outcome=outcome, reason=reason, claims=claims):
            return {**about, "kind": "decision", "outcome": outcome.value, "text": reason, "claims": plain(claims)}
        case Commented(text=text):
            return {**about, "kind": "comment", "text": text}


def limited(delta: Delta, limit: int) -> Delta:
    """Give an answer with at most ``limit`` claims an effect; 0: all of it."""
    if not limit:
        return delta
    return Delta(**{each.name: getattr(delta, each.name)[:limit] for each in fields(Delta)})
