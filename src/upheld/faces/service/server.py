"""The server of one process: what uvicorn is told, and how it ends."""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from types import FrameType

import uvicorn
from fastapi import FastAPI

from upheld.faces.server.house import House

GRACE = 10
"""Seconds that requests have to end once the service is told to."""

SOCKET_BYTES = 4096
"""Bytes of a message that somebody sends on a socket."""


class Server(uvicorn.Server):
    """A server whose streams end when it is told to end; without that it would wait for them."""

    def __init__(self, app: FastAPI, *, has_keys: bool = False) -> None:
        """Serve an application; with keys their file is read anew on SIGHUP, which else ends the process as usual."""
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                lifespan="on",
                timeout_graceful_shutdown=GRACE,
                # Nothing is read from a socket, so that nobody has to send more than a pong.
                ws_max_size=SOCKET_BYTES,
                ws_per_message_deflate=False,
            )
        )
        self._app, self._has_keys = app, has_keys

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say that it is not ready, go on for as long as the settings say, let streams end, and wait for requests."""
        house = self.house
        if house is not None:
            house.leaving.set()
            await self._drained(house.settings.drain)
            house.stop()
        await super().shutdown(sockets)

    @property
    def house(self) -> House | None:
        """The house of the application, once it is open."""
        house = getattr(self._app.state, "house", None)
        return house if isinstance(house, House) else None

    def hear_again(self) -> None:
        """Let SIGHUP have the file of keys read anew; without keys, and on a system without it, nothing is done."""
        if self._has_keys and hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, self.look_again)

    def look_again(self, number: int = 0, frame: FrameType | None = None) -> None:
        """Let the file of keys be read anew within a second. Safe to call from a signal."""
        del number, frame
        house = self.house
        if house is not None and house.key_file is not None:
            house.key_file.ask()

    async def _drained(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not self.force_exit and time.monotonic() < deadline:
            await asyncio.sleep(min(0.1, seconds))
