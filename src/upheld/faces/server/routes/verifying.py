"""Whether something may be said now."""

from __future__ import annotations

import asyncio
import json

from fastapi import APIRouter, Response

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import Checked, check_candidates, check_text, checked
from upheld.conversation.hosting.host import Room
from upheld.errors import MalformedInput
from upheld.faces.server.access import Id, Reading, Visit, require_agent
from upheld.faces.server.answering import Route
from upheld.faces.server.models.verdicts import VerifyAnswer, VerifyRequest
from upheld.faces.trees import checked_tree
from upheld.logic.language import verdicts
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.literals import literal
from upheld.logic.reasoning.state import State

router = APIRouter(prefix="/v1/conversations/{conversation}", tags=["verify"], route_class=Route)

FEW = 8
"""Claims that are judged at once, without a thread of their own."""

BY_ID = "by id"
"""Named as matcher of claims that were given by their ids."""


@router.post("/verify", operation_id="verify", response_model=VerifyAnswer)
async def verify(conversation: Id, body: VerifyRequest, visit: Reading) -> Response:
    """Judge a text, or claims by their ids: each with its findings, its place in the text, and what would restore it.

    A text that could not be checked is ``abstain``: neither grounded nor ungrounded.
    """
    if (body.text is None) == (body.claims is None):
        raise MalformedInput("give a text or claims, one of the two", key="text")
    visit.check_text(body.text or "", "text")
    if body.claims is not None and len(body.claims) <= FEW and not body.at:
        with visit.at_hand(conversation) as room:
            if room is not None:
                return _verified(room, body, visit)
    return await asyncio.to_thread(_verify, conversation, body, visit)


def _verify(conversation: str, body: VerifyRequest, visit: Visit) -> Response:
    with visit.entered(conversation) as room:
        return _verified(room, body, visit)


def _verified(room: Room, body: VerifyRequest, visit: Visit) -> Response:
    talk = room.conversation
    state = talk.at(body.at).state if body.at else talk.state
    speaker = require_agent(state, body.speaker)
    found = _by_words(room, body, visit, speaker) if body.claims is None else _by_id(state, body, speaker)
    # What is asked most is written straight from the tree; a test holds it against the model.
    answer = json.dumps({**checked_tree(found), "version": talk.version})
    return Response(answer, media_type="application/json")


def _by_words(room: Room, body: VerifyRequest, visit: Visit, speaker: AgentId | None) -> Checked:
    talk, text = room.conversation, body.text or ""
    if not body.at:
        view = StateView(talk.state, earlier=talk.timeline.last)
        return check_text(talk.state, text, room.matcher, speaker=speaker, view=view)
    # The room's matcher keeps an index of the conversation as it is now.
    at = TurnId(body.at)
    state = talk.timeline.at(at)
    return check_text(state, text, visit.house.equipment.matcher(), speaker=speaker, view=StateView(state))


def _by_id(state: State, body: VerifyRequest, speaker: AgentId | None) -> Checked:
    candidates = [
        verdicts.Candidate(literal=literal(each.literal), stance=each.stance, modality=each.modality)
        for each in body.claims or ()
    ]
    return checked(
        claim
        for each in candidates
        for claim in check_candidates(state, str(each.literal), [each], matcher=BY_ID, speaker=speaker).claims
    )
