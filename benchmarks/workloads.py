"""Fixed workloads of dependency and retraction, upheld beside two other truth maintenance packages.

    python benchmarks/workloads.py [--quick] [--json] [--plot build/bench/workloads.svg]

Four shapes: **ledger** (a fifth of the claims are premises, the rest rest on two claims about fifty places earlier; one
premise near the middle and one near the end are retracted and restored), **chain** (each claim rests on the one before;
the first is retracted), **fan-out** (all rest on one), **ladder** (each rung rests on both claims of the rung below);
and **churn**, on disk: claims are added, retracted and said again.

The contestants get the same claims in the same order and must give the same answer, which networkx computes as plain
reachability (every claim here is a conjunction of its premises); who gives another one, or an error, is shown with it
and without a time. ``ftl-reasons`` is a truth maintenance system of Doyle's kind in plain Python, in memory and with
SQLite; ``semantica`` keeps the closure of fixed rules and copies its state with each batch, so it gets smaller sizes
(a dash: not attempted, it would take minutes). A peer that is not installed is left out, and said to be.

What this cannot show: peers do other things as well, and upheld here also keeps attacks, beliefs and turns.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import matplotlib as mpl
import matplotlib.pyplot as plt
import networkx as nx
from measuring import arguments, as_json, readable, table, timed

from upheld import Conversation
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Observe
from upheld.logic.language.turns import Retract, Turn
from upheld.logic.reasoning.answers.changes import affected
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.logic.reasoning.transition.step import opened, step
from upheld.record.stores.sqlite.store import SqliteStore

Claims = dict[str, tuple[str, ...]]
"""Each claim with what it rests on, in the order in which they are made."""


class Contestant(Protocol):
    """One package under test; a fresh one for each workload."""

    name: str
    most: int
    """The largest workload that it is given."""

    def add(self, id: str, premises: Sequence[str]) -> None:
        """Put a claim on record."""
        ...

    def what_if(self, id: str) -> set[str]:
        """Give what would fall with a claim, without changing anything."""
        ...

    def retract(self, id: str) -> None:
        """Take a claim back."""
        ...

    def restore(self, id: str) -> None:
        """Put it back."""
        ...

    def close(self) -> None:
        """Let go of files."""
        ...


class Upheld:
    """The engine in memory: a turn for each claim."""

    name, most = "upheld", 10**6

    def __init__(self, folder: Path) -> None:
        """Begin a conversation of one agent."""
        self.state: State = opened([Agent(id=AgentId("a"))])
        self.turn = 0

    def add(self, id: str, premises: Sequence[str]) -> None:
        """Observe a claim."""
        self.turn += 1
        claim = Observe(
            id=PropositionId(id),
            text=f"Claim {id}.",
            depends_on=tuple(Literal(PropositionId(each)) for each in premises),
        )
        turn = Turn(id=TurnId(f"T{self.turn}"), speaker=AgentId("a"), operations=(claim,))
        self.state = step(self.state, turn, is_lenient=True).state

    def what_if(self, id: str) -> set[str]:
        """Ask what is affected."""
        return {str(each.id) for each in affected(self.state, Retract(target=PropositionId(id))).lost}

    def retract(self, id: str) -> None:
        """Take a claim back."""
        self.state = taken_back(self.state, Retract(target=PropositionId(id)))

    def restore(self, id: str) -> None:
        """Say it again."""
        self.add(id, ())

    def close(self) -> None:
        """Nothing is held."""


class UpheldOnDisk:
    """A conversation in an SQLite file, every turn durable before it is acknowledged."""

    name, most = "upheld, on disk", 1_000

    def __init__(self, folder: Path) -> None:
        """Open a file."""
        self.talk = Conversation({"a": "clerk"}, store=SqliteStore(folder / "talk.db"))

    def add(self, id: str, premises: Sequence[str]) -> None:
        """Observe a claim."""
        self.talk.observe("a", id, f"Claim {id}.", depends_on=list(premises))

    def what_if(self, id: str) -> set[str]:
        """Ask what is affected."""
        return {str(each.id) for each in self.talk.affected(id).lost}

    def retract(self, id: str) -> None:
        """Take a claim back."""
        self.talk.retract(id)

    def restore(self, id: str) -> None:
        """Say it again."""
        self.talk.observe("a", id, f"Claim {id}.")

    def close(self) -> None:
        """Close the file."""
        self.talk.close()


class Reasons:
    """ftl-reasons in memory."""

    name, most = "ftl-reasons", 10**5

    def __init__(self, folder: Path) -> None:
        """Begin an empty network."""
        self.package: Any = import_module("reasons")
        self.network: Any = import_module("reasons.network").Network()

    def add(self, id: str, premises: Sequence[str]) -> None:
        """Add a node with one justification."""
        grounds = [self.package.Justification(type="SL", antecedents=list(premises))] if premises else None
        self.network.add_node(id, f"Claim {id}.", justifications=grounds)

    def what_if(self, id: str) -> set[str]:
        """Retract and assert again, which is how a network without versions can tell."""
        fallen = set(self.network.retract(id)) - {id}
        self.network.assert_node(id)
        return fallen

    def retract(self, id: str) -> None:
        """Retract a node."""
        self.network.retract(id)

    def restore(self, id: str) -> None:
        """Assert it again."""
        self.network.assert_node(id)

    def close(self) -> None:
        """Nothing is held."""


class ReasonsOnDisk:
    """ftl-reasons through its SQLite interface."""

    name, most = "ftl-reasons, on disk", 300

    def __init__(self, folder: Path) -> None:
        """Make a file."""
        self.api: Any = import_module("reasons.api")
        self.file = str(folder / "reasons.db")
        self.api.init_db(db_path=self.file)

    def add(self, id: str, premises: Sequence[str]) -> None:
        """Add a node."""
        self.api.add_node(id, f"Claim {id}.", sl=",".join(premises), db_path=self.file)

    def what_if(self, id: str) -> set[str]:
        """Ask what a retraction would do."""
        answer: Any = self.api.what_if_retract(id, db_path=self.file)
        return {str(each["id"]) for each in answer["retracted"]} - {id}

    def retract(self, id: str) -> None:
        """Retract a node."""
        self.api.retract_node(id, db_path=self.file)

    def restore(self, id: str) -> None:
        """Assert it again."""
        self.api.assert_node(id, db_path=self.file)

    def close(self) -> None:
        """Each call closes its own."""


class Semantica:
    """semantica's truth maintenance session: rules are fixed first, then supports come and go."""

    name, most = "semantica", 1_000

    def __init__(self, folder: Path) -> None:
        """Collect rules until the first question."""
        self.rules: list[Any] = []
        self.premises: list[str] = []
        self.session: Any = None

    def add(self, id: str, premises: Sequence[str]) -> None:
        """Collect a claim."""
        if not premises:
            self.premises.append(id)
            return
        rule = import_module("semantica.reasoning.reasoner").Rule
        self.rules.append(
            rule(rule_id=id, name=id, conditions=[f"{each}(x)" for each in premises], conclusion=f"{id}(x)")
        )

    def settled(self) -> Any:
        """Give the session with all supports asserted."""
        if self.session is None:
            maintenance = import_module("semantica.reasoning.truth_maintenance")
            self.session = maintenance.TruthMaintenanceSession(rules=self.rules)
            self._assert(self.premises)
        return self.session

    def _assert(self, ids: Sequence[str]) -> None:
        support = import_module("semantica.reasoning.truth_maintenance_types").FactSupport
        self.session.apply(assertions=[support(support_id=f"s-{id}", fact=f"{id}(x)") for id in ids])

    def what_if(self, id: str) -> set[str]:
        """Retract and assert again."""
        before = self.settled().facts
        self.retract(id)
        fallen = {fact.partition("(")[0] for fact in before - self.session.facts} - {id}
        self.restore(id)
        return fallen

    def retract(self, id: str) -> None:
        """Retract a support."""
        self.settled().apply(retractions=[f"s-{id}"])

    def restore(self, id: str) -> None:
        """Assert it again."""
        self._assert([id])

    def close(self) -> None:
        """Nothing is held."""


