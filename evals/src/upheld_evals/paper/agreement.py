"""Agreement between annotators (kappa): what the second labels of the corpus allow, and what cannot be worked out.

The second labels stand in ``agreement.md`` beside the corpus, in words; they are read from there. The paper's kappa of
0.733 is over a blinded subset of 20 of its items by an annotator whose labels it does not print: it cannot be computed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from upheld.errors import MalformedInput
from upheld.logic.language.operations import name_of
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.harness.corpus import Corpus, LabelledFile
from upheld_evals.harness.sources import digest_of
from upheld_evals.harness.suite import Answer, Item, Measure, Printed, Responder, Scored, Suite
from upheld_evals.statistics import kappa
from upheld_evals.suites.operations import KINDS
from upheld_evals.suites.tables import clustered, share

LETTERS = {
    "o": "observe", "h": "hypothesize", "s": "support", "u": "undermine",
    "r": "revise", "e": "expand_awareness", "z": "resolve", "q": "question",
}  # fmt: skip
VERIFY, TURN = "verify", "turn"

_TURNS = re.compile(r"^- (phase\d|dev\d\d): (T1 .*)$", re.MULTILINE)
_CATEGORY = re.compile(
    r"\b((?:d\d\d|p\d|e2)[-_]\w+)\s+(stale|superseded|premise_lost|counterfactual|overclaim|near_miss)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondLabels:
    """What the second annotator wrote: operations by conversation and turn, and the categories that differ."""

    operations: Mapping[str, Mapping[str, tuple[str, ...]]]
    categories: Mapping[str, str]
    digest: str


def read_second_labels(path: Path, corpus: Corpus) -> SecondLabels:
    """Read the second labels for the conversations of a corpus.

    Raises:
        MalformedInput: the file has no such labels.
    """
    section = path.read_text("utf-8").partition("## The second labels")[2]
    if not section:
        raise MalformedInput("no section with the second labels", source=str(path))
    lines = {name: _turns(text) for name, text in _TURNS.findall(section)}
    operations = {
        file.transcript.id: lines[short]
        for file in corpus.files
        if (short := file.transcript.id.partition("-")[0]) in lines
    }
    categories = dict(_CATEGORY.findall(" ".join(section.split())))
    return SecondLabels(operations=operations, categories=categories, digest=digest_of([path]))


def _turns(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for part in text.split(", "):
        turn, _, letters = part.strip().partition(" ")
        found[turn] = tuple(LETTERS[letter] for letter in letters if letter in LETTERS)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondArm:
    """The second annotator: the same label as the first but where the file says otherwise."""

    labels: SecondLabels
    name: str = "second annotator"
    asks_llm: bool = False

    @property
    def identity(self) -> str:
        """The labels."""
        return f"second {self.labels.digest}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read."""

        def answered(item: Item) -> Answer:
            if item.facets["kind"] == TURN:
                return Answer(value=sorted(item.content[1]))
            return Answer(value=self.labels.categories.get(item.id.partition("/")[2], item.label))

        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class MostFrequentArm:
    """Says ``stale`` of every ungrounded candidate and ``observe`` of every turn: agreement by habit alone."""

    name: str = "most frequent label"
    identity: str = "frequent@1"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read."""
        return lambda item: Answer(value=["observe"] if item.facets["kind"] == TURN else "stale")


def kappa_suite(corpus: Corpus, path: Path) -> Suite:
    """Give the suite: ungrounded candidates with their category, and turns with the operations of both annotators."""
    second = read_second_labels(path, corpus)
    items = tuple(item for file in corpus.files if file.transcript.id in second.operations
                  for item in _items(file, second))  # fmt: skip
    baseline = MostFrequentArm()
    verified = sum(item.facets["kind"] == VERIFY for item in items)
    return Suite(
        name="paper kappa",
        version="1",
        purpose="How well two annotators agree on categories of candidates and on operations of turns.",
        data=f"{len(second.operations)} files labelled twice: {verified} ungrounded candidates, "
        f"{len(items) - verified} turns",
        digest=f"{corpus.digest}{second.digest}",
        items=items,
        arms=(SecondArm(labels=second), baseline),
        baseline=baseline.name,
        score=lambda item, answer: float(
            answer.value == (item.label if item.facets["kind"] == VERIFY else sorted(item.content[0]))
        ),
        measures=kappa_measures,
        printed=(
            Printed(
                source="the paper, E2", name="kappa, grounded or not, independent annotator", value="0.733", n="20"
            ),
            Printed(source="agreement of a second annotator", name="kappa, grounded or not", value="1.000", n="235"),
            Printed(source="agreement of a second annotator", name="kappa, category", value="0.886", n="147"),
        ),
        notes=(
            "Cannot be computed: the paper's 0.733, since the labels of its annotator are not printed.",
            "Grounded or not: the second annotator differs on no item, so that kappa is 1 by the file; not listed.",
            "Operations are compared with the labels as corrected after the comparison, which favours the second.",
            "Both annotators are passes of language models; no person has labelled these files.",
        ),
    )


def _items(file: LabelledFile, second: SecondLabels) -> list[Item]:
    found = [
        Item(
            id=f"{file.name}/{item.id}",
            conversation=file.name,
            label=item.category,
            facets={"kind": VERIFY},
            content=item,
        )
        for item in file.gold.verify
        if item.label == "ungrounded"
    ]
    turns = second.operations[file.transcript.id]
    for turn in file.transcript.turns:
        own = tuple(name_of(operation) for operation in turn.operations)
        content = (own, turns.get(turn.id, ()))
        found.append(
            Item(id=f"{file.name}/{turn.id}", conversation=file.name, label=",".join(sorted(own)),
                 facets={"kind": TURN}, content=content)
        )  # fmt: skip
    return found


def kappa_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give kappa over categories, and for each operation whether a turn has it."""
    verify = [each for each in scored if each[0].facets["kind"] == VERIFY]
    turns = [each for each in scored if each[0].facets["kind"] == TURN]
    measures = [
        clustered("kappa, category of ungrounded candidates", verify, _categories, _kappa_of, seed=seed),
        share("same category", (item.label == outcome.value for item, outcome in verify)),
        share("same operations", (sorted(item.content[0]) == outcome.value for item, outcome in turns)),
    ]
    for kind in KINDS:
        pairs = [(kind in item.content[0], kind in outcome.value) for item, outcome in turns]
        measures.append(Measure(name="kappa, turn has it", value=kappa(pairs), n=len(pairs), group=kind))
    return measures


def _categories(scored: Sequence[Scored]) -> list[tuple[str, str]]:
    return [(item.label, outcome.value) for item, outcome in scored]


def _kappa_of(lists: Sequence[Sequence[tuple[str, str]]]) -> float | None:
    return kappa(pair for pairs in lists for pair in pairs)
