"""Whole conversations out and in, in the forms of other programs."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from upheld.conversation.asking.transcribing import beginning_in, cleaned, transcribed, untold
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.errors import MalformedInput, RepeatedIdentity, VersionConflict
from upheld.faces.server.access import Id, IdempotencyKey, Reading, Visit, Writing
from upheld.faces.server.answering import Route
from upheld.faces.server.models.conversations import ConversationName
from upheld.faces.server.models.exchange import ImportAnswer
from upheld.faces.server.models.shapes import Responses, Tree
from upheld.logic.language.identities import ConversationId, TurnId
from upheld.record.ledger.store import Store
from upheld.speech.formats.reading import FORMS, taken_from_bytes
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writing import write_transcript

router = APIRouter(prefix="/v1/conversations", tags=["exchange"], route_class=Route)

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

TAKEN: Responses = {200: {"model": ImportAnswer, "description": "It was taken in before under this key."}}

DIGITS = 32
"""Of a digest, as many as tell two exports apart."""


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


@router.post("/import", operation_id="import_conversation", status_code=201, openapi_extra=WHOLE, responses=TAKEN)
def import_conversation(
    visit: Writing,
    content: Annotated[bytes, Depends(whole_body)],
    *,
    id: Annotated[ConversationName | None, Query(description="Its name here; else the one that it has.")] = None,
    form: Annotated[str, Query(description=f"auto, or one of {', '.join(FORMS)}")] = "auto",
    conversation: Annotated[str, Query(description="Which one of several that were sent.", max_length=200)] = "",
    key: IdempotencyKey = "",
    response: Response,
) -> ImportAnswer:
    """Take a transcript or an export in as a new conversation, whole or not at all.

    Turns without operations are read by the service's interpreter; those that could not be read are named, and their
    words are kept.
    """
    if not content:
        raise MalformedInput("nothing was sent", source=SOURCE)
    taken = taken_from_bytes(content, source=SOURCE, form=form, conversation=conversation, how="as conversation")
    transcript = replace(taken.transcript, id=id or taken.transcript.id)
    if "/" in transcript.id:
        raise MalformedInput("no name for a path: give another as id", key="id")
    # The key of the first entry says what was sent as well, so that something else under it is told apart.
    sent = sha256(b"\0".join((form.encode(), conversation.encode(), content))).hexdigest()[:DIGITS]
    name, unread, is_repeated = _taken_in(transcript, visit, f"{key}#{sent}" if key else "")
    if is_repeated:
        response.status_code = 200
    return ImportAnswer(
        id=name,
        version=visit.host.store.version(name),
        form=taken.form,
        turns=len(transcript.turns),
        unread=list(unread),
        damaged=[f"{each.place}: {each.why}" for each in taken.damaged],
        left_out=dict(taken.left_out),
        is_repeated=is_repeated,
    )


def _taken_in(transcript: Transcript, visit: Visit, under: str) -> tuple[ConversationId, tuple[TurnId, ...], bool]:
    """Give the name of a conversation that is on record now, its turns without a meaning, and whether it was before."""
    store, name = visit.host.store, ConversationId(transcript.id)
    if not _was_taken_in(store, name, under):
        talk = _told(transcript, visit)
        try:
            talk.copy_to(store, key=under)
        except VersionConflict:
            # Another try of the same request may have come first.
            if not _was_taken_in(store, name, under):
                raise
        else:
            return name, talk.unread(), False
    with visit.entered(name) as room:
        return name, room.conversation.unread(), True


def _was_taken_in(store: Store, conversation: ConversationId, under: str) -> bool:
    """Tell whether this very content began a conversation under this key.

    Raises:
        RepeatedIdentity: something else did.
    """
    first = next(store.read(conversation, upto=1), None)
    if first is None or not under:
        return False
    if first.key != under and first.key.rpartition("#")[0] == under.rpartition("#")[0]:
        raise RepeatedIdentity("the key of an import was given again with something else")
    return first.key == under


def _told(transcript: Transcript, visit: Visit) -> Conversation:
    """Tell a transcript in memory first, so that what means nothing never comes into the store."""
    policy, reader = visit.house.equipment.policy, visit.house.equipment.reader()
    for place, turn in enumerate(transcript.turns):
        visit.check_text(turn.text, f"turns[{place}].text")
    if transcript.is_annotated:
        return loaded(cleaned(transcript, reader), policy=policy)
    talk = Conversation(
        beginning_in(transcript),
        id=transcript.id,
        policy=policy,
        is_lenient=True,
        interpreter=reader,
    )
    for turn in transcript.turns:
        talk.hear(turn)
    return talk
