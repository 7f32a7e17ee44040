"""The service as a process: it listens, and it ends when it is told to."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI

from upheld.conversation.wiring import without_password
from upheld.errors import UpheldError
from upheld.faces.server.house import House, opened_house
from upheld.faces.server.settings import Settings
from upheld.faces.server.telemetry.logs import write_logs
from upheld.faces.service.app import service_app

GRACE = 10
"""Seconds that requests have to end once the service is told to."""

SOCKET_BYTES = 4096
"""Bytes of a message that somebody sends on a socket."""

Announce = Callable[[str], None]


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
                # Nothing is read from a socket, so that nobody has to send more than a pong.
                ws_max_size=SOCKET_BYTES,
                ws_per_message_deflate=False,
            )
        )
        self._app = app

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


def listening(host: str, port: int) -> socket.socket:
    """Give a socket that is bound.

    Raises:
        UpheldError: the address is taken, or is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio knows it for TCP and sends at once; else each answer waits 40 ms for company.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen()
    except OSError as error:
        bound.close()
        raise UpheldError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    return bound


def serve(settings: Settings, announce: Announce, *, is_quiet: bool = False) -> None:
    """Run the service until a signal ends it; what was acknowledged is on the disk already.

    Raises:
        UpheldError: it could not start; nothing was served.
    """
    # Opened and closed once before anybody listens, so that a wrong setting is told on one line.
    opened_house(settings).close()
    bound = listening(settings.host, settings.port)
    name = f"[{settings.host}]" if ":" in settings.host else settings.host
    announce(f"store {without_password(settings.store)}")
    if settings.keys is None:
        announce("no keys: whoever can reach this machine's loopback may read and write everything, as one tenant")
    announce(f"listening on http://{name}:{bound.getsockname()[1]}; {signal.Signals.SIGTERM.name} ends it")
    write_logs(form=settings.log_form, is_quiet=is_quiet)
    server = Server(service_app(settings))
    if settings.keys is not None and hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, server.look_again)
    server.run(sockets=[bound])
    if not server.started:
        raise UpheldError("the service did not start: see the lines above")
