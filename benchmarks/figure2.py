"""The paper's Figure 2: what a retraction reaches, by the dependency map and by walking the history.

    python benchmarks/figure2.py [--quick] [--json] [--plot build/bench/figure2.svg]

The protocol is the paper's (section 4, Figure 2; the generator's parameters as its authors released them): in a history
of K events, 0.5 K are observations and 0.3 K are hypotheses, each resting on one, two or three observations (40, 50 and
10 per cent), 15 per cent of them also on an earlier hypothesis; *bounded* keeps the newest 50 arguments, *naive* all.
Five seeds, 200 queries each, first all by one way and then by the next. The baseline
walks all K events, builds the map anew and follows it: what a system without a maintained map must do. Every answer is
compared with the baseline's before its time counts.

Most random queries have a small answer, so a second table asks only about propositions that something rests on, and a
third grows the map to 10^6 arguments with local dependencies (each leans on the hundred before it).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from measuring import arguments, as_json, readable, spread, table, timed

from upheld.logic.dependency.affected import direct, losses
from upheld.logic.dependency.justifications import DependencyMap, with_justifications
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal

SIZES = (13, 100, 200, 500, 1_000, 2_000)
BOUND = 50
SEEDS, QUERIES = 5, 200

Event = tuple[PropositionId, tuple[PropositionId, ...]]
"""An id and what it rests on; nothing for an observation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Medians in microseconds over seeds and queries; ``replay_to_direct`` is the ratio that the paper plots."""

    k: int
    regime: str
    queries: str
    arguments: int
    direct_us: float
    transitive_us: float
    replay_us: float
    replay_to_direct: float
    replay_to_transitive: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """One query in a large map: median and 95th percentile in microseconds, and the size of the answers."""

    arguments: int
    transitive_us: float
    p95_us: float
    median_answer: float
    largest_answer: int


def history(k: int, draw: random.Random) -> list[Event]:
    """Give K events of the paper's generator; those that are neither observation nor hypothesis rest on nothing."""
    kinds = ["o"] * round(0.5 * k) + ["h"] * round(0.3 * k)
    kinds += ["x"] * (k - len(kinds))
    draw.shuffle(kinds)
    events: list[Event] = []
    seen: dict[str, list[PropositionId]] = {"o": [], "h": [], "x": []}
    for number, kind in enumerate(kinds):
        id = PropositionId(f"{kind}{number}")
        grounds: list[PropositionId] = []
        if kind == "h" and seen["o"]:
            count = draw.choices((1, 2, 3), (0.4, 0.5, 0.1))[0]
            grounds = draw.sample(seen["o"], min(count, len(seen["o"])))
            if seen["h"] and draw.random() < 0.15:
                grounds.append(draw.choice(seen["h"]))
        events.append((id, tuple(grounds)))
        seen[kind].append(id)
    return events


def kept(events: list[Event], *, is_bounded: bool) -> list[Event]:
    """Give the events whose arguments are live: all, or only the newest fifty that rest on something."""
    resting = [event for event in events if event[1]]
    live = {id for id, _ in (resting[-BOUND:] if is_bounded else resting)}
    return [event for event in events if not event[1] or event[0] in live]


def mapped(events: Iterable[Event]) -> DependencyMap:
    """Give the maintained map of the events."""
    found = DependencyMap()
    for id, grounds in events:
        if grounds:
            found = with_justifications(found, id, (tuple(map(Literal, grounds)),))
    return found


def replayed(events: list[Event], live: set[PropositionId], gone: PropositionId) -> set[PropositionId]:
    """Walk the history, build the map anew and follow it: the baseline."""
    dependents: dict[PropositionId, list[PropositionId]] = {}
    for id, grounds in events:
        if id in live:
            for ground in grounds:
                dependents.setdefault(ground, []).append(id)
    reached: set[PropositionId] = set()
    pending = [gone]
    while pending:
        for id in dependents.get(pending.pop(), ()):
            if id not in reached:
                reached.add(id)
                pending.append(id)
    return reached


def stands(_: Literal) -> bool:
    """Everything stands before the retraction."""
    return True


