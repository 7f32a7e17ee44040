"""One request to the service as a value: where it goes, what it carries, and how its answer is read."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypedDict, TypeVar
from urllib.parse import quote

import httpx2
from pydantic import BaseModel, ValidationError

from upheld.errors import ServiceError
from upheld.faces.client.problems import error_of

Answer = TypeVar("Answer")
Shape = TypeVar("Shape", bound=BaseModel)
Read = Callable[[bytes, Mapping[str, str]], Answer]
"""Reads an answer from its body and its headers."""

JSON = {"content-type": "application/json"}


class Asked(TypedDict):
    """One request as the network client takes it."""

    method: str
    url: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    content: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Generic[Answer]):
    """What is sent, the same for every try of it."""

    method: str
    path: str
    read: Read[Answer]
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None
    conversation: str = ""

    @property
    def asked(self) -> Asked:
        """Give it as the network client takes it."""
        return Asked(method=self.method, url=self.path, params=self.query, headers=self.headers, content=self.body)

    def answer(self, response: httpx2.Response) -> Answer:
        """Read the answer.

        Raises:
            UpheldError: the service refused; the error says why.
            ServiceError: it gave something else than such an answer.
        """
        if not response.is_success:
            raise error_of(response.status_code, response.content, conversation=self.conversation)
        return self.read(response.content, response.headers)


def asked(shape: type[Shape], path: str, *, conversation: str = "", **query: object) -> Request[Shape]:
    """Make a request that reads; what is empty is left out of the query."""
    return Request(
        method="GET",
        path=path,
        read=read_as(shape),
        query=query_of(query),
        conversation=conversation,
    )


def sent(
    shape: type[Shape],
    path: str,
    body: Mapping[str, Any],
    *,
    conversation: str = "",
    key: str | None = None,
    always: Mapping[str, Any] | None = None,
) -> Request[Shape]:
    """Make a request that carries fields; those that are ``None`` are left out, but for those of ``always``.

    ``key`` is the idempotency key of one that writes: with an empty one it gets a new one, so that every try of it is
    known for the same; ``None`` is for what writes nothing.
    """
    told = {name: value for name, value in body.items() if value is not None}
    return Request(
        method="POST",
        path=path,
        read=read_as(shape),
        headers=JSON | keyed(key),
        body=json.dumps({**told, **(always or {})}).encode(),
        conversation=conversation,
    )


def keyed(key: str | None) -> dict[str, str]:
    """Give the header of an idempotency key: the caller's, or a new one; none for ``None``."""
    return {} if key is None else {"idempotency-key": key or secrets.token_hex(16)}


def query_of(query: Mapping[str, object]) -> dict[str, str]:
    """Give the part of a query that says something."""
    return {name: str(value) for name, value in query.items() if value not in (None, "")}


def read_as(shape: type[Shape]) -> Read[Shape]:
    """Make a reader of answers; fields that a newer service adds are passed over."""

    def read(body: bytes, _: Mapping[str, str]) -> Shape:
        try:
            return shape.model_validate_json(body, extra="ignore")
        except ValidationError as error:
            where = error.errors(include_url=False, include_input=False)[0]
            what = f"{'.'.join(map(str, where['loc']))}: {where['msg']}".removeprefix(": ")
            raise ServiceError(f"the service gave what is no {shape.__name__}: {what}") from None

    return read


def within(conversation: str, *steps: str) -> str:
    """Give the path of a conversation, or of something in it; names are quoted whatever they hold."""
    return "/".join(["/v1/conversations", *(quote(step, safe="") for step in (conversation, *steps))])
