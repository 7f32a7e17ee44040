"""The suite ``entailmentbank-edges`` (protocol P4): the same trees as mere words; what rests on what is to be found.

Sentences and conclusions are said one after the other, without the proof. An interpreter reads them; its edges are held
against the tree's, and the sentences are taken back on the edges that it found: what is lost there is the price of
reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from upheld.conversation.asking.view import StateView
from upheld.conversation.scoring.tallies import Tally
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import TurnId
from upheld.logic.language.turns import Turn
from upheld.speech.formats.transcript import Transcript
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.external.proofs.retraction import TELLER
from upheld_evals.external.proofs.trees import Edge, Tree, fell_and_stood, reached, read_trees
from upheld_evals.external.wording import in_one_form
from upheld_evals.harness.sources import digest_of, source_digest
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Responder, Scored, Suite
from upheld_evals.harness.telling import is_asking, told
from upheld_evals.statistics import pooled
from upheld_evals.suites.tables import clustered, costs, share

PREMISES = 2
"""Premises that the baseline gives to each conclusion: the fewest that make an inference of two things said."""


def transcript_of(tree: Tree) -> tuple[Transcript, Mapping[TurnId, str]]:
    """Give a tree as turns of one speaker, premises before what rests on them, and which name each turn says."""
    names = {TurnId(f"T{number}"): name for number, name in enumerate(tree.texts, start=1)}
    turns = tuple(Turn(id=id, speaker=TELLER, text=_sentence(tree.texts[name])) for id, name in names.items())
    return Transcript(id=tree.id, turns=turns, agents=(Agent(id=TELLER),)), names


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip(' .')}."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingArm:
    """An interpreter: an edge for each ground of what a turn put forward, back to the turn that said the ground."""

    interpreter: str = "cues"

    @property
    def asks_llm(self) -> bool:
        """Whether its interpreter does."""
        return is_asking(self.interpreter)

    @property
    def name(self) -> str:
        """Who reads."""
        return f"upheld, {self.interpreter} interpreter"

    @property
    def identity(self) -> str:
        """The interpreter and the source."""
        return f"edges {self.interpreter} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Read the tree of the one item."""
        transcript, names = transcript_of(items[0].content)
        view = StateView(told(transcript, self.interpreter, llm).state)
        said = {each.proposition.id: names[each.turn] for each in view.known() if each.turn is not None}
        edges = {
            (said[ground.proposition], name)
            for id, name in said.items()
            for ground in view.grounds_of(id)
            if ground.proposition in said and said[ground.proposition] != name
        }
        return lambda _: Answer(value=sorted(map(list, edges)))


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapArm:
    """Each conclusion rests on the two things said before it that share most words with it; it is told what concludes.

    Shared stems over all stems of both; ties in the order in which they were said.
    """

    name: str = "most shared words"
    identity: str = f"shared words@1 {PREMISES}"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to read beforehand."""
        return lambda item: Answer(value=sorted(map(list, _nearest(item.content))))


def _nearest(tree: Tree) -> set[Edge]:
    stems = {name: frozenset(in_one_form(text).split()) for name, text in tree.texts.items()}
    names = list(tree.texts)
    edges: set[Edge] = set()
    for name in tree.steps:
        shares = {
            other: len(stems[other] & stems[name]) / len(stems[other] | stems[name])
            for other in names[: names.index(name)]
            if stems[other] & stems[name]
        }
        edges |= {(other, name) for other in sorted(shares, key=lambda each: -shares[each])[:PREMISES]}
    return edges


def edges_suite(path: Path, *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give the suite over the trees of one file."""
    trees = read_trees(path)
    baseline = OverlapArm()
    arms: list[Arm] = [ReadingArm(interpreter=each) for each in interpreters]
    return Suite(
        name="entailmentbank-edges",
        version="1",
        purpose="What rests on what in a proof tree, found from its sentences alone.",
        data=f"{path.name} of EntailmentBank: {len(trees)} trees, {sum(len(tree.edges) for tree in trees)} edges",
        digest=digest_of([path]),
        items=tuple(Item(id=tree.id, conversation=tree.id, content=tree) for tree in trees),
        arms=(*arms, baseline),
        baseline=baseline.name,
        score=lambda item, answer: float(_edges(answer.value) == item.content.edges),
        measures=edge_measures,
        tuned_on="none of it",
        notes=(
            "The baseline is told which turns conclude, and that two premises make a step; a reader is told neither.",
            "The paired test is over trees of which every edge and no other was found.",
        ),
    )


def edge_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give precision, recall and F1 of edges, and what retractions come to on the edges that were found."""
    known = [each for each in scored if each[1].value is not None]
    shown: dict[str, Callable[[Tally], float | None]] = {
        "edges, precision": lambda tally: tally.precision,
        "edges, recall": lambda tally: tally.recall,
        "edges, F1": lambda tally: tally.f1,
    }
    fell, stood = fell_and_stood(
        (item.content, sentence, reached(sentence, _edges(outcome.value)))
        for item, outcome in known
        for sentence in item.content.sentences
    )
    return [
        *(_of_edges(name, known, of, seed) for name, of in shown.items()),
        share("trees found whole", (outcome.score == 1 for _, outcome in known)),
        share("on found edges: conclusions that must fall, fell", fell),
        share("on found edges: conclusions that must stand, stood", stood),
        *costs(scored),
    ]


def _of_edges(name: str, known: Sequence[Scored], of: Callable[[Tally], float | None], seed: int) -> Measure:
    def summed(chosen: Sequence[Scored]) -> Tally:
        return pooled(_tally(item.content.edges, _edges(outcome.value)) for item, outcome in chosen)

    return clustered(name, known, summed, lambda tallies: of(pooled(tallies)), seed=seed)


def _tally(expected: frozenset[Edge], found: frozenset[Edge]) -> Tally:
    return Tally(len(expected), len(found), len(expected & found))


def _edges(value: Sequence[Sequence[str]]) -> frozenset[Edge]:
    return frozenset((premise, name) for premise, name in value)
