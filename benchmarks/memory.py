"""What things weigh: bytes an argument, a claim, a formula, as they grow.

    python benchmarks/memory.py [--quick] [--json] [--plot build/bench/memory.svg]

Each is weighed in a fresh process: its *weight* is what resident memory grew by, from after the imports to when the
value is there and the garbage gone, divided by the number of things; the *peak* is that of the whole process, with
interpreter, imports and input, which is what a machine must have. What the allocator keeps for itself counts.

- **lists**: attackers and targets as lists of numbers, and labels: the least that plain Python needs, and the baseline.
  **networkx**: a graph of the same attacks, without labels.
- **framework**: names and attacks, checked. **indexed**: adjacency alone. **labelled**: both of these, and the grounded
  labels: the argumentation layer as one labelling uses it. A million arguments must fit in 1 GB, all counted.
- **network**: labels that are kept up to date edit by edit; each argument with its rule, its place and its readers.
- **state**: a conversation's state, a turn for each claim, each claim on none to two of the last fifty.
- **base**: formulas as they are recorded; **base, asked**: and a belief about each was asked for.

Arguments have two attacks each; a formula is a clause of three atoms of a topic of twenty. All that label the same
arguments must have the same number of them in.

What this cannot show: what a value shares with the one before it. A conversation keeps old states too, and each costs
only what differs. Where there is no ``/proc``, weight is what the peak grew by.
"""

from __future__ import annotations

import gc
import json
import random
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from measuring import arguments, as_json, table
from stores import contents

from upheld.logic.argumentation.framework import Framework, Indexed, framework_of, index_of, indexed
from upheld.logic.argumentation.grounded import grounded_labels
from upheld.logic.argumentation.network import Network, edited
from upheld.logic.argumentation.rules import Challenge, Rule
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.agents import Agent
from upheld.logic.language.formulas import Atom, Not, Or
from upheld.logic.language.identities import AgentId
from upheld.logic.language.standing import Label
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import opened, step
from upheld.record.ledger.entry import Interpretation

WEIGH = "--weigh"
TOPIC = 20
LIMIT = 10**9
"""Bytes that a million arguments may need."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """One kind at one size; ``ratio`` is its bytes to those of lists, for what is about arguments."""

    kind: str
    things: int
    bytes_per_thing: float
    peak_bytes: int
    ratio: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A value that is kept while it is weighed, and the number of arguments that it has in, if it labels them."""

    value: Any
    things: int
    inside: int | None = None


# --- what is weighed ---------------------------------------------------------------------------------------------


def attacks(count: int) -> Iterator[tuple[int, int]]:
    """Give two attacks an argument, each from newer to older, one by one so that nobody keeps them."""
    draw = random.Random(count)
    for source in range(1, count):
        for target in draw.sample(range(source), min(source, 2)):
            yield source, target


def named(count: int) -> tuple[str, ...]:
    """Give names."""
    return tuple(f"a{number}" for number in range(count))


def attackers_of(count: int) -> list[list[int]]:
    """Give the attackers of each argument; a number is one object wherever it stands."""
    numbers = list(range(count))
    found: list[list[int]] = [[] for _ in numbers]
    for source, target in attacks(count):
        found[target].append(numbers[source])
    return found


def lists(count: int) -> Weighed:
    """Give adjacency both ways and labels, as plain lists."""
    attackers = attackers_of(count)
    numbers = list(range(count))
    targets: list[list[int]] = [[] for _ in attackers]
    is_in = [True] * count
    for target in reversed(range(count)):
        is_in[target] = not any(is_in[attacker] for attacker in attackers[target])
        for attacker in attackers[target]:
            targets[attacker].append(numbers[target])
    return Weighed(value=(attackers, targets, is_in), things=count, inside=sum(is_in))


def graph(count: int) -> Weighed:
    """Give a graph of networkx."""
    # Loaded here, so that no other process carries it.
    found: Any = import_module("networkx").DiGraph()
    names = named(count)
    found.add_nodes_from(names)
    found.add_edges_from((names[source], names[target]) for source, target in attacks(count))
    return Weighed(value=found, things=len(found))


def framed(count: int) -> Framework[str]:
    """Give a framework."""
    names = named(count)
    return framework_of(names, ((names[source], names[target]) for source, target in attacks(count)))


def framework(count: int) -> Weighed:
    """Give a framework alone."""
    found = framed(count)
    return Weighed(value=found, things=len(found.arguments))


def adjacency(count: int) -> Weighed:
    """Give adjacency alone."""
    found: Indexed = index_of(attackers_of(count), {})
    return Weighed(value=found, things=len(found))


def labelled(count: int) -> Weighed:
    """Give a framework with its adjacency and its grounded labels."""
    found = framed(count)
    index = indexed(found)
    labels = grounded_labels(index)
    return Weighed(value=(found, index, labels), things=len(labels), inside=labels.count(Label.IN))


def network(count: int) -> Weighed:
    """Give a network in which every label can be kept up to date."""
    names, needs_nothing = named(count), (frozenset[str](),)
    attackers = attackers_of(count)
    rules = {
        names[number]: Rule(
            justifications=needs_nothing,
            challenges=tuple(Challenge(attacker=names[attacker]) for attacker in attackers[number]),
        )
        for number in reversed(range(count))
    }
    found = edited(Network(), rules).network
    inside = sum(found.label(name) is Label.IN for name in names)
    return Weighed(value=found, things=len(found.vertices), inside=inside)


