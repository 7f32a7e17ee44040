"""The suite ``questions``: what a person would ask of the record, answered from what stands or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from upheld.conversation.answering.asking import ask
from upheld.conversation.asking.view import StateView
from upheld.conversation.scoring.alignment import aligned
from upheld.errors import UnusableReply
from upheld.logic.language.verdicts import Outcome
from upheld.speech.formats.gold import RecordQuestion
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.external.bm25 import Bm25
from upheld_evals.harness.corpus import Corpus, LabelledFile
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Responder, Scored, Suite
from upheld_evals.harness.telling import is_asking, told
from upheld_evals.suites.tables import costs, share

SAYS, SAYS_NOT = "the record says", "the record does not say"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question to a labelled conversation."""

    file: LabelledFile
    question: RecordQuestion


def question_items(corpus: Corpus) -> tuple[Item, ...]:
    """Give every question of a corpus; the label tells whether the record says."""
    return tuple(
        Item(
            id=f"{file.name}/{question.id}",
            conversation=file.name,
            label=SAYS_NOT if question.abstain else SAYS,
            content=Asked(file=file, question=question),
        )
        for file in corpus.files
        for question in file.gold.questions
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AskArm:
    """``ask``, by words or with a language model: the ids that its answer rests on, none where the record does not say.

    It abstains only where a language model's words could not be used, or are not grounded: that is never right.
    """

    interpreter: str = "annotated"
    has_llm: bool = False

    @property
    def asks_llm(self) -> bool:
        """Whether it is asked, or its interpreter asks."""
        return self.has_llm or is_asking(self.interpreter)

    @property
    def name(self) -> str:
        """Whose operations, and who answers."""
        whose = "gold operations" if self.interpreter == "annotated" else f"{self.interpreter} interpreter"
        return f"upheld, {whose}, answered by {'a language model' if self.has_llm else 'words'}"

    @property
    def identity(self) -> str:
        """The choices and the source."""
        return f"ask {self.interpreter} {self.has_llm} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the whole conversation once; each question is asked as of its own turn."""
        transcript = items[0].content.file.transcript
        talk = told(transcript, self.interpreter, llm)
        ids = aligned(transcript, talk, is_same=self.interpreter == "annotated")

        def answered(item: Item) -> Answer:
            question: RecordQuestion = item.content.question
            at = talk if question.at is None else talk.at(question.at)
            try:
                given = ask(at, question.text, llm=llm if self.has_llm else None)
            except UnusableReply as unusable:
                return Answer(abstained=str(unusable))
            if given.outcome is Outcome.UNGROUNDED:
                return Answer(abstained="what the language model said is not grounded")
            return Answer(value=[ids.back(ground.literal) for ground in given.grounds])

        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestArm:
    """The claim that shares most with the question by BM25, whatever became of it; there hardly ever is none."""

    name: str = "nearest claim (bm25)"
    identity: str = "nearest claim@1"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the conversation; what was put forward later than the question is not searched."""
        talk = told(items[0].content.file.transcript, "annotated", None)

        def answered(item: Item) -> Answer:
            question: RecordQuestion = item.content.question
            state = talk.state if question.at is None else talk.at(question.at).state
            index = Bm25([(known.proposition.id, known.proposition.text) for known in StateView(state).known()])
            return Answer(value=[id for id, _ in index.search(question.text, 1)])

        return answered


def is_answered_right(item: Item, answer: Answer) -> float:
    """Score 1 for an answer that rests on a labelled claim, and for none where the record does not say."""
    if item.label == SAYS_NOT:
        return float(not answer.value)
    question: RecordQuestion = item.content.question
    return float(not {literal.proposition for literal in question.rests_on}.isdisjoint(answer.value))


def question_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give how much is right, how much is answered, and how often something is answered that nobody said."""
    says = [outcome for item, outcome in scored if item.label == SAYS]
    says_not = [outcome for item, outcome in scored if item.label == SAYS_NOT]
    answered = [outcome for outcome in says if outcome.value]
    return [
        share("right", (outcome.score == 1 for _, outcome in scored)),
        share("answered", (bool(outcome.value) for outcome in says), group=SAYS),
        share("rests on a labelled claim, of the answered", (outcome.score == 1 for outcome in answered), group=SAYS),
        share("answered all the same", (bool(outcome.value) for outcome in says_not), group=SAYS_NOT),
        *costs(scored),
    ]


def questions_suite(corpus: Corpus, *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give the suite of questions to the record."""
    baseline = NearestArm()
    arms: list[Arm] = [AskArm(), AskArm(has_llm=True)]
    for each in interpreters:
        arms += [AskArm(interpreter=each), AskArm(interpreter=each, has_llm=True)]
    return Suite(
        name="questions",
        version="1",
        purpose="Whether a question is answered from what stands, and left alone where the record does not say.",
        data=corpus.counts,
        digest=corpus.digest,
        items=question_items(corpus),
        arms=(*arms, baseline),
        baseline=baseline.name,
        score=is_answered_right,
        measures=question_measures,
        tuned_on="how much of a question must be shared was chosen on the questions of dev/ and long/",
        notes=(
            "An answer rests on a labelled claim when one of its grounds, down to the turns, is labelled.",
            "What an interpreter put forward is found in the labels by its words; what is not found counts as wrong.",
        ),
    )
