"""Whole conversations out and in, in the forms of other programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from upheld.conversation.asking.transcribing import beginning_in, transcribed, untold
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.errors import MalformedInput
from upheld.faces.server.access import Id, Reading, Visit, Writing
from upheld.faces.server.models.conversations import ConversationName
from upheld.faces.server.models.exchange import ImportAnswer
from upheld.faces.server.models.shapes import Responses, Tree
from upheld.speech.formats.reading import FORMS, taken_from_bytes
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writing import write_transcript

router = APIRouter(prefix="/v1/conversations", tags=["exchange"])

SOURCE = "body"
"""Names what was sent in errors about it."""

JSON_FORMS = ("json", "chat", "openai", "responses", "anthropic", "sharegpt", "otlp")
LINES = ("jsonl", "ag-ui")

WHOLE: Tree = {
    "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}
}
_TEXT: Tree = {"schema": {"type": "string"}}
WRITTEN: Responses = {
    200: {
        "description": "The conversation in that form.",
        "content": {"text/plain": _TEXT, "application/json": {}, "application/jsonl": _TEXT},
    }
}


async def whole_body(request: Request) -> bytes:
    """Read what was sent as it is, whatever it is called."""
    return await request.body()


@router.get("/{conversation}/export", operation_id="export", response_class=Response, responses=WRITTEN)
def export(
    conversation: Id,
    visit: Reading,
    form: Annotated[str, Query(description="yaml or json (all of it), chat, text, openai, otlp, …")] = "json",
) -> Response:
    """Write a conversation in a form of other programs; ``Upheld-Left-Out`` counts retractions it cannot hold."""
    with visit.entered(conversation) as room:
        transcript, left_out = transcribed(room.conversation), untold(room.conversation)
    text = write_transcript(transcript, form=form)
    kind = "application/json" if form in JSON_FORMS else "application/jsonl" if form in LINES else "text/plain"
    return Response(text, media_type=kind, headers={"upheld-left-out": str(left_out)})


@router.post("/import", operation_id="import_conversation", status_code=201, openapi_extra=WHOLE)
def import_conversation(
    visit: Writing,
    content: Annotated[bytes, Depends(whole_body)],
    *,
    id: Annotated[ConversationName | None, Query(description="Its name here; else the one that it has.")] = None,
    form: Annotated[str, Query(description=f"auto, or one of {', '.join(FORMS)}")] = "auto",
    conversation: Annotated[str, Query(description="Which one of several that were sent.", max_length=200)] = "",
) -> ImportAnswer:
    """Take a transcript or an export in as a new conversation, whole or not at all.

    Turns without operations are read by the service's interpreter; those that could not be read are named, and their
    words are kept.
    """
    if not content:
        raise MalformedInput("nothing was sent", source=SOURCE)
    taken = taken_from_bytes(content, source=SOURCE, form=form, conversation=conversation)
    transcript = replace(taken.transcript, id=id or taken.transcript.id)
    if "/" in transcript.id:
        raise MalformedInput("no name for a path: give another as id", key="id")
    talk = _told(transcript, visit)
    store = visit.host.store
    talk.copy_to(store)
    return ImportAnswer(
        id=talk.id,
        version=store.version(talk.id),
        form=taken.form,
        turns=len(transcript.turns),
        unread=list(talk.unread()),
        damaged=[f"{each.place}: {each.why}" for each in taken.damaged],
        left_out=dict(taken.left_out),
    )


def _told(transcript: Transcript, visit: Visit) -> Conversation:
    """Tell a transcript in memory first, so that what means nothing never comes into the store."""
    policy = visit.house.equipment.policy
    for place, turn in enumerate(transcript.turns):
        visit.check_text(turn.text, f"turns[{place}].text")
    if transcript.is_annotated:
        return loaded(transcript, policy=policy)
    talk = Conversation(
        beginning_in(transcript),
        id=transcript.id,
        policy=policy,
        is_lenient=True,
        interpreter=visit.house.equipment.reader(),
    )
    for turn in transcript.turns:
        talk.hear(turn)
    return talk
