"""The review queue: replies are put before people, who decide them, and what they decided becomes labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response

from upheld.conversation.conversation import Conversation
from upheld.conversation.reviewing.erasing import erased_flag
from upheld.conversation.reviewing.gold import gold_item
from upheld.conversation.reviewing.looking import looked_at
from upheld.conversation.reviewing.queue import all_queued, cursor_of, place_in, queued
from upheld.conversation.reviewing.review import Review
from upheld.faces.server.access import (
    Administering,
    Id,
    IdempotencyKey,
    Limit,
    Reading,
    Visit,
    Writing,
    persistently,
)
from upheld.faces.server.answering import Route
from upheld.faces.server.models.reviewing import (
    AssignmentRequest,
    CommentRequest,
    DecisionRequest,
    FlagAnswer,
    FlagErasureRequest,
    FlagRequest,
    FlagSummary,
    QueueAnswer,
)
from upheld.faces.server.models.shapes import Responses
from upheld.faces.server.models.turns import EraseAnswer
from upheld.faces.trees import review_tree, summary_tree
from upheld.logic.language.identities import AgentId, ConversationId
from upheld.logic.language.literals import literal
from upheld.record.ledger.review.contents import CorrectedClaim
from upheld.record.ledger.review.queue import MOST_FLAGS, FlagQuery

router = APIRouter(prefix="/v1", tags=["review"], route_class=Route)

FLAGS = "/conversations/{conversation}/flags"

Flag = Annotated[str, Path(description="Id of the flag, such as F1.", max_length=200)]
LABELS: Responses = {200: {"description": "A label a line.", "content": {"application/jsonl": {}}}}

IS_DECIDED = {"open": False, "decided": True, "all": None}


@router.post(FLAGS, operation_id="flag_reply", status_code=201)
def flag_reply(conversation: Id, body: FlagRequest, visit: Writing, key: IdempotencyKey = "") -> FlagAnswer:
    """Put a reply before a person: it is verified as things stand, and filed with what is found, whatever that is."""
    visit.check_text(body.text, "text")
    with visit.entered(conversation) as room:
        talk = room.conversation

        def act() -> Review:
            return talk.flag(body.text, matcher=room.matcher, speaker=body.speaker, by=body.by, note=body.note, key=key)

        return _answer(talk, persistently(talk, act))


@router.get(f"{FLAGS}/{{flag}}", operation_id="show_flag")
def show_flag(conversation: Id, flag: Flag, visit: Reading) -> FlagAnswer:
    """Give a flag: its claims as they were judged and as they stand now, the two turns that matter, and its history."""
    with visit.entered(conversation) as room:
        return _answer(room.conversation, room.conversation.flagged(flag))


@router.post(f"{FLAGS}/{{flag}}/assignment", operation_id="assign_flag", status_code=201)
def assign_flag(
    conversation: Id, flag: Flag, body: AssignmentRequest, visit: Writing, key: IdempotencyKey = ""
) -> FlagAnswer:
    """Give a flag to somebody to look at, or back to all."""
    return _acted(
        visit,
        conversation,
        lambda talk: talk.assign(flag, body.to, by=body.by, expected=body.expected_version, key=key),
    )


@router.post(f"{FLAGS}/{{flag}}/decision", operation_id="decide_flag", status_code=201)
def decide_flag(
    conversation: Id, flag: Flag, body: DecisionRequest, visit: Writing, key: IdempotencyKey = ""
) -> FlagAnswer:
    """Decide a flag. To replace a decision, name the ``version`` that you saw; both stay on record."""
    claims = None
    if body.claims is not None:
        claims = [
            CorrectedClaim(
                span=each.span,
                literals=tuple(literal(id) for id in each.literals),
                outcome=each.outcome,
                stance=each.stance,
                modality=each.modality,
            )
            for each in body.claims
        ]
    return _acted(
        visit,
        conversation,
        lambda talk: talk.decide(
            flag,
            body.outcome,
            by=body.by,
            reason=body.reason,
            claims=claims,
            expected=body.expected_version,
            key=key,
        ),
    )


@router.post(f"{FLAGS}/{{flag}}/comments", operation_id="comment_on_flag", status_code=201)
def comment_on_flag(
    conversation: Id, flag: Flag, body: CommentRequest, visit: Writing, key: IdempotencyKey = ""
) -> FlagAnswer:
    """Remark on a flag."""
    return _acted(
        visit,
        conversation,
        lambda talk: talk.comment(flag, body.text, by=body.by, expected=body.expected_version, key=key),
    )


@router.post(f"{FLAGS}/{{flag}}/erasure", operation_id="erase_flag")
def erase_flag(conversation: Id, flag: Flag, body: FlagErasureRequest, visit: Administering) -> EraseAnswer:
    """Erase the words of a flag for good, comments and reasons included; that it was decided stays, and as what."""
    with visit.entered(conversation) as room:
        talk = room.conversation
        by = AgentId(body.by) if body.by else None
        policy = talk.state.policy
        act = erased_flag(visit.host.store, talk.id, flag, reason=body.reason, by=by, policy=policy)
        talk.refresh()
        return EraseAnswer(version=talk.version, epoch=None if act is None else act.epoch, is_repeated=False)


@router.get("/queue", operation_id="queue")
def queue(
    visit: Reading,
    *,
    status: Annotated[
        Literal["open", "decided", "all"], Query(description="What nobody decided, or the rest.")
    ] = "open",
    assignee: Annotated[str, Query(description="Only what was given to them.", max_length=200)] = "",
    conversation: Annotated[str, Query(description="Only of this conversation.", max_length=200)] = "",
    after: Annotated[str, Query(description="The `next` of the page before.", max_length=2000)] = "",
    limit: Limit = 100,
) -> QueueAnswer:
    """Give the flags of all conversations: facts that do not stand first, and of each sort the newest."""
    page = queued(
        visit.host.store,
        FlagQuery(
            is_decided=IS_DECIDED[status],
            assignee=AgentId(assignee) if assignee else None,
            conversation=ConversationId(conversation) if conversation else None,
            after=place_in(after) if after else None,
            limit=limit,
        ),
    )
    return QueueAnswer(
        flags=[FlagSummary.model_validate(summary_tree(review)) for review in page.reviews],
        next=None if page.last is None else cursor_of(page.last),
    )


@router.get("/queue/export", operation_id="export_decisions", response_class=Response, responses=LABELS)
def export_decisions(visit: Reading) -> Response:
    """Give all decided flags as labels, a line each; those whose words were erased are left out."""
    decided = all_queued(visit.host.store, FlagQuery(is_decided=True, limit=MOST_FLAGS))
    items = (gold_item(review) for review in decided)
    lines = (json.dumps(item, ensure_ascii=False) + "\n" for item in items if item is not None)
    return Response("".join(lines), media_type="application/jsonl")


def _acted(visit: Visit, conversation: str, act: Callable[[Conversation], Review]) -> FlagAnswer:
    with visit.entered(conversation) as room:
        talk = room.conversation
        return _answer(talk, persistently(talk, lambda: act(talk)))


def _answer(talk: Conversation, review: Review) -> FlagAnswer:
    return FlagAnswer.model_validate(review_tree(looked_at(review, talk.timeline), talk.state))
