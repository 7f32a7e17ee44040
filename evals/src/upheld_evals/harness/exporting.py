"""Requests of a suite written to a file instead of being sent, one name for each.

An arm is run with a language model that answers only what is known already, and keeps the rest. So arms whose later
requests depend on earlier replies are exported in rounds: each file of replies brings the next file of requests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby

from upheld.errors import NoRecording
from upheld.speech.models.collecting import CollectingModel
from upheld.speech.models.language_model import LanguageModel
from upheld.speech.models.request import Request
from upheld_evals.harness.repeating import as_run
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


def _ask(arm: Arm, items: Sequence[Item], llm: CollectingModel) -> None:
    """Run an arm over a conversation; what it cannot answer yet is what is being looked for."""
    # Reading a conversation is a chain, in which each request follows from the replies before it; items are not.
    llm.chain = llm.label
    try:
        responder = arm.begun(items, as_run(llm, items))
    except NoRecording:
        return
    finally:
        llm.chain = ""
    for item in items:
        with suppress(NoRecording):
            responder(item)