def state(count: int) -> Weighed:
    """Give the state of a conversation of so many claims."""
    found: State = opened(Agent(id=AgentId(name), name=name) for name in "ab")
    said = contents()
    while len(found.nodes) < count:
        meaning = next(said)
        if isinstance(meaning, Interpretation):
            turn = Turn(id=meaning.turn, speaker=AgentId("a"), operations=meaning.operations)
            found = step(found, turn).state
    return Weighed(value=found, things=len(found.nodes))


def clauses(count: int) -> Iterable[Or]:
    """Give clauses, each within one of as many topics as keep twenty clauses for each."""
    draw = random.Random(count)
    for _ in range(count):
        topic = draw.randrange(max(1, count // TOPIC))
        atoms = [Atom(f"t{topic}.{place}") for place in draw.sample(range(TOPIC), 3)]
        yield Or(tuple(atom if draw.random() < 0.6 else Not(atom) for atom in atoms))


def recorded(count: int) -> OrderedBase:
    """Give a base with so many upgrades."""
    found = OrderedBase()
    for number, clause in enumerate(clauses(count)):
        found = found.upgrade(str(number), clause, Mode.RADICAL)
    return found


def base(count: int) -> Weighed:
    """Give a base of which nobody asked anything."""
    found = recorded(count)
    return Weighed(value=found, things=len(found))


def asked(count: int) -> Weighed:
    """Give a base that was asked about every formula in it."""
    found = recorded(count)
    for clause in clauses(count):
        found.believes(clause)
    return Weighed(value=found, things=len(found))


KINDS: dict[str, Callable[[int], Weighed]] = {
    "lists": lists,
    "networkx": graph,
    "framework": framework,
    "indexed": adjacency,
    "labelled": labelled,
    "network": network,
    "state": state,
    "base": base,
    "base, asked": asked,
}
OF_ARGUMENTS = ("lists", "networkx", "framework", "indexed", "labelled", "network")


# --- weighing ----------------------------------------------------------------------------------------------------


def resident() -> tuple[int, int]:
    """Give the bytes that this process has in memory, and the most that it ever had."""
    status = Path("/proc/self/status")
    if status.exists():
        # Not what getrusage says: on Linux it counts the process that this one was started from.
        fields = dict(line.split(":", 1) for line in status.read_text("ascii").splitlines())
        now, most = (int(fields[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))
        return now, most
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return most, most


def weigh(kind: str, count: int) -> None:
    """Build one value in this process, and print what it weighs."""
    KINDS[kind](10)  # loads what is loaded at first use, which is the library's weight and no value's
    gc.collect()
    before, _ = resident()
    found = KINDS[kind](count)
    gc.collect()
    after, most = resident()
    print(json.dumps({"grown": after - before, "peak": most, "things": found.things, "inside": found.inside}))


def weights(kinds: Iterable[str], count: int) -> list[Weight]:
    """Weigh each kind in a process of its own."""
    found: dict[str, dict[str, Any]] = {}
    for kind in kinds:
        command = [sys.executable, __file__, WEIGH, kind, str(count)]
        found[kind] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        if found[kind]["things"] != count:
            raise SystemExit(f"{kind}: {found[kind]['things']} things instead of {count}: no figures")
    labels = {each["inside"] for each in found.values() if each["inside"] is not None}
    if len(labels) > 1:
        raise SystemExit(f"{count} arguments: the numbers of those in differ, {labels}: no figures")
    least = found["lists"]["grown"] if "lists" in found else None
    return [
        Weight(
            kind=kind,
            things=count,
            bytes_per_thing=each["grown"] / count,
            peak_bytes=each["peak"],
            ratio=None if least is None else each["grown"] / least,
        )
        for kind, each in found.items()
    ]


def plotted(rows: list[Weight], path: Path) -> None:
    """Draw bytes a thing against how many there are."""
    mpl, pyplot = import_module("matplotlib"), import_module("matplotlib.pyplot")
    mpl.rcParams["svg.hashsalt"] = "upheld"
    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    for kind in KINDS:
        chosen = [row for row in rows if row.kind == kind]
        axes.plot([row.things for row in chosen], [row.bytes_per_thing for row in chosen], "o-", label=kind)
    axes.set(xscale="log", yscale="log", xlabel="arguments, claims, formulas", ylabel="bytes each")
    axes.legend(fontsize="small")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(str(path), metadata={"Date": None})


def main() -> None:
    """Weigh, check, and print."""
    if len(sys.argv) == 4 and sys.argv[1] == WEIGH:
        weigh(sys.argv[2], int(sys.argv[3]))
        return
    options = arguments(__doc__)
    sizes = (1_000, 10_000) if options.quick else (10_000, 100_000)
    rows = [row for count in sizes for row in weights(KINDS, count)]
    if not options.quick:
        rows += weights(OF_ARGUMENTS, 1_000_000)
    if options.plot:
        plotted(rows, options.plot)
    if options.json:
        print(as_json({"weights": rows}))
        return
    heads = ("kind", "things", "bytes each", "to lists", "peak of the process")
    lines = [
        (
            row.kind,
            f"{row.things:,}",
            f"{row.bytes_per_thing:,.0f}",
            f"{row.ratio:.1f}" if row.kind in OF_ARGUMENTS else "-",
            f"{row.peak_bytes / 1e6:,.0f} MB",
        )
        for row in rows
    ]
    table("Resident memory in a fresh process each", heads, lines)
    for row in rows:
        if row.kind == "labelled" and row.things == 1_000_000:
            verdict = "fit" if row.peak_bytes <= LIMIT else "do NOT fit"
            print(f"\nA million arguments, labelled, {verdict} in {LIMIT / 1e9:.0f} GB.")


if __name__ == "__main__":
    main()
