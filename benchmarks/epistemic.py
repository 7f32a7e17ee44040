"""Plausibility without worlds, and knowledge about knowledge on decision diagrams, beside explicit worlds.

    python benchmarks/epistemic.py [--quick] [--json] [--plot build/bench/epistemic.svg]

1. **The ordered base and explicit worlds** (all 2^k of them in numpy arrays, the fastest explicit form that we know how
   to write): the same random updates over k atoms, every belief compared. The ratio grows with k.
2. **The base alone**, topical: formulas over topics of twenty atoms, up to 100,000 of them.
3. **Muddy children**, all n muddy: how many rounds until all know. *Incremental* keeps the structure from round to
   round; *from scratch* evaluates, for each number of rounds, the whole nested formula in the first structure, which is
   the task that the literature times (SMCDEL's published figures for n = 40, read off a plot: 0.45 to 0.9 s, on another
   machine). Explicit worlds beside it as far as they go.
4. **Dining cryptographers**: after the announcements everybody knows whether somebody dined at the table's expense, and
   nobody but the payer knows who (published for SMCDEL: 0.062 s for 40, 1.1 s for 90, on another machine).

"Topical" is an assumption about conversations; one giant component of formulas is slower, and is shown as well.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from measuring import arguments, as_json, readable, spread, table, timed
from numpy.typing import NDArray

from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom, Formula, Implies, Not, Or, parts_of
from upheld.logic.language.notation import parse_formula

Column = NDArray[np.bool_]


class ExplicitWorlds:
    """All valuations of k atoms as arrays: which are left, and how implausible each is."""

    def __init__(self, atoms: Sequence[str]) -> None:
        """Begin with every valuation, all equally plausible."""
        numbers: NDArray[np.int64] = np.arange(2 ** len(atoms), dtype=np.int64)
        self.columns: dict[str, Column] = {
            name: ((numbers >> place) & 1).astype(bool) for place, name in enumerate(atoms)
        }
        self.is_left = np.ones(len(numbers), dtype=bool)
        self.ranks = np.zeros(len(numbers), dtype=np.int64)

    def value(self, formula: Formula) -> Column:
        """Give where a formula holds."""
        parts = [self.value(part) for part in parts_of(formula)]
        match formula:
            case Atom(name):
                return self.columns[name]
            case Not():
                return ~parts[0]
            case And():
                return np.logical_and.reduce(parts)
            case Or():
                return np.logical_or.reduce(parts)
            case Implies():
                return ~parts[0] | parts[1]
            case _:
                raise TypeError(f"the baseline has no value for a {type(formula).__name__}")

    def update(self, formula: Formula, mode: Mode) -> None:
        """Announce or upgrade."""
        where = self.value(formula) & self.is_left
        if not where.any():
            return
        if mode is Mode.HARD:
            self.is_left = where
            return
        if mode is Mode.CONSERVATIVE:
            where &= self.ranks == self.ranks[where].min()
        worst = int(self.ranks.max()) + 1
        if worst > 2**60:
            self.ranks = np.unique(self.ranks, return_inverse=True)[1].astype(np.int64)
            worst = int(self.ranks.max()) + 1
        self.ranks = np.where(where, self.ranks, self.ranks + worst)

    def believes(self, formula: Formula) -> bool:
        """Tell whether the best worlds left all satisfy the formula."""
        best = self.is_left & (self.ranks == self.ranks[self.is_left].min())
        return bool(self.value(formula)[best].all())


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstWorlds:
    """Medians in microseconds at k atoms."""

    k: int
    updates: int
    base_update_us: float
    worlds_update_us: float
    update_ratio: float
    base_belief_us: float
    worlds_belief_us: float
    belief_ratio: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """The base at one size, in microseconds: median and 95th percentile of the last updates and beliefs."""

    formulas: int
    topic: int
    update_us: float
    update_p95_us: float
    belief_us: float
    belief_p95_us: float


def clause(atoms: Sequence[str], draw: random.Random) -> Formula:
    """Give a random formula over one to three atoms."""
    literals = [Atom(name) if draw.random() < 0.6 else Not(Atom(name)) for name in draw.sample(list(atoms), 3)]
    shape = draw.random()
    if shape < 0.4:
        return Implies(literals[0], Or((literals[1], literals[2])))
    return literals[0] if shape < 0.6 else Or(tuple(literals)) if shape < 0.8 else And(tuple(literals[:2]))


def mode(draw: random.Random) -> Mode:
    """Give a mode; facts are rarer, or there would soon be one world left."""
    return draw.choices((Mode.HARD, Mode.RADICAL, Mode.CONSERVATIVE), (0.15, 0.6, 0.25))[0]


def against_worlds(k: int, updates: int) -> AgainstWorlds:
    """Measure both on the same updates; every belief is compared."""
    draw = random.Random(k)
    atoms = [f"p{number}" for number in range(k)]
    base, worlds = OrderedBase(), ExplicitWorlds(atoms)
    times: dict[str, list[float]] = {"base": [], "worlds": [], "base belief": [], "worlds belief": []}
    for number in range(updates):
        formula, how, asked = clause(atoms, draw), mode(draw), clause(atoms, draw)
        base, spent = timed(partial(updated, base, str(number), formula, how))
        times["base"].append(spent)
        times["worlds"].append(timed(partial(worlds.update, formula, how))[1])
        mine, spent = timed(partial(base.believes, asked))
        times["base belief"].append(spent)
        theirs, spent = timed(partial(worlds.believes, asked))
        times["worlds belief"].append(spent)
        if mine is not theirs:
            raise SystemExit(f"k = {k}, update {number}: the answers differ: no figures")
    medians = {name: spread(found).median for name, found in times.items()}
    return AgainstWorlds(
        k=k,
        updates=updates,
        base_update_us=medians["base"],
        worlds_update_us=medians["worlds"],
        update_ratio=medians["worlds"] / medians["base"],
        base_belief_us=medians["base belief"],
        worlds_belief_us=medians["worlds belief"],
        belief_ratio=medians["worlds belief"] / medians["base belief"],
    )


def updated(base: OrderedBase, key: str, formula: Formula, how: Mode) -> OrderedBase:
    """Give the base after an update. Recording is lazy: an update is over when the best worlds are known again."""
    after = base.upgrade(key, formula, how)
    after.believes(formula)
    return after


def grown(count: int, topic: int) -> Grown:
    """Measure the last tenth of ``count`` updates, over topics of ``topic`` atoms (as many as keeps them small)."""
    draw = random.Random(count)
    topics = max(1, count // topic)
    base = OrderedBase()
    updates: list[float] = []
    beliefs: list[float] = []
    for number in range(count):
        subject = draw.randrange(topics)
        atoms = [f"t{subject}.{place}" for place in range(topic)]
        formula, how, asked = clause(atoms, draw), mode(draw), clause(atoms, draw)
        base, spent = timed(partial(updated, base, str(number), formula, how))
        if number >= count * 9 // 10:
            updates.append(spent)
            beliefs.append(timed(partial(base.believes, asked))[1])
    update, belief = spread(updates), spread(beliefs)
    return Grown(
        formulas=count,
        topic=topic,
        update_us=update.median,
        update_p95_us=update.p95,
        belief_us=belief.median,
        belief_p95_us=belief.p95,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """One puzzle at one size, in seconds; none where it was not run."""

    puzzle: str
    n: int
    incremental_s: float
    from_scratch_s: float | None = None
    explicit_s: float | None = None


def said(text: str) -> Formula:
    """Read a formula."""
    return parse_formula(text)


def muddy_start(kind: type[KnowledgeStructure] | type[PlausibilityModel], n: int) -> Any:
    """Give n children, each of whom sees all foreheads but one, after father spoke."""
    names = [f"m{i}" for i in range(n)]
    observes = {f"c{i}": [name for name in names if name != f"m{i}"] for i in range(n)}
    return kind.over(names, observes=observes).announced(said(" | ".join(names)))


def rounds_until_known(kind: type[KnowledgeStructure] | type[PlausibilityModel], n: int) -> int:
    """Count the rounds of silence, keeping the structure from round to round."""
    told = muddy_start(kind, n)
    silence = said(" & ".join(f"~Kw_c{i} m{i}" for i in range(n)))
    actual = frozenset(f"m{i}" for i in range(n))
    known = said(" & ".join(f"K_c{i} m{i}" for i in range(n)))
    rounds = 0
    while not told.holds_at(actual, known):
        told, rounds = told.announced(silence), rounds + 1
    return rounds


def rounds_from_scratch(n: int) -> int:
    """Count them as the literature does: for each number of rounds the whole nested formula, in the first structure."""
    silence = said(" & ".join(f"~Kw_c{i} m{i}" for i in range(n)))
    known = said(" & ".join(f"K_c{i} m{i}" for i in range(n)))
    actual = frozenset(f"m{i}" for i in range(n))
    start = muddy_start(KnowledgeStructure, n)
    for rounds in range(n):
        told = start
        for _ in range(rounds):
            told = told.announced(silence)
        if told.holds_at(actual, known):
            return rounds
    raise SystemExit(f"nobody of {n} ever knows: no figures")


def muddy(n: int, *, scratch_to: int, explicit_to: int) -> Puzzle:
    """Measure muddy children at one size; all n are muddy, so all know after n - 1 rounds of silence."""

    def checked(found: int) -> None:
        if found != n - 1:
            raise SystemExit(f"{n} children knew after {found} rounds: no figures")

    found, quick = timed(lambda: rounds_until_known(KnowledgeStructure, n))
    checked(found)
    scratch = explicit = None
    if n <= scratch_to:
        found, scratch = timed(lambda: rounds_from_scratch(n))
        checked(found)
    if n <= explicit_to:
        found, explicit = timed(lambda: rounds_until_known(PlausibilityModel, n))
        checked(found)
    return Puzzle(
        puzzle="muddy children",
        n=n,
        incremental_s=quick / 1e6,
        from_scratch_s=None if scratch is None else scratch / 1e6,
        explicit_s=None if explicit is None else explicit / 1e6,
    )


def who_paid(kind: type[KnowledgeStructure] | type[PlausibilityModel], n: int) -> bool:
    """Play the protocol, and tell whether all learn that one of them paid and none of the others who."""
    atoms = [atom for i in range(n) for atom in (f"paid{i}", f"coin{i}")]
    sees = {f"d{i}": [f"paid{i}", f"coin{i}", f"coin{(i + 1) % n}"] for i in range(n)}
    start = kind.over(atoms, observes=sees)
    # At most one paid, said in a chain: all pairs would be a formula of n² parts.
    table = start.announced(said(" & ".join(f"(paid{i} -> {none_after(i, n)})" for i in range(n))))
    words = [f"(paid{i} <-> (coin{i} <-> coin{(i + 1) % n}))" for i in range(n)]
    told = table.announced(said(" & ".join(word if i == 1 else f"~{word}" for i, word in enumerate(words))))
    somebody = " | ".join(f"paid{i}" for i in range(n))
    all_know = (
        told.is_valid(said(f"C ({somebody})"))
        if isinstance(told, KnowledgeStructure)
        else told.knows(said(somebody), agent="d0")
    )
    others = told.extension(said("~paid0 & paid1 & K_d0 paid1"))
    nobody_knows = others == told.extension(said("false"))
    return bool(all_know and nobody_knows)


def none_after(i: int, n: int) -> str:
    """Give that nobody after i paid."""
    return (
        "(" + " & ".join(f"~paid{j}" for j in range(i + 1, n)) + ")"
        if i + 2 < n
        else (f"~paid{i + 1}" if i + 1 < n else "true")
    )


def dining(n: int, *, explicit_to: int) -> Puzzle:
    """Measure dining cryptographers at one size."""
    answer, spent = timed(lambda: who_paid(KnowledgeStructure, n))
    explicit = None
    if n <= explicit_to:
        other, explicit = timed(lambda: who_paid(PlausibilityModel, n))
        answer = answer and other
    if not answer:
        raise SystemExit(f"{n} cryptographers learn too much or too little: no figures")
    return Puzzle(
        puzzle="dining cryptographers",
        n=n,
        incremental_s=spent / 1e6,
        explicit_s=None if explicit is None else explicit / 1e6,
    )


def plotted(worlds: list[AgainstWorlds], puzzles: list[Puzzle], path: str) -> None:
    """Draw the ratio to explicit worlds, and the puzzles."""
    mpl.rcParams["svg.hashsalt"] = "upheld"
    pyplot: Any = plt
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    sizes = [row.k for row in worlds]
    left.plot(sizes, [row.base_update_us for row in worlds], "o-", label="update, base")
    left.plot(sizes, [row.worlds_update_us for row in worlds], "o--", label="update, worlds")
    left.plot(sizes, [row.base_belief_us for row in worlds], "s-", label="belief, base")
    left.plot(sizes, [row.worlds_belief_us for row in worlds], "s--", label="belief, worlds")
    left.set(yscale="log", xlabel="atoms", ylabel="median, µs", title="one agent")
    left.legend(fontsize="small")
    for name in ("muddy children", "dining cryptographers"):
        rows = [row for row in puzzles if row.puzzle == name]
        right.plot([row.n for row in rows], [row.incremental_s for row in rows], "o-", label=name)
        slow = [row for row in rows if row.explicit_s is not None]
        right.plot([row.n for row in slow], [row.explicit_s for row in slow], ".--", label=f"{name}, explicit")
    scratch = [row for row in puzzles if row.from_scratch_s is not None]
    right.plot([row.n for row in scratch], [row.from_scratch_s for row in scratch], "s:", label="muddy, from scratch")
    right.set(yscale="log", xlabel="agents", ylabel="seconds", title="many agents")
    right.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure, check, and print."""
    options = arguments(__doc__)
    is_quick = options.quick
    worlds = [against_worlds(k, 60 if k < 20 else 30) for k in ((8, 12, 16) if is_quick else (8, 12, 16, 20))]
    sizes = ((1_000, 20), (10_000, 20)) if is_quick else ((1_000, 20), (10_000, 20), (100_000, 20))
    bases = [grown(count, topic) for count, topic in sizes]
    children = (3, 10, 20) if is_quick else (3, 10, 20, 30, 40, 50, 60)
    puzzles = [muddy(n, scratch_to=20 if is_quick else 40, explicit_to=10) for n in children]
    puzzles += [dining(n, explicit_to=5) for n in ((3, 5, 40) if is_quick else (3, 5, 10, 20, 40, 90))]
    if options.plot:
        options.plot.parent.mkdir(parents=True, exist_ok=True)
        plotted(worlds, puzzles, str(options.plot))
    if options.json:
        print(as_json({"against_worlds": worlds, "bases": bases, "puzzles": puzzles}))
        return
    heads = ("atoms", "update, base", "worlds", "ratio", "belief, base", "worlds", "ratio")
    lines = [
        (
            row.k,
            readable(row.base_update_us),
            readable(row.worlds_update_us),
            f"{row.update_ratio:.3g}",
            readable(row.base_belief_us),
            readable(row.worlds_belief_us),
            f"{row.belief_ratio:.3g}",
        )
        for row in worlds
    ]
    table("The ordered base and explicit worlds in numpy, medians", heads, lines)
    heads = ("formulas", "atoms a topic", "update", "p95", "belief", "p95")
    lines = [
        (
            f"{row.formulas:,}",
            row.topic,
            *map(readable, (row.update_us, row.update_p95_us, row.belief_us, row.belief_p95_us)),
        )
        for row in bases
    ]
    table("The base as it grows: the last tenth of the updates", heads, lines)
    heads = ("puzzle", "agents", "incremental", "from scratch", "explicit worlds")
    lines = [
        (
            row.puzzle,
            row.n,
            *(
                "-" if each is None else readable(each * 1e6)
                for each in (row.incremental_s, row.from_scratch_s, row.explicit_s)
            ),
        )
        for row in puzzles
    ]
    table("Puzzles", heads, lines)


if __name__ == "__main__":
    main()
