"""E5 (section 4.2, Figure 4): verdicts on given claims while the operations behind the state are corrupted.

The paper's three models of noise, and the same for one kind of operation at a time: the envelope within which an
interpreter may err. Claims stay as labelled, so that what is measured is the state alone.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from upheld.conversation.checking.replaying import candidates_of, loaded
from upheld.logic.language.identities import TurnId
from upheld.logic.reasoning.answers.verify import verify
from upheld.speech.formats.gold import VerifyItem
from upheld.speech.formats.transcript import Transcript
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.harness.corpus import Corpus, LabelledFile, only
from upheld_evals.harness.sources import source_digest
from upheld_evals.harness.suite import Answer, Found, Item, Line, Measure, Plot, Printed, Responder, Scored, Suite
from upheld_evals.paper.decisions import PHASE2
from upheld_evals.paper.perturbing import (
    truncated,
    with_edges,
    with_statuses,
    with_wrong_targets,
    without_edges,
    without_operations,
)
from upheld_evals.statistics import bootstrap, by_group
from upheld_evals.suites.operations import KINDS

EPSILONS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
SEEDS = 10

Noise = Callable[[Transcript, random.Random, float], Transcript]

PAPERS: dict[str, Noise] = {
    "edges dropped": without_edges,
    "edges added": with_edges,
    "statuses corrupted": with_statuses,
}
BY_KIND: dict[str, Noise] = {
    **{f"{kind} missed": partial(without_operations, kind=kind) for kind in KINDS},
    **{f"{kind} misread": partial(with_wrong_targets, kind=kind) for kind in KINDS},
}
PRINTED = (
    Printed(source="the paper, E5", name="accuracy, edges dropped or added, every epsilon", value="49/50", n="50 x 10"),
    Printed(source="the paper, E5", name="accuracy, statuses corrupted, epsilon 0", value="0.98", n="50 x 10"),
    Printed(source="the paper, E5", name="accuracy, statuses corrupted, epsilon 0.8", value="0.64", n="50 x 10"),
    Printed(source="the paper, E5", name="stale, statuses corrupted, epsilon 0", value="1.00", n="15 x 10"),
    Printed(source="the paper, E5", name="stale, statuses corrupted, epsilon 0.8", value="0.27", n="15 x 10"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One corrupted copy of the conversation: which noise, how much, and from which seed."""

    file: LabelledFile
    noise: str
    epsilon: float
    seed: int


