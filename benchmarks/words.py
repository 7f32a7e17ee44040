"""What a turn costs as a conversation grows: reading it by cues, and checking a reply against all that was said.

    python benchmarks/words.py [--quick] [--json] [--plot build/bench/words.svg]

- **say**: a turn is read by the local interpreter and taken in. **check**: a reply is matched by words and judged; the
  matcher serves the conversation, as everywhere in upheld, so that it has seen all but the last turn.
- **check anew**: the same replies with a matcher that has seen nothing, so that it takes in the whole conversation: the
  slow and obvious way, and the baseline. Both must give the same verdicts.

Every turn names two of twenty things and a price, so that a search meets a tenth of all that was said: far more than
people share. Times are medians; *to the first* is a size against the smallest.

What this cannot show: what a turn costs whose words are rare (less), or with a language model (its reply takes longer
than all of this).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from measuring import Spread, arguments, as_json, readable, spread, table, timed

from upheld import Conversation
from upheld.conversation.checking.claims import check_text
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.matching.lexical import LexicalMatcher

THINGS = (
    *("apple", "pear", "plum", "table", "chair", "lamp", "house", "river", "stone", "cloud"),
    *("garden", "bridge", "window", "paper", "copper", "silver", "engine", "rocket", "market", "harbor"),
)
LAST = 50
"""Turns whose times make the figure of a size."""
REPLIES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Microseconds a turn of one kind at a length in turns; ``growth`` is to the smallest length."""

    kind: str
    turns: int
    time: Spread
    growth: float


def sentence(draw: random.Random) -> str:
    """Give a sentence that nobody has said before."""
    first, second = draw.sample(THINGS, 2)
    return f"The {first} near the {second} costs {draw.randrange(10**6)} euros."


def measured(sizes: Sequence[int]) -> Iterator[tuple[str, int, Spread]]:
    """Let a conversation grow, and give the times of a turn at each size."""
    draw = random.Random(1)
    matcher = LexicalMatcher()
    conversation = Conversation({"a": "Ann", "b": "Ben"}, interpreter=CueInterpreter())
    said: list[float] = []
    for number in range(1, sizes[-1] + 1):
        speaker, text = "ab"[number % 2], sentence(draw)
        said.append(timed(lambda speaker=speaker, text=text: conversation.say(speaker, text))[1])
        if number not in sizes:
            continue
        yield "say", number, spread(said[-LAST:])
        replies = [sentence(draw) for _ in range(REPLIES)]
        check_text(conversation.state, replies[0], matcher)
        kept = [timed(lambda reply=reply: check_text(conversation.state, reply, matcher)) for reply in replies]
        anew = [timed(lambda reply=reply: check_text(conversation.state, reply, LexicalMatcher())) for reply in replies]
        if [verdict for verdict, _ in kept] != [verdict for verdict, _ in anew]:
            raise AssertionError(f"the two ways to check disagree at {number} turns")
        yield "check", number, spread(time for _, time in kept)
        yield "check anew", number, spread(time for _, time in anew)


def costs(sizes: Sequence[int]) -> list[Cost]:
    """Give all figures, each beside that of the smallest size."""
    first: dict[str, float] = {}
    return [
        Cost(kind=kind, turns=turns, time=time, growth=time.median / first.setdefault(kind, time.median))
        for kind, turns, time in measured(sizes)
    ]


def plotted(rows: Sequence[Cost], path: Path) -> None:
    """Draw the cost of a turn against the length of the conversation."""
    mpl, pyplot = import_module("matplotlib"), import_module("matplotlib.pyplot")
    mpl.rcParams["svg.hashsalt"] = "upheld"
    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    for kind in dict.fromkeys(row.kind for row in rows):
        chosen = [row for row in rows if row.kind == kind]
        axes.plot([row.turns for row in chosen], [row.time.median / 1e3 for row in chosen], "o-", label=kind)
    axes.set(xscale="log", yscale="log", xlabel="turns", ylabel="milliseconds a turn")
    axes.legend(fontsize="small")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(str(path), metadata={"Date": None})


def main() -> None:
    """Measure, and print."""
    options = arguments(__doc__)
    rows = costs((100, 1_000) if options.quick else (100, 1_000, 5_000, 10_000))
    if options.plot:
        plotted(rows, options.plot)
    if options.json:
        print(as_json({"costs": rows}))
        return
    anew = {row.turns: row.time.median for row in rows if row.kind == "check anew"}
    lines = [
        (
            row.kind,
            f"{row.turns:,}",
            str(row.time),
            f"{row.growth:.1f}",
            f"{row.time.median / anew[row.turns]:.2f} ({readable(anew[row.turns])})" if row.kind == "check" else "-",
        )
        for row in rows
    ]
    table("A turn as the conversation grows", ("kind", "turns", "median / p95", "to the first", "to anew"), lines)


if __name__ == "__main__":
    main()
