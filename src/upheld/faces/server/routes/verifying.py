"""Whether something may be said now."""

from __future__ import annotations

import asyncio
import json

from fastapi import APIRouter, Response

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import Checked, check_candidates, check_text, checked
from upheld.conversation.hosting.host import Room
from upheld.errors import MalformedInput
from upheld.faces.server.access import Id, IdempotencyKey, Reading, Visit, persistently, require_agent
from upheld.faces.server.admission.keys import Role
from upheld.faces.server.answering import Route
from upheld.faces.server.models.verdicts import VerifyAnswer, VerifyRequest
from upheld.faces.server.noting import Noted, note_verdict
from upheld.faces.server.telemetry.tracing import step
from upheld.faces.trees import Tree, checked_tree
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
async def verify(conversation: Id, body: VerifyRequest, visit: Reading, key: IdempotencyKey = "") -> Response:
    """Judge a text, or claims by their ids: each with its findings, its place in the text, and what would restore it.

    A text that could not be checked is ``abstain``: neither grounded nor ungrounded. With ``flag`` a text that is not
    grounded is put before a person, once where an idempotency key is given.
    """
    if body.claims is not None and len(body.claims) <= FEW and not body.at:
        _check(body, visit)
        with step("verify"):
            async with visit.at_hand(conversation) as room:
                if room is not None:
                    return _written(_judged(room, body, visit))
    return await asyncio.to_thread(lambda: _written(judged(conversation, body, visit, key)))


def judged(conversation: str, body: VerifyRequest, visit: Visit, key: str = "") -> Tree:
    """Judge what would be said, note the verdict, and put it before a person where that is wished; fits the model.

    Raises:
        UpheldError: what the library raises; nothing was decided then.
    """
    _check(body, visit)
    with step("verify"), visit.entered(conversation) as room:
        return _judged(room, body, visit, key)


def _check(body: VerifyRequest, visit: Visit) -> None:
    if (body.text is None) == (body.claims is None):
        raise MalformedInput("give a text or claims, one of the two", key="text")
    if body.flag:
        visit.require(Role.WRITER)
        if body.text is None or body.at:
            raise MalformedInput("a text is put before a person as things stand now", key="flag")
    visit.check_text(body.text or "", "text")


def _judged(room: Room, body: VerifyRequest, visit: Visit, key: str = "") -> Tree:
    talk = room.conversation
    state = talk.at(body.at).state if body.at else talk.state
    speaker = require_agent(state, body.speaker)
    found = _by_words(room, body, visit, speaker) if body.claims is None else _by_id(state, body, speaker)
    version = talk.version
    flag = _flagged(room, body, found, key) if body.flag else None
    verdict = Noted(version=version, speaker=body.speaker, text=body.text or "", response=body.response)
    # One on how things stood earlier is not for those who follow the conversation now.
    note_verdict(visit, talk.id, found, verdict, is_live=not body.at)
    return {**checked_tree(found), "version": version, "flag": flag}


def _written(tree: Tree) -> Response:
    """Write what is asked most straight from the tree; a test holds it against the model."""
    return Response(json.dumps(tree), media_type="application/json")


def _flagged(room: Room, body: VerifyRequest, found: Checked, key: str) -> str | None:
    if found.outcome is verdicts.Outcome.GROUNDED:
        return None
    talk, text = room.conversation, body.text or ""
    # Where another process came first, what stands may be otherwise: it is judged anew, and filed as it is found then.
    version = talk.version

    def act() -> str:
        checked = found if talk.version == version else None
        return talk.flag(text, matcher=room.matcher, checked=checked, speaker=body.speaker, key=key).id

    return persistently(talk, act)


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
