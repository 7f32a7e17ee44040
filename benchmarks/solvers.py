"""The frameworks that ``argumentation.py`` draws, and the solvers that it puts the same questions to.

A question is a task of the competitions, ``SE`` (some extension), ``DC 7`` or ``DS 7`` (is argument 7 in some, in every
one), under a semantics. A reply is a set: the extension asked for, one that has the argument (it shows DC), or one that
lacks it (it refutes DS).
"""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, cast

import clingo
import networkx as nx
import pygarg.dung.solver as pygarg_solver

from upheld.logic.argumentation.framework import Framework, framework_of
from upheld.logic.argumentation.postulates import is_admissible, is_conflict_free, rejected
from upheld.logic.argumentation.semantics.acceptance import credulously_accepted, sceptically_accepted
from upheld.logic.argumentation.semantics.extensions import an_extension
from upheld.logic.argumentation.semantics.names import Semantics

BASE = "{in(X)} :- arg(X). out(X) :- att(Y,X), in(Y). :- in(X), out(X). #show in/1."
ADMISSIBLE = BASE + ":- in(X), att(Y,X), not out(Y)."
COMPLETE = ADMISSIBLE + ":- arg(X), not in(X), out(Y) : att(Y,X)."
NOT_EMPTY = "some :- in(X). :- not some."
RANGE = "range(X) :- in(X). range(X) :- out(X)."
PROGRAMS = {
    Semantics.GROUNDED: "in(X) :- arg(X); out(Y) : att(Y,X). out(X) :- att(Y,X), in(Y). #show in/1.",
    Semantics.PREFERRED: ADMISSIBLE + "#heuristic in(X) : arg(X). [1,true]",
    Semantics.STABLE: BASE + ":- arg(X), not in(X), not out(X).",
    Semantics.SEMI_STABLE: ADMISSIBLE + RANGE + "#heuristic range(X) : arg(X). [1,true]",
    Semantics.STAGE: BASE + RANGE + "#heuristic range(X) : arg(X). [1,true]",
}
"""After ASPARTIX (Egly, Gaggl and Woltran 2010); maximality by clasp's domain heuristic in place of saturation."""

DOMAIN = ("--heuristic=Domain", "--enum-mode=domRec")

COUNTED = {
    Semantics.PREFERRED: (ADMISSIBLE, "in"),
    Semantics.SEMI_STABLE: (ADMISSIBLE + RANGE, "range"),
    Semantics.STAGE: (BASE + RANGE, "range"),
}
LARGER = ":- kept(X), not {0}(X). more :- {0}(X), not kept(X). :- not more."
SHORT = {
    Semantics.PREFERRED: "PR",
    Semantics.STABLE: "ST",
    Semantics.SEMI_STABLE: "SST",
    Semantics.STAGE: "STG",
    Semantics.IDEAL: "ID",
}

Attacks = tuple[tuple[int, int], ...]
Members = frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a solver answers: a set, or none where there is none, and the time in microseconds."""

    members: Members | None
    us: float
    is_proved: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A task under a semantics about one framework, whose arguments are the numbers below ``size``."""

    problem: str
    semantics: Semantics
    size: int
    attacks: Attacks
    about: int = -1

    def __str__(self) -> str:
        """Give the task's name."""
        return f"{self.problem}-{SHORT[self.semantics]}"


# --- frameworks --------------------------------------------------------------------------------------------------


def random_dag(size: int, degree: int, seed: int) -> Attacks:
    """Give ``degree`` attacks an argument, each from newer to older."""
    draw = random.Random(seed)
    return tuple(sorted({(source, draw.randrange(source)) for source in range(1, size) for _ in range(degree)}))


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


FAMILIES: dict[str, tuple[int, Callable[[int], Attacks]]] = {
    "DAG 1,000": (1_000, partial(random_dag, 1_000, 2)),
    "ER 100": (100, partial(random_er, 100, 0.03)),
    "ER 500": (500, partial(random_er, 500, 0.006)),
    "WS 200": (200, partial(random_ws, 200, 6, 0.3)),
    "WS 500": (500, partial(random_ws, 500, 6, 0.3)),
    "BA 1,000": (1_000, partial(random_ba, 1_000, 2)),
    "WS 2,000": (2_000, partial(random_ws, 2_000, 6, 0.3)),
    "DAG 10,000": (10_000, partial(random_dag, 10_000, 2)),
    "WS 10,000": (10_000, partial(random_ws, 10_000, 6, 0.3)),
    "BA 10,000": (10_000, partial(random_ba, 10_000, 2)),
    "ER 1,000, p = .005": (1_000, partial(random_er, 1_000, 0.005)),
    "ER 890, p = .047": (890, partial(random_er, 890, 0.047)),
    "ER 300, p = .03": (300, partial(random_er, 300, 0.03)),
    "ER 200, p = .1": (200, partial(random_er, 200, 0.1)),
}


# --- contestants -------------------------------------------------------------------------------------------------


def ask_clingo(
    program: str,
    size: int,
    attacks: Attacks,
    patience: float,
    *,
    options: Sequence[str] = ("1",),
    lacking: int | None = None,
) -> Reply | None:
    """Give the last answer set, or the first that lacks an argument; ``None`` when patience ends."""
    start = time.perf_counter()
    control = clingo.Control(list(options), logger=_unheard)
    facts = "".join(f"arg({name})." for name in range(size)) + "".join(f"att({a},{b})." for a, b in attacks)
    control.add("base", [], program + facts)
    control.ground([("base", [])])
    sought = None if lacking is None else clingo.Function("in", [clingo.Number(lacking)])
    found: list[Sequence[clingo.Symbol]] = []

    def on_model(answer: clingo.Model) -> bool:
        # An answer set that has the argument sought is passed over; the search goes on as far as the options say.
        if sought is not None and answer.contains(sought):
            return True
        found.append(answer.symbols(shown=True))
        return sought is None

    with control.solve(on_model=on_model, async_=True) as running:
        if not running.wait(patience):
            running.cancel()
            return None
    spent = (time.perf_counter() - start) * 1e6
    members = frozenset(symbol.arguments[0].number for symbol in found[-1]) if found else None
    return Reply(members=members, us=spent)


