"""The application: its routes, what stands before them, and what lives as long as it does."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import cast

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.concurrency import run_in_threadpool

from upheld.faces.server.admission.gate import Gate
from upheld.faces.server.errors import MEDIA_TYPE, answer_problems
from upheld.faces.server.house import House, opened_house
from upheld.faces.server.models.shapes import Problem, Responses
from upheld.faces.server.page.serving import add_page
from upheld.faces.server.parts import Part
from upheld.faces.server.routes import (
    asking,
    conversations,
    events,
    exchange,
    health,
    looking,
    retractions,
    reviewing,
    searching,
    turns,
    verifying,
)
from upheld.faces.server.settings import Settings

SUMMARY = "What a conversation rests on, and whether the next reply still stands on it."

TAGS = {
    "conversations": "Begin a conversation, and see where it is.",
    "turns": "Say something, give it another meaning, erase it.",
    "retractions": "Take something back for good.",
    "verify": "May this be said now?",
    "questions": "What would follow, why does it stand, who believes what? Nothing is ever changed.",
    "looking": "All that happened, to be drawn; how two moments differ; one claim with its past.",
    "search": "Claims of all conversations.",
    "review": "Replies that a person should look at, and what they decided.",
    "exchange": "Whole conversations in the forms of other programs.",
    "live": "What happens, as it happens.",
    "health": "Does the service run, and does its store answer?",
}

PROBLEMS: Responses = {
    "4XX": {"description": "Refused; nothing was changed.", "model": Problem, "content": {MEDIA_TYPE: {}}},
    "5XX": {"description": "A fault, of the service or of what it stands on.", "model": Problem},
}


def create_app(settings: Settings, *, parts: Sequence[Part] = ()) -> FastAPI:
    """Make the application, with these parts besides its own routes.

    Its store is opened when it starts, and closed when it ends.
    Endpoints are synchronous and run on threads, as the engine does; a conversation has a lock of its own.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        house = await run_in_threadpool(opened_house, settings)
        app.state.house = house
        try:
            async with AsyncExitStack() as stack:
                for part in parts:
                    if part.alive is not None:
                        await stack.enter_async_context(part.alive(house))
                yield
        finally:
            await run_in_threadpool(house.close)

    app = FastAPI(
        title="upheld",
        summary=SUMMARY,
        version=_version(),
        openapi_tags=[{"name": name, "description": told} for name, told in TAGS.items()],
        lifespan=lifespan,
        # Their pages load scripts from elsewhere; the description itself is at /openapi.json.
        docs_url=None,
        redoc_url=None,
        responses=PROBLEMS,
    )
    tell = (conversations, exchange, turns, retractions, reviewing)
    for each in (*tell, verifying, asking, looking, searching, events, health):
        app.include_router(each.router)
    app.include_router(looking.samples)
    add_page(app)
    for part in parts:
        part.add(app)
    answer_problems(app)
    app.add_middleware(Gate, house=lambda: cast("House", app.state.house))
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type", "idempotency-key", "last-event-id"],
        )
    return app


def _version() -> str:
    try:
        return version("upheld")
    except PackageNotFoundError:
        return "0"
