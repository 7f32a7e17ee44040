"""A flag as a reviewer looks at it: what was found then, how the same stands now, and the two turns that matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from upheld.conversation.reviewing.review import Review
from upheld.conversation.timeline import Timeline
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Candidate, Finding, Modality, Outcome, Stance
from upheld.logic.reasoning.answers.verify import verify_literal
from upheld.logic.reasoning.state import State

Judged = tuple[Literal, Stance, Modality]
"""What a verdict turns on: a literal, and how it is put."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatteringTurn:
    """A turn that a reviewer should read; ``text`` is what was said, or else what it put forward."""

    turn: TurnId
    speaker: AgentId
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedAt:
    """A flag beside the conversation of now. ``now`` has a finding for each literal that was judged, put as it was."""

    review: Review
    now: Mapping[Judged, Finding]
    rests_on: MatteringTurn | None
    ended_by: MatteringTurn | None


def looked_at(review: Review, timeline: Timeline) -> LookedAt:
    """Look at a flag. Cost: a verdict a literal.

    ``rests_on`` is the turn that put forward what the first failing claim of then rests on (of the first claim, where
    none failed), ``ended_by`` the one that ended it; ``None`` where it was ended outside any turn, or not at all.
    """
    state, speaker = timeline.now, review.flagged.speaker
    now: dict[Judged, Finding] = {}
    for claim in review.flagged.claims:
        for finding in claim.findings:
            candidate = Candidate(literal=finding.literal, stance=claim.stance, modality=claim.modality)
            judged = (finding.literal, claim.stance, claim.modality)
            now[judged] = verify_literal(state, candidate, speaker=speaker)
    then = review.checked.findings
    main = then[0] if then else None
    if main is None:
        return LookedAt(review=review, now=now, rests_on=None, ended_by=None)
    ended = _end(state, main)
    if ended is None:
        ended = next((_end(state, each) for each in now.values() if each.literal == main.literal), None)
    return LookedAt(
        review=review,
        now=now,
        rests_on=_origin(timeline, main.literal.proposition),
        ended_by=None if ended is None else _turn(timeline, ended, main.literal.proposition),
    )


def _end(state: State, finding: Finding) -> TurnId | None:
    """Give the turn that ended a claim, or the premise that it fell with."""
    if finding.outcome is not Outcome.UNGROUNDED or finding.turn is not None:
        return finding.turn if finding.outcome is Outcome.UNGROUNDED else None
    if not finding.path or finding.path[-1] not in state.propositions:
        return None
    return verify_literal(state, Candidate(literal=Literal(finding.path[-1]))).turn


def _origin(timeline: Timeline, id: PropositionId) -> MatteringTurn | None:
    node = timeline.now.nodes.get(id)
    turn = node.first.origin.turn if node is not None else None
    return _turn(timeline, turn, id) if turn else None


def _turn(timeline: Timeline, id: TurnId, about: PropositionId) -> MatteringTurn | None:
    if id not in timeline.now.turns:
        return None
    told = timeline.told(id)
    put_forward = (getattr(operation, "text", "") for operation in told.operations)
    known = timeline.now.propositions.get(about)
    said = told.text or next((text for text in put_forward if text), known.text if known is not None else "")
    return MatteringTurn(turn=id, speaker=told.speaker, text=said)
