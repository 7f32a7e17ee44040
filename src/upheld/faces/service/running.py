"""The service as a process: it listens, and it ends when it is told to."""

from __future__ import annotations

import os
import secrets
import signal
import socket
from collections.abc import Callable

from pydantic import SecretStr

from upheld.conversation.wiring import is_address, without_password
from upheld.errors import UpheldError
from upheld.faces.server.house import House, opened_house
from upheld.faces.server.samples.catalogue import NAMES, put
from upheld.faces.server.settings import Settings
from upheld.faces.server.telemetry.logs import write_logs
from upheld.faces.service.app import service_app
from upheld.faces.service.server import GRACE, Server
from upheld.faces.service.workers import keep_workers
from upheld.record.stores.tenants import DEFAULT

Announce = Callable[[str], None]


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
    settings = _shared(settings)
    # Opened and closed once before anybody listens, so that a wrong setting is told on one line.
    house = opened_house(settings)
    try:
        sample = _sample(house)
    finally:
        house.close()
    bound = listening(settings.host, settings.port)
    name = f"[{settings.host}]" if ":" in settings.host else settings.host
    announce(f"store {without_password(settings.store)}")
    if sample:
        announce(f"nothing was in it: a sample conversation, {sample}, was put there (--no-sample leaves it out)")
    if settings.keys is None:
        announce("no keys: whoever can reach this machine's loopback may read and write everything, as one tenant")
    if settings.workers > 1:
        announce(f"{settings.workers} workers: each counts requests of a key, streams and open conversations by itself")
    announce(f"listening on http://{name}:{bound.getsockname()[1]}; {signal.Signals.SIGTERM.name} ends it")
    write_logs(form=settings.log_form, is_quiet=is_quiet)
    if settings.workers > 1:
        keep_workers(settings, bound, grace=settings.drain + GRACE + 2, is_quiet=is_quiet)
        return
    server = Server(service_app(settings), has_keys=settings.keys is not None)
    server.hear_again()
    server.run(sockets=[bound])
    if not server.started:
        raise UpheldError("the service did not start: see the lines above")


def _sample(house: House) -> str:
    """Put a sample into a store that has no conversation yet, if that is wanted, and give its name."""
    store = house.tenancy.host(DEFAULT).store
    if not house.settings.wants_sample or not is_address(house.settings.store) or store.conversations():
        return ""
    return put(NAMES[0], store, policy=house.equipment.policy)


def _shared(settings: Settings) -> Settings:
    """Give the settings with what all workers must have alike: without it each would make its own placeholders."""
    if not settings.redact or settings.redaction_key.get_secret_value() or settings.workers == 1:
        return settings
    return settings.model_copy(update={"redaction_key": SecretStr(secrets.token_hex(32))})
