"""On what terms a server is asked, and what it is asked instead when it refuses them.

Servers that speak the OpenAI protocol differ in three ways that only a refusal shows: whether they hold a reply to a
JSON Schema, what they call the limit of tokens, and whether a temperature may be set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from upheld.speech.models.reply import Level

_SHAPE = re.compile(r"response_?format|json|schema|structured|grammar|guided|parameters?\b", re.IGNORECASE)
_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_LIMIT = re.compile(r"max_(completion_)?tokens", re.IGNORECASE)
_OPAQUE = {400, 422}
"""Statuses with which servers refuse a field without naming it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is sent beside the messages: the level of the shape, a temperature or none, and the limit of tokens.

    ``first_limit`` says that the limit has the name that is tried first (``max_tokens`` or ``max_completion_tokens``).
    """

    level: Level
    tempered: bool = True
    first_limit: bool = True

    def after(self, refusal: Refusal) -> Terms | None:
        """Give the terms to try next, or nothing when the refusal was about something else, or nothing is left."""
        if self.first_limit and _LIMIT.search(refusal.said):
            return replace(self, first_limit=False)
        if self.tempered and _TEMPERATURE.search(refusal.said):
            return replace(self, tempered=False)
        if not refusal.shaped or self.level is Level.TEXT:
            return None
        if refusal.status in _OPAQUE or _SHAPE.search(refusal.said):
            return replace(self, level=Level.JSON if self.level is Level.SCHEMA else Level.TEXT)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """That a server would not take a request as it was put (400, 404, 415, 422): what it said, and what was asked."""

    said: str
    status: int
    shaped: bool
