"""A conversation live over a WebSocket: the same events as JSON, for programs that would rather have a socket."""

from __future__ import annotations

from contextlib import suppress
from http import HTTPStatus
from typing import cast

import anyio
from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from upheld.errors import UpheldError
from upheld.faces.server.access import Visit
from upheld.faces.server.admission.gate import Caller
from upheld.faces.server.errors import Sort, sort_of
from upheld.faces.server.house import House
from upheld.faces.server.live.events import TOO_MANY, entry_number
from upheld.faces.server.live.listening import Ending, Listening

router = APIRouter(prefix="/v1/conversations/{conversation}")

PROTOCOL = "upheld"
"""What a page asks for beside ``bearer.<key>``; a server must take one of the protocols that it is offered."""

POLICY, FAULT, LATER, GOING = 1008, 1011, 1013, 1001
"""Codes of RFC 6455, 7.4.1, and of the registry that it names."""

ENDINGS = {
    Ending.STOPPED: (GOING, "stopping"),
    Ending.REVOKED: (POLICY, "no-key"),
    Ending.BROKEN: (LATER, "store"),
    Ending.DROPPED: (POLICY, "unknown-conversation"),
}
"""What each ending is on a socket: its code and its reason."""


@router.websocket("/live")
async def live(socket: WebSocket, conversation: str, after: str = "0") -> None:
    """Follow a conversation after an entry. Nothing is read from the socket but that it is closed."""
    house, caller = cast("House", socket.app.state.house), cast("Caller", socket.state.caller)
    offered = cast("list[str]", socket.scope.get("subprotocols", []))
    await socket.accept(subprotocol=PROTOCOL if PROTOCOL in offered else None)
    try:
        visit = Visit(house=house, caller=caller)
        listening = await Listening.begun(visit, conversation, after=entry_number(after, "after"))
    except UpheldError as error:
        sort = sort_of(error)
        await _close(socket, _code(sort), sort.slug)
        return
    if listening is None:
        await _close(socket, LATER, TOO_MANY)
        return
    try:
        await _follow(socket, listening)
    finally:
        listening.leave()


async def _follow(socket: WebSocket, listening: Listening) -> None:
    code, reason = POLICY, "nothing-is-read-here"
    async with anyio.create_task_group() as both:

        async def read() -> None:
            nonlocal code
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                code = 0
            both.cancel_scope.cancel()

        both.start_soon(read)
        with suppress(WebSocketDisconnect, OSError):
            async for each in listening.news():
                # A socket has pings of its own against silence.
                if each is not None:
                    await socket.send_text(each.model_dump_json())
            code, reason = ENDINGS[listening.ending]
        both.cancel_scope.cancel()
    if code:
        await _close(socket, code, reason)


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    # It may be gone already, and then nobody has to be told why.
    with suppress(WebSocketDisconnect, OSError, RuntimeError):
        await socket.close(code, reason)


def _code(sort: Sort) -> int:
    if sort.status == HTTPStatus.SERVICE_UNAVAILABLE:
        return LATER
    return FAULT if sort.status >= HTTPStatus.INTERNAL_SERVER_ERROR else POLICY
