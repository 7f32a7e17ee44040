"""The calls of whoever looks: flagged replies and what becomes of them, histories, and how two moments differ."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from upheld.errors import ServiceError
from upheld.faces.client.request import Request, asked, query_of, read_as, sent, within
from upheld.faces.server.models import looking, reviewing

Tree = Mapping[str, Any]


def history(conversation: str, *, after: int = 0) -> Request[looking.History]:
    """Give all that happened after a place, and what it did: enough to draw a conversation as of any moment."""
    return asked(looking.History, within(conversation, "history"), conversation=conversation, after=after)


def compare(conversation: str, since: str = "", to: str = "", *, beside: str = "") -> Request[looking.Comparison]:
    """Say what is new, gone and otherwise between two turns, or ``beside`` another conversation."""
    query = query_of({"from": since, "to": to, "with": beside})
    path = within(conversation, "compare")
    return Request(method="GET", path=path, read=read_as(looking.Comparison), query=query, conversation=conversation)


def claim(conversation: str, claim: str, *, at: str = "") -> Request[looking.ClaimDetail]:
    """Give one claim: how it stands since when, what was done to it, which values it replaced, what rests on it."""
    return asked(looking.ClaimDetail, within(conversation, "claims", claim), conversation=conversation, at=at)


def queue(
    *, status: str = "open", assignee: str = "", conversation: str = "", after: str = "", limit: int = 100
) -> Request[reviewing.QueueAnswer]:
    """List flagged replies of all conversations or of one, the worst and newest first, a page at a time."""
    query = {"status": status, "assignee": assignee, "conversation": conversation, "after": after, "limit": limit}
    return Request(method="GET", path="/v1/queue", read=read_as(reviewing.QueueAnswer), query=query_of(query))


def flag(
    conversation: str, text: str, *, speaker: str | None = None, by: str | None = None, note: str = "", key: str = ""
) -> Request[reviewing.FlagAnswer]:
    """Put a reply before a person: it is verified as things stand, and filed with what is found."""
    body = {"text": text, "speaker": speaker, "by": by, "note": note}
    return sent(reviewing.FlagAnswer, within(conversation, "flags"), body, conversation=conversation, key=key)


def flagged(conversation: str, flag: str) -> Request[reviewing.FlagAnswer]:
    """Give a flag with its claims as they were judged and as they stand, and what was done about it."""
    return asked(reviewing.FlagAnswer, within(conversation, "flags", flag), conversation=conversation)


def assign(
    conversation: str,
    flag: str,
    to: str | None,
    *,
    by: str | None = None,
    expected_version: int | None = None,
    key: str = "",
) -> Request[reviewing.FlagAnswer]:
    """Give a flag to somebody to look at; to ``None``: back to all."""
    body = {"by": by, "expected_version": expected_version}
    path = within(conversation, "flags", flag, "assignment")
    return sent(reviewing.FlagAnswer, path, body, conversation=conversation, key=key, always={"to": to})


def decide(
    conversation: str,
    flag: str,
    outcome: str,
    *,
    by: str,
    reason: str = "",
    claims: Sequence[Tree] | None = None,
    expected_version: int | None = None,
    key: str = "",
) -> Request[reviewing.FlagAnswer]:
    """Decide a flag: ``grounded``, ``ungrounded`` or ``could_not_tell``; ``claims`` correct how it was matched."""
    body = {
        "outcome": outcome,
        "by": by,
        "reason": reason,
        "claims": None if claims is None else list(claims),
        "expected_version": expected_version,
    }
    path = within(conversation, "flags", flag, "decision")
    return sent(reviewing.FlagAnswer, path, body, conversation=conversation, key=key)


def comment(
    conversation: str, flag: str, text: str, *, by: str, expected_version: int | None = None, key: str = ""
) -> Request[reviewing.FlagAnswer]:
    """Remark on a flag."""
    body = {"text": text, "by": by, "expected_version": expected_version}
    path = within(conversation, "flags", flag, "comments")
    return sent(reviewing.FlagAnswer, path, body, conversation=conversation, key=key)


def labels() -> Request[tuple[Tree, ...]]:
    """Give all decided flags as labels, in the fields of a ``verify`` item of an annotated transcript.

    Those whose words were erased are left out.
    """
    return Request(method="GET", path="/v1/queue/export", read=_lines)


def _lines(body: bytes, _: Mapping[str, str]) -> tuple[Tree, ...]:
    # Bytes are split where a line ends and nowhere else: words may hold other ends of lines that Unicode knows.
    try:
        return tuple(json.loads(line) for line in body.splitlines())
    except ValueError as error:
        raise ServiceError(f"the service gave what are no labels: {error}") from None
