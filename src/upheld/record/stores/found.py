"""What stores over SQL have in common in finding claims: what a query asks beside its words, and what a row means."""

from __future__ import annotations

from upheld.logic.language.identities import ConversationId, PropositionId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.record.ledger.search import Found, Query, moment_in_time

COLUMNS = (
    "claims.conversation, claims.proposition, claims.text, claims.kind, standings.label, standings.lifecycle,"
    " standings.since, standings.recorded_at"
)
"""The columns of a :data:`Row`."""

# A conversation that is not in step would be asked about a past that is none any more.
IN_STEP = (
    " JOIN standings ON standings.claim = claims.number"
    " JOIN shelves ON shelves.conversation = claims.conversation"
    " JOIN heads ON heads.conversation = claims.conversation AND heads.epoch = shelves.filed"
)
"""Joins the claims of a statement with how they stood, of conversations that are in step."""

UNFILED = (
    "SELECT heads.conversation FROM heads LEFT JOIN shelves USING (conversation)"
    " WHERE coalesce(shelves.filed, 0) <> heads.epoch ORDER BY heads.conversation"
)
_GIVEN_UP = ", ".join(f"'{each.value}'" for each in sorted(GIVEN_UP))

Values = tuple[object, ...]
Row = tuple[str, str, str, str, str, str, int, str]


def narrowed(query: Query, *, mark: str) -> tuple[str, Values]:
    """Give the conditions of a query beside its words, with their values; ``mark`` stands for a value."""
    conditions: list[str] = []
    values: list[object] = []
    if query.conversation is not None:
        conditions.append(f"claims.conversation = {mark}")
        values.append(query.conversation)
    if query.as_of is None:
        conditions.append("standings.upto IS NULL")
    elif isinstance(query.as_of, int):
        conditions.append(f"standings.since <= {mark} AND (standings.upto IS NULL OR standings.upto > {mark})")
        values += [query.as_of, query.as_of]
    else:
        at = moment_in_time(query.as_of)
        conditions.append(
            f"standings.recorded_at <= {mark} AND (standings.ended_at IS NULL OR standings.ended_at > {mark})"
        )
        values += [at, at]
    if not query.has_superseded:
        conditions.append(f"standings.label = '{Label.IN.value}' AND standings.lifecycle NOT IN ({_GIVEN_UP})")
    return "".join(f" AND {each}" for each in conditions), tuple(values)


def found(row: Row, score: float) -> Found:
    """Give the claim of a row."""
    conversation, proposition, text, kind, label, lifecycle, since, recorded_at = row
    return Found(
        conversation=ConversationId(conversation),
        id=PropositionId(proposition),
        text=text,
        kind=Kind(kind),
        label=Label(label),
        lifecycle=Lifecycle(lifecycle),
        since=since,
        recorded_at=recorded_at,
        score=score,
    )
