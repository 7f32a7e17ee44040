"""Decided flags as labels: what people said of replies, in the fields of an annotated transcript's ``verify`` items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from upheld.conversation.reviewing.review import Review
from upheld.logic.language.verdicts import Modality, Outcome, Stance
from upheld.record.ledger.review.contents import CorrectedClaim, Decided, Flagged, FlaggedClaim, ReviewOutcome

LABELS = {
    ReviewOutcome.GROUNDED: Outcome.GROUNDED,
    ReviewOutcome.UNGROUNDED: Outcome.UNGROUNDED,
    ReviewOutcome.COULD_NOT_TELL: Outcome.ABSTAIN,
}
"""The label of each decision: what a person could not tell, nobody should be made to call."""

Item = dict[str, Any]


def gold_item(review: Review) -> Item | None:
    """Give a decided flag as an item; ``None`` where nobody decided, or the words are erased.

    ``rests_on``, ``stance`` and ``modality`` are those of the claims as the reviewer left them: of the ones that do not
    stand, where there are any, else of all, as an item has one stance and one modality. ``claims`` has each of them.
    """
    decision, flagged = review.decision, review.flagged
    if decision is None or review.is_erased:
        return None
    claims = tuple(_claims(flagged, decision))
    failing = [claim for claim in claims if claim.outcome is ReviewOutcome.UNGROUNDED] or list(claims)
    first = failing[0] if failing else None
    item: Item = {
        "id": f"{review.conversation}/{review.id}",
        "conversation": review.conversation,
        "at": flagged.at,
        "text": flagged.text,
        "speaker": flagged.speaker,
        "label": LABELS[decision.outcome].value,
        "stance": (first.stance if first is not None else Stance.ASSERTS).value,
        "modality": (first.modality if first is not None else Modality.FACT).value,
        "rests_on": [str(each) for claim in failing for each in claim.literals],
        "why": decision.reason,
        "claims": [_plain(claim, flagged.text) for claim in claims],
        "judged": flagged.outcome.value,
        "decided_by": decision.by,
    }
    return {name: value for name, value in item.items() if value is not None}


def _claims(flagged: Flagged, decision: Decided) -> Iterator[CorrectedClaim]:
    if decision.claims is not None:
        yield from decision.claims
        return
    for claim in flagged.claims:
        yield CorrectedClaim(
            span=claim.span,
            literals=tuple(finding.literal for finding in claim.findings),
            outcome=_outcome(claim, flagged, decision),
            stance=claim.stance,
            modality=claim.modality,
        )


def _outcome(claim: FlaggedClaim, flagged: Flagged, decision: Decided) -> ReviewOutcome:
    """Give what a decision says of a claim: all are grounded in a grounded reply, and the only one is as the reply is.

    Of several in an ungrounded one those are ungrounded that were judged so, if the reviewer agrees with the verdict;
    else nobody said which it is.
    """
    if decision.outcome is ReviewOutcome.GROUNDED or len(flagged.claims) == 1:
        return decision.outcome
    if decision.outcome is ReviewOutcome.UNGROUNDED and flagged.outcome is Outcome.UNGROUNDED:
        return {label: outcome for outcome, label in LABELS.items()}[claim.outcome]
    return ReviewOutcome.COULD_NOT_TELL


def _plain(claim: CorrectedClaim, text: str) -> Item:
    return {
        "span": list(claim.span),
        "text": text[slice(*claim.span)],
        "literals": [str(each) for each in claim.literals],
        "outcome": claim.outcome.value,
        "stance": claim.stance.value,
        "modality": claim.modality.value,
    }
