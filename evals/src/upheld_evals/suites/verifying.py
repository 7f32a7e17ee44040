"""The suites ``verify`` and ``long``: is a candidate continuation grounded, and does the answer hold as talk grows?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from upheld.conversation.checking.readers import has_local
from upheld_evals.harness.corpus import Corpus
from upheld_evals.harness.suite import Arm, Found, Item, Line, Plot, Scored, Suite
from upheld_evals.harness.telling import is_asking
from upheld_evals.suites.candidates import (
    ALWAYS_ABSTAINS,
    EngineArm,
    OverlapArm,
    candidate_items,
    is_right,
    majority,
)
from upheld_evals.suites.lengths import tokens_plot
from upheld_evals.suites.prompted import DirectArm, RetrievedArm
from upheld_evals.suites.tables import against_length, coverage_line, verdict_measures

RIVALS = (DirectArm().name, RetrievedArm(k=5).name, RetrievedArm(k=20).name)
"""Arms that every other is compared with, item by item: the paper's baselines."""

LOCAL = ("local",) if has_local() else ()
"""The trained matcher, where its extra is installed."""

TUNED = (
    "the word lists of the matcher and of the local interpreter were written while looking at files of dev/; the rule "
    "of local matching was fitted on them, so that its figures on dev/ flatter it (its card leaves each out in turn)"
)


def verify_suite(corpus: Corpus, *, interpreters: Sequence[str] = ("cues",), name: str = "verify") -> Suite:
    """Give the suite of candidate continuations.

    Four ways through the engine: gold or read operations, gold or matched claims.
    """
    items = candidate_items(corpus)
    matched = [EngineArm(matching=name) for name in ("text", *LOCAL, "llm", "mixed")]
    engine: list[Arm] = [EngineArm(), *matched, *(EngineArm(matching=each, is_leaning=True) for each in LOCAL)]
    for each in interpreters:
        engine += [EngineArm(interpreter=each)]
        engine += [EngineArm(interpreter=each, matching=name) for name in ("text", *LOCAL)]
        engine += [EngineArm(interpreter=each, matching=name, is_leaning=True) for name in LOCAL]
        engine += [EngineArm(interpreter=each, matching="llm")] if is_asking(each) else []
    baseline = OverlapArm()
    return Suite(
        name=name,
        version="1",
        purpose="Whether a candidate continuation is grounded at its turn.",
        data=corpus.counts,
        digest=corpus.digest,
        items=items,
        arms=(
            *engine,
            ALWAYS_ABSTAINS,
            majority(items),
            baseline,
            DirectArm(),
            RetrievedArm(k=5),
            RetrievedArm(k=20),
        ),
        baseline=baseline.name,
        score=is_right,
        measures=verdict_measures,
        plots=_coverage_plots,
        rivals=RIVALS,
        tuned_on=TUNED,
        notes=(
            "With gold claims an item is what its label says it rests on; that arm measures the engine, not words.",
            "Abstaining is never right: it lowers accuracy and coverage, not the accuracy where answered.",
            "Where it leans, nothing is said to a user: the likelier verdict stands for the ranking by likelihood.",
            "Items marked `beyond` claim more than their labels can decide: an arm with gold claims abstains on them.",
        ),
    )


def long_suite(corpus: Corpus, *, interpreters: Sequence[str] = ("cues",)) -> Suite:
    """Give the same items in conversations of different lengths: accuracy, tokens and time against length."""
    items = candidate_items(corpus)
    engine: list[Arm] = [EngineArm(), EngineArm(matching="text"), *(EngineArm(matching=each) for each in LOCAL)]
    engine += [EngineArm(matching="llm")]
    engine += [EngineArm(interpreter=each, matching="llm" if is_asking(each) else "text") for each in interpreters]
    baseline = OverlapArm()
    arms: tuple[Arm, ...] = (
        *engine,
        majority(items),
        baseline,
        DirectArm(),
        RetrievedArm(k=5),
        RetrievedArm(k=20),
    )
    return Suite(
        name="long",
        version="1",
        purpose="The same candidates in short conversations and in long interleaved ones.",
        data=corpus.counts,
        digest=corpus.digest,
        items=items,
        arms=arms,
        baseline=baseline.name,
        score=is_right,
        measures=verdict_measures,
        plots=partial(_length_plots, arms=arms),
        rivals=RIVALS,
        tuned_on=TUNED,
        notes=("Time an item includes reading the conversation, spread over its items.",),
    )


def _coverage_plots(found: Found) -> Sequence[Plot]:
    lines = [line for name, scored in found.items() if (line := coverage_line(name, scored)) is not None]
    n = max((len(scored) for scored in found.values()), default=0)
    plot = Plot(
        title="Accuracy against coverage, surest answers first",
        x="share of items answered",
        y="accuracy among them",
        lines=tuple(lines),
        caption=f"n = {n} items; arms that do not say how sure they are are left out",
    )
    return (plot,) if lines else ()


def _length_plots(found: Found, *, arms: Sequence[Arm]) -> Sequence[Plot]:
    n = max((len(scored) for scored in found.values()), default=0)
    plots: list[Plot] = []
    for title, unit, is_log in (
        ("Accuracy against length", "accuracy", False),
        ("Time against length", "milliseconds an item", True),
        ("Tokens against length", "tokens an item", True),
    ):
        lines = tuple(line for line in (_line(name, each, unit) for name, each in found.items()) if line.points)
        if lines:
            x = "turns in the conversation"
            plots.append(Plot(title=title, x=x, y=unit, lines=lines, caption=f"n = {n} items", is_log_y=is_log))
    items = max(([item for item, _ in scored] for scored in found.values()), key=len, default=list[Item]())
    estimated = tokens_plot(arms, items)
    return [*plots, estimated] if estimated is not None else plots


def _line(name: str, scored: Sequence[Scored], unit: str) -> Line:
    points = against_length(scored, _VALUES[unit])
    return Line(name=name, points=tuple((x, y) for x, y in points if y > 0 or unit == "accuracy"))


def _milliseconds(each: Scored) -> float:
    return (each[1].seconds + each[1].preparing) * 1e3


_VALUES: Mapping[str, Callable[[Scored], float]] = {
    "accuracy": lambda each: each[1].score,
    "milliseconds an item": _milliseconds,
    "tokens an item": lambda each: float(each[1].usage.tokens),
}
