"""What became of a flag: a fold over its entries, derived and kept nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from upheld.conversation.checking.claims import Checked, CheckedClaim
from upheld.logic.language.identities import AgentId, ConversationId, FlagId
from upheld.logic.language.verdicts import Finding
from upheld.record.ledger.entry import Entry, Erased, step_of
from upheld.record.ledger.review.contents import (
    Assigned,
    Commented,
    Decided,
    Flagged,
    FlaggedClaim,
    FlaggedFinding,
    ReviewStep,
)


class ReviewStatus(StrEnum):
    """How far a flag is: nobody's yet, somebody's, or decided."""

    OPEN = "open"
    ASSIGNED = "assigned"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTaken:
    """One step of a review as it is on record; ``key`` is the idempotency key that it came with.

    ``is_erased``: what somebody wrote in it is gone, and the rest is what remains.
    """

    epoch: int
    recorded_at: str
    content: ReviewStep
    key: str = ""
    is_erased: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A flag and all that people did about it, oldest first; the first step is the flag itself."""

    conversation: ConversationId
    flagged: Flagged
    history: tuple[StepTaken, ...]

    @property
    def id(self) -> FlagId:
        """Name of the flag in its conversation."""
        return self.flagged.flag

    @property
    def version(self) -> int:
        """Number of steps: who acts on what they saw names it, and is refused where somebody acted since."""
        return len(self.history)

    @property
    def flagged_at(self) -> str:
        """When it was flagged, by the store's clock."""
        return self.history[0].recorded_at

    @property
    def is_erased(self) -> bool:
        """Tell whether the words of the reply are gone."""
        return self.history[0].is_erased

    @property
    def decisions(self) -> tuple[Decided, ...]:
        """Every decision, the newest last."""
        return tuple(step.content for step in self.history if isinstance(step.content, Decided))

    @property
    def decision(self) -> Decided | None:
        """The decision that counts; ``None`` while nobody decided."""
        return self.decisions[-1] if self.decisions else None

    @property
    def assignee(self) -> AgentId | None:
        """Who is to look at it."""
        given = [step.content.to for step in self.history if isinstance(step.content, Assigned)]
        return given[-1] if given else None

    @property
    def comments(self) -> tuple[StepTaken, ...]:
        """What was remarked on it."""
        return tuple(step for step in self.history if isinstance(step.content, Commented))

    @property
    def status(self) -> ReviewStatus:
        """How far it is. What was decided stays so, whomever it is given to afterwards."""
        if self.decisions:
            return ReviewStatus.DECIDED
        return ReviewStatus.OPEN if self.assignee is None else ReviewStatus.ASSIGNED

    @property
    def checked(self) -> Checked:
        """The verdict as it was given when the reply was flagged; its findings have no grounds, which is for now."""
        return checked_then(self.flagged)


def reviews_of(entries: Iterable[Entry]) -> tuple[Review, ...]:
    """Give the flags of one conversation as its entries tell of them, oldest first. Cost: linear.

    A step on a flag that is not there (an index lost it, a program wrote it) is passed over, as is a second flag of one
    name.
    """
    found: dict[FlagId, Review] = {}
    for entry in entries:
        step = step_of(entry.content)
        if step is None:
            continue
        taken = StepTaken(
            epoch=entry.epoch,
            recorded_at=entry.recorded_at,
            content=step,
            key=entry.key,
            is_erased=isinstance(entry.content, Erased),
        )
        known = found.get(step.flag)
        if known is not None and not isinstance(step, Flagged):
            found[step.flag] = replace(known, history=(*known.history, taken))
        elif known is None and isinstance(step, Flagged):
            found[step.flag] = Review(conversation=entry.conversation, flagged=step, history=(taken,))
    return tuple(found.values())


def flagged_claims(checked: Checked) -> tuple[FlaggedClaim, ...]:
    """Give what is kept of the claims that a matcher found, and of what was found of them."""
    return tuple(
        FlaggedClaim(
            span=claim.span,
            stance=claim.stance,
            modality=claim.modality,
            outcome=claim.outcome,
            findings=tuple(_kept(finding) for finding in claim.findings),
            matcher=claim.matcher,
            abstained=claim.abstained,
            disagreements=claim.disagreements,
        )
        for claim in checked.claims
    )


def checked_then(flagged: Flagged) -> Checked:
    """Give a verdict as it was given, read off what is kept of it."""
    claims = tuple(
        CheckedClaim(
            span=claim.span,
            text=flagged.text[slice(*claim.span)],
            stance=claim.stance,
            modality=claim.modality,
            outcome=claim.outcome,
            findings=tuple(_found(finding) for finding in claim.findings),
            matcher=claim.matcher,
            abstained=claim.abstained,
            disagreements=claim.disagreements,
        )
        for claim in flagged.claims
    )
    return Checked(outcome=flagged.outcome, claims=claims, abstained=flagged.abstained)


def _kept(finding: Finding) -> FlaggedFinding:
    return FlaggedFinding(
        literal=finding.literal,
        outcome=finding.outcome,
        reason=finding.reason,
        by=finding.by,
        turn=finding.turn,
        because=finding.because,
        path=finding.path,
        current=finding.current,
        policy=finding.policy,
    )


def _found(kept: FlaggedFinding) -> Finding:
    return Finding(
        literal=kept.literal,
        outcome=kept.outcome,
        reason=kept.reason,
        by=kept.by,
        turn=kept.turn,
        because=kept.because,
        path=kept.path,
        current=kept.current,
        policy=kept.policy,
    )
