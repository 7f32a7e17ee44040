"""The language model's own interface behind the proxy: what is sent there, what comes back, and when nothing does."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus

import anyio
from httpx2 import AsyncClient, HTTPError, Limits, Request, Response, Timeout, TimeoutException
from starlette.datastructures import Headers
from starlette.requests import Request as Incoming
from starlette.responses import Response as Outgoing
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from upheld.faces.server.admission.keys import PREFIX
from upheld.faces.server.settings import Settings

CONNECT_SECONDS = 10.0
MOST_CONNECTIONS = 1000

OURS = "x-upheld-"
"""What the names of our own headers begin with: they go no further."""

_BETWEEN = frozenset(
    ("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding",
     "upgrade", "host", "content-length", "expect", "date")
)  # fmt: skip
"""Headers of one connection (RFC 9110, section 7.6.1), and what is made anew for the next."""

_KEYS = frozenset(("authorization", "x-api-key"))


class UpstreamFailure(Exception):
    """The upstream could not be reached, or fell silent: ``status`` is what the client is told."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        """Say what happened."""
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """One request on its way to an upstream."""

    method: str
    address: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


@dataclass(slots=True)
class Upstreams:
    """The connections to the upstreams, which are open while the service runs."""

    settings: Settings
    _client: AsyncClient = field(init=False)

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[None]:
        """Keep connections open."""
        timeout = Timeout(self.settings.upstream_seconds, connect=CONNECT_SECONDS)
        limits = Limits(max_connections=MOST_CONNECTIONS, max_keepalive_connections=MOST_CONNECTIONS // 10)
        async with AsyncClient(timeout=timeout, limits=limits, follow_redirects=False) as self._client:
            yield

    def address(self, vendor: str, rest: str, query: str) -> str:
        """Give where a path of the proxy leads."""
        settings = self.settings
        base = settings.upstream_openai if vendor == "openai" else f"{settings.upstream_anthropic.rstrip('/')}/v1"
        return f"{base.rstrip('/')}/{rest.lstrip('/')}" + (f"?{query}" if query else "")

    async def send(self, sending: Sending) -> Response:
        """Send a request, and give the answer with its body still to come; whoever gets it closes it.

        Raises:
            UpstreamFailure: nobody answered.
        """
        request = Request(sending.method, sending.address, headers=list(sending.headers), content=sending.body)
        with failing():
            return await self._client.send(request, stream=True)


class failing:  # noqa: N801 - reads as a statement
    """Give every failure of the connection as an :class:`UpstreamFailure`."""

    def __enter__(self) -> None:
        """Nothing is needed."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Translate."""
        if isinstance(error, TimeoutException):
            raise UpstreamFailure(HTTPStatus.GATEWAY_TIMEOUT, "the upstream did not answer in time") from error
        if isinstance(error, HTTPError):
            raise UpstreamFailure(HTTPStatus.BAD_GATEWAY, "the upstream could not be reached, or broke off") from error


async def read(response: Response) -> bytes:
    """Read a whole answer, and close it; raises :class:`UpstreamFailure`."""
    try:
        with failing():
            return await response.aread()
    finally:
        await closed(response)


async def closed(response: Response) -> None:
    """Close an answer, also where whoever read it was cancelled."""
    with anyio.CancelScope(shield=True):
        await response.aclose()


def headers_out(headers: Headers, *, is_read: bool = False) -> tuple[tuple[str, str], ...]:
    """Give the headers of a caller that go on. No key of the service is among them, wherever it stood.

    What is to be read here is asked for as it is, and not packed.
    """
    dropped = _named(headers.get("connection", "")) | _BETWEEN | ({"accept-encoding"} if is_read else set[str]())
    kept = [
        (name, value)
        for name, value in headers.items()
        if name not in dropped and not name.startswith(OURS) and not (name in _KEYS and _is_our_key(value))
    ]
    return (*kept, ("accept-encoding", "identity")) if is_read else tuple(kept)


def headers_back(response: Response, *, is_read: bool = False) -> list[tuple[str, str]]:
    """Give the headers of an upstream that go back; what was unpacked here is not called packed."""
    dropped = _named(response.headers.get("connection", "")) | _BETWEEN
    if is_read:
        dropped |= {"content-encoding"}
    elif "content-length" in response.headers:
        dropped -= {"content-length"}
    pairs: Iterable[tuple[str, str]] = response.headers.multi_items()
    return [(name, value) for name, value in pairs if name.lower() not in dropped]


class Relayed(StreamingResponse):
    """An answer of an upstream on its way to the client; where the client goes, the upstream's is closed."""

    def __init__(
        self, upstream: Response, content: AsyncIterator[bytes], *, headers: Iterable[tuple[str, str]]
    ) -> None:
        """Relay this content in place of the upstream's body."""
        super().__init__(content, status_code=upstream.status_code)
        # A mapping would lose what comes twice, and the type of the content is among these.
        self.raw_headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        self._upstream = upstream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until it is over or nobody listens."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            await closed(self._upstream)


def relayed(upstream: Response, *, more: Mapping[str, str] | None = None) -> Relayed:
    """Give an answer untouched, as the bytes that it came in, with further headers."""
    headers = [*headers_back(upstream), *(more or {}).items()]
    return Relayed(upstream, _raw(upstream), headers=headers)


async def _raw(upstream: Response) -> AsyncGenerator[bytes]:
    async for piece in upstream.aiter_raw():
        yield piece


async def unless_gone(request: Incoming, answer: Callable[[], Awaitable[Outgoing]]) -> Outgoing:
    """Give an answer, unless whoever asked goes: then what is done for them is ended at once."""
    found: Outgoing = Outgoing(status_code=499)

    async def watch(scope: anyio.CancelScope) -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(partial(watch, group.cancel_scope))
        found = await answer()
        group.cancel_scope.cancel()
    return found


def _named(listed: str) -> set[str]:
    return {name.strip().lower() for name in listed.split(",") if name.strip()}


def _is_our_key(value: str) -> bool:
    return value.removeprefix("Bearer ").removeprefix("bearer ").strip().startswith(f"{PREFIX}_")
