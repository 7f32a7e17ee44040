"""How an endpoint's answer is written: once, where it was found."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, cast

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.middleware.gzip import GZipMiddleware

from upheld.faces.server.reading import Endpoint, plan_of

THREADS = 40
"""Requests that are worked on at once; the others wait. As many as the framework has by itself."""

COMPRESSED_FROM = 4096
"""Bytes from which on an answer is compressed: a shorter one fits into the first packets as it is."""

COMPRESSED_AT = 4
"""Level of gzip: of a history of 2,000 turns 9 leaves 3 % less, and takes seven times as long."""


class Route(APIRoute):
    """A route whose answers are written by the thread that found them, and compressed where they are long.

    Only what is read (GET) is compressed, with gzip, for whoever takes it. It is done here rather than before the whole
    application, where streams would be compressed as well: those of the proxy have whatever media type the upstream
    gave them, and one that is compressed is held back. What is sent, such as a text to verify, is not touched by it.

    The framework would hold a model against itself again, and hand it to another thread for that: each such change of
    threads costs as much as a short question. One who does no waiting is asked in the loop itself, without a thread.
    """

    def __init__(self, path: str, endpoint: Endpoint, **more: Any) -> None:
        """Add a route; an endpoint that is no coroutine is run on a thread."""
        status = more.get("status_code") or 200
        super().__init__(path, _written(endpoint, status), **more)
        if self.methods == {"GET"}:
            self.handle = GZipMiddleware(self.handle, minimum_size=COMPRESSED_FROM, compresslevel=COMPRESSED_AT)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Give what answers a request: by a plan where it is plainly what is asked for, else by the framework."""
        usual, plan, endpoint = super().get_route_handler(), plan_of(self.endpoint), self.endpoint
        if plan is None or self.dependencies:
            return usual

        async def answered(request: Request) -> Response:
            values = await plan.values(request)
            return await (usual(request) if values is None else endpoint(**values))

        return answered


def _written(endpoint: Endpoint, status: int) -> Endpoint:
    def finished(answer: object, told: dict[str, Any]) -> object:
        if not isinstance(answer, BaseModel):
            return answer
        noted = next((each for each in told.values() if isinstance(each, Response)), None)
        code = (noted.status_code if noted is not None else None) or status
        return Response(answer.__pydantic_serializer__.to_json(answer), status_code=code, media_type="application/json")

    if inspect.iscoroutinefunction(endpoint):
        asked = cast("Callable[..., Awaitable[object]]", endpoint)

        @wraps(endpoint)
        async def waited(**told: Any) -> object:
            return finished(await asked(**told), told)

        return waited

    @wraps(endpoint)
    async def threaded(**told: Any) -> object:
        return await asyncio.to_thread(lambda: finished(endpoint(**told), told))

    return threaded
