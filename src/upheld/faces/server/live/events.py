"""A conversation live: an event for each entry of its record, as it arrives (Server-Sent Events)."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from functools import partial
from http import HTTPStatus
from typing import Annotated

import anyio
from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from upheld.errors import MalformedInput, UpheldError
from upheld.faces.server.access import Id, Reading
from upheld.faces.server.errors import RETRY_AFTER, refusal
from upheld.faces.server.following import Follower
from upheld.faces.server.house import House
from upheld.faces.server.models.events import Event
from upheld.faces.server.models.shapes import Responses

router = APIRouter(prefix="/v1/conversations/{conversation}", tags=["live"])

WAIT = 0.5
"""Seconds that a thread waits for news before it looks whether anybody still listens."""

RECONNECT = f"retry: {RETRY_AFTER * 1000}\n\n"
SILENCE = ":\n\n"
"""A comment, which clients pass over; it keeps what lies between from closing a silent connection."""


class EventStream(StreamingResponse):
    """A stream of events, one of so many at once."""

    media_type = "text/event-stream"

    def __init__(self, follower: Follower, request: Request, house: House) -> None:
        """Stream what a follower finds; it takes the place that was kept for it."""
        headers = {"cache-control": "no-cache", "x-accel-buffering": "no"}
        super().__init__(_events(follower, request, house), headers=headers)
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until nobody listens any more."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._house.live.release()


STREAM: Responses = {200: {"description": "A stream of events; the data of each is this.", "model": Event}}


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
    request: Request,
    after: Annotated[int, Query(ge=0, description="Begin after this entry; 0: from the beginning.")] = 0,
    last_event_id: Annotated[str, Header(alias="Last-Event-ID", max_length=20)] = "",
) -> Response:
    """Follow a conversation. The id of an event is its entry's number: ``Last-Event-ID`` resumes without a gap."""
    if last_event_id:
        if not (last_event_id.isascii() and last_event_id.isdigit()):
            raise MalformedInput("no number of an entry", key="Last-Event-ID")
        after = int(last_event_id)
    follower = await run_in_threadpool(partial(Follower.begun, visit, conversation, after=after))
    if not visit.house.live.acquire(blocking=False):
        return refusal(
            HTTPStatus.SERVICE_UNAVAILABLE,
            f"{visit.settings.most_live} streams are open already, and there are no more: see the setting most_live",
            slug="too-many-streams",
            headers={"retry-after": str(RETRY_AFTER)},
        )
    return EventStream(follower, request, visit.house)


async def _events(follower: Follower, request: Request, house: House) -> AsyncIterator[str]:
    yield RECONNECT
    spoke = time.monotonic()
    while not house.stopping.is_set():
        try:
            # Threads of their own: those of the other requests must not run out while streams wait.
            news = await anyio.to_thread.run_sync(follower.news, WAIT, limiter=house.waiting)
        except UpheldError:
            # Too late for another status: whoever connects again is told what it is.
            return
        for event in news:
            yield f"id: {event.epoch}\nevent: {event.kind}\ndata: {event.model_dump_json()}\n\n"
        if news:
            spoke = time.monotonic()
        elif await request.is_disconnected():
            return
        elif time.monotonic() - spoke >= house.settings.heartbeat:
            yield SILENCE
            spoke = time.monotonic()