def _unheard(_code: clingo.MessageCode, _text: str) -> None:
    """Drop what clingo remarks: that a heuristic has nothing to decide where the grounder decided all."""


def ideal_by_clingo(size: int, attacks: Attacks, patience: float) -> Reply | None:
    """Give the ideal extension (Dunne 2009): of what admissible sets have and none attacks, the largest admissible."""
    union = ask_clingo(ADMISSIBLE, size, attacks, patience, options=("--enum-mode=brave", "0"))
    if union is None:
        return None
    start = time.perf_counter()
    accepted = union.members or frozenset[int]()
    attackers: dict[int, set[int]] = {}
    for attacker, target in attacks:
        attackers.setdefault(target, set()).add(attacker)
    left = {name for name in accepted if not attackers.get(name, set()) & accepted}
    while True:
        struck = {target for attacker, target in attacks if attacker in left}
        undefended = {name for name in left if not attackers.get(name, set()) <= struck}
        if not undefended:
            return Reply(members=frozenset(left), us=union.us + (time.perf_counter() - start) * 1e6)
        left -= undefended


def clingo_on(question: Question, patience: float) -> Reply | None:
    """Put a question to clingo; ``None`` when patience ends."""
    semantics, size, attacks, about = question.semantics, question.size, question.attacks, question.about
    if semantics is Semantics.IDEAL:
        return ideal_by_clingo(size, attacks, patience)
    if question.problem == "SE":
        return ask_clingo(PROGRAMS[semantics], size, attacks, patience, options=(*DOMAIN, "1"))
    if question.problem == "DS" and semantics is Semantics.PREFERRED:
        return ask_clingo(PROGRAMS[semantics], size, attacks, patience, options=(*DOMAIN, "0"), lacking=about)
    program = ADMISSIBLE if semantics is Semantics.PREFERRED else PROGRAMS[semantics]
    demand = f":- not in({about})." if question.problem == "DC" else f":- in({about})."
    return ask_clingo(program + demand, size, attacks, patience)


def upheld_on(question: Question) -> Reply:
    """Put a question to upheld, from the same attacks on, within its usual budget."""
    start = time.perf_counter()
    framework: Framework[int] = framework_of(range(question.size), question.attacks)
    if question.problem == "SE":
        found = an_extension(framework, question.semantics)
        return Reply(members=found.extension, us=(time.perf_counter() - start) * 1e6, is_proved=found.is_proved)
    ask = credulously_accepted if question.problem == "DC" else sceptically_accepted
    answer = ask(framework, question.about, question.semantics)
    us = (time.perf_counter() - start) * 1e6
    return Reply(members=answer.witness, us=us, is_proved=answer.is_accepted is not None)


def pygarg_on(question: Question, patience: float) -> Reply | None:
    """Put a question to pygarg in a process of its own, whose start is not counted; ``None`` when patience ends."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_answering, args=(sending, question))
    process.start()
    sending.close()
    reply = cast("Reply", receiving.recv()) if receiving.poll(patience) else None
    process.kill()
    process.join()
    return reply


def _answering(sending: Connection, question: Question) -> None:
    solver: Any = pygarg_solver
    names = [str(number) for number in range(question.size)]
    pairs = [[str(attacker), str(target)] for attacker, target in question.attacks]
    short, about = SHORT[question.semantics], str(question.about)
    start = time.perf_counter()
    if question.problem == "SE":
        found = solver.compute_some_extension(names, pairs, short)
        found = None if found == "NO" else found
    else:
        ask = solver.credulous_acceptability if question.problem == "DC" else solver.skeptical_acceptability
        is_yes, found = ask(names, pairs, about, short)
        found = found if is_yes == (question.problem == "DC") else None
    us = (time.perf_counter() - start) * 1e6
    sending.send(Reply(members=None if found is None else frozenset(map(int, found)), us=us))


# --- checks ------------------------------------------------------------------------------------------------------


def refusal(question: Question, reply: Reply, other: Reply | None, patience: float) -> str:
    """Give why a reply is wrong, or nothing; ``other`` is the reply of another solver, if there is one."""
    if other is not None and reply.is_proved and (reply.members is None) is not (other.members is None):
        return "another answer"
    if reply.members is None:
        return ""
    if question.problem != "SE" and (question.about in reply.members) is (question.problem == "DS"):
        return "the set does not show the answer"
    framework: Framework[int] = framework_of(range(question.size), question.attacks)
    is_sound = is_conflict_free if question.semantics is Semantics.STAGE else is_admissible
    if not is_sound(reply.members, framework):
        return "the set is not admissible, or not conflict-free"
    reached = reply.members | rejected(reply.members, framework)
    if question.semantics is Semantics.STABLE and len(reached) < question.size:
        return "the set is not stable"
    if question.semantics is Semantics.IDEAL:
        return "" if other is None or other.members == reply.members else "another ideal extension"
    if question.problem == "SE" and reply.is_proved and question.semantics in COUNTED:
        program, counted = COUNTED[question.semantics]
        kept = "".join(f"kept({name})." for name in (reply.members if counted == "in" else reached))
        rules = program + LARGER.format(counted) + kept
        larger = ask_clingo(rules, question.size, question.attacks, patience)
        return "there is a larger set" if larger is not None and larger.members is not None else ""
    return ""
