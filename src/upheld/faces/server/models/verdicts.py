"""Verdicts: whether something may be said, why not, and what would restore it."""

from __future__ import annotations

from pydantic import Field

from upheld.faces.server.models.shapes import Id, Shape, showing
from upheld.logic.language.verdicts import Modality, Outcome, Reason, Stance


class Candidate(Shape):
    """A claim by its id (``~id`` denies it), with what is done with it."""

    literal: Id
    stance: Stance = Stance.ASSERTS
    modality: Modality = Modality.FACT


class VerifyRequest(Shape):
    """What would be said: a text, or claims by their ids; one of the two."""

    model_config = showing({"text": "The left bed is wet.", "speaker": "bot"}, {"claims": [{"literal": "o9"}]})

    text: str | None = Field(default=None, min_length=1)
    claims: list[Candidate] | None = Field(default=None, min_length=1, max_length=1000)
    speaker: Id | None = Field(default=None, description="Who would say it: what they were never told is out of view.")
    response: str = Field(
        default="", max_length=500, description="Id of the language model's response that it is; it goes to telemetry."
    )
    at: str = Field(default="", max_length=200, description="As of right after this turn; now, if it is left out.")
    flag: bool = Field(default=False, description="Put the text before a person, unless it is grounded (writer).")


class Ground(Shape):
    """One step of a justification, down to the turn that said it; depth 0 is the claim itself."""

    literal: str
    text: str
    speaker: str | None
    turn: str | None
    depth: int


class Finding(Shape):
    """Why one literal is, or is not, grounded; ``restored_if`` says what would make it grounded."""

    literal: str
    outcome: Outcome
    reason: Reason | None
    by: str | None
    turn: str | None
    because: list[str]
    path: list[str]
    current: str | None = Field(description="The value that replaced it.")
    grounds: list[Ground]
    risks: list[str]
    restored_if: str
    policy: str
    variant: str


class Verdict(Shape):
    """The verdict on literals."""

    outcome: Outcome
    findings: list[Finding]
    variant: str


class CheckedClaim(Shape):
    """One claim of a text: where it stands in it, what it was matched with and by what, and its verdict."""

    span: tuple[int, int]
    text: str
    stance: Stance
    modality: Modality
    outcome: Outcome
    reason: Reason | None
    findings: list[Finding]
    matcher: str
    abstained: str
    disagreements: list[str]
    likelihood: float | None


class VerifyAnswer(Shape):
    """Grounded, ungrounded, or ``abstain``: it could not be checked, which is neither; ``abstained`` says why."""

    outcome: Outcome
    reasons: list[Reason]
    abstained: str
    claims: list[CheckedClaim]
    version: int = Field(description="The version that it was judged at.")
    flag: str | None = Field(default=None, description="The flag, where the text was put before a person.")
