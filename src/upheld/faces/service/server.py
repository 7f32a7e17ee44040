"""The server of one process: what uvicorn is told, and how it ends."""

from __future__ import annotations

import socket

import uvicorn
from fastapi import FastAPI

from upheld.faces.server.house import House

GRACE = 10
"""Seconds that requests have to end once the service is told to."""


class Server(uvicorn.Server):
    """A server whose streams end when it is told to end; without that it would wait for them."""

    def __init__(self, app: FastAPI) -> None:
        """Serve an application."""
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                lifespan="on",
                timeout_graceful_shutdown=GRACE,
            )
        )
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let every stream of events end, then wait for the requests that are under way."""
        house = getattr(self._app.state, "house", None)
        if isinstance(house, House):
            house.stopping.set()
        await super().shutdown(sockets)
