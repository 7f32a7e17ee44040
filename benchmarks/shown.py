"""Whether what a reply or a question is about gets shown: the candidates of a matcher, and the page of an answer.

    python benchmarks/shown.py [--shared FOLDER] [--json]

1. **candidates**: of the propositions that a labelled reply rests on or contradicts, the share that is among the 20, or
   60, that a language model is shown beside it. *lexical* is words, the same number for each sentence; *words* and
   *hybrid* are the finder without and with the local embedder. Replies to states that are shown whole are left out.
2. **page**: of the propositions that the answer to a question rests on, the share that stands on the page that
   ``upheld ask`` writes for the question into 500 and 1,500 tokens, by the search behind it. *terms* is the
   renderer's own, and the default.

Intervals are paired bootstraps of the difference to the first arm (2,000 draws of replies or questions, seed 0).

What this cannot show: the finder's share of newest propositions was chosen on **long** at 60, so that this row flatters
it. The replies of **long** and of **dev** were written by the same hand, from the same conversations in part.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from measuring import table
from retrieval import interval

from upheld import Conversation
from upheld.conversation.answering.asking import renderer_of
from upheld.conversation.asking.questions import Questions
from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.finding import Finder, StateSearch, finder
from upheld.logic.language.identities import TurnId
from upheld.logic.language.turns import Turn
from upheld.speech.formats.gold import Gold
from upheld.speech.formats.reading import read_transcript
from upheld.speech.matching.llm.candidates import Candidates, LexicalCandidates

DATA = ("dev", "long")
LIMITS = (20, 60)
BUDGETS = (500, 1500)

Share = tuple[int, int]
"""How many of what is meant were shown, and how many are meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One arm: what it shows of what is meant, over all; the mean of the items' gains to the first arm, 95 %."""

    part: str
    data: str
    size: int
    arm: str
    n: int
    shown: int
    meant: int
    gain: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A conversation, told to its end, with its words and labels."""

    conversation: Conversation
    turns: tuple[Turn, ...]
    gold: Gold

    def asked_at(self, at: TurnId | None) -> Questions:
        """Give the conversation as it was then."""
        return self.conversation if at is None else self.conversation.at(at)


def annotated(folder: Path) -> Iterator[Told]:
    """Give the conversations of a folder that have labels."""
    for file in sorted(folder.glob("*.yaml")):
        transcript = read_transcript(file)
        if transcript.gold is not None:
            yield Told(conversation=loaded(transcript), turns=transcript.turns, gold=transcript.gold)


def candidates(told: Sequence[Told], make: Callable[[], Candidates], limit: int) -> Iterator[Share]:
    """Give, for each labelled reply, how much of what it is about is among the candidates."""
    for each in told:
        choose = make()
        for item in each.gold.verify:
            meant = {literal.proposition for literal in (*item.rests_on, *item.contradicts)}
            view = StateView(each.asked_at(item.at).state)
            if meant and sum(1 for _ in view.known()) > limit:
                found = {known.proposition.id for known in choose(item.text, view, limit)}
                yield len(meant & found), len(meant)


def on_page(told: Sequence[Told], search: Finder | None, budget: int) -> Iterator[Share]:
    """Give, for each question that the record answers, how much of its grounds is on the page."""
    for each in told:
        for question in each.gold.questions:
            if question.abstain or not question.rests_on:
                continue
            asked = each.asked_at(question.at)
            behind = None if search is None else StateSearch(asked.state, search)
            pages = renderer_of(asked, behind, turns=each.turns)
            shown = set(pages.retrieved(question.text, budget=budget).shown)
            meant = {literal.proposition for literal in question.rests_on}
            yield len(meant & shown), len(meant)


def rows_of(part: str, data: str, size: int, arms: Mapping[str, Sequence[Share]]) -> Iterator[Row]:
    """Compare the arms with the first of them, item by item."""
    baseline = next(iter(arms.values()))
    for arm, shares in arms.items():
        gains = [mine[0] / mine[1] - theirs[0] / theirs[1] for mine, theirs in zip(shares, baseline, strict=True)]
        if not gains:
            continue
        low, high = interval(gains)
        yield Row(
            part=part,
            data=data,
            size=size,
            arm=arm,
            n=len(shares),
            shown=sum(shown for shown, _ in shares),
            meant=sum(meant for _, meant in shares),
            gain=round(statistics.fmean(gains), 3),
            low=low,
            high=high,
        )


def measured(corpus: Path) -> Iterator[Row]:
    """Give all figures."""
    for data in DATA:
        told = list(annotated(corpus / data))
        for limit in LIMITS:
            makers: dict[str, Callable[[], Candidates]] = {
                "lexical": LexicalCandidates,
                "words": Finder,
                "hybrid": finder,
            }
            arms = {arm: list(candidates(told, make, limit)) for arm, make in makers.items()}
            yield from rows_of("candidates", data, limit, arms)
        for budget in BUDGETS:
            searches = {"terms": None, "words": Finder(), "hybrid": finder()}
            pages = {arm: list(on_page(told, search, budget)) for arm, search in searches.items()}
            yield from rows_of("page", data, budget, pages)


def main() -> None:
    """Print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(__file__).resolve().parent.parent.parent / "shared"
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("UPHELD_SHARED", beside)))
    parser.add_argument("--json", action="store_true", help="the figures as JSON instead of a table")
    options = parser.parse_args()
    corpus = options.shared / "corpus"
    if not corpus.is_dir():
        parser.error(f"no annotated conversations at {corpus}: give --shared, or set UPHELD_SHARED")
    name = finder().name
    rows = list(measured(corpus))
    if options.json:
        print(json.dumps({"finder": name, "rows": [asdict(row) for row in rows]}, indent=2))
        return
    print(f"finder: {name}")
    heads = ("part", "data", "size", "arm", "n", "shown", "of", "share", "gain", "95 %")
    lines = [
        (
            row.part,
            row.data,
            f"{row.size:,}",
            row.arm,
            row.n,
            row.shown,
            row.meant,
            f"{row.shown / row.meant:.3f}",
            f"{row.gain:+.3f}",
            f"{row.low:+.3f} to {row.high:+.3f}",
        )
        for row in rows
    ]
    table("Shown of what is meant", heads, lines)


if __name__ == "__main__":
    main()
