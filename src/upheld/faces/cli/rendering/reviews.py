"""A flag as text: a line in the queue, and all that a reviewer needs."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.conversation.reviewing.looking import LookedAt, MatteringTurn
from upheld.conversation.reviewing.review import Review, StepTaken
from upheld.faces.report.wording import headline, spoken, summary_of
from upheld.logic.language.verdicts import Reason
from upheld.logic.reasoning.state import State
from upheld.record.ledger.review.contents import Assigned, Commented, Decided, Flagged
from upheld.speech.rendering.lines import one_line

QUOTED = 80
"""Characters of a reply that are shown in the queue."""

ERASED = "(erased)"


def flag_line(review: Review) -> str:
    """Give a flag as a line of the queue."""
    text = one_line(review.flagged.text, limit=QUOTED) or ERASED
    decision = review.decision
    state = review.status.value if decision is None else f"decided: {spoken_outcome(decision.outcome)}"
    whom = f", {review.assignee}" if review.assignee else ""
    return f'{review.conversation}/{review.id}  {headline(review.checked)}  "{text}"  ({state}{whom})'


def flag_lines(looked: LookedAt, state: State) -> Iterator[str]:
    """Give a flag as a reviewer reads it, from the words of the reply to what was done about it."""
    review = looked.review
    yield flag_line(review)
    yield f"  said by {review.flagged.speaker or 'nobody named'}, judged after {review.flagged.at or 'nothing'}"
    line = summary_of(state, review.checked)
    if line:
        yield f"  {one_line(line)}"
    for claim in review.flagged.claims:
        words = one_line(review.flagged.text[slice(*claim.span)]) or ERASED
        yield f'  {claim.span[0]}-{claim.span[1]} "{words}": {claim.outcome}'
        for finding in claim.findings:
            now = looked.now[finding.literal, claim.stance, claim.modality]
            then = f"{finding.outcome}{_why(finding.reason)}"
            yield f"    {finding.literal}: then {then}; now {now.outcome}{_why(now.reason)}"
    yield from _turn("rests on", looked.rests_on)
    yield from _turn("ended by", looked.ended_by)
    yield from (f"  {_step(step)}" for step in review.history)


def spoken_outcome(outcome: str) -> str:
    """Give a decision as people say it."""
    return outcome.replace("_", " ")


def _why(reason: Reason | None) -> str:
    return f" ({spoken(reason)})" if reason is not None else ""


def _turn(what: str, turn: MatteringTurn | None) -> Iterator[str]:
    if turn is not None:
        yield f'  {what} {turn.turn}, {turn.speaker}: "{one_line(turn.text)}"'


def _step(step: StepTaken) -> str:
    by = step.content.by or "somebody"
    match step.content:
        case Flagged(note=note):
            done = f"{by} flagged it{_said(note)}"
        case Assigned(to=to):
            done = f"{by} gave it to {to or 'all'}"
        case Decided(outcome=outcome, reason=reason):
            done = f"{by} decided: {spoken_outcome(outcome)}{_said(reason)}"
        case Commented(text=text):
            done = f"{by} remarked{_said(text)}"
    return f"{step.recorded_at}  {done}{' (words erased)' if step.is_erased else ''}"


def _said(text: str) -> str:
    return f": {one_line(text)}" if text else ""
