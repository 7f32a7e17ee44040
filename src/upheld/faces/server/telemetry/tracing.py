"""Traces: what a request consists of, told to a collector if there is one. Nothing here needs OpenTelemetry."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What is known of a request once it is over; ``route`` is a template, such as ``/v1/conversations/{c}``."""

    route: str
    status: int
    tenant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A verdict as it is told to a collector.

    ``response`` is the language model's id of what was judged, where the caller gave it. ``text`` and ``restored_if``
    quote people; they are told only where the settings say so.
    """

    conversation: str
    outcome: str
    reasons: Sequence[str]
    response: str = ""
    text: str = ""
    restored_if: Sequence[str] = ()


class RequestSpan(Protocol):
    """One request on its way."""

    @property
    def trace(self) -> str:
        """Id of the trace that it belongs to, in 32 hexadecimal digits; empty where there is none."""
        ...

    def end(self, answered: Answered) -> None:
        """Note what became of it."""
        ...


class Tracing(Protocol):
    """Tells a collector what the service does. Safe to call from several threads."""

    def request(self, method: str, headers: Mapping[str, str]) -> AbstractContextManager[RequestSpan]:
        """Begin a request, as part of the trace that its headers name (W3C Trace Context)."""
        ...

    def step(self, name: str) -> AbstractContextManager[None]:
        """Begin a step of the request that is under way."""
        ...

    def judge(self, judgement: Judgement) -> None:
        """Tell a verdict."""
        ...

    def close(self) -> None:
        """Send what is left, and send nothing any more."""
        ...


@dataclass(frozen=True, slots=True)
class _Passing:
    trace: str

    def end(self, answered: Answered) -> None:
        """Note nothing."""


class Untraced:
    """Tells nobody anything; the trace that a caller names is still known, so that log lines can name it."""

    @contextmanager
    def request(self, method: str, headers: Mapping[str, str]) -> Generator[RequestSpan]:
        """Pass a request through."""
        yield _Passing(trace_named(headers.get("traceparent", "")))

    @contextmanager
    def step(self, name: str) -> Generator[None]:
        """Pass a step through."""
        yield

    def judge(self, judgement: Judgement) -> None:
        """Tell nobody."""

    def close(self) -> None:
        """Do nothing."""


_UNTRACED = Untraced()
_CURRENT: ContextVar[Tracing | None] = ContextVar("upheld_tracing", default=None)


@contextmanager
def traced_by(tracing: Tracing) -> Generator[None]:
    """Let the steps of what is done meanwhile be told to this one, on whatever thread."""
    token = _CURRENT.set(tracing)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def step(name: str) -> AbstractContextManager[None]:
    """Begin a step of the request that is under way, if there is one and anybody is told."""
    return (_CURRENT.get() or _UNTRACED).step(name)


def trace_named(traceparent: str) -> str:
    """Give the id of the trace in a ``traceparent`` header; empty for one that is none. Source: W3C Trace Context 3.2.

    A version after 00 may say more behind it, which is passed over.
    """
    found = _TRACEPARENT.fullmatch(traceparent.strip())
    if found is None or (found[2] and traceparent.strip().startswith("00-")):
        return ""
    return found[1]
