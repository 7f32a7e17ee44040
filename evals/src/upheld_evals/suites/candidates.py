"""Candidate continuations as items, and the arms that judge them without a language model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import Checked, CheckedClaim, check_claims
from upheld.conversation.checking.readers import matcher
from upheld.conversation.checking.replaying import candidates_of
from upheld.conversation.conversation import Conversation
from upheld.conversation.scoring.alignment import Alignment, aligned
from upheld.errors import UnusableReply
from upheld.logic.language.identities import AgentId
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.answers.verify import verify
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.speech.formats.gold import VerifyItem
from upheld.speech.formats.transcript import Transcript
from upheld.speech.matching.matcher import Claim, Matcher
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.view import View
from upheld_evals.external.bm25 import words
from upheld_evals.harness.corpus import Corpus
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Item, Responder
from upheld_evals.harness.telling import ASKING_MATCHERS, is_asking, told

EVEN = 0.5
"""Likelihood from which a verdict leans to grounded; the rule is fitted so that it parts the two evenly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A candidate in its conversation."""

    transcript: Transcript
    item: VerifyItem

    def said_before(self) -> tuple[Turn, ...]:
        """Give the turns up to the moment at which the candidate would be said."""
        if self.item.at is None:
            return self.transcript.turns
        place = next(place for place, turn in enumerate(self.transcript.turns) if turn.id == self.item.at)
        return self.transcript.turns[: place + 1]


def candidate_items(corpus: Corpus) -> tuple[Item, ...]:
    """Give every candidate of a corpus; ``beyond`` ones have the facet ``text only``."""
    return tuple(
        Item(
            id=f"{file.name}/{item.id}",
            conversation=file.name,
            label=item.label.value,
            facets={
                "category": item.category or "none",
                "scored": "text only" if item.beyond else "all",
                "turns": str(len(file.transcript.turns)),
            },
            content=Asked(transcript=file.transcript, item=item),
        )
        for file in corpus.files
        for item in file.gold.verify
    )


def is_right(item: Item, answer: Answer) -> float:
    """Score a verdict: 1 when it is the label."""
    return float(answer.value == item.label)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineArm:
    """The engine: operations from an interpreter by name, claims from the labels (``gold``) or by a matcher's name.

    ``is_leaning``: where nothing is called either way, the likelier of the two by the matcher's likelihood. The product
    does not say that; it is what a ranking is measured by.
    """

    interpreter: str = "annotated"
    matching: str = "gold"
    is_leaning: bool = False

    @property
    def asks_llm(self) -> bool:
        """Whether its interpreter does, or its matcher."""
        return is_asking(self.interpreter) or self.matching in ASKING_MATCHERS

    @property
    def name(self) -> str:
        """Both choices."""
        reading = "gold operations" if self.interpreter == "annotated" else f"{self.interpreter} interpreter"
        claims = "gold claims" if self.matching == "gold" else f"{self.matching} matching"
        return f"upheld, {reading}, {claims}{', the likelier where open' if self.is_leaning else ''}"

    @property
    def identity(self) -> str:
        """The choices and the source."""
        return f"engine {self.interpreter} {self.matching} {self.is_leaning} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the whole conversation once; each candidate is asked as of its own turn."""
        transcript: Transcript = items[0].content.transcript
        talk = told(transcript, self.interpreter, llm)
        ids = aligned(transcript, talk, is_same=self.interpreter == "annotated")
        if self.matching == "gold":
            return lambda item: _by_labels(talk, ids, item.content.item)
        reader = _WatchedMatcher(matcher(self.matching, llm=llm, interpreter=self.interpreter))

        def by_text(item: Item) -> Answer:
            asked: VerifyItem = item.content.item
            state = state_for(talk, asked, ids)
            try:
                claims = reader.match(asked.text, StateView(state), speaker=asked.speaker)
            except UnusableReply as unusable:
                return Answer(value=Outcome.ABSTAIN.value, abstained=str(unusable))
            by = f"{reader.name}@{reader.version}"
            checked = check_claims(state, claims, matcher=by, speaker=asked.speaker)
            if self.is_leaning:
                return _leaning(checked)
            return _verdict(checked.outcome, checked.abstained, certainty=reader.certainty())

        return by_text


