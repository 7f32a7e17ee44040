"""What a scripted server can do with a request: answer it, well or badly, or fail to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """A whole completion. Tokens that are not given are counted as words.

    ``cut_after`` closes the connection after that share of the body (0 to 1); the rest never comes.
    ``pause`` is how many seconds pass between two pieces of ten bytes. ``content_type`` may be wrong on purpose.
    """

    text: str
    finish: str = "stop"
    input_tokens: int | None = None
    output_tokens: int | None = None
    cut_after: float | None = None
    pause: float = 0.0
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fails:
    """An HTTP error with the message, code and headers that it comes with (``{"Retry-After": "2"}``)."""

    status: int
    message: str = "the script says so"
    code: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """Silence for so many seconds, then something else; closing the server ends the silence."""

    seconds: float
    then: Act


@dataclass(frozen=True, slots=True)
class Raw:
    """Any bytes with status 200: a page of a proxy, half a JSON."""

    body: bytes
    content_type: str = "text/html"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoChoices:
    """A completion with an empty list of choices, which is paid for nevertheless."""

    input_tokens: int = 7


@dataclass(frozen=True, slots=True)
class EchoesSchema:
    """The JSON Schema of the request in place of an answer (graphiti #868, #912)."""


@dataclass(frozen=True, slots=True)
class Hangs:
    """The connection is closed without a word."""


Act = Says | Fails | Waits | Raw | NoChoices | EchoesSchema | Hangs
"""One thing that a scripted server does."""
