"""What a turn costs as a conversation grows, and what a retraction costs by what it reaches.

    python benchmarks/engine.py [--quick] [--json] [--plot build/bench/engine.png]

Three questions, each answered by ratios within one run:

1. A turn through the engine (three operations: an observation, a hypothesis on it, and now and then an attack, a
   revision or a support) at turn 100 and at turn 100,000. The ratio of the medians should be near 1. Beside it the
   slow and obvious: labelling the whole conversation from scratch, which grows with its length. Where growth comes
   from is told by two more columns: *calm* is the median of the next hundred turns with the garbage collector off,
   *warm* the best of one and the same turn again and again, so that all it touches is in the processor's cache. What
   grows from row to row in *warm* is the depth of the persistent maps; in *calm* and not in *warm*, cache misses; in
   the first column alone, the collector.
2. One operation of each kind as a turn of its own, after 3,000 turns: the best of many, and the median. On a machine
   that does other things the best says more.
3. A change where it reaches 20, 200, 2,000 and 20,000 claims: ``affected`` (nothing is changed), taking the root back,
   and saying it again. Time per claim reached should be near constant.

The conversation is synthetic and topical (each turn leans on the five before it). It says nothing about conversations
in which one claim is attacked thousands of times, or about the cost of reading words.

Measured on two cores that others used as well, so ratios only: *warm* grows 1.1 times from turn 100 to 10,000 and 1.4
times to 100,000; the median 1.7 times to 10,000, with the collector and without. So little of the growth is the depth
of the maps and most of it memory that is not in the cache. The collector hardly shows in medians; of the mean at turn
10,000 it is a third. A conversation of 100,000 turns is millions of small objects that all live, and a full collection
looks at each. The library leaves the collector alone. A program that has replayed a long conversation may call
``gc.collect(); gc.freeze()`` once, which takes those objects out of later collections.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from measuring import timed

from upheld.logic.argumentation.network import labels_from_scratch
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Hypothesize, Observe, Operation, Revise, Support, Undermine, name_of
from upheld.logic.language.standing import Label
from upheld.logic.language.turns import Retract, Turn
from upheld.logic.language.verdicts import Candidate
from upheld.logic.reasoning.answers.changes import affected
from upheld.logic.reasoning.answers.verify import verify
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.logic.reasoning.transition.step import opened, step

WINDOW = 100
"""Turns over which a median is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Cost around one turn, in microseconds: of a turn, of one verify, and of one whole labelling.

    Of a turn: median, mean and 95th percentile; the median without the collector; the best of one turn repeated.
    """

    turn: int
    step_us: float
    step_mean_us: float
    step_p95_us: float
    calm_us: float
    warm_us: float
    verify_us: float
    from_scratch_us: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Single:
    """Cost of a turn of one operation, in microseconds."""

    operation: str
    best_us: float
    median_us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Cost of a change by what it reaches: microseconds a claim for asking, taking back, and saying again."""

    nodes: int
    affected_us: float
    retract_us: float
    restate_us: float


def said(number: int, draw: random.Random) -> Turn:
    """Give one turn of the synthetic conversation."""
    observation, hypothesis = PropositionId(f"o{number}"), PropositionId(f"h{number}")
    seen = Literal(observation)
    operations: list[Operation] = [Observe(id=observation, text=f"Observation {number}.")]
    if number > 5:
        earlier = Literal(PropositionId(f"o{number - draw.randint(1, 5)}"))
        claim = Hypothesize(
            id=hypothesis, text=f"Hypothesis {number}.", depends_on=(seen, earlier), explains=(observation,)
        )
        operations.append(claim)
    kind = draw.random()
    if number > 8 and kind < 0.2:
        rival = PropositionId(f"h{number - 1}")
        operations.append(Undermine(target=rival, evidence=(seen,), specific=True))
    elif number > 8 and kind < 0.3:
        operations.append(Revise(target=PropositionId(f"h{number - 2}"), because=(seen,)))
    elif number > 8 and kind < 0.4:
        operations.append(Support(target=hypothesis, evidence=(Literal(PropositionId(f"o{number - 1}")),)))
    return Turn(id=TurnId(f"T{number}"), speaker=AgentId("ab"[number % 2]), operations=tuple(operations))


def growing(marks: list[int]) -> list[Turns]:
    """Tell a conversation to its last mark and measure around each."""
    draw = random.Random(7)
    state = opened([Agent(id=AgentId("a")), Agent(id=AgentId("b"))])
    recent: list[float] = []
    rows: list[Turns] = []
    for number in range(1, max(marks) + 1):
        turn = said(number, draw)
        start = time.perf_counter()
        state = step(state, turn, is_lenient=True).state
        recent.append((time.perf_counter() - start) * 1e6)
        if number in marks:
            rows.append(measured(number, state, sorted(recent[-WINDOW:])))
    return rows