def state_for(talk: Conversation, item: VerifyItem, ids: Alignment) -> State:
    """Give the state that a candidate is asked against: after its turn, with what its label takes back taken back."""
    state = talk.at(item.at).state if item.at is not None else talk.state
    for change in item.after:
        own = ids.change(change)
        if own is not None:
            state = taken_back(state, own)
    return state


class _WatchedMatcher:
    """A matcher that remembers how sure it was: the weakest claim's best link."""

    def __init__(self, inner: Matcher) -> None:
        self._inner = inner
        self.name, self.version = inner.name, inner.version
        self._claims: tuple[Claim, ...] = ()

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        self._claims = self._inner.match(text, view, speaker=speaker)
        return self._claims

    def certainty(self) -> float | None:
        best = [max(link.score for link in claim.links) for claim in self._claims if claim.links]
        return min(best) if best else None


def _leaning(checked: Checked) -> Answer:
    """Give the likelier verdict: that of the claim that is least likely supported; what was called is called."""
    shares = [share for claim in checked.claims if (share := _share(claim)) is not None]
    if not shares:
        return Answer(value=Outcome.ABSTAIN.value, abstained=checked.abstained or "could not be checked")
    share = min(shares)
    verdict = Outcome.GROUNDED if share >= EVEN else Outcome.UNGROUNDED
    return Answer(value=verdict.value, certainty=max(share, 1 - share))


def _share(claim: CheckedClaim) -> float | None:
    """Give how likely a claim is supported: for sure or not at all where a rule without a likelihood called it."""
    if claim.likelihood is not None or claim.outcome is Outcome.ABSTAIN:
        return claim.likelihood
    return float(claim.outcome is Outcome.GROUNDED)


def _by_labels(talk: Conversation, ids: Alignment, item: VerifyItem) -> Answer:
    if item.beyond:
        return Answer(
            value=Outcome.ABSTAIN.value, abstained="its labels do not decide it: it claims more than they say"
        )
    candidates = [ids.candidate(each) for each in candidates_of(item)]
    verdict = verify(state_for(talk, item, ids), candidates, speaker=item.speaker)
    return _verdict(verdict.outcome, "", certainty=1.0)


def _verdict(outcome: Outcome, abstained: str, *, certainty: float | None) -> Answer:
    if outcome is Outcome.ABSTAIN:
        return Answer(value=outcome.value, abstained=abstained or "could not be checked")
    return Answer(value=outcome.value, certainty=certainty)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantArm:
    """Answers everything alike: the bar that a number must clear before it means anything."""

    name: str
    answer: Answer
    asks_llm: bool = False

    @property
    def identity(self) -> str:
        """The answer."""
        return f"constant {self.answer.value} {self.answer.abstained}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read."""
        return lambda _: self.answer


ALWAYS_ABSTAINS = ConstantArm(name="always abstain", answer=Answer(value="abstain", abstained="always abstains"))


def majority(items: Sequence[Item]) -> ConstantArm:
    """Give the arm that always gives the most frequent label of these items."""
    label, _ = Counter(item.label for item in items).most_common(1)[0]
    return ConstantArm(name=f"majority ({label})", answer=Answer(value=label, certainty=1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapArm:
    """Grounded when enough of the candidate's words were said before: what a check of grounds must beat.

    The threshold is not tuned here; with ``threshold`` 0.5 half of the distinct words must have been said.
    """

    threshold: float = 0.5
    name: str = "word overlap"
    asks_llm: bool = False

    @property
    def identity(self) -> str:
        """The threshold."""
        return f"overlap@1 {self.threshold}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read beforehand."""

        def answered(item: Item) -> Answer:
            asked: Asked = item.content
            share = share_said(asked.item.text, " ".join(turn.text for turn in asked.said_before()))
            if share >= self.threshold:
                return Answer(value=Outcome.GROUNDED.value, certainty=share)
            return Answer(value=Outcome.UNGROUNDED.value, certainty=1 - share)

        return answered


def share_said(text: str, said: str) -> float:
    """Give the share of a text's distinct words that occur in what was said, in [0, 1]."""
    own = set(words(text))
    return len(own & set(words(said))) / len(own) if own else 0.0
