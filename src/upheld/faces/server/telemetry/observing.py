"""What stands before everything else: a request gets its id, and is counted, traced and written down."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from upheld.faces.server.telemetry.logs import FIELDS, known_as
from upheld.faces.server.telemetry.metrics import Metrics
from upheld.faces.server.telemetry.tracing import Answered, RequestSpan, Tracing, traced_by

REQUEST_ID = "x-request-id"
PROBLEM = "problem"
"""Name in the state of a request of the problem that it met, by its type."""

_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_LOG = logging.getLogger("upheld.server.access")


class Observed(Protocol):
    """What is observed, and by what."""

    metrics: Metrics
    tracing: Tracing


@dataclass(slots=True)
class _Course:
    """One request on its way. ``began`` is set where the answer is a stream: what counts is when it began."""

    scope: Scope
    id: str
    begun: float
    status: int = 500
    began: float | None = None

    def answered(self, message: Message) -> Message:
        match message["type"]:
            case "http.response.start" | "websocket.http.response.start":
                self.status = message["status"]
                if b"text/event-stream" in dict(message.get("headers", ())).get(b"content-type", b""):
                    self.began = time.perf_counter()
            case "websocket.accept":
                self.status, self.began = 101, time.perf_counter()
            case "websocket.close":
                # Before it was accepted, the server answers with 403.
                self.status = 403 if self.began is None else self.status
                return message
            case _:
                return message
        headers = [*message.get("headers", ())]
        if not any(name.lower() == REQUEST_ID.encode() for name, _ in headers):
            # What a proxy answers with has the name that its upstream gave it.
            headers.append((REQUEST_ID.encode(), self.id.encode()))
        return {**message, "headers": headers}


class Observer:
    """Gives each request an id, counts it, traces it and writes it down when it is over.

    A line has the method, the path, the status, the time, the tenant, the request's id and its trace, and nothing
    of its query, headers or body. An id that comes in ``x-request-id`` is kept where it is one, and comes back.
    """

    def __init__(self, app: ASGIApp, observed: Callable[[], Observed]) -> None:
        """Stand before an application."""
        self._app = app
        self._observed = observed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request pass, and watch it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        observed, headers = self._observed(), Headers(scope=scope)
        course = _Course(scope, request_id(headers.get(REQUEST_ID, "")), time.perf_counter())
        scope.setdefault("state", {})["request_id"] = course.id

        async def noted(message: Message) -> None:
            await send(course.answered(message))

        with known_as(course.id), observed.tracing.request(_method(scope), headers) as span:
            try:
                with traced_by(observed.tracing):
                    await self._app(scope, receive, noted)
            finally:
                _note(course, observed.metrics, span)


def request_id(sent: str) -> str:
    """Give the id of a request: the one that was sent, if it is one, else a new one."""
    return sent if _ID.fullmatch(sent) else secrets.token_hex(16)


def _note(course: _Course, metrics: Metrics, span: RequestSpan) -> None:
    scope, now = course.scope, time.perf_counter()
    method, route, status = _method(scope), _route(scope), course.status
    metrics.note_request(method, route, status, (course.began or now) - course.begun)
    if PROBLEM in scope["state"]:
        metrics.note_problem(scope["state"][PROBLEM])
    tenant = str(getattr(scope["state"].get("caller"), "tenant", "-"))
    span.end(Answered(route=route, status=status, tenant=tenant))
    if not _LOG.isEnabledFor(logging.INFO):
        return
    milliseconds = round((now - course.begun) * 1000, 1)
    fields = {
        "request_id": course.id,
        "method": method,
        "route": route,
        "status": status,
        "ms": milliseconds,
        "tenant": tenant,
        "trace_id": span.trace,
    }
    line = "%s %s %d %.1fms request=%s trace=%s tenant=%s"
    said = (method, _path(scope), status, milliseconds, course.id, span.trace or "-", tenant)
    # Made here: a logger would first look through the stack for who wrote it, which no line of ours tells.
    record = logging.LogRecord(_LOG.name, logging.INFO, "", 0, line, said, None)
    setattr(record, FIELDS, fields)
    _LOG.handle(record)


def _method(scope: Scope) -> str:
    return cast("str", scope.get("method", "WEBSOCKET"))


def _route(scope: Scope) -> str:
    """Give the template of the path; empty where no route has it. What a part mounted has the name of its mount."""
    return str(getattr(scope.get("route"), "path", ""))


def _path(scope: Scope) -> str:
    """Give the path as it was sent, in its codes, so that no line of the log can be made up."""
    return cast("bytes", scope.get("raw_path") or b"-").decode("ascii", "backslashreplace")[:200]
