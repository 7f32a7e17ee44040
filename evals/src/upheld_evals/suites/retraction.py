"""The suite ``retraction``: what falls when something is taken back, one decision a proposition that is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from upheld.conversation.scoring.alignment import aligned
from upheld.errors import UnknownReference
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.turns import Falsify, Retract, Retraction
from upheld.logic.reasoning.answers.changes import affected, directly_affected
from upheld.speech.formats.gold import AffectedQuery
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.harness.corpus import Corpus, LabelledFile
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Responder, Scored, Suite
from upheld_evals.harness.telling import is_asking, told
from upheld_evals.suites.tables import costs, share

networkx: Any = import_module("networkx")
"""It ships no types: its two functions are used behind typed ones of ours."""

FALLS, STAYS = "affected", "unaffected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Whether one proposition is affected by one change."""

    file: LabelledFile
    query: AffectedQuery
    id: PropositionId


def decision_items(corpus: Corpus) -> tuple[Item, ...]:
    """Give every proposition that a retraction query names as affected or unaffected."""
    return tuple(item for file in corpus.files for item in _decisions(file))


def _decisions(file: LabelledFile) -> Iterator[Item]:
    for number, query in enumerate(file.gold.affected, start=1):
        for label, ids in ((FALLS, query.affected), (STAYS, query.unaffected)):
            for id in ids:
                yield Item(
                    id=f"{file.name}/{number}/{id}",
                    conversation=file.name,
                    label=label,
                    content=Decision(file=file, query=query, id=id),
                )


def target_of(change: Retraction) -> PropositionId | None:
    """Give the proposition that a change takes back, if it is one."""
    return change.target if isinstance(change, Retract | Falsify) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedArm:
    """The engine's ``affected``; ``is_direct`` asks for the paper's direct membership, standing or not."""

    interpreter: str = "annotated"
    is_direct: bool = False

    @property
    def asks_llm(self) -> bool:
        """Whether its interpreter does."""
        return is_asking(self.interpreter)

    @property
    def name(self) -> str:
        """Whose operations, and which question."""
        whose = "gold operations" if self.interpreter == "annotated" else f"{self.interpreter} interpreter"
        return f"upheld, {whose}" + (", direct membership (the paper's)" if self.is_direct else "")

    @property
    def identity(self) -> str:
        """The choices and the source."""
        return f"affected {self.interpreter} {self.is_direct} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the whole conversation once."""
        transcript = items[0].content.file.transcript
        talk = told(transcript, self.interpreter, llm)
        ids = aligned(transcript, talk, is_same=self.interpreter == "annotated")

        def answered(item: Item) -> Answer:
            query: AffectedQuery = item.content.query
            change = ids.change(query.change)
            if change is None:
                return Answer(value=STAYS)
            state = talk.at(query.at).state if query.at is not None else talk.state
            target = target_of(change)
            try:
                if self.is_direct and target is not None:
                    found = directly_affected(state, target)
                else:
                    found = affected(state, change).affected
            except UnknownReference:
                found = ()
            return Answer(value=FALLS if item.content.id in {ids.back(Literal(each)) for each in found} else STAYS)

        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachabilityArm:
    """What can be reached over the labelled dependencies of the end: a graph library and nothing else.

    It knows neither what was given up nor which edges carry no loss.
    """

    name: str = "reachability (networkx)"
    identity: str = "reachability@1"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Build the graph of the labels."""
        file: LabelledFile = items[0].content.file
        edges = [
            (ground.proposition, id)
            for id, grounds in file.gold.dependencies.items()
            for ground in grounds
            if not ground.negated
        ]
        graph = networkx.DiGraph(edges)

        def answered(item: Item) -> Answer:
            target = target_of(item.content.query.change)
            reached = cast("set[str]", networkx.descendants(graph, target)) if target in graph else set[str]()
            return Answer(value=FALLS if item.content.id in reached else STAYS)

        return answered


def decision_score(item: Item, answer: Answer) -> float:
    """Score a decision: 1 when it is the label."""
    return float(answer.value == item.label)


def decision_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give accuracy, and how much of each kind was found."""
    measures = [share("accuracy", (outcome.score == 1 for _, outcome in scored))]
    for label in (FALLS, STAYS):
        chosen = (outcome.score == 1 for item, outcome in scored if item.label == label)
        measures.append(share("accuracy", chosen, group=label))
    return [*measures, *costs(scored)]


def retraction_suite(corpus: Corpus, *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give the suite of retractions."""
    baseline = ReachabilityArm()
    arms: list[Arm] = [AffectedArm()]
    arms += [AffectedArm(interpreter=each) for each in interpreters]
    return Suite(
        name="retraction",
        version="1",
        purpose="Which propositions are affected when something is taken back.",
        data=corpus.counts,
        digest=corpus.digest,
        items=decision_items(corpus),
        arms=(*arms, baseline),
        baseline=baseline.name,
        score=decision_score,
        measures=decision_measures,
        notes=("`unaffected` names some that are easily suspected, not all.",),
        tuned_on="the engine's labels and these files were made to agree; an error of the engine here is a fault",
    )
