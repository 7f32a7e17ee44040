"""What is taken back for good, by whoever keeps the record."""

from __future__ import annotations

from fastapi import APIRouter

from upheld.faces.server.access import Id, Writing, persistently
from upheld.faces.server.answering import Route
from upheld.faces.server.models.changes import Delta, RetractionAnswer, RetractionRequest
from upheld.faces.trees import plain
from upheld.logic.language.plain import read_retraction
from upheld.logic.language.verdicts import Delta as Changed

router = APIRouter(prefix="/v1/conversations/{conversation}", tags=["retractions"], route_class=Route)


@router.post("/retractions", operation_id="retract", status_code=201)
def retract(conversation: Id, body: RetractionRequest, visit: Writing) -> RetractionAnswer:
    """Retract, falsify, withdraw or supersede, and say what fell, was thinned and came back."""
    change = read_retraction(body.change.model_dump(), key="change")
    with visit.entered(conversation) as room:
        talk = room.conversation

        def act() -> Changed:
            return talk.retract(change, by=body.by, reason=body.reason)

        delta = persistently(talk, act, expected=body.expected_version)
        return RetractionAnswer(version=talk.version, delta=Delta.model_validate(plain(delta)))
