"""What came of a conversation that was taken in."""

from __future__ import annotations

from pydantic import Field

from upheld.faces.server.models.shapes import Shape


class ImportAnswer(Shape):
    """A conversation that is on record now, and what of the export did not become part of it."""

    id: str
    version: int
    form: str = Field(description="The form that it was taken for.")
    turns: int
    unread: list[str] = Field(description="Turns whose words could not be read.")
    damaged: list[str] = Field(description="Records that were left out, and why.")
    is_repeated: bool = Field(description="Whether it was taken in before under the same key.")
    left_out: dict[str, int] = Field(description="How many records of each kind no turn was made of.")
