"""One of several processes that serve: ``python -m upheld.faces.service.worker``, as its keeper starts it."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading

from upheld.faces.server.settings import Settings
from upheld.faces.server.telemetry.logs import write_logs
from upheld.faces.service.app import service_app
from upheld.faces.service.server import Server

ENDING = b"\n"
"""What ends the order on standard input; after it nothing is sent, and its end is the end of the keeper."""


def order(settings: Settings, *, listener: int, is_quiet: bool) -> bytes:
    """Give what a keeper writes to a worker's standard input: the settings, with a password that may stand in them."""
    # A dump hides secrets, and a worker needs them: standard input is between the two processes alone.
    secret = {"redaction_key": settings.redaction_key.get_secret_value()}
    told = {"settings": settings.model_dump(mode="json") | secret, "listener": listener, "is_quiet": is_quiet}
    return json.dumps(told).encode() + ENDING


def main() -> None:
    """Serve on the socket that was inherited, until a signal comes or the keeper is no more."""
    # Read byte by byte: a buffer would hold a lock of the interpreter while the thread below waits for the end.
    line = b""
    while not line.endswith(ENDING):
        byte = os.read(sys.stdin.fileno(), 1)
        if not byte:
            return
        line += byte
    told = json.loads(line)
    settings = Settings.model_validate(told["settings"])
    write_logs(form=settings.log_form, is_quiet=told["is_quiet"])
    server = Server(service_app(settings), has_keys=settings.keys is not None)
    server.hear_again()
    threading.Thread(target=_end_with_keeper, args=(server,), name="upheld-keeper", daemon=True).start()
    bound = socket.socket(fileno=told["listener"])
    # Told here and not read from the descriptor: with the protocol named, asyncio sends at once.
    server.run(sockets=[socket.socket(bound.family, bound.type, socket.IPPROTO_TCP, fileno=bound.detach())])


def _end_with_keeper(server: Server) -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    server.should_exit = True


if __name__ == "__main__":
    main()
