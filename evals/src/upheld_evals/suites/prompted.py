"""Arms that ask a language model for a verdict in one word: over the whole transcript, or over the turns found in it.

Both are the paper's baselines of Table 3 (section 4.2): *LLM-only* reads everything that was said, *transcript-RAG* the
k turns most similar to the candidate. Their instructions differ in one sentence, so that what they are compared on is
what they read.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from upheld.errors import UnusableReply, UpheldError
from upheld.logic.language.operations import Revise
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Turn, Withdraw
from upheld.logic.language.verdicts import Outcome
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.request import Request
from upheld_evals.external.bm25 import Bm25
from upheld_evals.harness.prompting import ONE_WORD, messages, transcript_text
from upheld_evals.harness.suite import Answer, Item, Responder
from upheld_evals.suites.candidates import Asked

DIRECT, RETRIEVED = "verify-direct@1", "verify-retrieved@1"

Retrieve = Callable[[str, Sequence[Turn], int], Sequence[Turn]]
"""Gives at most so many turns for a text, best first."""

_VERDICT = re.compile(r"\b(UNGROUNDED|GROUNDED)\b", re.IGNORECASE)


def bm25_turns(text: str, turns: Sequence[Turn], limit: int) -> Sequence[Turn]:
    """Retrieve turns by BM25."""
    by_place = Bm25([(place, turn.text) for place, turn in enumerate(turns)])
    return [turns[place] for place, _ in by_place.search(text, limit)]


def read_verdict(text: str) -> Outcome:
    """Read a one-word verdict: the first of the two words that occurs, since some reply with an explanation after it.

    The paper's first parser looked for GROUNDED anywhere among the words and so turned verdicts around (Appendix L).

    Raises:
        UnusableReply: neither word occurs.
    """
    found = _VERDICT.search(text)
    if found is None:
        raise UnusableReply("neither GROUNDED nor UNGROUNDED", reply=text)
    return Outcome(found[1].lower())


class _OneWordArm(ABC):
    """What both arms share: one request an item, one word back."""

    asks_llm = True

    @abstractmethod
    def requests(self, item: Item, /) -> tuple[Request, ...]:
        """Give the one request about a candidate."""

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to prepare: everything is in the request."""
        if llm is None:
            raise UpheldError("this arm asks a language model")

        def answered(item: Item) -> Answer:
            (request,) = self.requests(item)
            reply = llm.ask(request)
            try:
                return Answer(value=read_verdict(reply.text).value)
            except UnusableReply as unusable:
                return Answer(value=Outcome.ABSTAIN.value, abstained=str(unusable))

        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectArm(_OneWordArm):
    """LLM-only: the whole transcript up to the candidate's turn."""

    name: str = "LLM-only"

    @property
    def identity(self) -> str:
        """The prompt."""
        return f"direct {DIRECT}"

    def requests(self, item: Item, /) -> tuple[Request, ...]:
        """Give the one request about a candidate."""
        asked: Asked = item.content
        said = transcript_text(asked.said_before())
        quoted = messages(DIRECT, transcript=_with_change(asked, said), candidate=asked.item.text)
        return (Request(prompt=f"evals/{DIRECT}", messages=quoted, limit=ONE_WORD),)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievedArm(_OneWordArm):
    """Transcript-RAG: the ``k`` turns that a retriever finds for the candidate, in the order in which they were said.

    ``retriever`` is named in the identity, since another one finds other turns.
    """

    k: int
    retrieve: Retrieve = bm25_turns
    retriever: str = "bm25"

    @property
    def name(self) -> str:
        """How many turns, and found by what."""
        return f"transcript-RAG (k={self.k}, {self.retriever})"

    @property
    def identity(self) -> str:
        """The prompt, the retriever and k."""
        return f"retrieved {RETRIEVED} {self.retriever} {self.k}"

    def requests(self, item: Item, /) -> tuple[Request, ...]:
        """Give the one request about a candidate."""
        asked: Asked = item.content
        before = asked.said_before()
        chosen = {turn.id for turn in self.retrieve(asked.item.text, before, self.k)}
        said = transcript_text(turn for turn in before if turn.id in chosen)
        quoted = messages(RETRIEVED, turns=_with_change(asked, said), candidate=asked.item.text)
        return (Request(prompt=f"evals/{RETRIEVED}", messages=quoted, limit=ONE_WORD),)


def _with_change(asked: Asked, said: str) -> str:
    """Tell a reader of words what the label takes back after the turn: the engine is told, so the others are."""
    introduced: dict[str, str] = {
        operation.id: operation.text
        for turn in asked.transcript.turns
        for operation in turn.operations
        if not isinstance(operation, Revise) and operation.id is not None
    }
    taken = [_target(change) for change in asked.item.after]
    return "\n".join([said, *(f"(afterwards it was taken back: {introduced.get(id) or id})" for id in taken)])


def _target(change: Retraction) -> str:
    match change:
        case Retract() | Falsify():
            return change.target
        case Supersede():
            return change.older
        case Withdraw():
            return change.source
