"""How a conversation differs from what it was, or from another one."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.conversation.asking.questions import Snapshot, Status
from upheld.logic.language.identities import PropositionId
from upheld.logic.reasoning.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A claim that stands otherwise afterwards; in another conversation it may have another id."""

    before: Status
    after: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Claims of the state after that the one before lacks, the reverse, and those that stand otherwise."""

    new: tuple[PropositionId, ...]
    gone: tuple[PropositionId, ...]
    changed: tuple[Difference, ...]


def compared(before: State, after: State, *, is_same: bool) -> Comparison:
    """Compare two states, of the same conversation (its claims keep their ids) or of two.

    In two conversations a claim is the one that is put in the same words; where either has no words, that of the same
    id, for two people number their claims alike whatever they say. Cost: all claims of both.
    """
    ours, theirs = Snapshot(before), Snapshot(after)
    pairs: dict[PropositionId, PropositionId] = {}
    for each in ours.propositions:
        other = each.id if is_same and each.id in after.propositions else None
        other = other or (None if is_same else _counterpart(before, after, each.id))
        if other is not None:
            pairs[each.id] = other
    found = set(pairs.values())
    statuses = ((ours.status(id), theirs.status(other)) for id, other in pairs.items())
    return Comparison(
        new=tuple(each.id for each in theirs.propositions if each.id not in found),
        gone=tuple(each.id for each in ours.propositions if each.id not in pairs),
        changed=tuple(Difference(before=then, after=now) for then, now in statuses if _shown(then) != _shown(now)),
    )


def _counterpart(before: State, after: State, id: PropositionId) -> PropositionId | None:
    text = before.proposition(id).text
    if text and (other := after.said_as(text)) is not None:
        return other
    same = after.propositions.get(id)
    return id if same is not None and not (text and same.text) else None


def _shown(status: Status) -> tuple[object, ...]:
    return status.lifecycle, status.standing, status.fallen, status.needs_reevaluation
