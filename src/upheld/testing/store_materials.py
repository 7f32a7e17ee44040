"""What the suites of stores are made of: conversations, words, and several callers at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Content, Entry, Words

Result = TypeVar("Result")

HERE = ConversationId("here")
THERE = ConversationId("there")
PATIENCE = 20.0
"""Seconds that a waiting test allows before it fails; a store that works needs none of them."""


def said(number: int, text: str = "") -> Words:
    """Give the words of turn ``number``."""
    return Words(turn=TurnId(f"T{number}"), speaker=AgentId("alice"), text=text or f"words {number}")


def contents_of(entries: Iterable[Entry]) -> list[Content]:
    """Give what the entries hold, in order."""
    return [entry.content for entry in entries]


def texts_of(entries: Iterable[Entry]) -> list[str]:
    """Give the texts of entries that hold words."""
    return [entry.content.text for entry in entries if isinstance(entry.content, Words)]


def at_once(calls: Sequence[Callable[[], Result]]) -> list[Result | Exception]:
    """Run every call in a thread of its own, all released together; give results, or what was raised."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Result]) -> Result | Exception:
        barrier.wait(PATIENCE)
        try:
            return call()
        except Exception as error:  # noqa: BLE001 - whatever a store raises is what the test looks at
            return error

    with ThreadPoolExecutor(max_workers=len(calls)) as threads:
        return list(threads.map(run, calls))
