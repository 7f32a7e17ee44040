"""Tables 1 and 7: which operations each turn of Phases 2 and 3 performs, with an eye on the key shifts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from upheld.conversation.checking.readers import interpreter_for
from upheld.conversation.reading.against_labels import reading_against_labels
from upheld.conversation.reading.reader import Reader
from upheld.logic.language.operations import name_of
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.harness.corpus import Corpus, only
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Arm, Item, Printed, Responder, Suite
from upheld_evals.harness.telling import Watched, told
from upheld_evals.paper.decisions import PHASE2
from upheld_evals.statistics import overlap
from upheld_evals.suites.operations import EveryTurnArm, InterpreterArm, key_shift_measures, turn_items

PHASE3 = "phase3-deliberation"

TABLE1 = (
    ("Claude Sonnet 4", "0.66 / 11%", "0.85 / 54%", "0.91 / 63%"),
    ("GPT-4o", "0.69 / 31%", "0.74 / 40%", "0.81 / 52%"),
    ("Qwen2.5-7B-Instruct", "0.54 / 29%", "0.57 / 26%", "0.59 / 29%"),
    ("Llama-3.1-8B-Instruct", "0.54 / 12%", "0.55 / 20%", "0.65 / 32%"),
)
TABLE1_SHIFTS = (
    ("Claude Sonnet 4", "0.50 / 5%", "0.74 / 25%", "0.83 / 30%"),
    ("GPT-4o", "0.43 / 0%", "0.50 / 10%", "0.74 / 50%"),
    ("Qwen2.5-7B-Instruct", "0.39 / 10%", "0.47 / 0%", "0.47 / 0%"),
    ("Llama-3.1-8B-Instruct", "0.37 / 0%", "0.47 / 20%", "0.56 / 15%"),
)
TABLE7 = (
    ("Claude Sonnet 4", "0.85 / 63%", "0.92 / 75%"),
    ("GPT-4o", "0.80 / 65%", "0.83 / 50%"),
    ("Qwen2.5-7B-Instruct", "0.75 / 61%", "0.92 / 75%"),
    ("Llama-3.1-8B-Instruct", "0.66 / 33%", "0.59 / 20%"),
)
CONDITIONS = ("minimal", "definitions", "state-augmented")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionArm:
    """A language model under one condition of the prompt: each turn alone, against the state of the labels before it.

    First readings only, as in the paper: no second look, no look back.
    """

    condition: str
    asks_llm: bool = True

    @property
    def name(self) -> str:
        """The condition."""
        return f"language model, {self.condition}"

    @property
    def identity(self) -> str:
        """The condition and the source."""
        return f"condition {self.condition} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the conversation by its labels; each turn is read on its own."""
        transcript = items[0].content.file.transcript
        terms: dict[str, object] = {
            "condition": self.condition.replace("-", "_"),
            "has_second_look": False,
            "has_retrospect": False,
        }
        timeline = told(transcript, "annotated", None).timeline

        def answered(item: Item) -> Answer:
            watched = Watched(llm) if llm is not None else None
            reader = Reader(interpreter=interpreter_for("llm", transcript, llm=watched, terms=terms))
            reading = reading_against_labels(timeline, item.content.turn, reader)
            if watched is not None and watched.missing is not None:
                raise watched.missing
            if reading.abstained:
                return Answer(value=[], abstained=reading.abstained)
            return Answer(value=[name_of(operation) for operation in reading.turn.operations])

        return answered


def table1_suite(corpus: Corpus, *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give Phase 2; the file has no label set of the paper's beside its operations, which follow the paper."""
    printed = [
        Printed(source=f"the paper, Table 1, {llm}, {condition}", name=f"F1 / exact, {name}", value=cell, n=n)
        for name, n, table in (("all turns", "13 x 5", TABLE1), ("key shifts", "4 x 5", TABLE1_SHIFTS))
        for llm, *cells in table
        for condition, cell in zip(CONDITIONS, cells, strict=True)
    ]
    return _suite(corpus, "paper table1", PHASE2, interpreters, tuple(printed))


def table7_suite(corpus: Corpus, *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give Phase 3, scored against the paper's own label sets."""
    printed = [
        Printed(source=f"the paper, Table 7, {llm}, definitions", name=f"F1 / exact, {name}", value=cell, n=n)
        for llm, overall, shifts in TABLE7
        for name, n, cell in (("all turns", "19 x 5", overall), ("key shifts", "4 x 5", shifts))
    ]
    return _suite(corpus, "paper table7", PHASE3, interpreters, tuple(printed))


def _suite(
    corpus: Corpus, name: str, conversation: str, interpreters: Sequence[str], printed: tuple[Printed, ...]
) -> Suite:
    file = only(corpus, conversation)
    items = tuple(_with_label_set(item) for item in turn_items(replace(corpus, files=(file,))))
    baseline = EveryTurnArm()
    arms: list[Arm] = [InterpreterArm(interpreter=each) for each in interpreters]
    arms += [ConditionArm(condition=each) for each in CONDITIONS]
    return Suite(
        name=name,
        version="1",
        purpose=f"Operations of each turn of {conversation}, as label sets.",
        data=f"{file.name}: {len(items)} turns, {len(file.gold.key_shifts)} key shifts",
        digest=corpus.digest,
        items=items,
        arms=(*arms, baseline, EveryTurnArm(kinds=("observe", "question"))),
        baseline=baseline.name,
        score=_set_f1,
        measures=key_shift_measures,
        is_paired=False,
        printed=printed,
        notes=(
            "The text is told again in other words, so the paper's cells and ours are not of the same input.",
            "F1 is averaged over turns; the paper does not say how its own is, nor how much the key shifts weigh.",
        ),
    )


def _with_label_set(item: Item) -> Item:
    labelled = item.content
    stated = labelled.file.gold.paper_operations.get(labelled.turn)
    kinds = stated if stated is not None else tuple(dict.fromkeys(labelled.expected))
    return replace(item, label=",".join(sorted(kinds)), content=replace(labelled, expected=tuple(kinds)))


def _set_f1(item: Item, answer: Answer) -> float:
    found = overlap(set(item.content.expected), set(answer.value)).f1
    return 1.0 if found is None else found
