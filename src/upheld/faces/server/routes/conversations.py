"""Conversations: the list, the beginning, where one is, and its claims."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from itertools import islice
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query, Response

from upheld.conversation.asking.questions import Questions, Snapshot
from upheld.conversation.asking.transcribing import beginning_in
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import beginning_of
from upheld.errors import RepeatedIdentity, UnreadableEntry
from upheld.faces.server.access import Administering, At, Id, Limit, Reading, Writing, require_agent
from upheld.faces.server.answering import Route
from upheld.faces.server.models.conversations import (
    Agent,
    BeginRequest,
    ClaimList,
    ClaimStatus,
    ConversationList,
    ConversationStatus,
    Counts,
    Listed,
    Receipt,
)
from upheld.faces.server.models.shapes import Responses
from upheld.faces.server.telemetry.tracing import step
from upheld.faces.trees import plain
from upheld.logic.language.identities import AgentId, ConversationId, PropositionId, TurnId
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle
from upheld.record.ledger.review.queue import MOST_FLAGS, FlagQuery, flags_of
from upheld.record.ledger.store import Store
from upheld.speech.formats.annotated import read_annotated
from upheld.speech.formats.transcript import FORMAT

router = APIRouter(prefix="/v1/conversations", tags=["conversations"], route_class=Route)

After = Annotated[str, Query(description="The `next` of the page before.", max_length=200)]
Member = TypeVar("Member", bound=StrEnum)

BEGUN: Responses = {200: {"model": ConversationStatus, "description": "It was begun so before."}}

SHOWN = 100
"""Claims that a status lists."""


@router.get("", operation_id="list_conversations")
def list_conversations(visit: Reading, after: After = "", limit: Limit = 100) -> ConversationList:
    """List the conversations by name, a page at a time."""
    store = visit.host.store
    names = store.conversations()
    first = bisect_right(names, after)
    page = names[first : first + limit]
    has_more = len(names) > first + limit
    flags = _open_flags(store, page)
    return ConversationList(
        conversations=[
            Listed(id=name, title=_title(store, name), version=store.version(name), open_flags=flags.get(name, 0))
            for name in page
        ],
        next=page[-1] if has_more else None,
    )


@router.post("", operation_id="begin_conversation", status_code=201, responses=BEGUN)
def begin_conversation(body: BeginRequest, visit: Writing, response: Response) -> ConversationStatus:
    """Begin a conversation. Beginning the very same again changes nothing, and answers 200."""
    tree = body.model_dump(mode="json", exclude_none=True, exclude={"id"})
    # An empty list of turns makes it a transcript, so that one reader holds agents and propositions against the rules.
    beginning = beginning_in(read_annotated({"format": FORMAT, **tree, "turns": []}))
    if visit.host.store.version(ConversationId(body.id)):
        response.status_code = 200
    with visit.entered(body.id, beginning=beginning) as room:
        if room.conversation.beginning() != room.conversation.reader.clean_beginning(beginning):
            raise RepeatedIdentity(f"there is a conversation {body.id!r} already, and it began otherwise")
        return _status(room.conversation)


@router.get("/{conversation}", operation_id="get_conversation")
def get_conversation(conversation: Id, visit: Reading) -> ConversationStatus:
    """Say where a conversation is: its version, how many claims stand, and the newest of those that do."""
    with visit.entered(conversation) as room:
        return _status(room.conversation)


@router.delete("/{conversation}", operation_id="drop_conversation")
def drop_conversation(
    conversation: Id,
    visit: Administering,
    reason: Annotated[str, Query(description="Why; it stands in the receipt alone.", min_length=1, max_length=5000)],
    by: Annotated[str | None, Query(description="Who asked for it.", min_length=1, max_length=200)] = None,
    expected_version: Annotated[int | None, Query(description="Drop it at this version alone.", ge=0)] = None,
) -> Receipt:
    """Drop a conversation for good, whole: what was said, meant, found and flagged, and its name.

    The receipt is all that is left, and no copy of it is kept: sent again, this is answered with 404. Streams of the
    conversation end. Copies and backups are not reached.
    """
    with step("erase"):
        receipt = visit.host.drop(
            conversation, reason=reason, by=None if by is None else AgentId(by), expected=expected_version
        )
    return Receipt(**plain(receipt))


@router.get("/{conversation}/claims", operation_id="list_claims")
def list_claims(
    conversation: Id,
    visit: Reading,
    *,
    after: After = "",
    limit: Limit = 100,
    at: At = "",
    agent: Annotated[str, Query(description="Only what this agent was told.", max_length=200)] = "",
    standing: Annotated[Label | None, Query(description="Only claims of this standing.")] = None,
) -> ClaimList:
    """List claims in the order in which they were put forward, a page at a time."""
    with visit.entered(conversation) as room:
        talk = room.conversation
        version = talk.version
        questions: Questions = talk.at(at) if at else Snapshot(talk.state)
        if agent:
            require_agent(talk.state, agent)
            told = talk.timeline.for_agent(AgentId(agent), upto=TurnId(at) if at else None)
            questions = Snapshot(told)
    named = [each.id for each in questions.propositions]
    first = named.index(questions.state.proposition(PropositionId(after)).id) + 1 if after else 0
    wanted = (id for id in named[first:] if standing is None or questions.state.label(id) is standing)
    page = list(islice(wanted, limit + 1))
    shown = [claim_status(questions, id) for id in page[:limit]]
    return ClaimList(version=version, claims=shown, next=shown[-1].id if len(page) > limit else None)


def _title(store: Store, name: ConversationId) -> str:
    # One damaged entry must not hide all the other conversations.
    with suppress(UnreadableEntry):
        return beginning_of(list(store.read(name, upto=1))).title
    return ""


def _open_flags(store: Store, names: Iterable[ConversationId]) -> Mapping[ConversationId, int]:
    """Count what waits for a decision: one question for all, or one each where there are more than it gives."""
    query = FlagQuery(is_decided=False, limit=MOST_FLAGS)
    found = flags_of(store, query)
    if len(found) < MOST_FLAGS:
        return Counter(each.conversation for each in found)
    return {name: len(flags_of(store, replace(query, conversation=name))) for name in names}


def _status(talk: Conversation) -> ConversationStatus:
    questions = Snapshot(talk.state)
    state, beginning = talk.state, talk.beginning()
    statuses = [questions.status(each.id) for each in questions.propositions]
    stands = [each.id for each in statuses if each.standing is Label.IN and each.lifecycle not in GIVEN_UP]
    newest = stands[-SHOWN:][::-1]
    return ConversationStatus(
        id=talk.id,
        title=beginning.title,
        version=talk.version,
        turns=talk.timeline.length,
        agents=[Agent.model_validate(plain(state.agents[id])) for id in sorted(state.agents)],
        counts=Counts(
            standing=_counted(Label, (each.standing for each in statuses)),
            lifecycle=_counted(Lifecycle, (each.lifecycle for each in statuses)),
        ),
        stands=[claim_status(questions, id) for id in newest],
        left_off=len(stands) - len(newest),
        open_questions=list(questions.open_questions()),
    )


def _counted(kind: type[Member], found: Iterable[Member]) -> dict[Member, int]:
    counts = Counter(found)
    return {member: counts[member] for member in kind}


def claim_status(questions: Questions, id: PropositionId) -> ClaimStatus:
    """Give a claim with how it stands, and who put it forward first."""
    told: Proposition = questions.state.proposition(id)
    origin = questions.state.node(id).first.origin
    return ClaimStatus(
        **plain(questions.status(id)),
        text=told.text,
        kind=told.kind,
        speaker=origin.speaker,
        turn=origin.turn or None,
    )
