"""The suite ``operations``: which of the eight operations each turn performs, by type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from upheld.conversation.scoring.tallies import Tally
from upheld.logic.language.identities import TurnId
from upheld.logic.language.operations import OPERATION_NAMES, name_of
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.harness.corpus import Corpus, LabelledFile
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Printed, Responder, Scored, Suite
from upheld_evals.harness.telling import is_asking, told
from upheld_evals.statistics import overlap, pooled
from upheld_evals.suites.tables import averaged, costs, overlapped, share

KINDS = tuple(OPERATION_NAMES.values())

Labels = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Types of operations by conversation and turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTurn:
    """A turn of a file, and the types of the operations that it performs by its labels."""

    file: LabelledFile
    turn: TurnId
    expected: tuple[str, ...]
    is_key_shift: bool = False


def turn_items(corpus: Corpus) -> tuple[Item, ...]:
    """Give every turn of a corpus."""
    return tuple(
        Item(
            id=f"{file.name}/{turn.id}",
            conversation=file.name,
            label=",".join(sorted(name_of(operation) for operation in turn.operations)),
            facets={"turns": str(len(file.transcript.turns))},
            content=LabelledTurn(
                file=file,
                turn=turn.id,
                expected=tuple(name_of(operation) for operation in turn.operations),
                is_key_shift=turn.id in file.gold.key_shifts,
            ),
        )
        for file in corpus.files
        for turn in file.transcript.turns
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class InterpreterArm:
    """An interpreter by name; what a precondition refused is dropped, as it is in use."""

    interpreter: str

    @property
    def asks_llm(self) -> bool:
        """Whether its interpreter does."""
        return is_asking(self.interpreter)

    @property
    def name(self) -> str:
        """The interpreter."""
        return f"{self.interpreter} interpreter"

    @property
    def identity(self) -> str:
        """The interpreter and the source."""
        return f"interpreter {self.interpreter} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Read the whole conversation."""
        talk = told(items[0].content.file.transcript, self.interpreter, llm)
        return lambda item: Answer(
            value=[name_of(operation) for operation in talk.timeline.told(item.content.turn).operations]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EveryTurnArm:
    """Says the same of every turn."""

    kinds: tuple[str, ...] = ("observe",)
    asks_llm: bool = False

    @property
    def name(self) -> str:
        """What it says."""
        return f"every turn is one {' and one '.join(self.kinds)}"

    @property
    def identity(self) -> str:
        """What it says."""
        return f"constant {self.kinds}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read."""
        return lambda _: Answer(value=list(self.kinds))


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenArm:
    """Labels that somebody wrote down, by conversation and turn; it abstains on what they did not label."""

    name: str
    labels: Labels = field(repr=False)
    asks_llm: bool = False

    @property
    def identity(self) -> str:
        """The labels."""
        return f"written {sorted((file, sorted(turns.items())) for file, turns in self.labels.items())}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read."""

        def answered(item: Item) -> Answer:
            found = self.labels.get(item.content.file.transcript.id, {}).get(item.content.turn)
            return Answer(abstained="not labelled") if found is None else Answer(value=list(found))

        return answered


def operations_suite(corpus: Corpus, *, interpreters: Sequence[str] = ("cues",), second: Labels | None = None) -> Suite:
    """Give the suite; ``second`` are the labels of a second annotator, the ceiling, where there are any."""
    written: list[Arm] = [WrittenArm(name="second annotator", labels=second)] if second else []
    baseline = EveryTurnArm()
    return Suite(
        name="operations",
        version="1",
        purpose="Which operations each turn performs, by type.",
        data=corpus.counts,
        digest=corpus.digest,
        items=turn_items(corpus),
        arms=(*map(_interpreter, interpreters), *written, baseline),
        baseline=baseline.name,
        score=turn_f1,
        measures=operation_measures,
        is_paired=False,
        printed=(
            Printed(source="agreement of a second annotator", name="type F1, multisets", value="0.775", n="226 turns"),
            Printed(source="agreement of a second annotator", name="type F1, sets", value="0.792", n="226 turns"),
        ),
        notes=(
            "Two annotators agree at about 0.8: nobody can do much better against these labels.",
            "The second annotator's arm is scored on the labels after their corrections, so above what is printed;"
            " it labelled ten files, and its measures count only those.",
            "Support is about 0.5 and expand_awareness about 0.6 between annotators: no ranking by these alone.",
        ),
        tuned_on="cue words of the local interpreter were written while looking at files of dev/",
    )


def _interpreter(name: str) -> Arm:
    return InterpreterArm(interpreter=name)


def turn_f1(item: Item, answer: Answer) -> float:
    """Score a turn: F1 of its types as multisets; agreeing on none is 1."""
    found = overlap(item.content.expected, answer.value)
    return 1.0 if found.f1 is None else found.f1


def operation_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give F1 as multisets and as sets, exact turns, and each operation; turns that nobody labelled are left out."""
    labelled = [(item, outcome) for item, outcome in scored if outcome.reason != "not labelled"]
    measures = [
        overlapped("type F1, multisets", labelled, _multisets, seed=seed),
        overlapped("type F1, sets", labelled, _sets, seed=seed),
        averaged("F1 a turn, sets, mean", labelled, _set_f1, seed=seed),
        share("exact, multisets", (Counter(_found(one)) == Counter(_expected(one)) for one in labelled)),
        share("exact, sets", (set(_found(one)) == set(_expected(one)) for one in labelled)),
    ]
    for kind in KINDS:
        found = pooled(_only(kind, each) for each in labelled)
        measures.append(Measure(name="type F1, multisets", value=found.f1, n=found.expected, group=kind))
    return [*measures, *costs(scored)]


def key_shift_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give the paper's two numbers (Tables 1 and 7), overall and on the key shifts, and one that weighs these twice.

    The paper says "extra weight" and not how much; two is ours.
    """
    shifts = [each for each in scored if each[0].content.is_key_shift]
    measures: list[Measure] = []
    for name, chosen in (("all turns", scored), ("key shifts", shifts)):
        measures.append(averaged("F1 a turn, sets, mean", chosen, _set_f1, seed=seed, group=name))
        exact = (set(_found(one)) == set(_expected(one)) for one in chosen)
        measures.append(share("exact, sets", exact, group=name))
    measures.append(averaged("F1 a turn, key shifts twice", [*scored, *shifts], _set_f1, seed=seed))
    for kind in KINDS:
        turns = [each for each in scored if kind in _expected(each)]
        if turns:
            measures.append(share("recall of turns", (kind in _found(each) for each in turns), group=kind))
    return [*measures, *costs(scored)]


def _set_f1(each: Scored) -> float:
    found = _sets(each).f1
    return 1.0 if found is None else found


def _expected(each: Scored) -> Sequence[str]:
    return each[0].content.expected


def _found(each: Scored) -> Sequence[str]:
    return each[1].value or ()


def _multisets(each: Scored) -> Tally:
    return overlap(_expected(each), _found(each))


def _sets(each: Scored) -> Tally:
    return overlap(set(_expected(each)), set(_found(each)))


def _only(kind: str, each: Scored) -> Tally:
    return overlap(_of(kind, _expected(each)), _of(kind, _found(each)))


def _of(kind: str, kinds: Iterable[str]) -> list[str]:
    return [each for each in kinds if each == kind]
