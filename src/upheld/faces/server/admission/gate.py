"""What every request passes before anything of it is read: who asks, from where, how often, and how much is sent."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import cast
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from upheld.faces.server.admission.keys import Role
from upheld.faces.server.errors import Problem, refusal
from upheld.faces.server.house import House
from upheld.faces.server.settings import is_loopback
from upheld.record.stores.tenants import DEFAULT

HousePlan = Callable[[], House]
"""Gives the house of a service, which is opened only when the service starts."""

PUBLIC = ("/health/", "/openapi.json")
"""Beginnings of paths that need no key."""

PAGE = "/"
ASSETS = "/assets/"
"""The page and the files that it is made of, which hold nothing of anybody: who reads them needs no key."""

METRICS = "/metrics"
"""A path that needs none where the settings say so."""

KEY_PROTOCOL = "bearer."
"""What stands before a key that is named among the protocols of a socket."""

KEY_HEADER = "x-upheld-key"
"""Where the key of the service stands when ``Authorization`` is meant for somebody behind it."""

_STRANGER = ""
"""The bucket that all who have no key share: their guesses are counted together, and nobody else's requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks: a tenant, what they may do, and the name of their bucket."""

    tenant: str
    role: Role
    bucket: str


ANYBODY = Caller(tenant=DEFAULT, role=Role.ADMIN, bucket=_STRANGER)
"""Who asks a service without keys, which only this machine can reach."""


class Gate:
    """Lets a request in with its caller noted in ``request.state.caller``, or refuses it; its body is not read then.

    A socket passes it as a request does: where it may not come in, its handshake is answered as a request would be.
    """

    def __init__(self, app: ASGIApp, house: HousePlan) -> None:
        """Stand before an application."""
        self._app = app
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request in."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        house, headers = self._house(), Headers(scope=scope)
        limit = house.settings.body_bytes
        caller, refused = _admitted(house, scope, headers)
        if refused is None and _declared(headers) > limit:
            refused = _too_large(limit)
        scope.setdefault("state", {})["caller"] = caller
        if refused is not None:
            await refused(scope, receive, send)
        else:
            await self._app(scope, _counted(receive, limit), send)


def _admitted(house: House, scope: Scope, headers: Headers) -> tuple[Caller | None, Problem | None]:
    if _is_public(house, scope):
        return None, None
    refused = _from_elsewhere(house, headers)
    if refused is not None:
        return None, refused
    caller = _caller(house, _key_sent(scope, headers))
    wait = house.buckets.wait(caller.bucket if caller is not None else _STRANGER)
    if wait:
        after = {"retry-after": str(math.ceil(wait))}
        return caller, refusal(429, "too many requests of this key", slug="too-many-requests", headers=after)
    if caller is None:
        how = {"www-authenticate": "Bearer"}
        return None, refusal(401, "no key, or none that opens anything", slug="no-key", headers=how)
    return caller, None


def _is_public(house: House, scope: Scope) -> bool:
    path = str(scope["path"])
    if path.startswith(PUBLIC) or (house.settings.metrics_open and path == METRICS):
        return True
    is_page = path == PAGE or path.startswith(ASSETS)
    return is_page and scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}


def _caller(house: House, text: str) -> Caller | None:
    if house.keyring is None:
        return ANYBODY
    key = house.keyring.find(text) if text else None
    return None if key is None else Caller(tenant=key.tenant, role=key.role, bucket=key.digest)


def _key_sent(scope: Scope, headers: Headers) -> str:
    """Give the key that was sent. A page cannot give a socket headers: it names the key among its protocols."""
    own = headers.get(KEY_HEADER)
    if own is not None:
        return own.strip()
    kind, _, text = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return text.strip()
    offered = cast("list[str]", scope.get("subprotocols") or [])
    return next((each.removeprefix(KEY_PROTOCOL) for each in offered if each.startswith(KEY_PROTOCOL)), "")


def _from_elsewhere(house: House, headers: Headers) -> Problem | None:
    """Refuse what a page of another origin sends, and to a service without keys a name that only seems to be it.

    Without this a web page could make a browser on this machine write to a service that trusts the machine.
    """
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is not None and origin not in house.settings.origins and _split(origin).netloc != host:
        return refusal(403, "pages of this origin may not ask: see the setting origins", slug="foreign-origin")
    if house.keyring is None and not _names_this_machine(host):
        return refusal(403, "without keys the service answers to names of this machine only", slug="foreign-host")
    return None


@lru_cache(maxsize=64)
def _names_this_machine(host: str) -> bool:
    return is_loopback(_split(f"//{host}").hostname or "")


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _declared(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    # More digits than any limit has; Python would refuse to read thousands of them.
    return int(length[:20]) if length.isascii() and length.isdigit() else 0


def _too_large(limit: int) -> Problem:
    closing = {"connection": "close"}
    return refusal(413, f"a body of more than {limit} bytes", slug="limit-exceeded", headers=closing)


def _counted(receive: Receive, limit: int) -> Receive:
    """Count what is read of a body whose length nobody declared."""
    seen = 0

    async def counting() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(cast("bytes", message.get("body", b"")))
        if seen > limit:
            raise HTTPException(413, f"a body of more than {limit} bytes")
        return message

    return counting
