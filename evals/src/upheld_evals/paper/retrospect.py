"""E1c (the paper's Appendix J): does looking back, when something is settled, add the edges that no earlier turn could?

Each settling turn is given as labelled, but without what it subsumes, and the language model is asked what of the known
propositions the settled one now explains. Phase 2 has one such edge (h1 is explained by h4, at T13); Phase 3 has none,
and there the right answer is nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.readers import interpreter_for
from upheld.conversation.scoring.tallies import Tally
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.operations import Operation, Resolve
from upheld.speech.interpretation.interpreter import Interpreted, Reviewer
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.harness.corpus import Corpus, LabelledFile
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Item, Measure, Printed, Responder, Scored, Suite
from upheld_evals.harness.telling import told
from upheld_evals.statistics import overlap, pooled
from upheld_evals.suites.tables import costs, share

TABLE12 = (
    ("Pipeline only (no Resolve update)", "0/3"),
    ("+ Resolve-stage retrospective update", "3/3"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """A turn that settles something, and what the settled explains by its labels."""

    file: LabelledFile
    turn: TurnId
    expected: tuple[str, ...]


def settling_items(corpus: Corpus) -> tuple[Item, ...]:
    """Give every turn with a resolve."""
    return tuple(
        Item(
            id=f"{file.name}/{turn.id}",
            conversation=file.name,
            label=",".join(subsumed),
            facets={"has": "something to add" if subsumed else "nothing to add"},
            content=Settling(file=file, turn=turn.id, expected=subsumed),
        )
        for file in corpus.files
        for turn in file.transcript.turns
        if (subsumed := _subsumed(turn.operations)) is not None
    )


def _subsumed(operations: Sequence[Operation]) -> tuple[str, ...] | None:
    settled = [operation for operation in operations if isinstance(operation, Resolve)]
    return tuple(id for operation in settled for id in operation.subsumes) if settled else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrospectArm:
    """The interpreter's look back, asked about the labelled turn without what it subsumes."""

    name: str = "with the look back"
    asks_llm: bool = True

    @property
    def identity(self) -> str:
        """The source, prompts included."""
        return f"retrospect {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the conversation by its labels."""
        transcript = items[0].content.file.transcript
        timeline = told(transcript, "annotated", None).timeline
        reader = interpreter_for("llm", transcript, llm=llm, terms={"has_second_look": False})

        def answered(item: Item) -> Answer:
            turn = timeline.told(item.content.turn)
            bare = tuple(replace(each, subsumes=()) if isinstance(each, Resolve) else each for each in turn.operations)
            view = StateView(timeline.before(turn.id), earlier=lambda count: timeline.last(count, before=turn.id))
            first = Interpreted(operations=bare, interpreter="labels")
            again = cast("Reviewer", reader).follow_up(replace(turn, operations=()), view, first)
            return Answer(value=list(_subsumed(again.operations) or ()))

        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingArm:
    """No look back: what no creation-time prompt can find stays unfound (the paper's first row)."""

    name: str = "without"
    identity: str = "nothing@1"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to ask."""
        return lambda _: Answer(value=[])


def retrospect_suite(corpus: Corpus) -> Suite:
    """Give E1c on every settling turn of a corpus."""
    baseline = NothingArm()
    return Suite(
        name="paper e1c",
        version="1",
        purpose="What a settled proposition is found to explain, when it is settled.",
        data=corpus.counts,
        digest=corpus.digest,
        items=settling_items(corpus),
        arms=(RetrospectArm(), baseline),
        baseline=baseline.name,
        score=_is_exact,
        measures=_measures,
        printed=tuple(
            Printed(source=f"the paper, Table 12, {name}, GPT-4o", name="h1 to h4 recovered", value=value, n="3 seeds")
            for name, value in TABLE12
        ),
        notes=(
            "Given the labels up to the turn: what an interpreter misread earlier does not count here.",
            "The paper's negative is Phase 3 (three seeds, nothing added); here each turn without an edge is one.",
        ),
    )


def _is_exact(item: Item, answer: Answer) -> float:
    return float(set(item.content.expected) == set(answer.value or ()))


def _measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    edges = pooled(map(_edges, scored))
    some = [each for each in scored if each[0].content.expected]
    none = [each for each in scored if not each[0].content.expected]
    return [
        Measure(name="precision of edges", value=edges.precision, n=edges.found),
        Measure(name="recall of edges", value=edges.recall, n=edges.expected),
        share("turns with just these edges", (outcome.score == 1 for _, outcome in some), group="something to add"),
        share("turns with nothing added", (outcome.score == 1 for _, outcome in none), group="nothing to add"),
        *costs(scored),
    ]


def _edges(each: Scored) -> Tally:
    return overlap(each[0].content.expected, [PropositionId(id) for id in each[1].value or ()])
