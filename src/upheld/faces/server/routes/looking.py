"""A conversation to look at: all that happened, for a page that draws it and goes back and forth."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Query, Response

from upheld.conversation.looking.history import History as Told
from upheld.conversation.looking.history import Moment, history_of
from upheld.conversation.looking.log import Change
from upheld.faces.server.access import Id, Reading
from upheld.faces.server.models.looking import History
from upheld.faces.trees import Tree, plain
from upheld.logic.language.plain import plain_operation

router = APIRouter(prefix="/v1/conversations/{conversation}", tags=["looking"])


@router.get("/history", operation_id="history", response_model=History)
def history(
    conversation: Id,
    visit: Reading,
    after: Annotated[int, Query(ge=0, description="The `place` that the caller has; 0: everything.")] = 0,
) -> Response:
    """Give all that happened after a place, and what it did: enough to draw a conversation as of any moment.

    After an amendment or an erasure what was given before may be otherwise: ask for everything again.
    """
    with visit.entered(conversation) as room:
        told = history_of(room.conversation, visit.host.store, room.log, after=after)
    # Thousands of records: written at once, and held against the model by a test instead of with every answer.
    return Response(json.dumps(_tree(told), ensure_ascii=True), media_type="application/json")


def _tree(told: Told) -> Tree:
    return {
        "id": told.id,
        "title": told.title,
        "version": told.version,
        "place": told.place,
        "agents": plain(told.agents),
        "moments": [_moment(each) for each in told.moments],
        "claims": [{name: getattr(each, name) for name in _CLAIM} for each in told.claims],
        "edges": [{name: getattr(each, name) for name in _EDGE} for each in told.edges],
        "changes": [_change(each) for each in told.changes],
    }


_CLAIM = ("id", "text", "kind", "speaker", "turn", "place")
_EDGE = ("source", "target", "kind", "group", "place", "ended")


def _moment(moment: Moment) -> Tree:
    return {
        "place": moment.place,
        "kind": moment.kind,
        "turn": moment.turn,
        "speaker": moment.speaker,
        "text": moment.text,
        "at": moment.at,
        "session": moment.session,
        "recorded_at": moment.recorded_at,
        "audience": plain(moment.audience),
        "is_erased": moment.is_erased,
        "is_unread": moment.is_unread,
        "change": plain(moment.change),
        "reason": moment.reason,
        "operations": [plain_operation(each) for each in moment.operations],
        "claims": [{"id": each.id, "span": each.span, "act": each.act} for each in moment.claims],
        "effects": plain(moment.effects),
    }


def _change(change: Change) -> Tree:
    return {
        "place": change.place,
        "claim": change.claim,
        "standing": change.standing.label,
        "lifecycle": change.standing.lifecycle,
        "needs_reevaluation": change.needs_reevaluation,
    }
