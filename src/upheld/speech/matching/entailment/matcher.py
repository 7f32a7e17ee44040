"""A matcher by a user's own network for natural language inference: claims by clause, beside the nearest propositions.

The idea of holding a text against what it should rest on by entailment is that of Honovich et al. 2022 (TRUE), and of
cutting it into small claims first that of Laban et al. 2022 (SummaC).
"""

from __future__ import annotations

from collections.abc import Sequence

from upheld.logic.language.identities import AgentId
from upheld.logic.language.verdicts import Modality
from upheld.speech.matching.clauses import Span
from upheld.speech.matching.cues import read_cues
from upheld.speech.matching.entailment.deciding import SAFE, Asked, Bars, Decided, judged
from upheld.speech.matching.entailment.judge import Pair, PairJudge
from upheld.speech.matching.lexical import ASKS
from upheld.speech.matching.matcher import Claim
from upheld.speech.matching.quoting.words import words_of
from upheld.speech.matching.trained.features import Near
from upheld.speech.matching.trained.matcher import (
    NOTHING_NEAR,
    SHORT,
    SHOWN,
    Nearest,
    about,
    claim_spans,
    ruled,
    unread,
)
from upheld.speech.matching.wishes.index import WishIndex, undoubted
from upheld.speech.view import View

LONG = "over the size limit: the entailment network does not read it whole beside a proposition near to it"


class NliMatcher:
    """Claims by what entails them, with the named rules of figures, dates and names beside it.

    The network sees two texts at a time, and never what stands. Below the bars a claim is left open, by name, and so is
    a question, a text that is not English, and whatever is too long to be read whole. One matcher serves one
    conversation and one thread at a time, as its ``nearest`` does.
    """

    version = "1"

    def __init__(self, judge: PairJudge, nearest: Nearest, bars: Bars = SAFE) -> None:
        """Ask this judge about what ``nearest`` finds, and believe it from ``bars`` on."""
        self._judge = judge
        self._nearest = nearest
        self._bars = bars
        self._wishes = WishIndex()

    @property
    def name(self) -> str:
        """The method, and the network down to its digest."""
        return f"nli({self._judge.name})"

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims of a text.

        Raises:
            MalformedInput: the network is none, or fails its self-test.

        Cost: a search a claim, and one or two passes of the network for each of the eight nearest propositions.
        """
        if reason := unread(text):
            return (Claim(span=(0, len(text)), text=text, abstained=reason),)
        spans = claim_spans(text)
        self._wishes.update(view)
        near = self._nearest([text[slice(*span)] for span in spans], view, SHOWN)
        return tuple(
            self._claim(text, span, about(around), view, speaker) for span, around in zip(spans, near, strict=True)
        )

    def _claim(self, text: str, span: Span, near: Sequence[Near], view: View, speaker: AgentId | None) -> Claim:
        said = text[slice(*span)]
        reading = read_cues(said)
        # Words that only say who holds it, or that it is a guess, are no part of what follows; a denial is.
        words = said if reading.is_negated else reading.content
        result = self._decided(Asked(reading=reading, words=words, speaker=speaker), near)
        claim = Claim(
            span=span,
            text=said,
            stance=reading.stance,
            modality=reading.modality,
            links=result.links,
            abstained=result.abstained,
        )
        return undoubted(ruled(claim, near, view), self._wishes)

    def _decided(self, asked: Asked, near: Sequence[Near]) -> Decided:
        if asked.reading.modality is Modality.QUESTION:
            return Decided(abstained=ASKS)
        if len(words_of(asked.words)) < 2:
            return Decided(abstained=SHORT)
        if not near:
            return Decided(abstained=NOTHING_NEAR)
        if not all(self._judge.reads(Pair(each.known.proposition.text, asked.words)) for each in near):
            return Decided(abstained=LONG)
        return judged(asked, [each.known for each in near], self._judge, self._bars, self.name)
