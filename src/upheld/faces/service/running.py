"""The service as a process: it listens, and it ends when it is told to."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from upheld.conversation.wiring import without_password
from upheld.errors import UpheldError
from upheld.faces.server.house import House, opened_house
from upheld.faces.server.logs import write_logs
from upheld.faces.server.settings import Settings
from upheld.faces.service.app import service_app

GRACE = 10
"""Seconds that requests have to end once the service is told to."""

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
            )
        )
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let every stream of events end, then wait for the requests that are under way."""
        house = getattr(self._app.state, "house", None)
        if isinstance(house, House):
            house.stopping.set()
        await super().shutdown(sockets)


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
    write_logs(is_quiet=is_quiet)
    server = Server(service_app(settings))
    server.run(sockets=[bound])
    if not server.started:
        raise UpheldError("the service did not start: see the lines above")