CONTESTANTS: tuple[tuple[Callable[[Path], Contestant], str], ...] = (
    (Upheld, "upheld"),
    (UpheldOnDisk, "upheld"),
    (Reasons, "reasons"),
    (ReasonsOnDisk, "reasons"),
    (Semantica, "semantica"),
)
"""Each with the package that it needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One workload and contestant: times in microseconds, or why there are none."""

    workload: str
    claims: int
    contestant: str
    build_us_per_claim: float | None = None
    what_if_us: float | None = None
    retract_us: float | None = None
    restore_us: float | None = None
    affected: int | None = None
    remark: str = ""


def ledger(count: int) -> tuple[Claims, list[str]]:
    """Give the ledger workload and what is retracted."""
    draw = random.Random(1)
    names = [f"c{number}" for number in range(count)]
    claims: Claims = {}
    for number, name in enumerate(names):
        if number < 2 or draw.random() < 0.2:
            claims[name] = ()
            continue
        back = {min(number, 1 + int(draw.expovariate(1 / 50))) for _ in range(2)}
        claims[name] = tuple(names[number - each] for each in sorted(back))
    bearing = {premise for grounds in claims.values() for premise in grounds}
    premises = [name for name, grounds in claims.items() if not grounds and name in bearing]
    return claims, [premises[len(premises) // 2], premises[-len(premises) // 10 - 1]]


def chain(count: int) -> tuple[Claims, list[str]]:
    """Give a chain, and its first link."""
    return {f"c{number}": (f"c{number - 1}",) if number else () for number in range(count)}, ["c0"]


def fan_out(count: int) -> tuple[Claims, list[str]]:
    """Give claims that all rest on one."""
    return {f"c{number}": ("c0",) if number else () for number in range(count)}, ["c0"]


def ladder(count: int) -> tuple[Claims, list[str]]:
    """Give rungs of two claims that rest on both of the rung below: 2^depth paths."""
    claims: Claims = {}
    for number in range(count):
        rung = number // 2
        claims[f"c{number}"] = (f"c{2 * rung - 2}", f"c{2 * rung - 1}") if rung else ()
    return claims, ["c0"]


WORKLOADS: dict[str, Callable[[int], tuple[Claims, list[str]]]] = {
    "ledger": ledger,
    "chain": chain,
    "fan-out": fan_out,
    "ladder": ladder,
}


def expected(claims: Claims, gone: str) -> set[str]:
    """Give the reachable claims, by networkx."""
    networkx: Any = nx
    graph = networkx.DiGraph()
    graph.add_nodes_from(claims)
    graph.add_edges_from((premise, name) for name, premises in claims.items() for premise in premises)
    return set(networkx.descendants(graph, gone))


def measured(workload: str, count: int, make: Callable[[Path], Contestant]) -> Line:
    """Run one contestant through one workload."""
    claims, gone = WORKLOADS[workload](count)
    with tempfile.TemporaryDirectory() as folder:
        contestant = make(Path(folder))
        line = Line(workload=workload, claims=count, contestant=contestant.name)
        if count > contestant.most:
            return Line(workload=workload, claims=count, contestant=contestant.name, remark="not attempted")
        try:
            return run(contestant, claims, gone, line)
        except (RecursionError, KeyError, ValueError) as error:
            remark = f"{type(error).__name__}"
            return Line(workload=workload, claims=count, contestant=contestant.name, remark=remark)
        finally:
            contestant.close()


def run(contestant: Contestant, claims: Claims, gone: list[str], line: Line) -> Line:
    """Build, ask, retract and restore; times are means over what is retracted."""

    def build() -> None:
        for id, premises in claims.items():
            contestant.add(id, premises)
        if isinstance(contestant, Semantica):
            contestant.settled()

    _, build_us = timed(build)
    asked: list[float] = []
    retracted: list[float] = []
    restored: list[float] = []
    reached = 0
    for id in gone:
        fallen, spent = timed(lambda id=id: contestant.what_if(id))
        asked.append(spent)
        reached += len(fallen)
        if fallen != expected(claims, id):
            return Line(
                workload=line.workload, claims=line.claims, contestant=line.contestant, remark="gives another answer"
            )
        retracted.append(timed(lambda id=id: contestant.retract(id))[1])
        restored.append(timed(lambda id=id: contestant.restore(id))[1])
    return Line(
        workload=line.workload,
        claims=line.claims,
        contestant=line.contestant,
        build_us_per_claim=build_us / len(claims),
        what_if_us=sum(asked) / len(asked),
        retract_us=sum(retracted) / len(retracted),
        restore_us=sum(restored) / len(restored),
        affected=reached,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Churn:
    """Adding, retracting and saying again on disk: time a round, and what the file comes to for each round."""

    rounds: int
    contestant: str
    round_us: float
    bytes_per_round: float


def churned(rounds: int, make: Callable[[Path], Contestant]) -> Churn:
    """Run one contestant through the churn."""
    with tempfile.TemporaryDirectory() as folder:
        contestant = make(Path(folder))

        def churn() -> None:
            for number in range(rounds):
                contestant.add(f"c{number}", ())
                contestant.retract(f"c{number}")
                contestant.restore(f"c{number}")

        _, spent = timed(churn)
        contestant.close()
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        return Churn(rounds=rounds, contestant=contestant.name, round_us=spent / rounds, bytes_per_round=size / rounds)


def present() -> Iterator[Callable[[Path], Contestant]]:
    """Give the contestants whose package is installed; name the others."""
    # A peer that sends figures of its own to somebody would be told not to.
    os.environ.setdefault("DO_NOT_TRACK", "1")
    for make, package in CONTESTANTS:
        try:
            import_module(package)
        except ImportError:
            print(f"{package} is not installed and left out: make bench installs it")
        else:
            yield make


def plotted(lines: list[Line], path: str) -> None:
    """Draw what a question and a retraction cost at the largest size that all were given."""
    mpl.rcParams["svg.hashsalt"] = "upheld"
    names = list(dict.fromkeys(line.contestant for line in lines))
    timed_sizes = [{line.claims for line in lines if line.contestant == name and line.retract_us} for name in names]
    size = max(set[int].intersection(*timed_sizes), default=0)
    pyplot: Any = plt
    figure, panels = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained", sharey=True)
    for axes, what in zip(panels, ("what_if_us", "retract_us"), strict=True):
        for place, name in enumerate(names):
            chosen = [line for line in lines if line.contestant == name and line.claims == size]
            heights = [getattr(line, what) or 0 for line in chosen]
            spots = [number + (place - len(names) / 2) * 0.16 for number in range(len(chosen))]
            axes.bar(spots, heights, width=0.15, label=name)
        axes.set_xticks(range(len(WORKLOADS)), list(WORKLOADS))
        axes.set(yscale="log", title=f"{what.removesuffix('_us').replace('_', ' ')}, {size:,} claims", ylabel="µs")
    panels[0].legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure, check, and print."""
    options = arguments(__doc__)
    makers = list(present())
    sizes = (300,) if options.quick else (300, 1_000, 10_000)
    lines = [measured(workload, count, make) for workload in WORKLOADS for count in sizes for make in makers]
    on_disk = [make for make in makers if make in (UpheldOnDisk, ReasonsOnDisk)]
    rounds = {UpheldOnDisk: 200 if options.quick else 2_000, ReasonsOnDisk: 50 if options.quick else 100}
    churn = [churned(rounds[make], make) for make in on_disk]  # type: ignore[index]
    if options.plot:
        options.plot.parent.mkdir(parents=True, exist_ok=True)
        plotted(lines, str(options.plot))
    if options.json:
        print(as_json({"workloads": lines, "churn": churn}))
        return
    heads = ("workload", "claims", "contestant", "build, each", "what if", "retract", "restore", "affected", "remark")
    times = [
        (
            line.workload,
            f"{line.claims:,}",
            line.contestant,
            *(
                "-" if spent is None else readable(spent)
                for spent in (line.build_us_per_claim, line.what_if_us, line.retract_us, line.restore_us)
            ),
            "-" if line.affected is None else f"{line.affected:,}",
            line.remark,
        )
        for line in lines
    ]
    table("Dependency and retraction", heads, times)
    heads = ("rounds", "contestant", "a round", "bytes a round")
    table(
        "Churn on disk: add, retract, say again",
        heads,
        [
            (f"{each.rounds:,}", each.contestant, readable(each.round_us), f"{each.bytes_per_round:,.0f}")
            for each in churn
        ],
    )


if __name__ == "__main__":
    main()
