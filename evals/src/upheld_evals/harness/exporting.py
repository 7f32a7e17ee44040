"""Requests of a suite written to a file instead of being sent, one name for each.

An arm is run with a language model that answers only what is known already, and keeps the rest. So arms whose later
requests depend on earlier replies are exported in rounds: each file of replies brings the next file of requests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby

from upheld.errors import NoRecording, UpheldError
from upheld.speech.interpretation.llm.requesting import HOT, Asking
from upheld.speech.models.collecting import CollectingModel
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.reply import Reply
from upheld.speech.models.request import Request
from upheld_evals.harness.repeating import APART, as_run
from upheld_evals.harness.suite import Arm, Item, Suite


def requests_of(
    suite: Suite, *, limit: int = 0, name: str = "any", known: LanguageModel | None = None
) -> Iterator[tuple[str, Request]]:
    """Give the requests of all arms that wait for a reply, each with the name under which its reply returns.

    Two arms may ask the same: the request is then given once, under its first name, since its reply is found by what
    was asked. ``known`` answers what was answered before.
    """
    items = suite.items[:limit] if limit else suite.items
    llm = CollectingModel(name, known=known)
    for arm in suite.arms:
        if arm.asks_llm:
            for conversation, group in groupby(items, key=lambda item: item.conversation):
                llm.label = f"{suite.name} {arm.name} {conversation}"
                _ask(arm, tuple(group), llm)
    return llm.requests


class _WithVotes:
    """Collects all replies that are voted on together where a chain ends: they do not follow from each other."""

    def __init__(self, inner: CollectingModel) -> None:
        self.name = inner.name
        self._inner = inner
        self._has_ended = False

    def ask(self, request: Request, /) -> Reply:
        try:
            return self._inner.ask(request)
        except NoRecording:
            is_first = not self._has_ended or not self._inner.chain
            self._has_ended = True
            if is_first and request.temperature == HOT and request.sample % APART == 0:
                self._ask_the_others(request)
            raise

    def _ask_the_others(self, request: Request) -> None:
        chain, self._inner.chain = self._inner.chain, ""
        for sample in range(1, Asking().samples):
            with suppress(NoRecording):
                self._inner.ask(replace(request, sample=request.sample + sample))
        self._inner.chain = chain


def _ask(arm: Arm, items: Sequence[Item], llm: CollectingModel) -> None:
    """Run an arm over a conversation; what it cannot answer yet is what is being looked for."""
    # Reading a conversation is a chain, in which each request follows from the replies before it; items are not.
    llm.chain = llm.label
    try:
        responder = arm.begun(items, as_run(_WithVotes(llm), items))
    except UpheldError:
        return
    finally:
        llm.chain = ""
    for item in items:
        try:
            responder(item)
        except UpheldError:
            continue
