"""The suite ``qmsum`` (protocol P8): queries about meetings, and whether the turns that answer them are found.

Source: Zhong et al., QMSum (NAACL 2021). A specific query has spans of turns that bear on it; general ones, which have
none, are not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from upheld.errors import MissingExtra
from upheld.speech.embedding.local import local_embedder
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.retrieval.document import Document
from upheld_evals.external.finding.material import (
    BM25,
    DEPTHS,
    HYBRID,
    LEXICAL,
    Finder,
    Material,
    Question,
    filled,
    finders,
    found_for,
    hit,
    recall,
)
from upheld_evals.external.lines import read_lines
from upheld_evals.harness.sources import digest_of, source_digest
from upheld_evals.harness.suite import Answer, Item, Measure, Printed, Responder, Scored, Suite
from upheld_evals.suites.tables import averaged, costs

PAIRED_AT = 10
"""Depth at which a query counts as right, where finders are compared query by query."""


def meetings(path: Path) -> list[Material]:
    """Read the turns of each meeting, with its specific queries that have a span.

    Raises:
        MalformedInput: a line that is no meeting.
    """
    return read_lines(path, _meeting, "meeting of QMSum")


def _meeting(tree: dict[str, Any]) -> Material:
    asked = (
        (str(each["query"]), frozenset(_turns(each["relevant_text_span"]))) for each in tree["specific_query_list"]
    )
    return Material(
        documents=tuple(
            Document(id=str(place), text=str(turn["content"]) or "-", turn=str(place), speaker=str(turn["speaker"]))
            for place, turn in enumerate(tree["meeting_transcripts"])
        ),
        questions=tuple(Question(text=text, gold=gold) for text, gold in asked if gold),
    )


def _turns(spans: Sequence[tuple[str, str]]) -> Iterator[str]:
    for first, last in spans:
        yield from map(str, range(int(first), int(last) + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A query about a meeting."""

    meeting: Material
    question: Question


@dataclass(frozen=True, slots=True, kw_only=True)
class FinderArm:
    """A finder over the turns of a meeting."""

    name: str
    finder: Finder = field(repr=False)
    version: str = ""
    asks_llm: bool = False

    @property
    def identity(self) -> str:
        """The finder, the version of its embedder, and the source."""
        return f"finder {self.name} {self.version} {source_digest()}"

    def begun(self, items: Sequence[Item], llm: LanguageModel | None, /) -> Responder:
        """Index the meeting once."""
        index = filled(self.finder, items[0].content.meeting)
        return lambda item: Answer(value=found_for(item.content.question, index))


def qmsum_suite(path: Path) -> Suite:
    """Give the suite over the meetings of one file; without the local embedder the hybrid retriever is left out."""
    read = meetings(path)
    items = tuple(
        Item(
            id=f"{number}/{place}",
            conversation=str(number),
            content=Asked(meeting=meeting, question=question),
        )
        for number, meeting in enumerate(read, start=1)
        for place, question in enumerate(meeting.questions, start=1)
    )
    arms, missing = _arms()
    turns = sum(len(meeting.documents) for meeting in read)
    return Suite(
        name="qmsum",
        version="1",
        purpose="Whether the turns of a meeting that bear on a query are found.",
        data=f"{path.name} of QMSum: {len(read)} meetings, {turns} turns, {len(items)} specific queries",
        digest=digest_of([path]),
        items=items,
        arms=arms,
        baseline=BM25,
        score=lambda item, answer: hit(answer.value, item.content.question.gold, PAIRED_AT),
        measures=finding_measures,
        printed=(
            Printed(source="the protocol's BM25, all of test", name="a hit among the first 10", value="0.807", n="244"),
        ),
        tuned_on="none of it",
        notes=(
            f"The paired test is over queries with a hit among the first {PAIRED_AT}.",
            "Spans are some fifty turns long, so that the share stays far below 1 at small depths.",
            *missing,
        ),
    )


def _arms() -> tuple[tuple[FinderArm, ...], tuple[str, ...]]:
    """Give the finders that can be had, the baseline last, and what to say of those that cannot."""
    try:
        embedder, missing = local_embedder(), ()
    except MissingExtra as error:
        embedder, missing = None, (f"The hybrid retriever is left out: {error}",)
    made = finders(embedder)
    versions = {HYBRID: embedder.name if embedder is not None else ""}
    names = (HYBRID, LEXICAL, BM25)
    return tuple(
        FinderArm(name=name, finder=made[name], version=versions.get(name, "")) for name in names if name in made
    ), missing


def finding_measures(scored: Sequence[Scored], seed: int) -> Sequence[Measure]:
    """Give, at each depth, queries with a hit and the share of their spans; intervals draw whole meetings."""
    known = [each for each in scored if each[1].value is not None]
    return [
        *(
            averaged(f"{name} at {depth}", known, partial(_at, of=of, depth=depth), seed=seed)
            for name, of in (("hit", hit), ("share of the span", recall))
            for depth in DEPTHS
        ),
        *costs(scored),
    ]


def _at(each: Scored, *, of: Callable[[Sequence[str], frozenset[str], int], float], depth: int) -> float:
    item, outcome = each
    return of(outcome.value, item.content.question.gold, depth)
