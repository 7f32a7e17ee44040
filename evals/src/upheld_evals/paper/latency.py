"""Figure 2: retraction by the dependency map against walking the history, from the benchmark program of a checkout.

The program stands beside the package in a checkout and is no part of an installation; it compares every answer with
the baseline's before its time counts.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from upheld.errors import UpheldError
from upheld.speech.models.language_model import LanguageModel
from upheld_evals.harness.sources import digest_of, source_digest
from upheld_evals.harness.suite import (
    Answer,
    Found,
    Item,
    Line,
    Measure,
    Plot,
    Printed,
    Responder,
    Scored,
    Suite,
)

SIZES = (13, 100, 200, 500, 1_000, 2_000)
REGIMES = ("bounded", "naive")
WAYS = {"replay": "walking the history", "transitive": "upheld, transitive", "direct": "upheld, direct (the paper's)"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedArm:
    """One way to answer; the benchmark measures all ways at once, so that the machine is the same for each."""

    way: str
    folder: Path
    asks_llm: bool = False

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return WAYS[self.way]

    @property
    def identity(self) -> str:
        """The way, the source and the benchmark's own."""
        return f"{self.way} {source_digest()} {digest_of([self.folder / 'figure2.py'])}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Load the program."""

        def answered(item: Item) -> Answer:
            k, regime = int(item.facets["k"]), item.facets["regime"]
            row = _measured(str(self.folder), k, regime)
            return Answer(value={"us": getattr(row, f"{self.way}_us"), "replay_us": row.replay_us})

        return answered


@cache
def _measured(folder: str, k: int, regime: str) -> Any:
    return _program(folder).latency(k, is_bounded=regime == "bounded", has_answer=False)


@cache
def _program(folder: str) -> Any:
    sys.path.insert(0, folder)
    try:
        return import_module("figure2")
    except ModuleNotFoundError as missing:
        raise UpheldError(f"Figure 2 needs {missing.name}: pip install 'upheld-evals[figures]'") from missing
    finally:
        sys.path.remove(folder)


def figure2_suite(folder: Path, *, sizes: Sequence[int] = SIZES) -> Suite:
    """Give Figure 2 from the ``benchmarks`` folder of a checkout.

    Raises:
        UpheldError: the folder has no such program.
    """
    program = folder / "figure2.py"
    if not program.exists():
        raise UpheldError(f"Figure 2 is measured by benchmarks/figure2.py of a checkout, and {folder} has none")
    items = tuple(
        Item(id=f"{regime}/{k}", conversation=regime, facets={"k": str(k), "regime": regime})
        for regime in REGIMES
        for k in sizes
    )
    arms = tuple(TimedArm(way=way, folder=folder) for way in WAYS)
    return Suite(
        name="paper figure2",
        version="1",
        purpose="Median latency of a retraction query against the length of the history (Figure 2).",
        data=f"generated histories of {sizes[0]} to {sizes[-1]} events, 5 seeds x 200 queries each",
        digest=digest_of([program]),
        items=items,
        arms=arms,
        baseline=WAYS["replay"],
        score=lambda _, __: 1.0,
        measures=latency_measures,
        plots=latency_plots,
        is_paired=False,
        printed=(
            Printed(source="the paper, Figure 2", name="history replay to verifier, bounded, K=2000", value="84x"),
            Printed(source="the paper, Figure 2", name="history replay to verifier, naive", value="3-10x"),
        ),
        notes=(
            "Ratios are of one run on one machine; microseconds say more about the machine.",
            "n counts queries: 5 seeds x 200. Every answer was compared with the baseline's.",
        ),
    )


def latency_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give medians in microseconds, and how many times the baseline's they are."""
    measures: list[Measure] = []
    for item, outcome in scored:
        if outcome.value is None:
            continue
        group = f"{item.facets['regime']}, K={item.facets['k']}"
        measures.append(Measure(name="median, µs", value=outcome.value["us"], n=1_000, group=group))
        ratio = outcome.value["replay_us"] / outcome.value["us"]
        measures.append(Measure(name="history replay takes times", value=ratio, n=1_000, group=group))
    return measures


def latency_plots(found: Found) -> Sequence[Plot]:
    """Draw latency against the length of the history, both axes logarithmic, as the paper does."""
    lines = tuple(
        Line(name=f"{name}, {regime}", points=points, is_dashed=name == WAYS["replay"])
        for name, scored in found.items()
        for regime in REGIMES
        if (points := _points(scored, regime))
    )
    plot = Plot(
        title="Retraction against the length of the history",
        x="events in the history, K",
        y="median latency, µs",
        lines=lines,
        caption="n = 5 seeds x 200 queries a point.",
        is_log_x=True,
        is_log_y=True,
    )
    return (plot,) if lines else ()


def _points(scored: Sequence[Scored], regime: str) -> tuple[tuple[float, float], ...]:
    return tuple(
        (float(item.facets["k"]), outcome.value["us"])
        for item, outcome in scored
        if item.facets["regime"] == regime and outcome.value is not None
    )
