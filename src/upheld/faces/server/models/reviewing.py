"""Replies that were put before a person: what is asked and answered about them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from upheld.conversation.reviewing.review import ReviewStatus
from upheld.faces.server.models.shapes import Id, Remark, Shape
from upheld.faces.server.models.verdicts import Finding
from upheld.logic.language.verdicts import Modality, Outcome, Reason, Stance
from upheld.record.ledger.review.contents import ReviewOutcome

Comment = Annotated[str, StringConstraints(min_length=1, max_length=5000)]
Expected = Annotated[
    int | None, Field(ge=0, description="The flag's `version` that was looked at; refused if it grew.")
]


class FlagRequest(Shape):
    """A reply that a person should look at; it is verified as things stand, and filed with what is found."""

    text: str = Field(min_length=1)
    speaker: Id | None = Field(default=None, description="Who would say it, or said it.")
    by: Id | None = Field(default=None, description="Who asks for it.")
    note: Remark = ""


class AssignmentRequest(Shape):
    """To whom a flag is given; null: back to all."""

    to: Id | None
    by: Id | None = None
    expected_version: Expected = None


class CorrectedClaim(Shape):
    """A claim as the reviewer reads it; ``literals`` are what it rests on (``~id`` denies it)."""

    span: tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=1)]]
    literals: list[Id] = Field(default=[], max_length=100)
    outcome: ReviewOutcome
    stance: Stance = Stance.ASSERTS
    modality: Modality = Modality.FACT


class DecisionRequest(Shape):
    """What a person decided. ``claims`` say how the reply should have been matched, all of them; null: as it was.

    Without ``expected_version`` it is expected that nobody decided yet.
    """

    outcome: ReviewOutcome
    by: Id
    reason: Remark = ""
    claims: list[CorrectedClaim] | None = Field(default=None, max_length=1000)
    expected_version: Expected = None


class CommentRequest(Shape):
    """A remark on a flag."""

    by: Id
    text: Comment
    expected_version: Expected = None


class FlagErasureRequest(Shape):
    """Why the words of a flag are to be erased, comments and reasons included."""

    reason: Remark = Field(min_length=1)
    by: Id | None = None


class FlagSummary(Shape):
    """A flag in the queue. ``line`` says why it does not stand; ``turn`` is the last one before it was judged."""

    conversation: str
    id: str
    version: int = Field(description="Number of steps on record; a step may name it as `expected_version`.")
    text: str
    speaker: str | None
    outcome: Outcome = Field(description="As it was judged when it was flagged.")
    reasons: list[Reason]
    line: str
    status: ReviewStatus
    assignee: str | None
    decided: ReviewOutcome | None
    flagged_at: str
    turn: str | None
    is_erased: bool = Field(description="Whether its words were erased.")


class ThenAndNow(Finding):
    """What was found of a literal when the reply was flagged (without its grounds), and what is found now."""

    now: Finding | None


class FlaggedClaim(Shape):
    """A claim of the reply as it was judged, each finding with how the same stands now."""

    span: tuple[int, int]
    text: str
    stance: Stance
    modality: Modality
    outcome: Outcome
    reason: Reason | None
    findings: list[ThenAndNow]
    matcher: str
    abstained: str
    disagreements: list[str]


class MatteringTurn(Shape):
    """A turn that a reviewer should read."""

    turn: str
    speaker: str
    text: str


class Step(Shape):
    """One step on record; ``text`` is the note of a flag, the reason of a decision, or the comment."""

    epoch: int
    kind: Literal["flag", "assignment", "decision", "comment"]
    at: str
    by: str | None
    is_erased: bool
    text: str = ""
    to: str | None = None
    outcome: ReviewOutcome | None = None
    claims: list[CorrectedClaim] | None = None


class Decision(Shape):
    """The decision that counts."""

    flag: str
    outcome: ReviewOutcome
    by: str
    reason: str
    claims: list[CorrectedClaim] | None


class FlagAnswer(FlagSummary):
    """A flag with all that a reviewer needs: what it rests on and what ended it, and what people did about it."""

    by: str | None
    note: str
    abstained: str
    claims: list[FlaggedClaim]
    rests_on: MatteringTurn | None
    ended_by: MatteringTurn | None
    decision: Decision | None
    comments: list[Step]
    history: list[Step]


class QueueAnswer(Shape):
    """A page of the queue. ``next`` is what to give as ``after`` for the page that follows; null: there is none."""

    flags: list[FlagSummary]
    next: str | None