def e5_suite(corpus: Corpus, *, seeds: int = SEEDS) -> Suite:
    """Give every noise at every epsilon, ``seeds`` copies of each."""
    file = only(corpus, PHASE2)
    items = tuple(
        Item(
            id=f"{noise}/{epsilon}/{seed}",
            conversation=f"{noise}/{epsilon}",
            label="",
            facets={"noise": noise, "epsilon": str(epsilon)},
            content=Cell(file=file, noise=noise, epsilon=epsilon, seed=seed),
        )
        for noise in (*PAPERS, *BY_KIND)
        for epsilon in EPSILONS
        for seed in range(seeds)
    )
    baseline = UntouchedArm()
    asked = len(file.gold.verify)
    return Suite(
        name="paper e5",
        version="1",
        purpose="Verdicts on given claims while the operations behind them are corrupted.",
        data=f"{file.name}: {asked} candidates, {seeds} seeds, {len(EPSILONS)} values of epsilon",
        digest=corpus.digest,
        items=items,
        arms=(NoisyArm(), baseline),
        baseline=baseline.name,
        score=lambda _, answer: sum(answer.value["right"].values()) / sum(answer.value["of"].values()),
        measures=noise_measures,
        plots=noise_plots,
        is_paired=False,
        printed=PRINTED,
        notes=(
            "Claims are the labels' own: a candidate may rest on several propositions, and the one that the paper"
            " loses (e2_015) is not lost.",
            "A candidate that asserts a hypothesis as fact stays ungrounded whatever status noise gives it, unless that"
            " is `resolved`: it would claim more than a live hypothesis carries. The paper's verifier has no such"
            " reason, so its stale items fall faster.",
            "An added edge can take a ground away, and a dropped explanation edge a story; both move single items,"
            " where the paper's are flat.",
            "A wrong status is drawn evenly from the other three; the paper does not say how its own is drawn.",
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyArm:
    """The engine on corrupted operations."""

    name: str = "upheld, corrupted operations"
    asks_llm: bool = False

    @property
    def identity(self) -> str:
        """The source."""
        return f"noisy {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to prepare: each copy is told anew."""
        return lambda item: _verdicts(item.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class UntouchedArm:
    """Says ungrounded to everything: noise cannot touch it, and below it a state is worse than none."""

    name: str = "always ungrounded"
    identity: str = "untouched@1"
    asks_llm: bool = False

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Nothing to prepare."""

        def answered(item: Item) -> Answer:
            of = Counter(each.category for each in item.content.file.gold.verify)
            right = Counter(each.category for each in item.content.file.gold.verify if each.label == "ungrounded")
            return Answer(value={"right": dict(right), "of": dict(of)})

        return answered


def _verdicts(cell: Cell) -> Answer:
    """Judge every candidate as of its turn, on operations that were corrupted up to that turn.

    Edges and operations are corrupted once for a copy, since an interpreter errs once; statuses for each turn, as the
    paper does, since they are read off the state.
    """
    noise = PAPERS.get(cell.noise) or BY_KIND[cell.noise]
    by_turn = by_group((item.at, item) for item in cell.file.gold.verify)
    right: Counter[str] = Counter()
    of: Counter[str] = Counter()
    whole = noise(cell.file.transcript, _chance(cell, ""), cell.epsilon)
    talk = loaded(whole, interpreter="annotated")
    for at, items in by_turn.items():
        turn = TurnId(str(at)) if at is not None else None
        if noise is with_statuses:
            cut = truncated(cell.file.transcript, turn)
            state = loaded(noise(cut, _chance(cell, str(at)), cell.epsilon), interpreter="annotated").state
        else:
            state = talk.at(turn).state if turn is not None else talk.state
        for item in items:
            of[item.category] += 1
            right[item.category] += verify(state, candidates_of(item)).outcome is _label(item)
    return Answer(value={"right": dict(right), "of": dict(of)})


def _label(item: VerifyItem) -> object:
    return item.label


def _chance(cell: Cell, at: str) -> random.Random:
    """Chance that depends on the cell alone, not on what ran before it."""
    return random.Random(zlib.crc32(f"{cell.noise}/{cell.epsilon}/{cell.seed}/{at}".encode()))


def noise_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give accuracy by noise and epsilon, all items and the stale ones; intervals are over the copies."""
    measures: list[Measure] = []
    groups = by_group((_place(item), (item, outcome)) for item, outcome in scored if outcome.value is not None)
    for place, cells in groups.items():
        for name, category in (("accuracy", ""), ("accuracy, stale", "stale")):
            n = sum(_of(each, category) for each in cells)
            interval = bootstrap([[each] for each in cells], partial(_pooled, category=category), seed=seed, draws=400)
            measures.append(
                Measure(
                    name=name,
                    value=_pooled(cells, category=category),
                    n=n,
                    interval=interval,
                    group=str(place),
                )
            )
    return measures


def _place(item: Item) -> str:
    return f"{item.facets['noise']}, epsilon {item.facets['epsilon']}"


def _pooled(cells: Sequence[Scored], *, category: str) -> float | None:
    of = sum(_of(each, category) for each in cells)
    return sum(_right(each, category) for each in cells) / of if of else None


def _right(each: Scored, category: str) -> int:
    right: dict[str, int] = each[1].value["right"]
    return right.get(category, 0) if category else sum(right.values())


def _of(each: Scored, category: str) -> int:
    of: dict[str, int] = each[1].value["of"]
    return of.get(category, 0) if category else sum(of.values())


def noise_plots(found: Found) -> Sequence[Plot]:
    """Draw the paper's three models of noise, and the kinds of operations, accuracy over epsilon."""
    scored = next(iter(found.values()), ())
    if not scored:
        return ()
    papers = [
        *(_curve(scored, noise, "", noise) for noise in PAPERS),
        _curve(scored, "statuses corrupted", "stale", "statuses corrupted, stale"),
        Line(name="the paper: edges", points=((0.0, 0.98), (0.8, 0.98)), is_dashed=True),
        Line(name="the paper: statuses", points=((0.0, 0.98), (0.8, 0.64)), is_dashed=True),
        Line(name="the paper: statuses, stale", points=((0.0, 1.0), (0.8, 0.27)), is_dashed=True),
    ]
    caption = "Dashed: the end points that the paper prints, joined by a line. 50 candidates, 10 seeds each."
    missed = tuple(_curve(scored, f"{kind} missed", "", kind) for kind in KINDS)
    misread = tuple(_curve(scored, f"{kind} misread", "", kind) for kind in KINDS)
    axes = ("share corrupted, epsilon", "accuracy")
    return (
        Plot(title="Noise as in the paper", x=axes[0], y=axes[1], lines=tuple(papers), caption=caption),
        Plot(title="One kind of operation missed", x=axes[0], y=axes[1], lines=missed),
        Plot(title="One kind of operation misread", x=axes[0], y=axes[1], lines=misread),
    )


def _curve(scored: Sequence[Scored], noise: str, category: str, name: str) -> Line:
    groups = by_group((float(item.facets["epsilon"]), (item, outcome)) for item, outcome in scored
                      if item.facets["noise"] == noise and outcome.value is not None)  # fmt: skip
    points = [(float(str(epsilon)), _pooled(cells, category=category) or 0.0) for epsilon, cells in groups.items()]
    return Line(name=name, points=tuple(sorted(points)))
