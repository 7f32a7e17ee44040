"""Questions to a long history answered by a language model: from turns, or from pages of the engine's state.

The pages are the three of the paper's Table 4: bare ids with what they rest on, the items with their words, and the
items that the question needs. Every reader gives a short answer in words; the suites say how it is scored. Items have
their question and transcript in ``content`` (:class:`Questioned`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from upheld.conversation.answering.context import BUDGET, ConversationContext
from upheld.errors import UpheldError
from upheld.speech.formats.transcript import Transcript
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.request import Request
from upheld.speech.rendering.context.renderer import Mode
from upheld_evals.external.bm25 import Bm25
from upheld_evals.harness.prompting import messages, transcript_text
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Item, Responder
from upheld_evals.harness.telling import told

FROM_RECORD, FROM_TURNS = "record-answer@1", "turns-answer@1"
SHORT = 128
"""Tokens of a short answer."""


class Questioned(Protocol):
    """What an item holds: a question, and the conversation that it is asked of."""

    @property
    def question(self) -> str:
        """The question in words."""
        ...

    @property
    def transcript(self) -> Transcript:
        """The whole conversation, by date."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordArm:
    """A page of the engine's state and nothing else, whoever read the conversation; at most ``budget`` tokens."""

    mode: Mode
    interpreter: str = "cues"
    budget: int = BUDGET
    asks_llm: bool = True

    @property
    def name(self) -> str:
        """What the page shows, and who read."""
        shown = {Mode.DEPENDENCY_MAP: "dependency map", Mode.CONTENT: "content", Mode.RETRIEVAL: "content + retrieval"}
        return f"upheld, {self.interpreter} interpreter, {shown[self.mode]}"

    @property
    def identity(self) -> str:
        """The prompt, the page and the source."""
        return f"record {FROM_RECORD} {self.mode} {self.interpreter} {self.budget} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Read the conversation once."""
        if llm is None:
            raise UpheldError("this arm asks a language model")
        content: Questioned = items[0].content
        context = ConversationContext(told(content.transcript, self.interpreter, llm))

        def answered(item: Item) -> Answer:
            asked: Questioned = item.content
            page = context.render(self.mode, budget=self.budget, query=asked.question)
            quoted = messages(FROM_RECORD, record=page.text, question=asked.question)
            reply = llm.ask(Request(prompt=f"evals/{FROM_RECORD}", messages=quoted, limit=SHORT))
            return Answer(value={"answer": reply.text.strip(), "shown": page.tokens})

        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsReadingArm:
    """The turns that BM25 finds for the question, in the order in which they were said; ``k=0`` is all of them."""

    k: int
    asks_llm: bool = True

    @property
    def name(self) -> str:
        """How much it reads."""
        return f"transcript-RAG (k={self.k}, bm25)" if self.k else "LLM-only"

    @property
    def identity(self) -> str:
        """The prompt and k."""
        return f"turns {FROM_TURNS} {self.k}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Index the conversation."""
        if llm is None:
            raise UpheldError("this arm asks a language model")
        content: Questioned = items[0].content
        turns = content.transcript.turns
        index = Bm25([(turn.id, turn.text) for turn in turns])

        def answered(item: Item) -> Answer:
            asked: Questioned = item.content
            found = {id for id, _ in index.search(asked.question, self.k)} if self.k else {turn.id for turn in turns}
            said = transcript_text(turn for turn in turns if turn.id in found)
            quoted = messages(FROM_TURNS, turns=said, question=asked.question)
            reply = llm.ask(Request(prompt=f"evals/{FROM_TURNS}", messages=quoted, limit=SHORT))
            return Answer(value={"answer": reply.text.strip()})

        return answered


def record_arms(interpreters: Sequence[str]) -> list[RecordArm]:
    """Give the three pages for each interpreter."""
    return [RecordArm(mode=mode, interpreter=each) for each in interpreters for mode in Mode]
