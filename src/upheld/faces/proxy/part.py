"""The proxy as a part of the service: its paths, and what goes which way."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from fastapi import APIRouter, FastAPI, Request
from httpx2 import Response
from starlette.responses import JSONResponse
from starlette.responses import Response as Outgoing

from upheld.faces.proxy.apis.chat import ChatCompletions
from upheld.faces.proxy.apis.dialect import Dialect, heard_in_request
from upheld.faces.proxy.apis.messages import Messages
from upheld.faces.proxy.apis.responses import Responses
from upheld.faces.proxy.events import Tree, object_of
from upheld.faces.proxy.exchange import Exchange, Policy
from upheld.faces.proxy.placing import History, named_after
from upheld.faces.proxy.streaming import streamed
from upheld.faces.proxy.upstream import Sending, UpstreamFailure, Upstreams, headers_out, relayed, unless_gone
from upheld.faces.proxy.whole import answered
from upheld.faces.server.access import Visit, Writing
from upheld.faces.server.house import House
from upheld.faces.server.parts import Part
from upheld.speech.formats.exports.values import mapping, text

PREFIX = "/proxy/v1"
CONVERSATION, POLICY, FLAG = "x-upheld-conversation", "x-upheld-policy", "x-upheld-flag"

DIALECTS: dict[str, Dialect] = {
    "chat/completions": ChatCompletions(),
    "responses": Responses(),
    "messages": Messages(),
}

_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_MOST_REMEMBERED = 1000
"""Answers whose history is remembered since it could not be put on record, for requests that name the answer."""

_MOST_OF_A_NAME = 200


@dataclass(slots=True)
class Proxy:
    """What stands between the callers and the upstreams while the service runs."""

    _upstreams: Upstreams | None = None
    _responses: OrderedDict[tuple[str, str], History] = field(default_factory=OrderedDict[tuple[str, str], History])

    @property
    def upstreams(self) -> Upstreams:
        """The connections to the upstreams."""
        assert self._upstreams is not None, "the service runs"
        return self._upstreams

    @asynccontextmanager
    async def alive(self, house: House) -> AsyncGenerator[None]:
        """Keep the connections open."""
        self._upstreams = Upstreams(settings=house.settings)
        async with self._upstreams.opened():
            yield

    async def guarded(self, path: str, request: Request, visit: Visit) -> Outgoing:
        """Send a request on with what stands, and let its answer back as far as the policy lets it."""
        dialect = DIALECTS[path]
        body = object_of(await request.body())
        if not body:
            return await self.passed_on(path, request)
        try:
            policy = Policy(request.headers.get(POLICY, visit.settings.proxy_policy))
        except ValueError:
            return _error(dialect, 400, f"{POLICY}: one of {', '.join(Policy)}")
        wish = request.headers.get(FLAG, "true" if visit.settings.proxy_flags else "false").lower()
        if wish not in ("true", "false"):
            return _error(dialect, 400, f"{FLAG}: true or false")
        name = request.headers.get(CONVERSATION, "")
        if len(name) > _MOST_OF_A_NAME:
            return _error(dialect, 400, f"{CONVERSATION}: a name has {_MOST_OF_A_NAME} characters at most")
        history, is_heard = self._history(body, name, visit.caller.tenant)
        exchange = Exchange(
            visit=visit,
            dialect=dialect,
            body=body,
            policy=policy,
            history=history,
            is_heard=is_heard,
            is_flagging=wish == "true",
            remember=partial(self._remember, visit.caller.tenant),
        )
        send = partial(self._send, path, request)

        async def answer() -> Outgoing:
            await exchange.begin()
            try:
                return await (streamed if body.get("stream") is True else answered)(exchange, send)
            except UpstreamFailure as failure:
                return _error(dialect, failure.status, failure.message)

        return await unless_gone(request, answer)

    async def passed_on(self, path: str, request: Request) -> Outgoing:
        """Send a request on untouched, and its answer back as it comes."""
        vendor = _vendor(path, request)
        sending = Sending(
            method=request.method,
            address=self.upstreams.address(vendor, path, request.url.query),
            headers=headers_out(request.headers),
            body=await request.body(),
        )
        try:
            return relayed(await self.upstreams.send(sending))
        except UpstreamFailure as failure:
            dialect = DIALECTS["messages" if vendor == "anthropic" else "responses"]
            return _error(dialect, failure.status, failure.message)

    async def _send(self, path: str, request: Request, body: Tree) -> Response:
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        address = self.upstreams.address(DIALECTS[path].vendor, path, request.url.query)
        headers = headers_out(request.headers, is_read=True)
        return await self.upstreams.send(Sending(method="POST", address=address, headers=headers, body=content))

    def _history(self, body: Tree, name: str, tenant: str) -> tuple[History, bool]:
        heard = heard_in_request(body)
        previous = text(body.get("previous_response_id"))
        kept = self._responses.get((tenant, previous))
        if not name and kept is not None:
            return kept.and_then(heard.said), heard.is_whole
        # Where the upstream keeps the history, what it is called by names the conversation.
        elsewhere = text(body.get("conversation")) or text(mapping(body.get("conversation")).get("id")) or previous
        if name or not elsewhere:
            return History(said=heard.said, name=name), heard.is_whole
        name = named_after(tenant, "elsewhere", elsewhere)
        return History(said=heard.said, name=name, after=previous), heard.is_whole

    def _remember(self, tenant: str, id: str, history: History) -> None:
        self._responses[tenant, id] = history
        while len(self._responses) > _MOST_REMEMBERED:
            self._responses.popitem(last=False)


def proxy_part() -> Part:
    """Give the proxy as a part of a service."""
    proxy = Proxy()
    return Part(add=partial(_add, proxy), alive=proxy.alive)


def _add(proxy: Proxy, app: FastAPI) -> None:
    # Their descriptions are those of the vendors.
    router = APIRouter(prefix=PREFIX, include_in_schema=False)

    async def chat_completions(request: Request, visit: Writing) -> Outgoing:
        return await proxy.guarded("chat/completions", request, visit)

    async def responses(request: Request, visit: Writing) -> Outgoing:
        return await proxy.guarded("responses", request, visit)

    async def messages(request: Request, visit: Writing) -> Outgoing:
        return await proxy.guarded("messages", request, visit)

    async def everything_else(request: Request, visit: Writing) -> Outgoing:
        raw: bytes = request.scope.get("raw_path") or request.url.path.encode()
        return await proxy.passed_on(raw.decode("latin-1").removeprefix(f"{PREFIX}/"), request)

    for path, endpoint in zip(DIALECTS, (chat_completions, responses, messages), strict=True):
        router.add_api_route(f"/{path}", endpoint, methods=["POST"], response_model=None)
    router.add_api_route("/{path:path}", everything_else, methods=_METHODS, response_model=None)
    app.include_router(router)


def _vendor(path: str, request: Request) -> str:
    is_anthropic = path.partition("/")[0] == "messages" or "anthropic-version" in request.headers
    return "anthropic" if is_anthropic else "openai"


def _error(dialect: Dialect, status: int, message: str) -> Outgoing:
    return JSONResponse(dialect.error(status, message), status_code=status)
