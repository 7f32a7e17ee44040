"""Who judges a reply: the verifier with a matcher by name, or the share of its words that stand in the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import check_claims
from upheld.conversation.checking.readers import matcher
from upheld.errors import ModelFailure
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.external.replies.evidence import REPLIER, Judged, conversation_with
from upheld_evals.external.replies.scoring import MIDDLE, NOT_ENOUGH, SUPPORTS, UNCHECKED, support_of, verdict_of
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Item, Responder
from upheld_evals.harness.telling import ASKING_MATCHERS
from upheld_evals.suites.candidates import share_said


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierArm:
    """The verifier: evidence as observations, claims of the reply by a matcher's name."""

    matching: str = "text"

    @property
    def asks_llm(self) -> bool:
        """Whether its matcher does."""
        return self.matching in ASKING_MATCHERS

    @property
    def name(self) -> str:
        """Who matches."""
        return f"upheld, {self.matching} matching"

    @property
    def identity(self) -> str:
        """The matcher and the source."""
        return f"verifier {self.matching} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing beforehand: each reply has evidence of its own."""

        def answered(item: Item) -> Answer:
            judged: Judged = item.content
            talk = conversation_with(judged)
            reader = matcher(self.matching, llm=llm)
            view = StateView(talk.state, earlier=talk.timeline.last)
            try:
                claims = reader.match(judged.reply, view, speaker=REPLIER)
            except ModelFailure as failure:
                return _unchecked(MIDDLE, f"the language model gave nothing to go by: {failure}")
            checked = check_claims(talk.state, claims, matcher=f"{reader.name}@{reader.version}", speaker=REPLIER)
            support, verdict = support_of(claims, checked), verdict_of(checked)
            if verdict == UNCHECKED:
                return _unchecked(support, checked.abstained)
            return Answer(value={"support": support, "verdict": verdict})

        return answered


def _unchecked(support: float, why: str) -> Answer:
    return Answer(value={"support": support, "verdict": UNCHECKED}, abstained=why or UNCHECKED)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsArm:
    """The share of a reply's distinct words that stand in its evidence; half of them make it supported.

    It cannot tell what is contradicted: the rest is not enough info. The threshold is not tuned.
    """

    threshold: float = 0.5
    name: str = "share of words in the evidence"
    asks_llm: bool = False

    @property
    def identity(self) -> str:
        """The threshold."""
        return f"share of words@1 {self.threshold}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read beforehand."""

        def answered(item: Item) -> Answer:
            support = share_said(item.content.reply, item.content.evidence)
            return Answer(value={"support": support, "verdict": SUPPORTS if support >= self.threshold else NOT_ENOUGH})

        return answered
