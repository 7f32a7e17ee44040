"""Answers that come as streams: let through as they come and marked at the end, or held back sentence by sentence."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from http import HTTPStatus

from httpx2 import Response
from starlette.responses import Response as Outgoing

from upheld.conversation.guard.verdict import GuardVerdict
from upheld.faces.proxy.apis.dialect import Refusal, StreamReader
from upheld.faces.proxy.events import Event, Place, events_in
from upheld.faces.proxy.exchange import Exchange, Policy, answer_in
from upheld.faces.proxy.holding import held
from upheld.faces.proxy.upstream import Relayed, UpstreamFailure, closed, failing, headers_back
from upheld.faces.proxy.whole import Send, judged

_STREAM = "text/event-stream"


class _Again(Exception):
    """What came so far does not stand, and is asked for again."""

    def __init__(self, verdict: GuardVerdict) -> None:
        super().__init__()
        self.verdict = verdict


async def streamed(exchange: Exchange, send: Send) -> Outgoing:
    """Ask, and answer with a stream; what is none is judged whole.

    Raises:
        UpstreamFailure: nobody answered.
    """
    response = await send(exchange.request())
    if not _is_stream(response):
        return await judged(exchange, response, send)
    events = _events(exchange, response, send)
    headers = [*headers_back(response, is_read=True), *exchange.headers().items()]
    return Relayed(response, events, headers=headers)


async def _events(exchange: Exchange, response: Response, send: Send) -> AsyncIterator[bytes]:
    reader = exchange.dialect.reader(exchange.body)
    source = _read(response)
    match exchange.policy:
        case Policy.OBSERVE | Policy.ANNOTATE:
            events = _marked(exchange, reader, source)
        case Policy.RETRY:
            events = _retried(exchange, reader, source, send)
        case Policy.BLOCK | Policy.QUEUE:
            events = _Answer(exchange, reader).held(source)
    try:
        async for event in events:
            yield event.encoded()
    except UpstreamFailure as failure:
        # Too late for another status: clients read it off the stream, and raise it.
        yield reader.failure(failure.status, failure.message).encoded()


async def _read(response: Response) -> AsyncGenerator[Event]:
    with failing():
        async for event in events_in(response):
            yield event


async def _marked(exchange: Exchange, reader: StreamReader, source: AsyncIterator[Event]) -> AsyncGenerator[Event]:
    """Give a stream as it comes; its last event waits until all of it was checked."""
    answer = _Answer(exchange, reader)
    async for event in source:
        lanes = [piece.lane for piece in reader.read(event) if piece.place is Place.LAST]
        leaving = reader.sent(event)
        for lane in lanes:
            verdict = await exchange.verdict(answer_in(reader.reply(lane))[1])
            leaving = await answer.passed(leaving, lane, verdict)
        yield leaving


async def _retried(
    exchange: Exchange, reader: StreamReader, source: AsyncGenerator[Event], send: Send
) -> AsyncGenerator[Event]:
    """Give a stream when all of it was checked; at the first sentence that does not stand it is asked for again.

    Nothing may leave before: what has left cannot be asked for again.
    """
    kept: list[Event] = []
    try:
        async for event in _Answer(exchange, reader, is_retried=True).held(source):
            kept.append(event)  # noqa: PERF401 - what was kept is dropped where it fails
    except _Again as again:
        async for event in _asked_again(exchange, again.verdict, send):
            yield event
    else:
        for event in kept:
            yield event


async def _asked_again(exchange: Exchange, verdict: GuardVerdict, send: Send) -> AsyncGenerator[Event]:
    response = await send(exchange.request_again(verdict))
    reader = exchange.dialect.reader(exchange.body)
    try:
        if _is_stream(response):
            async for event in _marked(exchange, reader, _read(response)):
                yield event
        else:
            yield reader.failure(response.status_code, "the upstream refused to be asked again")
    finally:
        await closed(response)


class _Answer:
    """What becomes of the answers of one stream."""

    def __init__(self, exchange: Exchange, reader: StreamReader, *, is_retried: bool = False) -> None:
        self._exchange = exchange
        self._reader = reader
        self._is_retried = is_retried

    def held(self, source: AsyncGenerator[Event]) -> AsyncGenerator[Event]:
        """Hold the stream back."""
        exchange = self._exchange
        return held(
            source,
            self._reader,
            check=exchange.verdict,
            policy=exchange.guard,
            settle=(self.passed, self.failed),
            count=self._reader.lanes,
        )

    async def passed(self, event: Event, lane: int, verdict: GuardVerdict) -> Event:
        """Put an answer on record, and mark its last event."""
        reply = self._reader.reply(lane)
        verdict = await self._exchange.noted(verdict, reply)
        # Of several answers nobody knows which is taken; the next request tells.
        said = answer_in(reply)[0] if self._reader.lanes == 1 else ()
        mark = await self._exchange.settle(verdict, said, reply, is_refused=False)
        return event if self._exchange.policy is Policy.OBSERVE else self._reader.marked(event, mark)

    async def failed(self, lane: int, verdict: GuardVerdict, is_empty: bool) -> Sequence[Event]:
        """End an answer; where nothing of it has left, with the reason in its place."""
        verdict = await self._exchange.noted(verdict, self._reader.reply(lane))
        if self._is_retried:
            raise _Again(verdict)
        reader, refusal = self._reader, self._exchange.refusal(verdict)
        events = [reader.sent(reader.words(lane, refusal.notice))] if is_empty else []
        reply = reader.reply(lane)
        said = answer_in(reply)[0] if reader.lanes == 1 else ()
        mark = await self._exchange.settle(verdict, said, reply, is_refused=True)
        ends = reader.stopped(lane, Refusal(notice=refusal.notice, mark=mark))
        return [*events, *map(reader.sent, ends)]


def _is_stream(response: Response) -> bool:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return response.status_code == HTTPStatus.OK and kind == _STREAM
