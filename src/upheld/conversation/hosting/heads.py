"""Where conversations end now, asked of a store that is far away: who asks at once shares the way there and back.

Nobody is given an answer that was on its way before they asked: it might not have what was acknowledged meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence

from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.chain import Head

Waiting = dict[ConversationId, list[asyncio.Future[Head]]]


class Heads:
    """Asks where conversations end, for one event loop: one question at a time is under way, on a thread."""

    def __init__(self, heads: Callable[[Sequence[ConversationId]], tuple[Head, ...]]) -> None:
        """``heads`` asks the store, as :meth:`~upheld.record.ledger.store.Store.heads` does."""
        self._heads = heads
        self._waiting: Waiting = {}
        self._asking: asyncio.Task[None] | None = None

    async def of(self, conversation: ConversationId) -> Head:
        """Give where a conversation ends, as the store has it after this was asked.

        Raises:
            StoreError: it cannot be asked.

        Cost: a share of one question to the store, after the one that is under way.
        """
        answer: asyncio.Future[Head] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(conversation, []).append(answer)
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        return await answer

    async def _ask(self) -> None:
        while self._waiting:
            asked, self._waiting = self._waiting, {}
            try:
                found = await asyncio.to_thread(self._heads, tuple(asked))
            except Exception as error:  # noqa: BLE001 - it is raised where the answer is waited for
                for answer in _unsettled(asked.values()):
                    answer.set_exception(error)
            except asyncio.CancelledError:
                for answer in _unsettled([*asked.values(), *self._waiting.values()]):
                    answer.cancel()
                raise
            else:
                for answers, head in zip(asked.values(), found, strict=True):
                    for answer in _unsettled([answers]):
                        answer.set_result(head)


def _unsettled(waiting: Iterable[Sequence[asyncio.Future[Head]]]) -> Iterator[asyncio.Future[Head]]:
    """Give those that are waited for still: whoever went away has cancelled theirs."""
    return (answer for answers in waiting for answer in answers if not answer.done())
