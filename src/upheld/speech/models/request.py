"""A request to a language model, as a value: it can be sent, written to a file, looked up, and told from any other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    """Who speaks in a message: the instructions, whoever asks, or the language model itself."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. What people wrote stands in ``USER`` messages, quoted as data, never in the instructions."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The JSON that a reply must be: a name (letters, digits, ``_``) and a JSON Schema of an object."""

    name: str
    schema: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """All that decides a reply, apart from which language model is asked.

    ``prompt`` is the name and version of the instructions (``interpret@1``). ``limit`` is the most tokens of a reply.
    ``sample`` tells apart draws that are meant to differ (self-consistency); without temperature it should stay 0.
    """

    prompt: str
    messages: tuple[Message, ...]
    shape: Shape | None = None
    temperature: float = 0.0
    limit: int = 4_096
    sample: int = 0

    @property
    def key(self) -> str:
        """SHA-256 of the request in hexadecimal: equal requests, and only those, have equal keys. Cost: its length."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    def canonical(self) -> str:
        """Give the request as JSON with its keys in order, so that equal requests are equal texts."""
        tree = {
            "prompt": self.prompt,
            "messages": [[message.role.value, message.text] for message in self.messages],
            "shape": [self.shape.name, self.shape.schema] if self.shape is not None else None,
            "temperature": self.temperature,
            "limit": self.limit,
            "sample": self.sample,
        }
        return json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
