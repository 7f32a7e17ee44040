"""Answers: what a candidate rests on, or the one reason why it may not be said (semantics, sections 6, 7, 11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal


class Outcome(StrEnum):
    """Could not check (``ABSTAIN``) is no kind of checked: it never passes as grounded."""

    GROUNDED = "grounded"
    UNGROUNDED = "ungrounded"
    ABSTAIN = "abstain"


class Reason(StrEnum):
    """Why a literal is not grounded, in the order in which reasons are tried.

    The last is given only under a graded variant that was asked for.
    """

    UNKNOWN = "unknown"
    OUT_OF_VIEW = "out_of_view"
    ABANDONED = "abandoned"
    RETRACTED = "retracted"
    SUPERSEDED = "superseded"
    CONTRADICTED = "contradicted"
    PREMISE_LOST = "premise_lost"
    UNDERMINED = "undermined"
    REOPENED = "reopened"
    UNDECIDED = "undecided"
    OVERCLAIMED = "overclaimed"
    TOO_WEAK = "too_weak"


class Stance(StrEnum):
    """What a candidate does with a proposition."""

    ASSERTS = "asserts"
    DENIES = "denies"
    PRESUPPOSES = "presupposes"
    REPORTS = "reports"


class Modality(StrEnum):
    """As what a candidate puts a proposition forward."""

    FACT = "fact"
    HYPOTHESIS = "hypothesis"
    QUESTION = "question"


def is_slight(stance: Stance, modality: Modality) -> bool:
    """Tell whether no more is done than to suppose, to ask, or to report: that commits to less than a fact does."""
    return modality is not Modality.FACT or stance is Stance.REPORTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One literal of a candidate continuation, with what the candidate does with it."""

    literal: Literal
    stance: Stance = Stance.ASSERTS
    modality: Modality = Modality.FACT


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One step of a justification, down to the turn that said it; ``depth`` 0 is the claim itself."""

    literal: Literal
    text: str
    speaker: AgentId | None
    turn: TurnId | None
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Why one literal is, or is not, grounded.

    ``because`` are the entries that show it (attackers, fallen premises, the reasons of a revise), ``path`` leads from
    the literal to the fallen premise, ``current`` is the value that replaced it, ``by`` and ``turn`` who ended it and
    when, ``restored_if`` says in words what would make it grounded, ``policy`` names the rule of sources that decided,
    ``variant`` the graded variant that did.
    """

    literal: Literal
    outcome: Outcome
    reason: Reason | None = None
    by: AgentId | None = None
    turn: TurnId | None = None
    because: tuple[PropositionId, ...] = ()
    path: tuple[PropositionId, ...] = ()
    current: PropositionId | None = None
    grounds: tuple[Ground, ...] = ()
    risks: tuple[PropositionId, ...] = ()
    restored_if: str = ""
    policy: str = ""
    variant: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Verdict on a candidate: grounded iff each of its literals is; one finding a literal, worst first.

    ``variant`` names the graded variant under which it was judged; empty for plain labels. The findings that the
    variant decided name it too.
    """

    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    variant: str = ""

    @property
    def reason(self) -> Reason | None:
        """The reason of the first finding that fails, or ``None``; what rests on nothing that was said is unknown."""
        if not self.findings and self.outcome is Outcome.UNGROUNDED:
            return Reason.UNKNOWN
        return next((finding.reason for finding in self.findings if finding.reason is not None), None)

    @property
    def passes(self) -> bool:
        """Tell whether the candidate was checked *and* found grounded."""
        return self.outcome is Outcome.GROUNDED


class Effect(StrEnum):
    """What a change does to a node that rested on what changed."""

    LOST = "lost"
    THINNED = "thinned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Affected:
    """One node that a change reaches. ``came_from`` has the step before each on the way; all of one answer share it."""

    id: PropositionId
    effect: Effect
    came_from: Mapping[PropositionId, PropositionId] = field(repr=False, compare=False)

    @property
    def path(self) -> tuple[PropositionId, ...]:
        """The way from what changed to this node. Cost: its length; written out for all, a chain would be quadratic."""
        steps = [self.id]
        while steps[-1] in self.came_from:
            steps.append(self.came_from[steps[-1]])
        return tuple(reversed(steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """What a retraction would change (semantics, section 7). Order is that of the ledger.

    ``lost`` and ``thinned`` reach the change over premises and corroborations; ``defeated`` were in and fall to an
    attack that came alive; ``explained_by`` are subsumed nodes whose larger story fell; ``reinstated`` come back in;
    ``reopened`` were given up for a reason that fell; ``activated`` rest on the negation.
    """

    lost: tuple[Affected, ...] = ()
    thinned: tuple[Affected, ...] = ()
    defeated: tuple[PropositionId, ...] = ()
    explained_by: tuple[PropositionId, ...] = ()
    reinstated: tuple[PropositionId, ...] = ()
    reopened: tuple[PropositionId, ...] = ()
    activated: tuple[PropositionId, ...] = ()

    @property
    def affected(self) -> tuple[PropositionId, ...]:
        """Ids of ``lost`` and ``thinned`` together, as the corpus counts them."""
        return tuple(item.id for item in (*self.lost, *self.thinned))
