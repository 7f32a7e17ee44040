"""The suite ``dependencies``: what each proposition rests on, at its creation and at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from upheld.conversation.checking.readers import has_local
from upheld.conversation.scoring.alignment import aligned
from upheld.conversation.scoring.tallies import Tally
from upheld.logic.dependency.justifications import grounds_of
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Resolve, Support, Undermine
from upheld.logic.reasoning.state import State
from upheld.speech.embedding.embedder import Embedder
from upheld.speech.embedding.local import local_embedder
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.harness.corpus import Corpus, LabelledFile
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Arm, Item, Measure, Responder, Scored, Suite
from upheld_evals.harness.telling import FIRST_READINGS, is_asking, told
from upheld_evals.statistics import overlap, pooled
from upheld_evals.suites.tables import costs, overlapped, share

CREATION, END = "creation", "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resting:
    """A proposition, when it is asked about, and what it rests on then; ``turn`` introduced it."""

    file: LabelledFile
    id: PropositionId
    moment: str
    expected: tuple[str, ...]
    turn: TurnId | None = None


def dependency_items(corpus: Corpus) -> tuple[Item, ...]:
    """Give each proposition with labelled grounds twice; at creation its grounds are its ``depends_on``."""
    return tuple(
        Item(
            id=f"{file.name}/{each.id}/{each.moment}",
            conversation=file.name,
            label=",".join(each.expected),
            facets={"moment": each.moment},
            content=each,
        )
        for file in corpus.files
        for each in _resting(file)
    )


def _resting(file: LabelledFile) -> list[Resting]:
    born = _births(file)
    found = [
        Resting(file=file, id=id, moment=END, expected=tuple(map(str, grounds)))
        for id, grounds in file.gold.dependencies.items()
    ]
    for id in file.gold.dependencies:
        if id in born:
            turn, grounds = born[id]
            stated = file.gold.creation_time_dependencies.get(id)
            grounds = tuple(map(str, stated)) if stated is not None else grounds
            found.append(Resting(file=file, id=id, moment=CREATION, expected=grounds, turn=turn))
    return found


def _births(file: LabelledFile) -> dict[PropositionId, tuple[TurnId, tuple[str, ...]]]:
    found: dict[PropositionId, tuple[TurnId, tuple[str, ...]]] = {}
    for turn in file.transcript.turns:
        for operation in turn.operations:
            match operation:
                case Observe(id=id) | Hypothesize(id=id):
                    grounds = operation.depends_on
                case Support(id=id) | Undermine(id=id) if id is not None:
                    grounds = (*operation.evidence, *operation.depends_on)
                case Resolve(id=id) if id is not None:
                    grounds = operation.depends_on
                case _:
                    continue
            found.setdefault(id, (turn.id, tuple(map(str, grounds))))
    return found


def grounds_in(state: State, id: PropositionId) -> tuple[Literal, ...]:
    """Give what a proposition rests on, the larger stories that explain it included, each once."""
    stories = state.dependencies.larger_stories.get(id, ())
    return tuple(dict.fromkeys((*grounds_of(state.dependencies, id), *map(Literal, stories))))


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundsArm:
    """Grounds from the operations that an interpreter reads; its own propositions are matched with the labelled ones.

    ``variant`` is how a language model is asked for ``depends_on``, at creation alone: without looking back.
    A labelled proposition that matches none has no grounds, which costs recall.
    """

    interpreter: str
    variant: str = ""

    @property
    def asks_llm(self) -> bool:
        """Whether its interpreter does."""
        return is_asking(self.interpreter)

    @property
    def name(self) -> str:
        """Whose operations, and how their grounds were asked for."""
        if self.variant:
            return f"{self.interpreter} interpreter, {self.variant}"
        return "gold operations" if self.interpreter == "annotated" else f"{self.interpreter} interpreter"

    @property
    def identity(self) -> str:
        """The interpreter, the variant and the source."""
        return f"grounds {self.interpreter} {self.variant} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Tell the whole conversation once."""
        transcript = items[0].content.file.transcript
        terms = {"dependencies": self.variant, **FIRST_READINGS} if self.variant else None
        talk = told(transcript, self.interpreter, llm, terms=terms)
        ids = aligned(transcript, talk, is_same=self.interpreter == "annotated", embedder=by_meaning())

        def answered(item: Item) -> Answer:
            asked: Resting = item.content
            own = ids.get(asked.id)
            state = talk.at(asked.turn).state if asked.turn is not None else talk.state
            found = grounds_in(state, own) if own is not None else ()
            return Answer(value=[ids.back(each) for each in found])

        return answered


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestArm:
    """Everything rests on what was said just before it: the rule that reading has to beat."""

    name: str = "the proposition before it"
    identity: str = "nearest@1"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """List the propositions in the order of the labels."""
        file: LabelledFile = items[0].content.file
        order = [
            id
            for turn in file.transcript.turns
            for operation in turn.operations
            if (id := getattr(operation, "id", None)) is not None
        ]
        before = dict(zip(order[1:], order, strict=False))
        return lambda item: Answer(value=[before[item.content.id]] if item.content.id in before else [])


def by_meaning() -> Embedder | None:
    """Give the embedder by which propositions are matched; ``None``, for words, where its extra is not installed."""
    return local_embedder() if has_local() else None


MATCHED_BY = (
    "Propositions of an interpreter are matched with the labelled ones of the same turn by meaning "
    "(all-MiniLM-L6-v2, cosine from 0.55, chosen by reading Phase 2 and dev01), or by words where the extra local "
    "is not installed."
)


def dependencies_suite(corpus: Corpus, *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give the suite of grounds."""
    baseline = NearestArm()
    arms: list[Arm] = [GroundsArm(interpreter="annotated")]
    arms += [GroundsArm(interpreter=each) for each in interpreters]
    return Suite(
        name="dependencies",
        version="1",
        purpose="What each proposition rests on, when it is created and at the end.",
        data=corpus.counts,
        digest=corpus.digest,
        items=dependency_items(corpus),
        arms=(*arms, baseline),
        baseline=baseline.name,
        score=ground_f1,
        measures=ground_measures,
        is_paired=False,
        notes=(
            MATCHED_BY,
            "At creation the labels are `depends_on`; at the end later support and what a resolve added count too.",
        ),
        tuned_on="the local interpreter was written while looking at files of dev/",
    )


def ground_f1(item: Item, answer: Answer) -> float:
    """Score one proposition: F1 of its grounds."""
    found = overlap(item.content.expected, answer.value)
    return 1.0 if found.f1 is None else found.f1


def ground_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give precision, recall and F1 over edges, at creation and at the end."""
    measures: list[Measure] = []
    for moment in (CREATION, END):
        chosen = [each for each in scored if each[0].content.moment == moment]
        total = pooled(map(_edges, chosen))
        measures.append(Measure(name="precision of edges", value=total.precision, n=total.found, group=moment))
        measures.append(Measure(name="recall of edges", value=total.recall, n=total.expected, group=moment))
        measures.append(overlapped("F1 of edges", chosen, _edges, seed=seed, group=moment))
        exact = (set(outcome.value or ()) == set(item.content.expected) for item, outcome in chosen)
        measures.append(share("propositions with exactly these grounds", exact, group=moment))
    return [*measures, *costs(scored)]


def _edges(each: Scored) -> Tally:
    return overlap(each[0].content.expected, each[1].value or ())
