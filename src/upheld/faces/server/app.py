"""The application: its routes, what stands before them, and what lives as long as it does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from typing import cast

from anyio import CapacityLimiter, to_thread
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.concurrency import run_in_threadpool

from upheld.faces.server import calling
from upheld.faces.server.admission.gate import Gate
from upheld.faces.server.answering import THREADS
from upheld.faces.server.description import PROBLEMS, VERSION, Described
from upheld.faces.server.errors import answer_problems
from upheld.faces.server.house import House, opened_house
from upheld.faces.server.live import events, sockets
from upheld.faces.server.page.serving import add_page
from upheld.faces.server.parts import Part
from upheld.faces.server.routes import (
    asking,
    conversations,
    exchange,
    health,
    looking,
    metrics,
    retractions,
    reviewing,
    searching,
    turns,
    verifying,
)
from upheld.faces.server.settings import Settings
from upheld.faces.server.telemetry.observing import REQUEST_ID, Observer

TENDED = 1.0
"""Seconds between two looks at what may change while the service runs: the file of keys."""

OWN = (
    verifying,
    turns,
    conversations,
    exchange,
    retractions,
    asking,
    looking,
    searching,
    reviewing,
    events,
    sockets,
    calling,
    health,
    metrics,
)
"""Modules with routes. Routes are tried one after the other: those that are asked most come first."""

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
    "guardrail": "What a gateway asks before and after a language model.",
    "live": "What happens, as it happens.",
    "health": "Does the service run, and does its store answer?",
    "keys": "As whom does the service know whoever asks?",
}


def create_app(settings: Settings, *, parts: Sequence[Part] = ()) -> FastAPI:
    """Make the application, with these parts besides its own routes.

    Its store is opened when it starts, and closed when it ends.
    Endpoints are synchronous and run on threads, as the engine does; a conversation has a lock of its own.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        house = await run_in_threadpool(opened_house, settings)
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS, "upheld"))
        app.state.house = house
        tending = asyncio.create_task(_tend(house))
        try:
            async with AsyncExitStack() as stack:
                for part in parts:
                    if part.alive is not None:
                        await stack.enter_async_context(part.alive(house))
                yield
        finally:
            tending.cancel()
            await run_in_threadpool(house.close)

    app = Described(
        title="upheld",
        summary=SUMMARY,
        version=VERSION,
        openapi_tags=[{"name": name, "description": told} for name, told in TAGS.items()],
        lifespan=lifespan,
        # Their pages load scripts from elsewhere; the description itself is at /openapi.json.
        docs_url=None,
        redoc_url=None,
        responses=PROBLEMS,
    )
    for each in OWN:
        app.include_router(each.router)
    app.include_router(looking.samples)
    add_page(app)
    for part in parts:
        part.add(app)
    answer_problems(app)
    app.add_middleware(Gate, house=lambda: cast("House", app.state.house))
    app.add_middleware(Observer, observed=lambda: cast("House", app.state.house))
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST", "DELETE"],
            expose_headers=[REQUEST_ID],
            allow_headers=[
                "authorization",
                "content-type",
                "idempotency-key",
                "last-event-id",
                "traceparent",
                REQUEST_ID,
            ],
        )
    return app


async def _tend(house: House) -> None:
    # A thread of its own: a key is taken back also while all others are busy.
    alone = CapacityLimiter(1)
    while True:
        await asyncio.sleep(TENDED)
        await to_thread.run_sync(house.tend, limiter=alone)
