"""A flag as a reviewer looks at it: what was found then, how the same stands now, and the two turns that matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    """A turn that a reviewer should read; ``text`` is what was said, or else what it put forward, or why it acted."""

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
    endings = [main, *(each for each in now.values() if each.literal == main.literal)]
    ended = ((_end(state, each), each.because) for each in endings)
    return LookedAt(
        review=review,
        now=now,
        rests_on=_origin(timeline, main.literal.proposition),
        ended_by=next((_turn(timeline, turn, because) for turn, because in ended if turn is not None), None),
    )


def _end(state: State, finding: Finding) -> TurnId | None:
    """Give the turn that ended a claim, or the premise that it fell with."""
    if finding.outcome is not Outcome.UNGROUNDED:
        return None
    if finding.turn is None and finding.path and finding.path[-1] in state.propositions:
        return verify_literal(state, Candidate(literal=Literal(finding.path[-1]))).turn
    return finding.turn


def _origin(timeline: Timeline, id: PropositionId) -> MatteringTurn | None:
    node = timeline.now.nodes.get(id)
    turn = node.first.origin.turn if node is not None else None
    return _turn(timeline, turn, [id]) if turn else None


def _turn(timeline: Timeline, id: TurnId, about: Iterable[PropositionId]) -> MatteringTurn | None:
    """Give a turn; one without words is told by what it put forward, or by what its act is ``about``."""
    if id not in timeline.now.turns:
        return None
    told = timeline.told(id)
    put_forward: list[str] = [getattr(operation, "text", "") for operation in told.operations]
    known = timeline.now.propositions
    meant = [known[each].text for each in about if each in known]
    said = told.text or " ".join(filter(None, put_forward)) or " ".join(filter(None, meant))
    return MatteringTurn(turn=id, speaker=told.speaker, text=said)