def latency(k: int, *, is_bounded: bool, has_answer: bool) -> Latency:
    """Measure one size and regime."""
    direct_us: list[float] = []
    transitive_us: list[float] = []
    replay_us: list[float] = []
    sizes: list[int] = []
    for seed in range(SEEDS):
        draw = random.Random(seed)
        events = history(k, draw)
        live_events = kept(events, is_bounded=is_bounded)
        live = {id for id, grounds in live_events if grounds}
        dependencies = mapped(live_events)
        sizes.append(len(live))
        candidates = [id for id, _ in events]
        if has_answer:
            candidates = [id for id in candidates if len(dependencies.dependents_of(Literal(id)))]
        asked = draw.choices(candidates, k=QUERIES)
        # One way after the other, each with its own data at hand: a system uses one of them.
        one = [timed(partial(direct, dependencies, gone)) for gone in asked]
        two = [timed(partial(losses, dependencies, (gone,), stands)) for gone in asked]
        three = [timed(partial(replayed, events, live, gone)) for gone in asked]
        for gone, (answer, _), (found, _), (expected, _) in zip(asked, one, two, three, strict=True):
            if {each.id for each in found} != expected or not answer <= expected:
                raise SystemExit(f"the answers for {gone} differ: no figures")
        for times, runs in ((direct_us, one), (transitive_us, two), (replay_us, three)):
            times.extend(spent for _, spent in runs)
    one, other, slow = (spread(times).median for times in (direct_us, transitive_us, replay_us))
    return Latency(
        k=k,
        regime="bounded" if is_bounded else "naive",
        queries="with dependants" if has_answer else "any",
        arguments=max(sizes),
        direct_us=one,
        transitive_us=other,
        replay_us=slow,
        replay_to_direct=slow / one,
        replay_to_transitive=slow / other,
    )


def local(count: int) -> Local:
    """Measure queries in a map of ``count`` arguments, each resting on one to three of the hundred before it."""
    draw = random.Random(count)
    names = [PropositionId(f"a{number}") for number in range(count)]
    events: list[Event] = []
    for number, id in enumerate(names):
        # Four in ten rest on nothing, so that answers stay local as in a conversation that changes its subject.
        few = 0 if draw.random() < 0.4 else draw.choices((1, 2), (0.7, 0.3))[0]
        near = range(max(0, number - 100), number)
        events.append((id, tuple(names[each] for each in draw.sample(near, min(few, len(near))))))
    dependencies = mapped(events)
    times: list[float] = []
    answers: list[int] = []
    for gone in draw.choices(names, k=2_000):
        found, spent = timed(partial(losses, dependencies, (gone,), stands))
        times.append(spent)
        answers.append(len(found))
    taken, size = spread(times), spread(answers)
    return Local(
        arguments=count,
        transitive_us=taken.median,
        p95_us=taken.p95,
        median_answer=size.median,
        largest_answer=max(answers),
    )


def plotted(rows: list[Latency], path: str) -> None:
    """Draw latency against the length of the history, as the paper does."""
    mpl.rcParams["svg.hashsalt"] = "upheld"
    pyplot: Any = plt
    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    for regime, colour in (("bounded", "tab:blue"), ("naive", "tab:orange")):
        chosen = [row for row in rows if row.regime == regime and row.queries == "any"]
        sizes = [row.k for row in chosen]
        axes.plot(sizes, [row.replay_us for row in chosen], "--", color=colour, label=f"history replay, {regime}")
        axes.plot(sizes, [row.transitive_us for row in chosen], "o-", color=colour, label=f"transitive, {regime}")
        axes.plot(sizes, [row.direct_us for row in chosen], ".:", color=colour, label=f"direct (the paper's), {regime}")
    axes.set(xscale="log", yscale="log", xlabel="events in the history, K", ylabel="median latency of a retraction, µs")
    axes.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure, check, and print."""
    options = arguments(__doc__)
    sizes = SIZES[:4] if options.quick else SIZES
    rows = [
        latency(k, is_bounded=is_bounded, has_answer=has_answer)
        for has_answer in (False, True)
        for is_bounded in (True, False)
        for k in sizes
    ]
    grown = [local(count) for count in ((1_000, 10_000) if options.quick else (1_000, 10_000, 100_000, 1_000_000))]
    if options.plot:
        options.plot.parent.mkdir(parents=True, exist_ok=True)
        plotted(rows, str(options.plot))
    if options.json:
        print(as_json({"latency": rows, "local": grown}))
        return
    for asked in ("any", "with dependants"):
        heads = ("K", "regime", "arguments", "direct", "transitive", "replay", "replay : direct", "replay : transitive")
        lines = [
            (
                f"{row.k:,}",
                row.regime,
                row.arguments,
                readable(row.direct_us),
                readable(row.transitive_us),
                readable(row.replay_us),
                f"{row.replay_to_direct:,.0f}",
                f"{row.replay_to_transitive:,.0f}",
            )
            for row in rows
            if row.queries == asked
        ]
        table(f"Retractions of propositions ({asked}), median of {SEEDS} x {QUERIES} queries", heads, lines)
    heads = ("arguments", "median", "p95", "median answer", "largest answer")
    lines = [
        (f"{row.arguments:,}", readable(row.transitive_us), readable(row.p95_us), row.median_answer, row.largest_answer)
        for row in grown
    ]
    table("Local queries in a large map, transitive", heads, lines)


if __name__ == "__main__":
    main()
