"""Server-sent events in and out, and what a held stream makes of each of them."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from httpx2 import EventSource, Response

Tree = dict[str, Any]

LARGEST_EVENT = 64 * 1024 * 1024
"""Bytes of one event: the last one of a stream may repeat the whole answer."""

_UNNAMED = "message"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event as it stands in a stream; without a name, where its kind stands in the data."""

    data: str
    name: str = ""

    @property
    def tree(self) -> Tree:
        """The data as an object of JSON; an empty one, if it is none."""
        return object_of(self.data)

    def encoded(self) -> bytes:
        """Give the event as bytes of a stream."""
        lines = "".join(f"data: {line}\n" for line in self.data.split("\n"))
        return (f"event: {self.name}\n{lines}\n" if self.name else f"{lines}\n").encode()


def event_of(tree: Tree, *, name: str = "") -> Event:
    """Give an event with these data."""
    return Event(data=json.dumps(tree, ensure_ascii=False, separators=(",", ":")), name=name)


def object_of(content: bytes | str) -> Tree:
    """Read an object of JSON; an empty one stands for everything else."""
    try:
        tree: object = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return cast("Tree", tree) if isinstance(tree, dict) else {}


async def events_in(response: Response) -> AsyncGenerator[Event]:
    """Give the events of an upstream's stream as they arrive."""
    async for found in EventSource(response, max_event_size=LARGEST_EVENT):
        yield Event(data=found.data, name="" if found.event == _UNNAMED else found.event)


class Place(StrEnum):
    """Where a piece of a stream goes.

    ``WORDS``: text, held until it was checked. ``WAITING``: after the text before it, which is over with it (calls of
    tools). ``AFTER``: after the text before it, which goes on (citations). ``BESIDE``: at once (pings, costs).
    ``LAST``: as ``WAITING``, and it says that the answer is over. ``END``: after everything.
    """

    WORDS = "words"
    WAITING = "waiting"
    AFTER = "after"
    BESIDE = "beside"
    LAST = "last"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of a stream; ``lane`` is which of several answers to the same request it belongs to."""

    place: Place
    event: Event
    lane: int = 0
    text: str = ""
