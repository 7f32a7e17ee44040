"""Grounded labels from scratch and edit by edit, beside networkx and clingo on the same frameworks.

    python benchmarks/labelling.py [--quick] [--json] [--plot build/bench/labelling.svg]

1. **From scratch**: random acyclic frameworks (two attacks an argument) and a chain. *Build* goes from a list of
   attacks to adjacency by way of a checked framework, *bare* without one; *label* goes on from there. networkx takes
   the same two steps (a graph, one pass in topological order), and clingo gets facts and a program of two rules. The
   ratios are to build and label together.
2. **One edit**: an argument removed, restored, or attacked by a newer one, in a network that keeps its labels up to
   date, beside labelling adjacency anew (building that is not counted). The rule that is set is made beforehand, and
   every network before an edit stays valid, which an array that is changed in place cannot offer.

A time counts only when the labels are equal: those of the edited network to those from scratch, removed arguments and
all, at every hundredth edit (not with a million arguments) and at the end.

What this cannot show: drawn frameworks are shallow, so that an edit travels a few steps; how far one travels in a
conversation is in ``engine.py``.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
from measuring import arguments, as_json, readable, repeated, spread, table, timed
from solvers import PROGRAMS, Attacks, ask_clingo, random_dag

from upheld.logic.argumentation.framework import Indexed, framework_of, index_of, indexed
from upheld.logic.argumentation.grounded import grounded_labels
from upheld.logic.argumentation.network import Network, edited
from upheld.logic.argumentation.rules import UNHELD, AnyRule, Challenge, Rule
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.language.standing import Label

EDITS, CHECK_EVERY, CHECKED_TO = 600, 100, 100_000
PATIENCE = 60.0
NEEDS_NOTHING = (frozenset[str](),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelling:
    """Medians in microseconds from scratch; ratios are to build and label together."""

    shape: str
    arguments: int
    build_us: float
    bare_us: float
    label_us: float
    networkx_us: float | None
    networkx_ratio: float | None
    clingo_us: float | None
    clingo_ratio: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """Microseconds for one edit: medians by kind and of all, and the labels that one changes."""

    arguments: int
    remove_us: float
    restore_us: float
    attack_us: float
    edit_us: float
    p95_us: float
    changed_p95: float
    changed_most: float
    scratch_us: float
    ratio: float


# --- labelling ---------------------------------------------------------------------------------------------------


def chain(size: int) -> Attacks:
    """Give a chain, each attacked by the next."""
    return tuple((name + 1, name) for name in range(size - 1))


def by_networkx(size: int, attacks: Attacks) -> list[bool]:
    """Tell of each argument whether it is in, by one pass in topological order."""
    networkx: Any = nx
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(attacks)
    is_in = [True] * size
    for name in networkx.topological_sort(graph):
        attackers: Iterable[int] = graph.predecessors(name)
        is_in[name] = not any(is_in[attacker] for attacker in attackers)
    return is_in


def built(size: int, attacks: Attacks) -> Indexed:
    """Give the adjacency of a list of attacks, by way of a checked framework."""
    return indexed(framework_of(range(size), attacks))


def bare(size: int, attacks: Attacks) -> Indexed:
    """Give the same adjacency with nothing checked."""
    attackers: list[list[int]] = [[] for _ in range(size)]
    for attacker, target in attacks:
        attackers[target].append(attacker)
    return index_of(attackers, {})


def labelling(shape: str, size: int, attacks: Attacks, *, has_peers: bool, times: int) -> Labelling:
    """Measure the grounded labels of one framework from scratch."""
    index = built(size, attacks)
    if bare(size, attacks) != index:
        raise SystemExit(f"{shape}, {size}: two ways to one adjacency differ: no figures")
    labels = grounded_labels(index)
    build = repeated(partial(built, size, attacks), times=times).median
    label = repeated(partial(grounded_labels, index), times=times).median
    networkx_us = clingo_us = None
    if has_peers:
        is_in = [each is Label.IN for each in labels]
        theirs, networkx_us = timed(partial(by_networkx, size, attacks))
        told = ask_clingo(PROGRAMS[Semantics.GROUNDED], size, attacks, PATIENCE)
        named = frozenset(name for name in range(size) if is_in[name])
        if theirs != is_in or (told is not None and told.members != named):
            raise SystemExit(f"{shape}, {size}: the labels differ: no figures")
        clingo_us = None if told is None else told.us
    return Labelling(
        shape=shape,
        arguments=size,
        build_us=build,
        bare_us=repeated(partial(bare, size, attacks), times=times).median,
        label_us=label,
        networkx_us=networkx_us,
        networkx_ratio=None if networkx_us is None else networkx_us / (build + label),
        clingo_us=clingo_us,
        clingo_ratio=None if clingo_us is None else clingo_us / (build + label),
    )


# --- editing -----------------------------------------------------------------------------------------------------


class Edited:
    """A framework under edit twice over: as a network, and as plain lists to label from scratch."""

    def __init__(self, size: int) -> None:
        """Begin with a random acyclic framework."""
        self.attackers: list[list[int]] = [[] for _ in range(size)]
        for attacker, target in random_dag(size, 2, size):
            self.attackers[target].append(attacker)
        self.removed: set[int] = set()
        # Attackers are the newer ones, and they first: then nothing is out of order while it is built.
        self.network = edited(Network(), {str(name): self.rule(name) for name in reversed(range(size))}).network
        self.changed: list[int] = []

    def rule(self, name: int) -> AnyRule:
        """Give the rule that an argument should have by now."""
        if name in self.removed:
            return UNHELD
        challenges = tuple(Challenge(attacker=str(attacker)) for attacker in self.attackers[name])
        return Rule(justifications=NEEDS_NOTHING, challenges=challenges)

    def edit(self, name: int) -> float:
        """Bring an argument's rule up to date, and give how long that took."""
        rules = {str(name): self.rule(name)}
        after, spent = timed(partial(edited, self.network, rules))
        self.network = after.network
        self.changed.append(len(after.changed))
        return spent

    def relabelled(self) -> float:
        """Label from scratch, compare, and give how long the labelling took."""
        index = index_of(list(map(list, self.attackers)), dict.fromkeys(self.removed, ()))
        labels, spent = timed(partial(grounded_labels, index))
        if any(self.network.label(str(name)) is not label for name, label in enumerate(labels)):
            raise SystemExit(f"{len(labels)}: the edited labels differ from those from scratch: no figures")
        return spent


