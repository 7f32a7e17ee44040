"""What words cost without a key: a turn read, and a reply of three claims checked, by the trained network and by rules.

    python benchmarks/local.py [--quick] [--json] [--plot build/bench/local.svg]

- **read**: a turn of three sentences is read beside what is on record, by cues (the baseline) and by the network.
- **check**: a reply of three claims is matched and judged, by words (the baseline) and by the trained network.
- **cold start**: a new process imports the library, opens the network, and judges one reply beside twenty propositions;
  beside it, the same by words.

Everything is said for the first time, so that nothing is remembered of it; the record itself has been embedded, as it
is turn by turn while people talk, and what that costs a proposition is told (**take in**). Times are medians and 95th
percentiles; *to the baseline* is a ratio in the same run.

What this cannot show: other processors, and whether the answers are right (``upheld eval verify``).
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from measuring import Spread, arguments, as_json, readable, spread, table, timed

from upheld import Conversation
from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import check_text
from upheld.conversation.checking.networks import trained_matcher
from upheld.conversation.checking.readers import interpreter_for
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.turns import Turn
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.interpreter import Interpreter
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.matcher import Matcher

WHO = ("Lena", "Goran", "the night shift", "the supplier", "our auditor", "the plant in Porto", "Pia", "the driver")
DID = ("moved", "checked", "ordered", "cancelled", "repaired", "counted", "measured", "delivered", "lost", "replaced")
WHAT = ("the pump", "the pallets", "the invoices", "the old sensor", "the spare keys", "the test samples", "the valves")
WHEN = (
    "on Monday",
    "in March",
    "before the audit",
    "after lunch",
    "at half past six",
    "last week",
    "during the outage",
)

REPLIES, TURNS, COLD = 60, 60, 5
"""Replies and turns that make the figure of a size, and starts of a process."""

STARTS: dict[str, str] = {"words": "text", "network": "local"}
"""Matchers by what they go by; the second asks the network only where words do not decide."""

BY: dict[str, Callable[[], Matcher]] = {"words": LexicalMatcher, "network": trained_matcher}
"""The two by themselves, so that the network is asked about every claim."""

_COLD = """
from upheld import Conversation
from upheld.conversation.checking.claims import check_text
from upheld.conversation.checking.networks import trained_matcher
from upheld.conversation.checking.readers import matcher
from upheld.logic.language.operations import Observe
talk = Conversation({"a": "Ann"})
for n in range(20):
    talk.say("a", "x", [Observe(id=f"o{n}", text=f"Pallet {n} stands in aisle {n + 3} of the hall.")])
