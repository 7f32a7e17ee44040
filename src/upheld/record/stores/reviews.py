"""What stores over SQL have in common in finding flags: the rows of steps, and what a query asks of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from upheld.logic.language.identities import ConversationId, FlagId
from upheld.record.ledger.entry import Entry, step_of
from upheld.record.ledger.review.contents import Assigned, Decided, Flagged
from upheld.record.ledger.review.queue import FlagPlace, FlagQuery

Values = tuple[object, ...]
Step = tuple[str, int, str, str, int | None, str, str | None]
"""A row of ``reviews``: conversation, epoch, flag, kind, urgency (of a flag), time, and whom it was given to."""

FLAGGED, ASSIGNED, DECIDED, OTHER = "flagged", "assigned", "decided", "other"

_SELECT = (
    "SELECT found.conversation, found.epoch, found.flag, found.urgency, found.recorded_at FROM reviews AS found"
    f" WHERE found.kind = '{FLAGGED}'"
)
_OF_IT = " AS step WHERE step.conversation = found.conversation AND step.flag = found.flag"
_DECISION = f"EXISTS (SELECT 1 FROM reviews{_OF_IT} AND step.kind = '{DECIDED}')"
_ASSIGNEE = f"(SELECT step.whom FROM reviews{_OF_IT} AND step.kind = '{ASSIGNED}' ORDER BY step.epoch DESC LIMIT 1)"
_ORDER = " ORDER BY found.urgency, found.recorded_at DESC, found.conversation, found.epoch DESC LIMIT "


def rows_of_steps(entries: Iterable[Entry]) -> Iterator[Step]:
    """Give the rows that entries are found by, those of erased ones as far as something of them remains."""
    for entry in entries:
        step = step_of(entry.content)
        if step is None:
            continue
        kind, urgency, whom = OTHER, None, None
        if isinstance(step, Flagged):
            kind, urgency = FLAGGED, step.urgency
        elif isinstance(step, Assigned):
            kind, whom = ASSIGNED, step.to
        elif isinstance(step, Decided):
            kind = DECIDED
        yield (entry.conversation, entry.epoch, step.flag, kind, urgency, entry.recorded_at, whom)


def asked(query: FlagQuery, *, mark: str) -> tuple[str, Values]:
    """Give the statement that finds the flags of a query, with its values; ``mark`` stands for a value."""
    conditions: list[str] = []
    values: list[object] = []
    if query.conversation is not None:
        conditions.append(f"found.conversation = {mark}")
        values.append(query.conversation)
    if query.is_decided is not None:
        conditions.append(_DECISION if query.is_decided else f"NOT {_DECISION}")
    if query.assignee is not None:
        conditions.append(f"{_ASSIGNEE} = {mark}")
        values.append(query.assignee)
    if query.after is not None:
        place = query.after
        later = f"found.conversation > {mark} OR (found.conversation = {mark} AND found.epoch < {mark})"
        older = f"found.recorded_at < {mark} OR (found.recorded_at = {mark} AND ({later}))"
        conditions.append(f"(found.urgency > {mark} OR (found.urgency = {mark} AND ({older})))")
        values += [place.urgency, place.urgency, place.recorded_at, place.recorded_at]
        values += [place.conversation, place.conversation, place.epoch]
    narrowed = "".join(f" AND {each}" for each in conditions)
    return f"{_SELECT}{narrowed}{_ORDER}{mark}", (*values, query.limit)


def steps_asked(conversation: ConversationId, flag: FlagId | None, *, mark: str) -> tuple[str, Values]:
    """Give the statement that finds the entries of flags, with its values."""
    narrowed = "" if flag is None else f" AND flag = {mark}"
    values = (conversation,) if flag is None else (conversation, flag)
    return f"SELECT epoch FROM reviews WHERE conversation = {mark}{narrowed} ORDER BY epoch", values


def placed(row: tuple[str, int, str, int, str]) -> FlagPlace:
    """Give the place of a flag that a row tells of."""
    conversation, epoch, flag, urgency, recorded_at = row
    return FlagPlace(
        conversation=ConversationId(conversation),
        epoch=epoch,
        flag=FlagId(flag),
        urgency=urgency,
        recorded_at=recorded_at,
    )
