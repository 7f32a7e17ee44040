"""Pages of events that listeners at the same place share, so that a crowd costs one look at the record."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anyio import CapacityLimiter, to_thread

from upheld.faces.server.models.events import Event
from upheld.logic.language.identities import ConversationId, TurnId

KEPT = 256
"""Pages that are kept; of a conversation that grows each is soon a page of the past, and asked for by nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a listener is: after which entry, how many events of the conversation lie before that, and whose words.

    ``words`` is the turn whose words were the last entry: the next entry is their meaning, if they have one yet.
    """

    after: int
    events: int
    words: TurnId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What comes after a place, and the place after that."""

    events: Sequence[Event]
    end: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Which page: of whose conversation, after which entry, when its record was known to have ``version`` entries.

    With the version in it, a page is never taken for what came after an entry that is there only since, or for what
    stood there before something was erased. With the ``record`` it is never one of a conversation of the same name that
    was dropped: it is the link of the first entry.
    """

    tenant: str
    conversation: ConversationId
    record: str
    after: int
    version: int


class Pages:
    """Pages by what was sought; of those who seek the same at a time, one looks. For one event loop."""

    def __init__(self, readers: int) -> None:
        """Let so many look at a time: in threads of their own, so that no request waits for them."""
        self._limiter = CapacityLimiter(readers)
        self._pages: OrderedDict[Sought, asyncio.Task[Page]] = OrderedDict()

    async def page(self, sought: Sought, look: Callable[[], Page]) -> Page:
        """Give a page; ``look`` finds it, on a thread. Where no version is known, each looks for themselves.

        Raises:
            UpheldError: the record could not be read; the next one looks again.
        """
        if not sought.version:
            return await self._looked(look)
        task = self._pages.get(sought)
        if task is None or (task.done() and task.exception() is not None):
            task = asyncio.create_task(self._looked(look))
            self._pages[sought] = task
            while len(self._pages) > KEPT:
                self._pages.popitem(last=False)
        # Whoever leaves does not take the page away from the others.
        return await asyncio.shield(task)

    async def _looked(self, look: Callable[[], Page]) -> Page:
        return await to_thread.run_sync(look, limiter=self._limiter)
