"""Extensions and acceptance in frameworks with circles, beside clingo and pygarg on the same inputs.

    python benchmarks/argumentation.py [--quick] [--json] [--plot build/bench/argumentation.svg]

1. **One preferred extension**: a median over seeds. clingo runs an encoding of ours after ASPARTIX with its domain
   heuristic; pygarg runs in a process of its own. Whoever is stopped when patience ends is not asked for other seeds.
2. **Other tasks** of the competitions: SE (some extension), DC and DS (is an argument in some, in every one), of
   arguments that the grounded labels leave open. clingo's DS-PR lists preferred extensions until one lacks the
   argument; its SE-ID is the largest admissible part of what some admissible set has and none attacks.
3. **Hard ones**, where nobody proves maximality soon: the best set within a budget of conflicts, beside some non-empty
   complete extension by clingo, and beside clingo's preferred one, if it ends.

A time counts only when the answer is right: yes and no equal to clingo's, ideal extensions equal, sets admissible
(stage: conflict-free), stable where asked, and no larger one to be found by clingo within its patience. pygarg's
answers are held to the same, and one that fails is remarked upon.

What this cannot show: drawn frameworks are neither those of the competitions nor those of conversations, which are
nearly acyclic; and on the easy ones most of clingo's time is its grounder's, which a caller who asks many things of one
framework pays once. Labelling and editing are in ``labelling.py``.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from measuring import arguments, as_json, readable, table, timed
from solvers import (
    COMPLETE,
    DOMAIN,
    FAMILIES,
    NOT_EMPTY,
    PROGRAMS,
    Question,
    Reply,
    ask_clingo,
    clingo_on,
    pygarg_on,
    refusal,
    upheld_on,
)

from upheld.logic.argumentation.framework import framework_of, indexed
from upheld.logic.argumentation.grounded import grounded_labels
from upheld.logic.argumentation.postulates import is_admissible
from upheld.logic.argumentation.preferred import DEFAULT_CONFLICTS, preferred
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.language.standing import Label

SEEDS, HARD_SEEDS, ASKED = 5, 3, 3
"""Frameworks of a family, of a hard one, and arguments asked about in each."""

FIRST_SEED = 101
"""The solver's options were chosen on seeds below this one, so that no figure is of what they were chosen on."""

