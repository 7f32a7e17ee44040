"""Changes: what is taken back, or supposed, and what that does."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from upheld.faces.server.models.shapes import Id, Remark, Shape, showing
from upheld.faces.server.models.verdicts import Verdict
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.verdicts import Effect


class Retract(Shape):
    """Nobody holds a claim any more; nothing is said about its falsity."""

    act: Literal["retract"]
    target: Id


class Falsify(Shape):
    """A claim is false."""

    act: Literal["falsify"]
    target: Id


class Withdraw(Shape):
    """All that came from a turn, or from a document by its uri, does not count."""

    act: Literal["withdraw"]
    source: Annotated[str, Field(min_length=1, max_length=2000)]


class Supersede(Shape):
    """One known value replaces another."""

    act: Literal["supersede"]
    older: Id
    newer: Id


Change = Annotated[Retract | Falsify | Withdraw | Supersede, Field(discriminator="act")]
RETRACT = {"act": "retract", "target": "o9"}
"""The change of the examples."""


class RetractionRequest(Shape):
    """A change to put on record."""

    model_config = showing({"change": RETRACT, "by": "ana", "reason": "the gauge was broken"})

    change: Change
    by: Id | None = None
    reason: Remark = ""
    expected_version: int | None = Field(default=None, ge=0)


class Reached(Shape):
    """A claim that a change reaches, and the way to it."""

    id: str
    effect: Effect
    path: list[str]


class Delta(Shape):
    """What a change does, each effect in the order of the record."""

    lost: list[Reached] = Field(description="No complete justification is left.")
    thinned: list[Reached] = Field(description="One of several justifications falls.")
    defeated: list[str] = Field(description="Were in, and fall to an attack that comes alive.")
    explained_by: list[str] = Field(description="Their larger story falls.")
    reinstated: list[str] = Field(description="Are in again.")
    reopened: list[str] = Field(description="Were given up for a reason that falls.")
    activated: list[str] = Field(description="Rest on the negation.")


class RetractionAnswer(Shape):
    """What fell, was thinned and came back; all of it is on record.

    What was put on record before under the same key is answered as the first time.
    """

    version: int
    delta: Delta
    is_repeated: bool


class AffectedRequest(Shape):
    """A change to ask about; nothing is recorded."""

    model_config = showing({"change": RETRACT})

    change: Change
    at: str = Field(default="", max_length=200)
    limit: int = Field(default=0, ge=0, description="At most so many claims an effect; 0: all.")


class AffectedAnswer(Shape):
    """What a change would do; ``left_off`` counts what a limit left out of lost and thinned."""

    delta: Delta
    left_off: int


class WhatIfRequest(Shape):
    """Changes to try one after the other, and claims to judge before and after; all that moves, if none is named."""

    model_config = showing({"changes": [RETRACT], "ask": ["o9"]})

    changes: list[Change] = Field(min_length=1, max_length=100)
    ask: list[Id] = Field(default_factory=list, max_length=100)
    at: str = Field(default="", max_length=200)


class Status(Shape):
    """Lifecycle and standing of a claim."""

    id: str
    lifecycle: Lifecycle
    standing: Label
    fallen: list[str]
    needs_reevaluation: bool


class Judged(Shape):
    """A claim at one moment: how it stands, and whether it may be said."""

    status: Status
    verdict: Verdict


class Asked(Shape):
    """A claim that was asked about."""

    claim: str
    before: Judged
    after: Judged


class Moved(Shape):
    """A claim that the changes move."""

    claim: str
    before: Status
    after: Status


class WhatIfAnswer(Shape):
    """What the changes would do; nothing is recorded."""

    asked: list[Asked]
    moved: list[Moved]
