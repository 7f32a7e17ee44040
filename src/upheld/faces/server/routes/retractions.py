"""What is taken back for good, by whoever keeps the record."""

from __future__ import annotations

from fastapi import APIRouter, Response

from upheld.faces.server.access import Id, IdempotencyKey, Visit, Writing, persistently
from upheld.faces.server.answering import Route
from upheld.faces.server.models.changes import Delta, RetractionAnswer, RetractionRequest
from upheld.faces.server.models.shapes import Responses
from upheld.faces.trees import plain
from upheld.logic.language.plain import read_retraction
from upheld.logic.language.verdicts import Delta as Changed

router = APIRouter(prefix="/v1/conversations/{conversation}", tags=["retractions"], route_class=Route)


REPEATED: Responses = {200: {"model": RetractionAnswer, "description": "It was put on record before under this key."}}


@router.post("/retractions", operation_id="retract", status_code=201, responses=REPEATED)
def retract(
    conversation: Id, body: RetractionRequest, visit: Writing, response: Response, key: IdempotencyKey = ""
) -> RetractionAnswer:
    """Retract, falsify, withdraw or supersede, and say what fell, was thinned and came back."""
    answer = retracted(conversation, body, visit, key)
    if answer.is_repeated:
        response.status_code = 200
    return answer


def retracted(conversation: str, body: RetractionRequest, visit: Visit, key: str = "") -> RetractionAnswer:
    """Put a change on record; nothing is done again under a key that it was done under."""
    change = read_retraction(body.change.model_dump(), key="change")
    with visit.entered(conversation) as room:
        talk, is_repeated = room.conversation, room.conversation.was_done(key)

        def act() -> Changed:
            return talk.retract(change, by=body.by, reason=body.reason, key=key)

        delta = persistently(talk, act, expected=None if is_repeated else body.expected_version)
        return RetractionAnswer(version=talk.version, delta=Delta.model_validate(plain(delta)), is_repeated=is_repeated)
