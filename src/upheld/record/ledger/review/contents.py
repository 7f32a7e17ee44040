"""What goes on record when people look at a reply: it was flagged, given to somebody, decided, spoken about.

None of it changes what stands. What was found is kept as it was found that moment, with names and without words of the
conversation: what was said there can be erased there, and a later engine may judge otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from upheld.logic.language.identities import AgentId, Epoch, FlagId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Modality, Outcome, Reason, Stance, is_slight


class ReviewOutcome(StrEnum):
    """What a person says of a reply, or of a claim in it."""

    GROUNDED = "grounded"
    UNGROUNDED = "ungrounded"
    COULD_NOT_TELL = "could_not_tell"


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedFinding:
    """What was found of one literal: the fields of :class:`~upheld.logic.language.verdicts.Finding` that are names."""

    literal: Literal
    outcome: Outcome
    reason: Reason | None = None
    by: AgentId | None = None
    turn: TurnId | None = None
    because: tuple[PropositionId, ...] = ()
    path: tuple[PropositionId, ...] = ()
    current: PropositionId | None = None
    policy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedClaim:
    """One claim of the reply as it was matched and judged; ``span`` says which of its characters make it."""

    span: tuple[int, int]
    stance: Stance
    modality: Modality
    outcome: Outcome
    findings: tuple[FlaggedFinding, ...] = ()
    matcher: str = ""
    abstained: str = ""
    disagreements: tuple[str, ...] = ()

    @property
    def is_severe(self) -> bool:
        """Tell whether it is put as a fact and does not stand."""
        return self.outcome is Outcome.UNGROUNDED and not is_slight(self.stance, self.modality)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """A reply that a person should look at, as it was judged at entry ``epoch``, after turn ``at``.

    ``speaker`` would say it, or said it; ``by`` flagged it, with a ``note``. Its verdict may be any, for people flag
    what they doubt.
    """

    flag: FlagId
    epoch: Epoch
    outcome: Outcome
    text: str = ""
    speaker: AgentId | None = None
    at: TurnId | None = None
    claims: tuple[FlaggedClaim, ...] = ()
    abstained: str = ""
    by: AgentId | None = None
    note: str = ""

    @property
    def urgency(self) -> int:
        """Give its place in the queue: 0 a fact that does not stand, 1 less than that, 2 not checked, 3 grounded."""
        if self.outcome is Outcome.UNGROUNDED:
            return 0 if any(claim.is_severe for claim in self.claims) else 1
        return 2 if self.outcome is Outcome.ABSTAIN else 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Assigned:
    """A flag was given to somebody to look at; to nobody (``None``): it is anybody's again."""

    flag: FlagId
    to: AgentId | None = None
    by: AgentId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedClaim:
    """A claim as a reviewer reads it: which characters, what it rests on, and whether that bears it."""

    span: tuple[int, int]
    literals: tuple[Literal, ...] = ()
    outcome: ReviewOutcome
    stance: Stance = Stance.ASSERTS
    modality: Modality = Modality.FACT


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What a person decided of a flag; the newest decision counts, earlier ones stay readable.

    ``claims`` are all claims of the reply as the reviewer reads them; ``None``: as they were matched.
    """

    flag: FlagId
    outcome: ReviewOutcome
    by: AgentId
    reason: str = ""
    claims: tuple[CorrectedClaim, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Commented:
    """What somebody remarked on a flag."""

    flag: FlagId
    by: AgentId
    text: str = ""


ReviewStep = Flagged | Assigned | Decided | Commented
"""One step on the way of a flag."""

REVIEW_STEPS = (Flagged, Assigned, Decided, Commented)


def without_words(step: ReviewStep) -> ReviewStep | None:
    """Give what is left of a step when its words are erased; ``None`` for one that has none, and goes as a whole."""
    match step:
        case Flagged():
            bare = tuple(replace(claim, abstained="") for claim in step.claims)
            return replace(step, text="", note="", abstained="", claims=bare)
        case Decided():
            return replace(step, reason="")
        case Commented():
            return replace(step, text="")
        case Assigned():
            return None
