"""The same items asked several times, so that a table says how far answers differ from run to run.

The first run asks as everybody does. Each further run draws anew, at a temperature, and its requests bear its number,
so that no recording or cache gives the first reply again (the paper, section 4.2: temperature 0, then 1.0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Reply
from upheld.speech.models.request import Request
from upheld_evals.harness.suite import Item, Suite

RUN, TOGETHER = "run", "cluster"
"""Facets of an item that is asked again: which run it belongs to, and the conversation that all runs are of."""

TEMPERATURE = 1.0
APART = 1_000
"""Numbers between the samples of two runs: more than anybody votes on."""


def repeated(suite: Suite, runs: int) -> Suite:
    """Give a suite with every item in each of so many runs; one run is the suite itself."""
    if runs <= 1:
        return suite
    items = tuple(item if run == 1 else _again(item, run) for run in range(1, runs + 1) for item in suite.items)
    return replace(
        suite,
        items=items,
        data=f"{suite.data}; {runs} runs",
        is_paired=False,
        notes=(
            *suite.notes,
            f"Each item was asked in {runs} runs, the first at temperature 0, the others at {TEMPERATURE}: n counts"
            " every run, and intervals of shares take them for independent, which they are not.",
        ),
    )


def as_run(llm: LanguageModel, items: Sequence[Item]) -> LanguageModel:
    """Give the language model as the run of some items asks it."""
    run = int(items[0].facets.get(RUN, "1"))
    return llm if run == 1 else DrawnAgain(llm, run=run)


def conversation_of(item: Item) -> str:
    """Give the conversation that an item is of, whichever run asks it."""
    return item.facets.get(TOGETHER, item.conversation)


class DrawnAgain:
    """Asks for another draw: every request with the number of the run, and warm unless it was so already."""

    def __init__(self, inner: LanguageModel, *, run: int) -> None:
        """``run`` counts from 1; the first run changes nothing, and needs none of this."""
        self.name = inner.name
        self._inner = inner
        self._run = run

    def ask(self, request: Request, /) -> Reply:
        """Ask; raises what the inner one raises."""
        sample = request.sample + APART * (self._run - 1)
        return self._inner.ask(replace(request, sample=sample, temperature=request.temperature or TEMPERATURE))


def _again(item: Item, run: int) -> Item:
    return replace(
        item,
        id=f"{item.id} run {run}",
        conversation=f"{item.conversation} run {run}",
        facets={**item.facets, RUN: str(run), TOGETHER: item.conversation},
    )