print(check_text(talk.state, "The fourth pallet is in aisle seven.", matcher("%s")).outcome)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Microseconds of one kind of work, by what, at so many propositions; ``ratio`` is to the baseline."""

    kind: str
    by: str
    propositions: int
    time: Spread
    ratio: float


def sentence(draw: random.Random) -> str:
    """Give a sentence that nobody has said before."""
    return f"{draw.choice(WHO)} {draw.choice(DID)} {draw.randrange(10**6)} of {draw.choice(WHAT)} {draw.choice(WHEN)}."


def text(draw: random.Random) -> str:
    """Give a turn or a reply: three sentences."""
    return " ".join(sentence(draw) for _ in range(3))


def record(size: int, draw: random.Random) -> Conversation:
    """Give a conversation of so many observations."""
    talk = Conversation({"a": "Ann", "b": "Ben"})
    for number in range(size):
        said = sentence(draw)
        talk.tell(
            Turn(
                id=TurnId(f"T{number + 1}"),
                speaker=AgentId("ab"[number % 2]),
                text=said,
                operations=(Observe(id=PropositionId(f"o{number}"), text=said),),
            )
        )
    return talk


def costs(sizes: Sequence[int]) -> Iterator[Cost]:
    """Give all figures, each beside its baseline at the same size."""
    for size in sizes:
        draw = random.Random(size)
        talk = record(size, draw)
        view = StateView(talk.state, earlier=talk.timeline.last)
        bare = Transcript(id="bare", turns=())
        names = ("cues", "local")
        read = {name: _reading(interpreter_for(name, bare), view, draw) for name in names}
        yield from _beside("read", "cues", read, size)
        check = {name: _checking(made(), talk, draw) for name, made in BY.items()}
        yield from _beside("check", "words", check, size)


def _reading(interpreter: Interpreter, view: StateView, draw: random.Random) -> Spread:
    def read() -> object:
        return interpreter.interpret(Turn(id=TurnId("T0"), speaker=AgentId("a"), text=text(draw)), view)

    read()
    return spread(timed(read)[1] for _ in range(TURNS))


def _checking(by: Matcher, talk: Conversation, draw: random.Random) -> Spread:
    check_text(talk.state, text(draw), by)
    return spread(timed(lambda: check_text(talk.state, text(draw), by))[1] for _ in range(REPLIES))


def _beside(kind: str, baseline: str, found: dict[str, Spread], size: int) -> Iterator[Cost]:
    for by, each in found.items():
        ratio = each.median / found[baseline].median
        yield Cost(kind=kind, by=by, propositions=size, time=each, ratio=ratio)


def cold_starts(times: int) -> Iterator[Cost]:
    """Give what the first check of a new process costs."""
    found = {name: spread(_started(which) for _ in range(times)) for name, which in STARTS.items()}
    yield from _beside("cold start", "words", found, 20)


def _started(which: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", _COLD % which], check=True, capture_output=True)
    return (time.perf_counter() - start) * 1e6


def taken_in(size: int) -> Cost:
    """Give what it costs to embed a proposition that has just been said."""
    draw = random.Random(7)
    talk, by = record(size, draw), trained_matcher()
    _, whole = timed(lambda: check_text(talk.state, text(draw), by))
    each = Spread(median=whole / size, p95=whole / size, n=size)
    return Cost(kind="take in", by="network", propositions=size, time=each, ratio=1.0)


def plotted(rows: Sequence[Cost], path: Path) -> None:
    """Draw the cost against the number of propositions."""
    mpl, pyplot = import_module("matplotlib"), import_module("matplotlib.pyplot")
    mpl.rcParams["svg.hashsalt"] = "upheld"
    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    grown = [row for row in rows if row.kind in ("read", "check")]
    for kind, by in dict.fromkeys((row.kind, row.by) for row in grown):
        chosen = [row for row in grown if (row.kind, row.by) == (kind, by)]
        axes.plot(
            [row.propositions for row in chosen], [row.time.median / 1e3 for row in chosen], "o-", label=f"{kind}, {by}"
        )
    axes.set(xscale="log", yscale="log", xlabel="propositions on record", ylabel="milliseconds")
    axes.legend(fontsize="small")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(str(path), metadata={"Date": None})


def main() -> None:
    """Measure, and print."""
    options = arguments(__doc__)
    sizes = (100, 1_000) if options.quick else (100, 1_000, 10_000)
    steps: list[Callable[[], Iterator[Cost]]] = [
        lambda: costs(sizes),
        lambda: iter([taken_in(200 if options.quick else 1_000)]),
        lambda: cold_starts(2 if options.quick else COLD),
    ]
    rows = [row for step in steps for row in step()]
    if options.plot:
        plotted(rows, options.plot)
    if options.json:
        print(as_json({"costs": rows}))
        return
    table(
        "Words without a key",
        ("kind", "by", "propositions", "median / p95", "to the baseline"),
        [(row.kind, row.by, f"{row.propositions:,}", str(row.time), f"{row.ratio:.2f}") for row in rows],
    )
    slowest = max(row.time.p95 for row in rows if row.kind == "check")
    print(f"\nThe slowest check: {readable(slowest)} at the 95th percentile.")


if __name__ == "__main__":
    main()
