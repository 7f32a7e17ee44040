"""What a stream tells of each entry."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from upheld.faces.server.models.shapes import Shape
from upheld.faces.server.models.turns import Effects

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
