"""Grounded and preferred against clingo, on generated frameworks, as ratios of one run.

    PYTHONPATH=src python benchmarks/argumentation.py [--quick] [--json] [--budget N]

A ratio above 1 says how many times longer clingo takes. Both start from the same tuple of attacks: ours includes
building the framework, clingo's includes writing and grounding the program. Every set is checked admissible afterwards.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, cast

import clingo
import networkx as nx

from upheld.logic.argumentation.framework import Framework, framework_of
from upheld.logic.argumentation.grounded import grounded
from upheld.logic.argumentation.postulates import is_admissible
from upheld.logic.argumentation.preferred import DEFAULT_CONFLICTS, preferred
from upheld.logic.language.standing import Label

GROUNDED = "in(X) :- arg(X); out(Y) : att(Y,X). out(X) :- att(Y,X), in(Y). #show in/1."
PREFERRED = """
{in(X)} :- arg(X). out(X) :- att(Y,X), in(Y).
:- in(X), out(X). :- in(X), att(Y,X), not out(Y).
#heuristic in(X) : arg(X). [1,true]
#show in/1.
"""
PATIENCE = 30.0
"""Seconds after which clingo is stopped."""

Attacks = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One instance; times in milliseconds (medians), ``ratio`` = clingo / ours, sizes of the sets found."""

    task: str
    instance: str
    arguments: int
    attacks: int
    ours_ms: float
    clingo_ms: float | None
    ratio: float | None
    ours_size: int
    clingo_size: int | None
    proved_maximal: bool


def random_dag(size: int, degree: int, seed: int) -> Attacks:
    """Give ``degree`` attacks an argument, each from newer to older."""
    draw = random.Random(seed)
    found = {(source, draw.randrange(source)) for source in range(1, size) for _ in range(degree)}
    return tuple(sorted(found))


def random_er(size: int, probability: float, seed: int) -> Attacks:
    """Give a directed Erdős-Rényi graph."""
    graph = cast("Any", nx).fast_gnp_random_graph(size, probability, seed=seed, directed=True)
    return tuple(sorted(graph.edges()))


def random_ws(size: int, neighbours: int, rewired: float, seed: int) -> Attacks:
    """Give a Watts-Strogatz ring with directions drawn."""
    return directed(cast("Any", nx).watts_strogatz_graph(size, neighbours, rewired, seed=seed).edges(), seed)


def random_ba(size: int, each: int, seed: int) -> Attacks:
    """Give a Barabási-Albert graph with directions drawn."""
    return directed(cast("Any", nx).barabasi_albert_graph(size, each, seed=seed).edges(), seed)


def directed(edges: Iterable[tuple[int, int]], seed: int) -> Attacks:
    """Draw a direction for each edge, and both for one in five, so that circles of attack are common."""
    draw = random.Random(seed)
    found: set[tuple[int, int]] = set()
    for one, other in edges:
        pair = (one, other) if draw.random() < 0.5 else (other, one)
        found.add(pair)
        if draw.random() < 0.2:
            found.add((pair[1], pair[0]))
    return tuple(sorted(found))


def ask_clingo(program: str, size: int, attacks: Attacks) -> int | None:
    """Give the size of the first answer set, or ``None`` when patience ends."""
    control = clingo.Control(["--heuristic=Domain", "--enum-mode=domRec", "1"])
    facts = "".join(f"arg({name})." for name in range(size)) + "".join(f"att({a},{b})." for a, b in attacks)
    control.add("base", [], program + facts)
    control.ground([("base", [])])
    sizes: list[int] = []
    with control.solve(on_model=lambda found: sizes.append(len(found.symbols(shown=True))), async_=True) as running:
        if not running.wait(PATIENCE):
            running.cancel()
    return sizes[0] if sizes else None


