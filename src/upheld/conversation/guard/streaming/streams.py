"""Streams that hold each sentence back until it was checked; nothing of one that does not stand leaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from upheld.conversation.guard.policy import GuardPolicy
from upheld.conversation.guard.streaming.holding import Holding
from upheld.conversation.guard.verdict import GuardVerdict

T = TypeVar("T")
R = TypeVar("R")


class HeldStream(AsyncIterator[str | T], Generic[T]):
    """A stream of checked sentences, and of what else came between them, in order.

    It reads from its source only when it is asked for more, and holds at most one sentence and what one piece brought.
    At a sentence that does not stand it closes its source and raises
    :class:`~upheld.conversation.guard.verdict.Blocked` to whoever awaits it, now and ever after; where the policy mends
    streams it goes on with the sentence mended, or without it. For one consumer at a time; calls may be held by others.
    """

    def __init__(
        self,
        source: AsyncIterable[T],
        *,
        check: Callable[[str], Awaitable[GuardVerdict]],
        policy: GuardPolicy,
    ) -> None:
        """Hold a source back."""
        self._source = aiter(source)
        self._check = check
        self._holding: Holding[T] = Holding(policy)
        self._checking = asyncio.Lock()
        self._has_ended = self._is_reading = self._is_closed = False

    @property
    def left(self) -> str:
        """All text that may leave so far; when the stream is over, what :meth:`Guard.sent` wants to know."""
        return self._holding.left

    @property
    def verdicts(self) -> tuple[GuardVerdict, ...]:
        """The verdict on each sentence so far."""
        return tuple(self._holding.verdicts)

    def __aiter__(self) -> HeldStream[T]:
        """Iterate over it."""
        return self

    async def __anext__(self) -> str | T:
        """Give the next sentence that stands; raises ``Blocked``."""
        while True:
            await self._let_out()
            out = self._holding.next_out()
            if out:
                return out.popleft()
            if self._holding.failed is not None:
                await self.aclose()
                raise self._holding.error()
            if self._has_ended:
                raise StopAsyncIteration
            await self._read()
            if self._is_closed:
                await self.aclose()

    async def hold(self, call: Callable[[], Awaitable[R]]) -> R:
        """Run a call of the same turn when all text that came before it was checked, and stands.

        Raises:
            Blocked: it does not stand; the call was not begun.
        """
        self._holding.cut()
        await self._let_out()
        if self._holding.failed is not None:
            await self.aclose()
            raise self._holding.error()
        return await call()

    async def aclose(self) -> None:
        """End the stream and its source; what is held back is dropped, and what was checked may still be had."""
        self._has_ended = self._is_closed = True
        self._holding.drop()
        close: Any = getattr(self._source, "aclose", None)
        # A generator that is being read cannot be closed; whoever reads it will, when they find that the stream failed.
        if close is not None and not self._is_reading:
            await close()

    async def _read(self) -> None:
        self._is_reading = True
        try:
            self._holding.take(await anext(self._source))
        except StopAsyncIteration:
            self._has_ended = True
            self._holding.cut()
        finally:
            self._is_reading = False

    async def _let_out(self) -> None:
        # A sentence waits until its verdict is there, so that one whose check was cancelled is checked again.
        async with self._checking:
            while (unit := self._holding.next_unit()) is not None:
                self._holding.settle(await self._check(unit))


class HeldBack(Iterator[str | T], Generic[T]):
    """The same for code that does not await."""

    def __init__(self, source: Iterable[T], *, check: Callable[[str], GuardVerdict], policy: GuardPolicy) -> None:
        """Hold a source back."""
        self._source = iter(source)
        self._check = check
        self._holding: Holding[T] = Holding(policy)
        self._has_ended = False

    @property
    def left(self) -> str:
        """All text that may leave so far."""
        return self._holding.left

    @property
    def verdicts(self) -> tuple[GuardVerdict, ...]:
        """The verdict on each sentence so far."""
        return tuple(self._holding.verdicts)

    def __iter__(self) -> HeldBack[T]:
        """Iterate over it."""
        return self

    def __next__(self) -> str | T:
        """Give the next sentence that stands; raises ``Blocked``."""
        while True:
            self._let_out()
            out = self._holding.next_out()
            if out:
                return out.popleft()
            if self._holding.failed is not None:
                self.close()
                raise self._holding.error()
            if self._has_ended:
                raise StopIteration
            try:
                self._holding.take(next(self._source))
            except StopIteration:
                self._has_ended = True
                self._holding.cut()

    def hold(self, call: Callable[[], R]) -> R:
        """Run a call of the same turn when all text before it stands; raises ``Blocked``, and then has not begun it."""
        self._holding.cut()
        self._let_out()
        if self._holding.failed is not None:
            self.close()
            raise self._holding.error()
        return call()

    def close(self) -> None:
        """End the stream and its source; what is held back is dropped, and what was checked may still be had."""
        self._has_ended = True
        self._holding.drop()
        close: Any = getattr(self._source, "close", None)
        if close is not None:
            close()

    def _let_out(self) -> None:
        while (unit := self._holding.next_unit()) is not None:
            self._holding.settle(self._check(unit))
