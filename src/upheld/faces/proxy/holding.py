"""Streams that hold each sentence back until it was checked; where one does not stand, nothing more leaves."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing

from upheld.conversation.guard.policy import GuardPolicy
from upheld.conversation.guard.streaming.holding import Holding
from upheld.conversation.guard.verdict import GuardVerdict
from upheld.faces.proxy.apis.dialect import StreamReader
from upheld.faces.proxy.checking import together
from upheld.faces.proxy.events import Event, Piece, Place

Check = Callable[[str], Awaitable[GuardVerdict]]
Passed = Callable[[Event, int, GuardVerdict], Awaitable[Event]]
"""Settles an answer that passed: its last event, which is given back with what was found, its lane and its verdict."""
Failed = Callable[[int, GuardVerdict, bool], Awaitable[Sequence[Event]]]
"""Settles one that did not: its lane, its verdict, whether nothing has left of it; gives the events that end it,
as they were sent."""


class Lane:
    """What one of the answers in a stream holds back."""

    def __init__(self, policy: GuardPolicy) -> None:
        """Begin with nothing."""
        self._holding: Holding[str | Piece] = Holding(policy)
        self._after: list[Piece] = []
        self.is_over = False

    @property
    def has_failed(self) -> bool:
        """Tell whether a sentence did not stand."""
        return self._holding.failed is not None

    @property
    def left(self) -> str:
        """All text that has left."""
        return self._holding.left

    @property
    def verdict(self) -> GuardVerdict:
        """The verdict on all sentences so far."""
        failed = self._holding.failed
        return together(self._holding.verdicts, self.left + (failed.reply if failed is not None else ""))

    def take(self, piece: Piece) -> None:
        """Take a piece. Citations wait for the end of what they belong to: no text is cut by them."""
        if piece.place is Place.AFTER:
            self._after.append(piece)
        elif piece.place is Place.WORDS:
            self._holding.take(piece.text)
        else:
            later, self._after = self._after, []
            for each in (*later, piece):
                self._holding.take(each)

    def cut(self) -> None:
        """Take what is begun for a sentence."""
        self._holding.cut()

    async def checked_next(self, check: Check) -> GuardVerdict | None:
        """Check the next sentence, if there is one, and give the verdict."""
        unit = self._holding.next_unit()
        if unit is None:
            return None
        verdict = await check(unit)
        self._holding.settle(verdict)
        return verdict

    def out(self) -> Iterator[str | Piece]:
        """Give what may leave now, in order."""
        waiting = self._holding.next_out()
        while waiting:
            yield waiting.popleft()


async def held(
    source: AsyncGenerator[Event],
    reader: StreamReader,
    *,
    check: Check,
    policy: GuardPolicy,
    settle: tuple[Passed, Failed],
    count: int = 1,
) -> AsyncGenerator[Event]:
    """Give a stream of which every sentence stands; where one does not, its answer ends.

    With the last of ``count`` answers the stream ends, and its source is read no further.
    """
    lanes: dict[int, Lane] = {}
    async with aclosing(source):
        async for event in source:
            for piece in reader.read(event):
                async for each in _advanced(piece, lanes, policy, reader, check, settle):
                    yield each
            if sum(lane.has_failed for lane in lanes.values()) >= count:
                for each in reader.ending():
                    yield reader.sent(each)
                return
    async for each in _rest(lanes, reader, check, settle):
        yield each


async def _advanced(
    piece: Piece,
    lanes: dict[int, Lane],
    policy: GuardPolicy,
    reader: StreamReader,
    check: Check,
    settle: tuple[Passed, Failed],
) -> AsyncIterator[Event]:
    if piece.place is Place.BESIDE:
        yield reader.sent(piece.event)
        return
    if piece.place is Place.END:
        async for each in _rest(lanes, reader, check, settle):
            yield each
        yield reader.sent(piece.event)
        return
    lane = lanes.setdefault(piece.lane, Lane(policy))
    if not lane.has_failed:
        lane.take(piece)
        async for each in _let_out(lane, piece.lane, reader, check, settle):
            yield each


async def _rest(
    lanes: dict[int, Lane], reader: StreamReader, check: Check, settle: tuple[Passed, Failed]
) -> AsyncIterator[Event]:
    for index, lane in lanes.items():
        if not lane.has_failed:
            lane.cut()
            async for each in _let_out(lane, index, reader, check, settle):
                yield each


async def _let_out(
    lane: Lane, index: int, reader: StreamReader, check: Check, settle: tuple[Passed, Failed]
) -> AsyncIterator[Event]:
    passed, failed = settle
    is_going = True
    while is_going:
        is_going = await lane.checked_next(check) is not None
        for each in lane.out():
            yield await _written(each, lane, index, reader, passed)
    if lane.has_failed and not lane.is_over:
        lane.is_over = True
        for event in await failed(index, lane.verdict, not lane.left.strip()):
            yield event


async def _written(each: str | Piece, lane: Lane, index: int, reader: StreamReader, passed: Passed) -> Event:
    if isinstance(each, str):
        return reader.sent(reader.words(index, each))
    return reader.sent(await passed(each.event, index, lane.verdict) if each.place is Place.LAST else each.event)