TASKS = (
    ("SE", Semantics.STABLE),
    ("SE", Semantics.SEMI_STABLE),
    ("SE", Semantics.STAGE),
    ("SE", Semantics.IDEAL),
    ("DC", Semantics.STABLE),
    ("DC", Semantics.PREFERRED),
    ("DS", Semantics.STABLE),
    ("DS", Semantics.PREFERRED),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Solving:
    """One task on one family: medians over ``runs`` of times in microseconds and of sizes; none where stopped."""

    task: str
    family: str
    attacks: int
    runs: int
    ours_us: float
    clingo_us: float | None
    clingo_ratio: float | None
    pygarg_us: float | None
    pygarg_ratio: float | None
    size: float | None
    clingo_size: float | None
    proved: int
    remark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hard:
    """One budget on one framework, in microseconds; none where clingo was stopped."""

    family: str
    attacks: int
    budget: int
    ours_us: float
    size: int
    is_proved: bool
    complete_us: float | None
    complete_size: int | None
    clingo_us: float | None
    clingo_size: int | None


# --- solving -----------------------------------------------------------------------------------------------------


def questions(problem: str, semantics: Semantics, family: str) -> Iterable[Question]:
    """Give the questions of a task: one for each framework, or one for each of a few open arguments of each."""
    size, drawn = FAMILIES[family]
    for seed in range(FIRST_SEED, FIRST_SEED + SEEDS):
        attacks = drawn(seed)
        about = [-1]
        if problem != "SE":
            labels = grounded_labels(indexed(framework_of(range(size), attacks)))
            undecided = [name for name, label in enumerate(labels) if label is Label.UNDECIDED]
            about = random.Random(seed).sample(undecided, min(ASKED, len(undecided)))
        for name in about:
            yield Question(problem=problem, semantics=semantics, size=size, attacks=attacks, about=name)


def solving(problem: str, semantics: Semantics, family: str, patience: float) -> Solving:
    """Put a task on a family to all three."""
    asked = list(questions(problem, semantics, family))
    upheld_on(asked[0])  # the first call in a process loads the solver
    ours = list(map(upheld_on, asked))
    clingo = until_stopped(asked, lambda question: clingo_on(question, patience))
    has_pygarg = semantics is not Semantics.STAGE  # it has none
    pygarg = until_stopped(asked, lambda question: pygarg_on(question, patience)) if has_pygarg else []
    remark = ""
    for question, mine, theirs in zip_longest(asked, ours, clingo):
        wrong = refusal(question, mine, theirs, patience)
        if wrong:
            raise SystemExit(f"{question} on {family}, argument {question.about}: {wrong}: no figures")
    for question, mine, other in zip(asked, ours, pygarg, strict=False):
        if other is not None and (wrong := refusal(question, other, mine if mine.is_proved else None, patience)):
            remark = f"pygarg: {wrong}"
    our_us, clingo_us, pygarg_us = median_us(ours), median_us(clingo), None if remark else median_us(pygarg)
    return Solving(
        task=str(asked[0]),
        family=family,
        attacks=round(statistics.median(len(question.attacks) for question in asked)),
        runs=len(asked),
        ours_us=our_us or 0.0,
        clingo_us=clingo_us,
        clingo_ratio=ratio_of(clingo_us, our_us),
        pygarg_us=pygarg_us,
        pygarg_ratio=ratio_of(pygarg_us, our_us),
        size=median_size(ours),
        clingo_size=median_size(clingo),
        proved=sum(reply.is_proved for reply in ours),
        remark=remark,
    )


def until_stopped(asked: Iterable[Question], ask: Callable[[Question], Reply | None]) -> list[Reply | None]:
    """Put questions to a solver until it is stopped at one."""
    replies: list[Reply | None] = []
    for question in asked:
        replies.append(ask(question))
        if replies[-1] is None:
            break
    return replies


def ratio_of(theirs: float | None, ours: float | None) -> float | None:
    """Give how many times as long they take, where both end."""
    return None if theirs is None or not ours else theirs / ours


def median_us(replies: Sequence[Reply | None]) -> float | None:
    """Give the median time of those who were never stopped."""
    times = [reply.us for reply in replies if reply is not None]
    return statistics.median(times) if times and len(times) == len(replies) else None


def median_size(replies: Sequence[Reply | None]) -> float | None:
    """Give the median size of the sets found."""
    sizes = [len(reply.members) for reply in replies if reply is not None and reply.members is not None]
    return statistics.median(sizes) if sizes else None


def hard(family: str, seed: int, budgets: Sequence[int], patience: float) -> list[Hard]:
    """Measure the best set within each budget."""
    size, drawn = FAMILIES[family]
    attacks = drawn(seed)
    complete = ask_clingo(COMPLETE + NOT_EMPTY, size, attacks, patience)
    largest = ask_clingo(PROGRAMS[Semantics.PREFERRED], size, attacks, patience, options=(*DOMAIN, "1"))
    rows: list[Hard] = []
    for budget in budgets:
        framework = framework_of(range(size), attacks)
        found, spent = timed(partial(preferred, framework, conflict_budget=budget))
        if not is_admissible(found.extension, framework):
            raise SystemExit(f"{family}: the best set within {budget} conflicts is not admissible: no figures")
        rows.append(
            Hard(
                family=family,
                attacks=len(attacks),
                budget=budget,
                ours_us=spent,
                size=len(found.extension),
                is_proved=found.proved_maximal,
                complete_us=None if complete is None else complete.us,
                complete_size=None if complete is None else len(complete.members or ()),
                clingo_us=None if largest is None else largest.us,
                clingo_size=None if largest is None else len(largest.members or ()),
            )
        )
    return rows


# --- figures -----------------------------------------------------------------------------------------------------


def plotted(found: list[Solving], path: str) -> None:
    """Draw how many times our time the others take for a preferred extension."""
    mpl.rcParams["svg.hashsalt"] = "upheld"
    pyplot: Any = plt
    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    families = [row.family for row in found]
    for peer, mark in (("clingo", "o"), ("pygarg", "s")):
        ratios = [getattr(row, f"{peer}_ratio") for row in found]
        axes.plot([float("nan") if each is None else each for each in ratios], families, mark, label=peer)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set(xscale="log", xlabel="time beside ours, one preferred extension (stopped: no mark)")
    axes.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def shown(us: float | None) -> str:
    """Give a time, or a dash."""
    return "-" if us is None else readable(us)


def rated(ratio: float | None) -> str:
    """Give a ratio, or a dash."""
    return "-" if ratio is None else f"{ratio:,.3g}"


def sized(size: float | None) -> str:
    """Give a size, or a dash."""
    return "-" if size is None else f"{size:,.0f}"


def solving_table(title: str, rows: list[Solving]) -> None:
    """Print what three solvers took."""
    heads = (
        "task",
        "family",
        "attacks",
        "runs",
        "ours",
        "clingo",
        "ratio",
        "pygarg",
        "ratio",
        "size",
        "clingo's",
        "proved",
        "remark",
    )
    lines = [
        (
            row.task,
            row.family,
            f"{row.attacks:,}",
            row.runs,
            readable(row.ours_us),
            shown(row.clingo_us),
            rated(row.clingo_ratio),
            shown(row.pygarg_us),
            rated(row.pygarg_ratio),
            sized(row.size),
            sized(row.clingo_size),
            f"{row.proved}/{row.runs}",
            row.remark,
        )
        for row in rows
    ]
    table(title, heads, lines)


def hard_table(rows: list[Hard]) -> None:
    """Print what a budget buys."""
    heads = ("family", "attacks", "budget", "ours", "size", "proved", "complete", "size", "clingo, preferred", "size")
    lines = [
        (
            row.family,
            f"{row.attacks:,}",
            f"{row.budget:,}",
            readable(row.ours_us),
            row.size,
            "yes" if row.is_proved else "no",
            shown(row.complete_us),
            sized(row.complete_size),
            shown(row.clingo_us),
            sized(row.clingo_size),
        )
        for row in rows
    ]
    table("Hard ones: the best set within a budget of conflicts", heads, lines)


def main() -> None:
    """Measure, check, and print."""
    options = arguments(__doc__)
    is_quick = options.quick
    # Seconds for a question to a peer: for one extension, for another task, for a hard one.
    for_one, for_task, for_hard = (2.0, 2.0, 2.0) if is_quick else (20.0, 5.0, 5.0)
    families = ["DAG 1,000", "ER 100", "ER 500", "WS 500", "BA 1,000"]
    families += [] if is_quick else ["WS 2,000", "DAG 10,000", "WS 10,000", "BA 10,000"]
    found = [solving("SE", Semantics.PREFERRED, family, for_one) for family in families]
    small = ("ER 100", "WS 200") if is_quick else ("ER 100", "WS 200", "WS 500")
    tasks = [solving(*task, family, for_task) for task in TASKS for family in small]
    budgets = (1_000,) if is_quick else (1_000, DEFAULT_CONFLICTS)
    names = ("ER 1,000, p = .005", "ER 200, p = .1", "ER 300, p = .03", "ER 890, p = .047")[: 2 if is_quick else 4]
    seeds = range(FIRST_SEED, FIRST_SEED + (1 if is_quick else HARD_SEEDS))
    stubborn = [row for family in names for seed in seeds for row in hard(family, seed, budgets, for_hard)]
    if options.plot:
        options.plot.parent.mkdir(parents=True, exist_ok=True)
        plotted(found, str(options.plot))
    if options.json:
        print(as_json({"preferred": found, "tasks": tasks, "hard": stubborn}))
        return
    solving_table(f"One preferred extension, medians over {SEEDS} seeds", found)
    solving_table("Other tasks, medians", tasks)
    hard_table(stubborn)


if __name__ == "__main__":
    main()