@contextmanager
def without_collector() -> Generator[None]:
    """Keep the garbage collector out, and what there is so far out of its sight."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def undisturbed(number: int, state: State) -> tuple[float, float]:
    """Give the median of the next turns without the collector, and the best of the first of them again and again."""
    turns = [said(number + ahead, random.Random(ahead)) for ahead in range(1, WINDOW + 1)]
    first, later = state, state
    spent: list[float] = []
    with without_collector():
        for turn in turns:
            start = time.perf_counter()
            later = step(later, turn, is_lenient=True).state
            spent.append((time.perf_counter() - start) * 1e6)
        again = [timed(partial(step, first, turns[0], is_lenient=True))[1] for _ in range(5 * WINDOW)]
    return statistics.median(spent), min(again)


def measured(number: int, state: State, recent: list[float]) -> Turns:
    """Measure one moment of the conversation."""
    calm_us, warm_us = undisturbed(number, state)
    candidates = [Candidate(literal=Literal(PropositionId(f"o{number - back}"))) for back in range(min(50, number - 1))]
    start = time.perf_counter()
    for candidate in candidates:
        verify(state, [candidate])
    verify_us = (time.perf_counter() - start) * 1e6 / len(candidates)
    from_scratch = None
    if number <= 10_000:
        rules = dict(state.network.rules.items())
        start = time.perf_counter()
        labels = labels_from_scratch(rules)
        from_scratch = (time.perf_counter() - start) * 1e6
        if any(state.network.label(key) is not label for key, label in labels.items()):
            raise SystemExit("the incremental labelling differs from the one from scratch: no figures")
    return Turns(
        turn=number,
        step_us=statistics.median(recent),
        step_mean_us=statistics.mean(recent),
        step_p95_us=recent[int(len(recent) * 0.95) - 1],
        calm_us=calm_us,
        warm_us=warm_us,
        verify_us=verify_us,
        from_scratch_us=from_scratch,
    )


def singles(turns: int = 3_000, times: int = 500) -> list[Single]:
    """Measure each kind of operation as a turn of its own, on the same state each time."""
    draw = random.Random(7)
    state = opened([Agent(id=AgentId("a")), Agent(id=AgentId("b"))])
    for number in range(1, turns + 1):
        state = step(state, said(number, draw), is_lenient=True).state
    seen = Literal(PropositionId(f"o{turns}"))
    operations: tuple[Operation, ...] = (
        Observe(id=PropositionId("o"), text="Observation."),
        Hypothesize(id=PropositionId("h"), text="Hypothesis.", depends_on=(seen,), explains=(seen.proposition,)),
        Undermine(target=PropositionId(f"h{turns - 1}"), evidence=(seen,), specific=True),
        Revise(target=PropositionId(f"h{turns - 2}"), because=(seen,)),
        Support(target=PropositionId(f"h{turns}"), evidence=(Literal(PropositionId(f"o{turns - 4}")),)),
    )
    rows: list[Single] = []
    for operation in operations:
        turn = Turn(id=TurnId("single"), speaker=AgentId("a"), operations=(operation,))
        spent: list[float] = []
        for _ in range(times):
            start = time.perf_counter()
            step(state, turn, is_lenient=True)
            spent.append((time.perf_counter() - start) * 1e6)
        rows.append(Single(operation=name_of(operation), best_us=min(spent), median_us=statistics.median(spent)))
    return rows


def reaching(sizes: list[int]) -> list[Reach]:
    """Measure trees whose root carries ``size`` claims, three to a claim."""
    rows: list[Reach] = []
    for size in sizes:
        operations: list[Operation] = [Observe(id=PropositionId("root"), text="The root.")]
        for number in range(size):
            premise = PropositionId("root" if number < 3 else f"n{number // 3 - 1}")
            claim = Observe(id=PropositionId(f"n{number}"), text=f"Claim {number}.", depends_on=(Literal(premise),))
            operations.append(claim)
        turn = Turn(id=TurnId("T1"), speaker=AgentId("a"), operations=tuple(operations))
        state = step(opened([Agent(id=AgentId("a"))]), turn, is_lenient=True).state
        again = replace(turn, id=TurnId("T2"), operations=turn.operations[:1])
        times: list[tuple[float, float, float]] = []
        for _ in range(5):
            delta, asked = timed(partial(affected, state, Retract(target=PropositionId("root"))))
            without, retracted = timed(partial(taken_back, state, Retract(target=PropositionId("root"))))
            restated, said_again = timed(partial(step, without, again, is_lenient=True))
            times.append((asked, retracted, said_again))
            fallen = [item.id for item in delta.lost if without.label(item.id) is not Label.OUT]
            missing = [item.id for item in delta.lost if restated.state.label(item.id) is not Label.IN]
            if len(delta.lost) != size or fallen or missing:
                raise SystemExit(f"the answers about {size} claims disagree: no figures")
        asked, retracted, said_again = (statistics.median(column) / size for column in zip(*times, strict=True))
        rows.append(Reach(nodes=size, affected_us=asked, retract_us=retracted, restate_us=said_again))
    return rows


def plotted(turns: list[Turns], reach: list[Reach], path: Path) -> None:
    """Draw both questions side by side."""
    mpl.use("Agg")
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    marks = [row.turn for row in turns]
    left.loglog(marks, [row.step_us for row in turns], "o-", label="a turn (median)")
    left.loglog(marks, [row.step_p95_us for row in turns], "^:", label="a turn (95th percentile)")
    left.loglog(marks, [row.warm_us for row in turns], "v:", label="one turn, repeated (best)")
    left.loglog(marks, [row.verify_us for row in turns], "s-", label="verify one claim")
    slow = [(row.turn, row.from_scratch_us) for row in turns if row.from_scratch_us is not None]
    left.loglog([mark for mark, _ in slow], [cost for _, cost in slow], "x--", label="labelling from scratch")
    left.set(xlabel="turns so far", ylabel="microseconds", title="What a turn costs as the conversation grows")
    sizes = [row.nodes for row in reach]
    right.loglog(sizes, [row.affected_us * row.nodes / 1e3 for row in reach], "o-", label="affected")
    right.loglog(sizes, [row.retract_us * row.nodes / 1e3 for row in reach], "s-", label="taken back")
    right.loglog(sizes, [row.restate_us * row.nodes / 1e3 for row in reach], "^:", label="said again")
    right.set(xlabel="claims reached", ylabel="milliseconds", title="What a retraction costs by what it reaches")
    for axes in (left, right):
        axes.grid(visible=True, which="major", alpha=0.3)
        axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(str(path), dpi=130)  # pyright: ignore[reportUnknownMemberType] - matplotlib leaves its keywords open


def main() -> None:
    """Run both questions and print them as a table or as JSON."""
    parser = argparse.ArgumentParser(description="What a turn and a retraction cost.")
    parser.add_argument("--quick", action="store_true", help="up to turn 10,000 only")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--plot", type=Path, default=Path("build/bench/engine.png"), help="where the picture goes")
    options = parser.parse_args()
    marks = [100, 1_000, 10_000] if options.quick else [100, 1_000, 10_000, 100_000]
    # First, since the collector has less to look through before the long conversation is there.
    reach = reaching([20, 200, 2_000, 20_000])
    alone = singles()
    turns = growing(marks)
    ratio = turns[-1].step_us / turns[0].step_us
    plotted(turns, reach, options.plot)
    if options.json:
        rows = {
            "turns": [asdict(row) for row in turns],
            "operations": [asdict(row) for row in alone],
            "reach": [asdict(row) for row in reach],
            "ratio": ratio,
        }
        print(json.dumps(rows))
        return
    print(
        f"{'turn':>8} {'turn, µs':>10} {'mean, µs':>10} {'p95, µs':>10} {'calm, µs':>10} {'warm, µs':>10}"
        f" {'verify, µs':>11} {'from scratch, µs':>17}"
    )
    for row in turns:
        slow = "not run" if row.from_scratch_us is None else f"{row.from_scratch_us:,.0f}"
        print(
            f"{row.turn:>8,} {row.step_us:>10,.0f} {row.step_mean_us:>10,.0f} {row.step_p95_us:>10,.0f}"
            f" {row.calm_us:>10,.0f} {row.warm_us:>10,.0f} {row.verify_us:>11,.1f} {slow:>17}"
        )
    print(f"turn {turns[-1].turn:,} : turn {turns[0].turn:,} = {ratio:.2f}")
    print(f"\n{'operation':>12} {'best, µs':>9} {'median, µs':>11}")
    for row in alone:
        print(f"{row.operation:>12} {row.best_us:>9,.0f} {row.median_us:>11,.0f}")
    print(f"\n{'reached':>8} {'affected':>10} {'taken back':>12} {'said again':>12}   µs a claim")
    for row in reach:
        print(f"{row.nodes:>8,} {row.affected_us:>10,.1f} {row.retract_us:>12,.1f} {row.restate_us:>12,.1f}")
    print(f"picture: {options.plot}")


if __name__ == "__main__":
    main()
