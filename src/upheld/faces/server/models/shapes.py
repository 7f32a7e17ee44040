"""What all models share: no field that is not known, nothing that changes, and names of limited length."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints

Tree = dict[str, Any]

Responses = dict[int | str, dict[str, Any]]
"""What a route may answer besides its model, by status."""

Id = Annotated[str, StringConstraints(min_length=1, max_length=200)]
"""An id of an agent, a claim, a turn or an issue."""

Name = Annotated[str, StringConstraints(max_length=500)]
Remark = Annotated[str, StringConstraints(max_length=5000)]
"""Why somebody did something; it goes on record."""

FormulaText = Annotated[str, StringConstraints(min_length=1, max_length=10_000)]


class Shape(BaseModel):
    """A model of this service."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def showing(*examples: Tree) -> ConfigDict:
    """Give what a model is configured with to show examples of itself in the description."""
    return ConfigDict(json_schema_extra={"examples": list(examples)})


URN = "urn:upheld:problem:"
"""How the types of problems begin."""


class Problem(BaseModel):
    """Why something was refused (RFC 9457); a sort of problem adds fields of its own."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: str
    title: str
    status: int
    detail: str
