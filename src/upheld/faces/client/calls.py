"""Every call of the service, once for both clients: what a caller says becomes a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from upheld.faces.client.request import Request, asked, keyed, query_of, read_as, sent, within
from upheld.faces.server.models import answers, changes, conversations, exchange, searching, turns, verdicts
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import Operation
from upheld.logic.language.plain import plain_operation, plain_retraction
from upheld.logic.language.turns import Retract, Retraction

Tree = Mapping[str, Any]
Act = Operation | Tree
"""An operation of :mod:`upheld.logic.language.operations`, or a tree as in an annotated transcript."""

Change = str | Retraction | Tree
"""An id that is to be retracted, a retraction of :mod:`upheld.logic.language.turns`, or a tree with its ``act``."""

Spoken = Tree
"""A turn of a batch: ``speaker``, ``text``, ``operations`` and what else :func:`tell` takes."""


class Setting(TypedDict, total=False):
    """How a turn was said: under which id of the caller's own, to whom, in which session, and when."""

    id: str
    audience: Sequence[str]
    session: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A conversation in a form of other programs; ``left_out`` counts retractions that the form cannot hold."""

    text: str
    left_out: int


# --- conversations ---------------------------------------------------------------------------------------------------


def begin(
    conversation: str,
    *,
    agents: Sequence[Tree] = (),
    title: str = "",
    paradigm: str = "",
    initial_propositions: Sequence[Tree] = (),
) -> Request[conversations.ConversationStatus]:
    """Begin a conversation; beginning the very same again changes nothing."""
    body: dict[str, Any] = {"id": conversation, "title": title, "paradigm": paradigm}
    body |= {"agents": list(agents), "initial_propositions": list(initial_propositions)}
    return sent(conversations.ConversationStatus, "/v1/conversations", body, conversation=conversation)


def conversation_list(*, after: str = "", limit: int = 100) -> Request[conversations.ConversationList]:
    """List conversations by name; ``next`` of the answer is the ``after`` of the page that follows."""
    return asked(conversations.ConversationList, "/v1/conversations", after=after, limit=limit)


def status(conversation: str) -> Request[conversations.ConversationStatus]:
    """Say where a conversation is: its version, how many claims stand, and the newest of those that do."""
    return asked(conversations.ConversationStatus, within(conversation), conversation=conversation)


def claims(
    conversation: str, *, after: str = "", limit: int = 100, at: str = "", agent: str = "", standing: str = ""
) -> Request[conversations.ClaimList]:
    """List claims in the order in which they were put forward, a page at a time."""
    query = {"after": after, "limit": limit, "at": at, "agent": agent, "standing": standing}
    return asked(conversations.ClaimList, within(conversation, "claims"), conversation=conversation, **query)


def drop(
    conversation: str, *, reason: str, by: str = "", expected_version: int | None = None
) -> Request[conversations.Receipt]:
    """Drop a conversation for good, whole, with the key of an admin; the receipt is all that is left.

    Where the answer to a first try was lost, the next one raises :class:`~upheld.errors.UnknownConversation`.
    """
    return Request(
        method="DELETE",
        path=within(conversation),
        read=read_as(conversations.Receipt),
        query=query_of({"reason": reason, "by": by, "expected_version": expected_version}),
        conversation=conversation,
    )


# --- turns -----------------------------------------------------------------------------------------------------------


def tell(
    conversation: str,
    speaker: str,
    text: str = "",
    operations: Sequence[Act] | None = None,
    *,
    expected_version: int | None = None,
    key: str = "",
    **setting: Unpack[Setting],
) -> Request[turns.TurnAnswer]:
    """Tell a turn; without operations its words are read by the service's interpreter."""
    turn = _turn({"speaker": speaker, "text": text, "operations": operations, **setting})
    body = {**turn, "expected_version": expected_version}
    return sent(turns.TurnAnswer, within(conversation, "turns"), body, conversation=conversation, key=key)


def tell_all(
    conversation: str, spoken: Sequence[Spoken], *, expected_version: int | None = None, key: str = ""
) -> Request[turns.BatchAnswer]:
    """Tell several turns; the first that is refused ends the batch, and the answer says why and how many were left."""
    body = {"turns": [_turn(each) for each in spoken], "expected_version": expected_version}
    return sent(turns.BatchAnswer, within(conversation, "turns", "batch"), body, conversation=conversation, key=key)


def turn_list(conversation: str, *, after: int = 0, limit: int = 100) -> Request[turns.TurnList]:
    """Give the turns after a position in the record, each with its meaning of now."""
    path = within(conversation, "turns")
    return asked(turns.TurnList, path, conversation=conversation, after=after, limit=limit)


def amend(
    conversation: str,
    turn: str,
    operations: Sequence[Act],
    *,
    by: str | None = None,
    reason: str = "",
    expected_version: int | None = None,
    key: str = "",
) -> Request[turns.TurnAnswer]:
    """Give a turn another meaning; what it meant before stays readable in the record."""
    body = {"operations": _acts(operations), "by": by, "reason": reason, "expected_version": expected_version}
    path = within(conversation, "turns", turn, "amendments")
    return sent(turns.TurnAnswer, path, body, conversation=conversation, key=key)


def erase(
    conversation: str, turn: str, *, reason: str, by: str | None = None, meaning: bool = False, key: str = ""
) -> Request[turns.EraseAnswer]:
    """Erase what was said in a turn for good, with ``meaning`` also what it was taken to mean."""
    path = within(conversation, "turns", turn, "erasure")
    body = {"reason": reason, "by": by, "meaning": meaning}
    return sent(turns.EraseAnswer, path, body, conversation=conversation, key=key)


