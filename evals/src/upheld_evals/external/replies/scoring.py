"""From verdicts to one number: how far a reply is supported, for measures that rank replies.

A verifier says grounded, could not check, or ungrounded for a reason, and its links have scores. Each claim gets a
place in one of four equal bands, in this order: contradicted (or given up, or lost), nobody said it, could not check,
grounded; within a band the best link's score moves it towards the end that it speaks for. A reply gets the mean of its
claims, and one without any claim stands in the middle. The bands were set before any of these figures was taken. A
claim of which a matcher tells how likely it is supported stands there, called or not.
"""

from __future__ import annotations

from collections.abc import Sequence

from upheld.conversation.checking.claims import Checked, CheckedClaim
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.speech.matching.matcher import Claim

SUPPORTS, REFUTES, NOT_ENOUGH, UNCHECKED = "supports", "refutes", "not enough info", "could not check"
BAND = 0.25
MIDDLE = 0.5


def verdict_of(checked: Checked) -> str:
    """Give a verdict as the corpora have it: what nobody said is not enough info, any other fault refutes."""
    if checked.outcome is Outcome.GROUNDED:
        return SUPPORTS
    if checked.outcome is Outcome.ABSTAIN:
        return UNCHECKED
    is_unknown = all(claim.reason is Reason.UNKNOWN for claim in checked.claims if claim.outcome is Outcome.UNGROUNDED)
    return NOT_ENOUGH if is_unknown else REFUTES


def support_of(claims: Sequence[Claim], checked: Checked) -> float:
    """Give how far a reply is supported, in [0, 1]; ``checked`` has the verdicts on these claims, in their order."""
    if not checked.claims:
        return MIDDLE
    placed = [_place(claim, judged) for claim, judged in zip(claims, checked.claims, strict=True)]
    return sum(placed) / len(placed)


def _place(claim: Claim, judged: CheckedClaim) -> float:
    if claim.likelihood is not None:
        return claim.likelihood
    best = min(1.0, max((link.score for link in claim.links), default=0.0))
    match judged.outcome:
        case Outcome.GROUNDED:
            return 3 * BAND + BAND * best
        case Outcome.ABSTAIN:
            return 2 * BAND + BAND * best
        case Outcome.UNGROUNDED:
            return BAND + BAND * best if judged.reason is Reason.UNKNOWN else BAND * (1 - best)
