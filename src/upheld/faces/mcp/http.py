"""Over HTTP at one path of the service: no session is kept, so that any worker may answer any request."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import ASGIApp

from upheld.faces.mcp.protocol import protocol_server
from upheld.faces.server.access import Visit
from upheld.faces.server.admission.gate import Caller
from upheld.faces.server.house import House


@asynccontextmanager
async def spoken_to(house: House) -> AsyncGenerator[ASGIApp]:
    """Give what answers the requests of one path, while it is open. Who asks was told by the gate."""

    def visiting(request: Any) -> Visit:
        if not isinstance(request, Request):
            raise TypeError("a message that came by no request has no caller")
        return Visit(house=house, caller=cast("Caller", request.scope["state"]["caller"]))

    sessions = StreamableHTTPSessionManager(
        protocol_server(visiting), stateless=True, max_request_body_size=house.settings.body_bytes
    )
    async with sessions.run():
        yield sessions.handle_request