def edits(size: int) -> Edits:
    """Measure removals, restorations and new attacks, in turns of two, one and one."""
    draw = random.Random(7)
    framework = Edited(size)
    times: dict[str, list[float]] = {"remove": [], "restore": [], "attack": []}
    scratch = [framework.relabelled()]
    for number in range(EDITS // 4):
        name = draw.randrange(size - 1)
        framework.removed.add(name)
        times["remove"].append(framework.edit(name))
        if size <= CHECKED_TO and number % (CHECK_EVERY // 4) == 0:
            scratch.append(framework.relabelled())
        framework.removed.discard(name)
        times["restore"].append(framework.edit(name))
        for target in (name, draw.randrange(size - 1)):
            newer = draw.randrange(target + 1, size)
            if newer not in framework.attackers[target]:
                framework.attackers[target].append(newer)
                times["attack"].append(framework.edit(target))
    scratch.append(framework.relabelled())
    everything = spread(each for kind in times.values() for each in kind)
    labels = spread(framework.changed)
    return Edits(
        arguments=size,
        remove_us=statistics.median(times["remove"]),
        restore_us=statistics.median(times["restore"]),
        attack_us=statistics.median(times["attack"]),
        edit_us=everything.median,
        p95_us=everything.p95,
        changed_p95=labels.p95,
        changed_most=max(framework.changed),
        scratch_us=statistics.median(scratch),
        ratio=statistics.median(scratch) / everything.median,
    )


# --- figures -----------------------------------------------------------------------------------------------------


def plotted(grown: list[Labelling], changes: list[Edits], path: str) -> None:
    """Draw labelling and editing against size."""
    mpl.rcParams["svg.hashsalt"] = "upheld"
    pyplot: Any = plt
    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    dags = [row for row in grown if row.shape == "DAG"]
    axes.plot(
        [row.arguments for row in dags], [row.build_us + row.label_us for row in dags], "o-", label="from scratch"
    )
    slow = [row for row in dags if row.networkx_us is not None]
    axes.plot([row.arguments for row in slow], [row.networkx_us for row in slow], "o--", label="networkx")
    slow = [row for row in dags if row.clingo_us is not None]
    axes.plot([row.arguments for row in slow], [row.clingo_us for row in slow], "s--", label="clingo")
    axes.plot([row.arguments for row in changes], [row.edit_us for row in changes], "^-", label="one edit")
    axes.set(xscale="log", yscale="log", xlabel="arguments", ylabel="median, µs")
    axes.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def shown(us: float | None) -> str:
    """Give a time, or a dash."""
    return "-" if us is None else readable(us)


def rated(ratio: float | None) -> str:
    """Give a ratio, or a dash."""
    return "-" if ratio is None else f"{ratio:,.3g}"


def labelling_tables(grown: list[Labelling], changes: list[Edits]) -> None:
    """Print what labelling from scratch and one edit take."""
    heads = ("shape", "arguments", "build", "bare", "label", "networkx", "ratio", "clingo", "ratio")
    lines = [
        (
            row.shape,
            f"{row.arguments:,}",
            readable(row.build_us),
            readable(row.bare_us),
            readable(row.label_us),
            shown(row.networkx_us),
            rated(row.networkx_ratio),
            shown(row.clingo_us),
            rated(row.clingo_ratio),
        )
        for row in grown
    ]
    table("Grounded labels from scratch, medians", heads, lines)
    heads = (
        "arguments",
        "remove",
        "restore",
        "attack",
        "an edit",
        "p95",
        "labels p95",
        "most",
        "from scratch",
        "ratio",
    )
    lines = [
        (
            f"{row.arguments:,}",
            *map(readable, (row.remove_us, row.restore_us, row.attack_us, row.edit_us, row.p95_us)),
            f"{row.changed_p95:.0f}",
            f"{row.changed_most:.0f}",
            readable(row.scratch_us),
            rated(row.ratio),
        )
        for row in changes
    ]
    table(f"One edit of {EDITS}, medians, and the labels that it changes", heads, lines)


def main() -> None:
    """Measure, check, and print."""
    options = arguments(__doc__)
    sizes = (1_000, 10_000) if options.quick else (1_000, 10_000, 100_000, 1_000_000)
    peers_to = 10_000 if options.quick else 100_000
    times = {1_000: 15, 10_000: 5, 100_000: 3, 1_000_000: 1}
    shapes = [("DAG", size, random_dag(size, 2, 1)) for size in sizes] + [("chain", peers_to, chain(peers_to))]
    grown = [labelling(*shape, has_peers=shape[1] <= peers_to, times=times[shape[1]]) for shape in shapes]
    changes = [edits(size) for size in sizes]
    if options.plot:
        options.plot.parent.mkdir(parents=True, exist_ok=True)
        plotted(grown, changes, str(options.plot))
    if options.json:
        print(as_json({"labelling": grown, "edits": changes}))
        return
    labelling_tables(grown, changes)


if __name__ == "__main__":
    main()