def retract(
    conversation: str,
    change: Change,
    *,
    by: str | None = None,
    reason: str = "",
    expected_version: int | None = None,
    key: str = "",
) -> Request[changes.RetractionAnswer]:
    """Take something back for good, and say what fell, was thinned and came back."""
    body = {"change": _change(change), "by": by, "reason": reason, "expected_version": expected_version}
    path = within(conversation, "retractions")
    return sent(changes.RetractionAnswer, path, body, conversation=conversation, key=key)


# --- questions -------------------------------------------------------------------------------------------------------


def verify(
    conversation: str,
    text: str | None = None,
    *,
    claims: Sequence[str | Tree] | None = None,
    speaker: str | None = None,
    at: str = "",
    response: str = "",
    flag: bool = False,
    key: str = "",
) -> Request[verdicts.VerifyAnswer]:
    """Judge a text, or claims by their ids (``~id`` denies one). ``abstain`` is no error and no verdict.

    With ``flag`` a text that is not grounded is put before a person. ``response`` is the id of a language model's
    answer, for traces.
    """
    named = None if claims is None else [{"literal": each} if isinstance(each, str) else each for each in claims]
    body: dict[str, Any] = {"text": text, "claims": named, "speaker": speaker, "at": at}
    body |= {"response": response} if response else {}
    body |= {"flag": True} if flag else {}
    path = within(conversation, "verify")
    return sent(verdicts.VerifyAnswer, path, body, conversation=conversation, key=key if flag else None)


def affected(conversation: str, change: Change, *, at: str = "", limit: int = 0) -> Request[changes.AffectedAnswer]:
    """List what a change would do; nothing is recorded."""
    body = {"change": _change(change), "at": at, "limit": limit}
    return sent(changes.AffectedAnswer, within(conversation, "affected"), body, conversation=conversation)


def what_if(
    conversation: str, tried: Sequence[Change], *, ask: Sequence[str] = (), at: str = ""
) -> Request[changes.WhatIfAnswer]:
    """Try changes one after the other, and judge claims before and after; nothing is recorded."""
    body = {"changes": [_change(each) for each in tried], "ask": list(ask), "at": at}
    return sent(changes.WhatIfAnswer, within(conversation, "what-if"), body, conversation=conversation)


def review(conversation: str, claim: str, *, at: str = "") -> Request[answers.ReviewAnswer]:
    """List all that a person should look at when a claim is in doubt."""
    return asked(answers.ReviewAnswer, within(conversation, "review"), conversation=conversation, claim=claim, at=at)


def explain(conversation: str, claim: str, *, at: str = "") -> Request[answers.Explanation]:
    """Say why a claim stands, down to the turns, what is held against it, and what would break it."""
    return asked(answers.Explanation, within(conversation, "explain"), conversation=conversation, claim=claim, at=at)


def brief(conversation: str, change: Change, *, at: str = "") -> Request[answers.Brief]:
    """Give the re-evaluation brief for a change, from the record alone."""
    body = {"change": _change(change), "at": at}
    return sent(answers.Brief, within(conversation, "brief"), body, conversation=conversation)


def believe(
    conversation: str, formula: str, *, agent: str | None = None, given: str | None = None, at: str = ""
) -> Request[answers.BelieveAnswer]:
    """Say who believes and knows a formula, or whether a formula about belief and knowledge holds."""
    body = {"formula": formula, "agent": agent, "given": given, "at": at}
    return sent(answers.BelieveAnswer, within(conversation, "believe"), body, conversation=conversation)


def search(
    words: str, *, conversation: str = "", as_of: int | str = "", has_superseded: bool = False, limit: int = 10
) -> Request[searching.SearchAnswer]:
    """Find claims that stand, best first, in all conversations or in one."""
    include = "superseded" if has_superseded else ""
    query = {"words": words, "conversation": conversation, "as_of": as_of, "include": include, "limit": limit}
    return Request(method="GET", path="/v1/search", read=read_as(searching.SearchAnswer), query=query_of(query))


# --- exchange --------------------------------------------------------------------------------------------------------


def export(conversation: str, *, form: str = "json") -> Request[Export]:
    """Write a conversation in a form of other programs."""

    def read(body: bytes, headers: Mapping[str, str]) -> Export:
        return Export(text=body.decode(), left_out=int(headers.get("upheld-left-out", "0")))

    path = within(conversation, "export")
    return Request(method="GET", path=path, read=read, query={"form": form}, conversation=conversation)


def import_(
    content: bytes | str, *, id: str = "", form: str = "auto", conversation: str = "", key: str = ""
) -> Request[exchange.ImportAnswer]:
    """Take a transcript or an export in as a new conversation, whole or not at all."""
    return Request(
        method="POST",
        path="/v1/conversations/import",
        read=read_as(exchange.ImportAnswer),
        query=query_of({"id": id, "form": form, "conversation": conversation}),
        headers={"content-type": "application/octet-stream"} | keyed(key),
        body=content.encode() if isinstance(content, str) else content,
        conversation=id,
    )


# --- within ----------------------------------------------------------------------------------------------------------


def _turn(spoken: Spoken) -> dict[str, Any]:
    told = {name: value for name, value in spoken.items() if value is not None}
    if "operations" in told:
        told["operations"] = _acts(told["operations"])
    if "audience" in told:
        told["audience"] = list(told["audience"])
    return told


def _acts(operations: Sequence[Act]) -> list[Tree]:
    return [each if isinstance(each, Mapping) else plain_operation(each) for each in operations]


def _change(change: Change) -> Tree:
    if isinstance(change, str):
        return plain_retraction(Retract(target=PropositionId(change)))
    return change if isinstance(change, Mapping) else plain_retraction(change)
