"""Whether a claim does what an instruction-like passage said that somebody should: such a claim has no ground in it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from upheld.logic.language.identities import PropositionId
from upheld.speech.following import Follower
from upheld.speech.instructions import instructions_in
from upheld.speech.matching.clauses import sentences
from upheld.speech.matching.cues import read_cues
from upheld.speech.matching.tokens import Frame, frame
from upheld.speech.view import View

MOST_PASSAGES = 1_000
"""Passages that are remembered of one conversation; the oldest are let go."""


class InstructionWatch:
    """The instruction-like sentences of one growing conversation, and whether a claim does what one of them says.

    One watch serves one conversation and one thread at a time. Cost: what is new, once.
    """

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self._follower = Follower()
        self._passages: deque[tuple[PropositionId, Frame]] = deque(maxlen=MOST_PASSAGES)

    def update(self, view: View) -> None:
        """Take in what is new in a view."""
        news = self._follower.catch_up(view)
        if news.is_afresh:
            self._passages.clear()
        for proposition in news.propositions:
            self._passages.extend((proposition.id, frame(passage)) for passage in _passages(proposition.text))

    def obeyed(self, claim: str) -> PropositionId | None:
        """Give the proposition whose instruction a claim carries out or repeats: all words of the claim come from it.

        A claim of fewer than two words, or one that denies, carries out nothing.
        """
        reading = read_cues(claim)
        wanted = frame(reading.content)
        if wanted.negated or reading.is_negated or len(wanted.terms) < 2:
            return None
        return next((id for id, passage in self._passages if wanted.terms <= passage.terms), None)


def _passages(text: str) -> Iterator[str]:
    """Give the sentences that an instruction touches."""
    found = instructions_in(text)
    if not found:
        return
    for start, end in sentences(text):
        if any(start < each.span[1] and each.span[0] < end for each in found):
            yield text[start:end]
