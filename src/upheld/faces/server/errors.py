"""Errors as problem details (RFC 9457): one form for every refusal, and nothing of the inside in a fault."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from upheld.conversation.wiring import without_password
from upheld.errors import (
    CouldNotCheck,
    DamagedStore,
    LimitExceeded,
    MalformedInput,
    MissingExtra,
    ModelFailure,
    RefusedTurn,
    RepeatedIdentity,
    SelfSupport,
    StillNeeded,
    StoreError,
    UnknownConversation,
    UnknownReference,
    UnreadableEntry,
    UpheldError,
    VersionConflict,
)
from upheld.faces.server.models.shapes import URN
from upheld.faces.server.telemetry.observing import PROBLEM, REQUEST_ID

MEDIA_TYPE = "application/problem+json"
UNTYPED = "about:blank"
"""The type of a problem that its status says everything of (RFC 9457, 4.2.1)."""
RETRY_AFTER = 1
"""Seconds after which whoever found the store busy or away may try again."""

_LOG = logging.getLogger("upheld.server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """A sort of problem: its status, its name in the type, and what it is called."""

    status: int
    slug: str
    title: str


SORTS: Mapping[type[UpheldError], Sort] = {
    MalformedInput: Sort(status=422, slug="malformed-input", title="This cannot mean anything"),
    UnknownConversation: Sort(status=404, slug="unknown-conversation", title="There is no such conversation"),
    UnknownReference: Sort(status=404, slug="unknown-reference", title="Nobody introduced this"),
    RefusedTurn: Sort(status=422, slug="refused-turn", title="A precondition does not hold"),
    SelfSupport: Sort(status=422, slug="self-support", title="Nothing holds itself up"),
    CouldNotCheck: Sort(status=422, slug="could-not-check", title="No answer could be reached"),
    RepeatedIdentity: Sort(status=409, slug="repeated-identity", title="This id or key is taken by something else"),
    VersionConflict: Sort(status=409, slug="version-conflict", title="Somebody else wrote first"),
    StillNeeded: Sort(status=409, slug="still-needed", title="A later turn builds on it"),
    LimitExceeded: Sort(status=413, slug="limit-exceeded", title="Over a stated limit"),
    MissingExtra: Sort(status=501, slug="missing-extra", title="An optional part is not installed"),
    ModelFailure: Sort(status=502, slug="language-model", title="The language model gave nothing to go by"),
    DamagedStore: Sort(status=500, slug="damaged-record", title="The record is damaged"),
    UnreadableEntry: Sort(status=500, slug="damaged-record", title="The record is damaged"),
    StoreError: Sort(status=503, slug="store", title="The record could not be read or written"),
    UpheldError: Sort(status=400, slug="refused", title="This cannot be done"),
}
"""The sort of each error; that of the nearest class counts."""

FIELDS = (
    "key",
    "line",
    "reference",
    "where",
    "failure",
    "operation",
    "turn",
    "conversation",
    "conversations",
    "expected",
    "found",
    "extra",
)
"""Fields of errors that are told as they are; those that are empty are left out."""


NOTHING: Mapping[str, int] = {"line": 0, "operation": -1}
"""What says that a field has nothing to tell, where that is not an empty text."""


class Problem(Response):
    """A refusal on its way out."""

    media_type = MEDIA_TYPE

    def __init__(self, tree: Mapping[str, Any], *, headers: Mapping[str, str] | None = None) -> None:
        """Send a tree; its ``status`` is that of the response."""
        # Escaped, since half a character (a lone surrogate) may be quoted, which UTF-8 cannot carry.
        super().__init__(json.dumps(tree).encode(), status_code=tree["status"], headers=dict(headers or {}))
        self._slug = str(tree["type"]).removeprefix(URN)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, and note its type for whoever counts."""
        scope.setdefault("state", {})[PROBLEM] = "" if self._slug == UNTYPED else self._slug
        await super().__call__(scope, receive, send)


def sort_of(error: UpheldError) -> Sort:
    """Give the sort of an error."""
    return next(SORTS[kind] for kind in type(error).__mro__ if kind in SORTS)


def tree_of(error: UpheldError) -> dict[str, Any]:
    """Give an error as problem details. Of a fault only the sort is told, for its words may name what is inside."""
    sort = sort_of(error)
    is_inside = sort.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, MissingExtra)
    tree = _tree(sort.status, sort.title, sort.title if is_inside else str(error), slug=sort.slug)
    told = {} if is_inside else {name: getattr(error, name, None) for name in FIELDS}
    return tree | {name: each for name, each in told.items() if each is not None and each != NOTHING.get(name, "")}


def logged_tree_of(error: UpheldError) -> dict[str, Any]:
    """Give an error as problem details; a fault is logged, that of a store in its own words, which quote nobody."""
    tree = tree_of(error)
    if tree["status"] >= HTTPStatus.INTERNAL_SERVER_ERROR:
        words = without_password(str(error)) if isinstance(error, StoreError) else ""
        _LOG.error("%s %s", type(error).__name__, words)
    return tree


def problem_of(error: UpheldError) -> Problem:
    """Give an error as a response, and log a fault."""
    tree = logged_tree_of(error)
    busy = tree["status"] == HTTPStatus.SERVICE_UNAVAILABLE
    return Problem(tree, headers={"retry-after": str(RETRY_AFTER)} if busy else None)


def refusal(status: int, detail: str, *, slug: str = "", headers: Mapping[str, str] | None = None) -> Problem:
    """Give a refusal that is no error of the library: no key, too many requests, no such path."""
    return Problem(_tree(status, HTTPStatus(status).phrase, detail, slug=slug), headers=headers)


def answer_problems(app: FastAPI) -> None:
    """Make an application answer every error in this form."""
    app.add_exception_handler(UpheldError, _upheld)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _fault)


async def _upheld(_: Request, error: Exception) -> Response:
    return problem_of(error) if isinstance(error, UpheldError) else await _fault(_, error)


async def _invalid(_: Request, error: Exception) -> Response:
    found: Sequence[Any] = error.errors() if isinstance(error, RequestValidationError) else ()
    # What was sent is not sent back: it may be long, or private.
    errors = [{"key": _dotted(each["loc"]), "message": each["msg"]} for each in found]
    detail = f"{errors[0]['key']}: {errors[0]['message']}" if errors else "this request cannot be read"
    sort = SORTS[MalformedInput]
    return Problem(_tree(sort.status, sort.title, detail, slug=sort.slug) | {"errors": errors})


async def _http(_: Request, error: Exception) -> Response:
    status, detail = HTTPStatus.INTERNAL_SERVER_ERROR.value, ""
    headers: Mapping[str, str] | None = None
    if isinstance(error, HTTPException):
        status, detail, headers = error.status_code, error.detail, error.headers
    slug = SORTS[LimitExceeded].slug if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE else ""
    return refusal(status, detail, slug=slug, headers=headers)


async def _fault(request: Request, error: Exception) -> Response:
    # Starlette raises it again after this, and the server logs it with its traceback; the id is on those lines too.
    del error
    id = getattr(request.state, "request_id", "")
    headers = {REQUEST_ID: id} if id else None
    return refusal(500, "a fault of the service itself; nothing was decided", headers=headers)


def _tree(status: int, title: str, detail: str, *, slug: str) -> dict[str, Any]:
    return {"type": f"{URN}{slug}" if slug else UNTYPED, "title": title, "status": status, "detail": detail}


def _dotted(place: Sequence[str | int]) -> str:
    steps = place[1:] if len(place) > 1 and place[0] == "body" else place
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
