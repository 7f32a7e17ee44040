"""What a language model answered, and what that cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from upheld.errors import ModelFailure

F = TypeVar("F", bound=ModelFailure)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What was asked of a language model: calls that left this process, and tokens as the provider counted them.

    ``reused`` are replies that a cache or a recording gave instead of a call; they cost nothing.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    reused: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Give both together."""
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            reused=self.reused + other.reused,
        )

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens


def usage_of(failure: ModelFailure) -> Usage:
    """Give what a failure cost: a call that left this process counts, whatever came back."""
    return Usage(calls=failure.calls, input_tokens=failure.input_tokens, output_tokens=failure.output_tokens)


def costing(failure: F, usage: Usage) -> F:
    """Give the same failure, with all that it cost."""
    failure.calls, failure.input_tokens, failure.output_tokens = usage.calls, usage.input_tokens, usage.output_tokens
    return failure


class Finish(StrEnum):
    """Why a reply ended: by itself, at the limit of tokens, or refused by a filter of the provider."""

    STOP = "stop"
    LENGTH = "length"
    FILTERED = "filtered"


class Level(StrEnum):
    """How a server was held to the shape of a reply: by the JSON Schema, to any JSON, or by words in the message."""

    SCHEMA = "schema"
    JSON = "json"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The text of an answer.

    ``answered_by`` is the name that the provider gave, which may be more exact than the one asked. ``usage`` covers
    every attempt that this reply took. ``level`` says how a request that has a shape was put to the server, as far as
    that is known.
    """

    text: str
    answered_by: str
    usage: Usage = field(default_factory=Usage)
    finish: Finish = Finish.STOP
    level: Level | None = None
