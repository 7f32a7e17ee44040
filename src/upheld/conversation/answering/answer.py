"""An answer to a question in words, with what it rests on, or what is missing."""

from __future__ import annotations

from dataclasses import dataclass, field

from upheld.conversation.checking.claims import CheckedClaim
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.verdicts import Ground, Outcome
from upheld.speech.models.reply import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the record says to a question.

    ``GROUNDED``: ``text`` rests on ``grounds``, all of which stand, down to the turns. ``UNGROUNDED``: ``text`` is what
    a language model said, and ``claims`` show why it is not to be given. ``ABSTAIN``: the record does not say, or what
    was said could not be checked; ``missing`` says what is missing, and ``nearest`` are the items that come closest.
    ``by`` names who answered: ``words``, or the language model.
    """

    question: str
    text: str
    outcome: Outcome
    by: str
    claims: tuple[CheckedClaim, ...] = ()
    grounds: tuple[Ground, ...] = ()
    missing: str = ""
    nearest: tuple[PropositionId, ...] = ()
    usage: Usage = field(default_factory=Usage)

    @property
    def passes(self) -> bool:
        """Tell whether there is an answer, and it rests on what stands."""
        return self.outcome is Outcome.GROUNDED


def grounds_of(claims: tuple[CheckedClaim, ...]) -> tuple[Ground, ...]:
    """Give what checked claims rest on, each once."""
    found = (ground for claim in claims for finding in claim.findings for ground in finding.grounds)
    return tuple({ground.literal: ground for ground in found}.values())
