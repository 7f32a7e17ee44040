"""The suite ``entailmentbank`` (protocol P4): sentences of proof trees taken back one by one, by the engine.

Each tree is given as it is: sentences observed, conclusions put forward on their premises. What must fall is known by
construction, so that anything below all of it, both ways, is a fault of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from upheld.conversation.asking.questions import Questions
from upheld.conversation.conversation import Conversation
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe
from upheld.logic.language.standing import Label
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.policy import EVERYONE
from upheld.record.ledger.store import Store
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.external.proofs.trees import Tree, fell_and_stood, read_trees
from upheld_evals.harness.sources import digest_of, source_digest
from upheld_evals.harness.suite import Answer, Item, Measure, Responder, Scored, Suite
from upheld_evals.suites.tables import share

TELLER = AgentId("teacher")


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A sentence of a tree that is taken back."""

    tree: Tree
    sentence: str


def retraction_items(trees: Sequence[Tree]) -> tuple[Item, ...]:
    """Give one item for each sentence of each tree."""
    return tuple(
        Item(id=f"{tree.id}/{name}", conversation=tree.id, content=Taken(tree=tree, sentence=name))
        for tree in trees
        for name in tree.sentences
    )


def told(tree: Tree, store: Store | None = None) -> Conversation:
    """Tell a tree, a turn for each sentence and each conclusion."""
    talk = Conversation({TELLER: "teacher"}, store=store, policy=EVERYONE)
    for number, (name, text) in enumerate(tree.texts.items(), start=1):
        id, premises = PropositionId(name), tree.steps.get(name, ())
        grounds = tuple(Literal(PropositionId(each)) for each in premises)
        said = Hypothesize(id=id, text=text, depends_on=grounds) if premises else Observe(id=id, text=text)
        talk.tell(Turn(id=TurnId(f"T{number}"), speaker=TELLER, operations=(said,)))
    return talk


def fallen(tree: Tree, state: Questions) -> list[str]:
    """Give the conclusions that do not stand."""
    return sorted(name for name in tree.steps if state.status(name).standing is not Label.IN)


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeArm:
    """One way to work out what falls with a sentence; ``made`` reads a tree and gives the answer for any of it."""

    name: str
    made: Callable[[Tree], Callable[[str], list[str]]]
    is_engine: bool = True
    asks_llm: bool = False

    @property
    def identity(self) -> str:
        """The name, and the source where it is the engine's."""
        return f"{self.name} {source_digest()}" if self.is_engine else f"{self.name}@1"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Read the tree once."""
        answer = self.made(items[0].content.tree)
        return lambda item: Answer(value=answer(item.content.sentence))


def incremental(tree: Tree) -> Callable[[str], list[str]]:
    """Give the state's own change: nothing is told again."""
    talk = told(tree)

    def answered(sentence: str) -> list[str]:
        with talk.what_if() as branch:
            return fallen(tree, branch.retract(sentence).then)

    return answered


def rebuilt(tree: Tree) -> Callable[[str], list[str]]:
    """Write the retraction on record, and read the whole record again from its beginning."""

    def answered(sentence: str) -> list[str]:
        store = EphemeralStore()
        talk = told(tree, store)
        talk.retract(sentence)
        return fallen(tree, Conversation(store=store, policy=EVERYONE))

    return answered


def directly(tree: Tree) -> Callable[[str], list[str]]:
    """Give what names the sentence as a premise, and no more."""
    return lambda sentence: sorted(name for name, premises in tree.steps.items() if sentence in premises)


def entailmentbank_suite(path: Path) -> Suite:
    """Give the suite over the trees of one file."""
    trees = read_trees(path)
    items = retraction_items(trees)
    baseline = TreeArm(name="direct premises alone", made=directly, is_engine=False)
    again = TreeArm(name="upheld, rebuilt from the record", made=rebuilt)
    steps = sum(len(tree.steps) for tree in trees)
    return Suite(
        name="entailmentbank",
        version="1",
        purpose="What falls in a proof tree when one of its sentences is taken back: all of it, and nothing else.",
        data=f"{path.name} of EntailmentBank: {len(trees)} trees, {steps} steps, {len(items)} retractions",
        digest=digest_of([path]),
        items=items,
        arms=(TreeArm(name="upheld, incremental", made=incremental), again, baseline),
        baseline=baseline.name,
        rivals=(again.name,),
        score=lambda item, answer: float(set(answer.value) == item.content.tree.falls_with(item.content.sentence)),
        measures=retraction_measures,
        tuned_on="anything below 1 is a fault of the engine; the engine's own tests read these trees too",
        notes=("Pairs are a retraction and a conclusion of the same tree.",),
    )


def retraction_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give the pairs that fell and stood as they must, and microseconds for each retraction."""
    del seed
    fell, stood = fell_and_stood(
        (item.content.tree, item.content.sentence, outcome.value)
        for item, outcome in scored
        if outcome.value is not None
    )
    measures = [
        share("conclusions that must fall, fell", fell),
        share("conclusions that must stand, stood", stood),
        share("retractions right in every conclusion", (outcome.score == 1 for _, outcome in scored)),
    ]
    if scored:
        seconds = sum(outcome.seconds for _, outcome in scored) / len(scored)
        measures.append(
            Measure(name="microseconds a retraction, labels read", value=seconds * 1e6, n=len(scored), unit="µs")
        )
    return measures
