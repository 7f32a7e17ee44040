"""The path ``/mcp`` of the service. Loads nothing of the protocol before the service runs."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

from fastapi import FastAPI
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from upheld.errors import MissingExtra
from upheld.faces.server.errors import problem_of
from upheld.faces.server.house import House
from upheld.faces.server.parts import Part

PATH = "/mcp"

_PARTS = {"mcp", "mcp_types"}
"""What the extra brings; any other module that is missing is a fault."""


def mcp_part() -> Part:
    """Give the part that speaks the protocol; without the extra it answers 501 and says what to install."""
    place = _Place()
    return Part(add=place.add, alive=place.alive)


class _Place:
    """What stands at the path: whatever answers while the service runs."""

    def __init__(self) -> None:
        self._answering: ASGIApp = _missing

    def add(self, app: FastAPI) -> None:
        app.router.routes.append(Route(PATH, endpoint=self, methods=["POST"], include_in_schema=False))

    @asynccontextmanager
    async def alive(self, house: House) -> AsyncGenerator[None]:
        found = spoken()
        if found is None:
            yield
            return
        async with found.spoken_to(house) as answering:
            self._answering = answering
            try:
                yield
            finally:
                self._answering = _missing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answering(scope, receive, send)


def spoken() -> Any:
    """Load what speaks the protocol; ``None`` without the extra."""
    try:
        return import_module("upheld.faces.mcp.http")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PARTS:
            raise
        return None


async def _missing(scope: Scope, receive: Receive, send: Send) -> None:
    await problem_of(MissingExtra("mcp", needed_for="the Model Context Protocol"))(scope, receive, send)
