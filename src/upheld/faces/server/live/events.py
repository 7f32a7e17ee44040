"""A conversation live: an event for each entry of its record, as it arrives (Server-Sent Events)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from upheld.errors import MalformedInput
from upheld.faces.server.access import Id, Reading, Visit
from upheld.faces.server.errors import RETRY_AFTER, Problem, refusal
from upheld.faces.server.live.listening import Listening
from upheld.faces.server.models.events import Event, VerdictEvent
from upheld.faces.server.models.shapes import Responses

router = APIRouter(prefix="/v1/conversations/{conversation}", tags=["live"])

RECONNECT = f"retry: {RETRY_AFTER * 1000}\n\n"
SILENCE = ":\n\n"
"""A comment, which clients pass over; it keeps what lies between from closing a silent connection."""

TOO_MANY = "too-many-streams"


class EventStream(StreamingResponse):
    """A stream of events, one of so many at once."""

    media_type = "text/event-stream"

    def __init__(self, listening: Listening) -> None:
        """Stream what a listener is told; its place is given back at the end."""
        headers = {"cache-control": "no-cache", "x-accel-buffering": "no"}
        super().__init__(_events(listening), headers=headers)
        self._listening = listening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until nobody listens any more."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._listening.leave()


STREAM: Responses = {
    200: {"description": "A stream of events; the data of each is one of these.", "model": Event | VerdictEvent}
}


@router.get(
    "/events",
    operation_id="follow",
    status_code=200,
    response_class=EventStream,
    response_model=None,
    responses=STREAM,
)
async def follow(
    conversation: Id,
    visit: Reading,
    after: Annotated[int, Query(ge=0, description="Begin after this entry; 0: from the beginning.")] = 0,
    last_event_id: Annotated[str, Header(alias="Last-Event-ID", max_length=20)] = "",
) -> Response:
    """Follow a conversation. The id of an event is its entry's number: ``Last-Event-ID`` resumes without a gap.

    Verdicts that are given meanwhile come as ``verdict``, without an id: they are in no record, and are not resumed.
    """
    if last_event_id:
        after = entry_number(last_event_id, "Last-Event-ID")
    listening = await Listening.begun(visit, conversation, after=after)
    return EventStream(listening) if listening is not None else too_many(visit)


def entry_number(text: str, key: str) -> int:
    """Read the number of an entry.

    Raises:
        MalformedInput: it is none.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise MalformedInput("no number of an entry", key=key)
    return int(text)


def too_many(visit: Visit) -> Problem:
    """Refuse one stream more than there may be."""
    return refusal(
        HTTPStatus.SERVICE_UNAVAILABLE,
        f"{visit.settings.most_live} streams are open already, and there are no more: see the setting most_live",
        slug=TOO_MANY,
        headers={"retry-after": str(RETRY_AFTER)},
    )


async def _events(listening: Listening) -> AsyncIterator[str]:
    yield RECONNECT
    async for each in listening.news():
        match each:
            case None:
                yield SILENCE
            case Event():
                yield f"id: {each.epoch}\nevent: {each.kind}\ndata: {each.model_dump_json()}\n\n"
            case VerdictEvent():
                yield f"event: {each.kind}\ndata: {each.model_dump_json()}\n\n"
