"""Where conversations end, asked of a store that is far away: fewer questions, and none of them too early."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import pytest

from upheld.conversation.hosting.heads import Heads
from upheld.errors import StoreError
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.chain import Head
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.testing.store_materials import said

TALK, OTHER = ConversationId("talk"), ConversationId("other")


class Far:
    """A store that answers when it is let, and notes what it was asked."""

    def __init__(self) -> None:
        """Keep everything in memory, and answer nothing yet."""
        self.store = EphemeralStore()
        self.questions: list[tuple[ConversationId, ...]] = []
        self.may_answer = threading.Semaphore(0)
        self.is_away = False

    def heads(self, conversations: Sequence[ConversationId]) -> tuple[Head, ...]:
        """Look, and then wait until the answer may go."""
        self.questions.append(tuple(conversations))
        if self.is_away:
            raise StoreError("away")
        found = self.store.heads(conversations)
        assert self.may_answer.acquire(timeout=10)
        return found


async def until_asked(far: Far, times: int) -> None:
    """Wait until the store was asked so many times."""
    while len(far.questions) < times:
        await asyncio.sleep(0.001)


def test_whoever_asks_while_a_question_is_under_way_shares_the_next_one() -> None:
    """Our promise: an answer that was on its way before somebody asked is not theirs: it may be out of date."""

    async def asked() -> tuple[Far, list[int]]:
        far = Far()
        far.store.append(TALK, [said(1)])
        heads = Heads(far.heads)
        first = asyncio.create_task(heads.of(TALK))
        await until_asked(far, 1)
        # Acknowledged after the store was asked, and before the others ask.
        far.store.append(TALK, [said(2)])
        later = [asyncio.create_task(heads.of(each)) for each in (TALK, OTHER, TALK, TALK)]
        await asyncio.sleep(0)
        far.may_answer.release(2)
        return far, [head.epoch for head in await asyncio.gather(first, *later)]

    far, epochs = asyncio.run(asked())
    assert epochs == [1, 2, 0, 2, 2]
    assert far.questions == [(TALK,), (TALK, OTHER)]


def test_whoever_goes_away_takes_nobody_along() -> None:
    """Our promise: a request that is given up does not end those that wait for the same answer."""

    async def asked() -> Head:
        far = Far()
        far.store.append(TALK, [said(1)])
        heads = Heads(far.heads)
        first, second = (asyncio.create_task(heads.of(TALK)) for _ in range(2))
        await until_asked(far, 1)
        first.cancel()
        far.may_answer.release(2)
        with pytest.raises(asyncio.CancelledError):
            await first
        return await second

    assert asyncio.run(asked()).epoch == 1


def test_a_store_that_is_away_is_told_to_all_and_asked_again() -> None:
    """Our promise: an error is that of those who waited for it; whoever asks later is not told of it."""

    async def asked() -> Head:
        far = Far()
        far.store.append(TALK, [said(1)])
        heads = Heads(far.heads)
        far.is_away = True
        found = await asyncio.gather(heads.of(TALK), heads.of(OTHER), return_exceptions=True)
        assert [type(each) for each in found] == [StoreError, StoreError]
        far.is_away = False
        far.may_answer.release()
        return await heads.of(TALK)

    assert asyncio.run(asked()).epoch == 1
