"""What a stream tells of each entry."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from upheld.faces.server.models.shapes import Shape
from upheld.faces.server.models.turns import Effects
from upheld.logic.language.verdicts import Outcome, Reason

EventKind = Literal[
    "opening",
    "words",
    "meaning",
    "amendment",
    "retraction",
    "erasure",
    "erased",
    "flag",
    "assignment",
    "decision",
    "comment",
]
"""Sorts of entries; ``erased`` is one whose content is gone. The last four are steps of a review."""


class VerdictEvent(Shape):
    """A verdict that was given while somebody listened; it is in no record, and never told again."""

    kind: Literal["verdict"] = "verdict"
    version: int = Field(description="The version that it was judged at.")
    speaker: str | None = Field(description="Who would say it.")
    outcome: Outcome
    reasons: list[Reason]
    claims: list[str] = Field(description="Literals that were judged; their words are asked for by these.")


class Event(Shape):
    """One entry of the record.

    ``effects`` stand with the entry from which on they count: the meaning of a turn, or a retraction. They are null
    for an amendment and an erasure, after which anything may stand otherwise: ask again.
    """

    epoch: int
    kind: EventKind
    turn: str | None
    speaker: str | None
    recorded_at: str
    effects: Effects | None = Field(description="What became of earlier claims.")