def timed(act: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Give the median time in milliseconds and the last result; a slow first run is not repeated."""
    times: list[float] = []
    result: Any = None
    for _ in range(repeats):
        start = time.perf_counter()
        result = act()
        times.append((time.perf_counter() - start) * 1000)
        if times[0] > 2000:
            break
    return statistics.median(times), result


def grounded_row(name: str, size: int, attacks: Attacks, repeats: int) -> Row:
    """Compare on the grounded extension."""
    ours_ms, labels = timed(lambda: grounded(framework_of(range(size), attacks)), repeats)
    theirs_ms, theirs = timed(lambda: ask_clingo(GROUNDED, size, attacks), repeats)
    found = sum(label is Label.IN for label in labels.values())
    return row_of("grounded", name, size, attacks, (ours_ms, theirs_ms), (found, theirs), is_proved=True)


def preferred_row(name: str, size: int, attacks: Attacks, repeats: int, budget: int) -> Row:
    """Compare on one preferred extension, ours within ``budget`` conflicts."""
    ours_ms, ours = timed(lambda: preferred(framework_of(range(size), attacks), conflict_budget=budget), repeats)
    theirs_ms, theirs = timed(lambda: ask_clingo(PREFERRED, size, attacks), repeats)
    framework: Framework[int] = framework_of(range(size), attacks)
    if not is_admissible(ours.extension, framework):
        raise SystemExit(f"{name}: the set found is not admissible")
    sizes = (len(ours.extension), theirs)
    return row_of("preferred", name, size, attacks, (ours_ms, theirs_ms), sizes, is_proved=ours.proved_maximal)


def row_of(
    task: str,
    name: str,
    size: int,
    attacks: Attacks,
    times: tuple[float, float],
    sizes: tuple[int, int | None],
    *,
    is_proved: bool,
) -> Row:
    """Put one comparison into a row; a peer that was stopped has no time."""
    stopped = sizes[1] is None
    return Row(
        task=task,
        instance=name,
        arguments=size,
        attacks=len(attacks),
        ours_ms=round(times[0], 2),
        clingo_ms=None if stopped else round(times[1], 2),
        ratio=None if stopped else round(times[1] / times[0], 2),
        ours_size=sizes[0],
        clingo_size=sizes[1],
        proved_maximal=is_proved,
    )


def rows(*, is_quick: bool, budget: int) -> Iterable[Row]:
    """Run every comparison."""
    repeats = 1 if is_quick else 3
    for size in (10_000,) if is_quick else (10_000, 100_000):
        yield grounded_row(f"DAG{size}", size, random_dag(size, 2, 1), repeats)
        chain = tuple((name + 1, name) for name in range(size - 1))
        yield grounded_row(f"chain{size}", size, chain, repeats)
    instances = [
        ("ER100 p=.03", 100, random_er(100, 0.03, 1)),
        ("ER500 p=.006", 500, random_er(500, 0.006, 1)),
        ("WS500", 500, random_ws(500, 6, 0.3, 1)),
        ("WS2000", 2_000, random_ws(2_000, 6, 0.3, 1)),
        ("BA1000", 1_000, random_ba(1_000, 2, 1)),
    ]
    if not is_quick:
        instances += [
            ("WS10000", 10_000, random_ws(10_000, 6, 0.3, 1)),
            ("BA10000", 10_000, random_ba(10_000, 2, 1)),
            ("ER1000 p=.005", 1_000, random_er(1_000, 0.005, 1)),
        ]
    for name, size, attacks in instances:
        yield preferred_row(name, size, attacks, repeats, budget)


def main() -> None:
    """Print the table, or the rows as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small instances, one run each")
    parser.add_argument("--json", action="store_true", help="print JSON rows instead of a table")
    parser.add_argument("--budget", type=int, default=DEFAULT_CONFLICTS, help="conflicts for each preferred extension")
    options = parser.parse_args()
    found = rows(is_quick=options.quick, budget=options.budget)
    if options.json:
        print(json.dumps([asdict(row) for row in found], indent=1))
        return
    print(
        f"{'task':10}{'instance':16}{'args':>8}{'attacks':>9}{'ours ms':>11}{'clingo ms':>11}{'ratio':>8}  size of set"
    )
    for row in found:
        peer = "stopped" if row.clingo_ms is None else f"{row.clingo_ms:.1f}"
        ratio = "" if row.ratio is None else f"{row.ratio:.1f}"
        proof = "proved" if row.proved_maximal else "budget spent"
        print(
            f"{row.task:10}{row.instance:16}{row.arguments:8}{row.attacks:9}{row.ours_ms:11.1f}{peer:>11}{ratio:>8}"
            f"  {row.ours_size} ({proof}), clingo {row.clingo_size}"
        )


if __name__ == "__main__":
    main()
