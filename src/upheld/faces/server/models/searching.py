"""Claims found across conversations."""

from __future__ import annotations

from pydantic import Field

from upheld.faces.server.models.shapes import Shape
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle


class Hit(Shape):
    """A claim that was found, as it stood at the moment that was asked for, and by what it was found."""

    conversation: str
    id: str
    text: str
    kind: Kind
    label: Label
    lifecycle: Lifecycle
    since: int = Field(description="The entry from which on it stood so.")
    recorded_at: str
    score: float = Field(description="Orders the claims of one search, and means nothing beside another's.")
    stands: bool
    why: list[str]


class SearchAnswer(Shape):
    """What was found, best first; the conversations that could not be searched are named."""

    hits: list[Hit]
    unsearched: list[str]
