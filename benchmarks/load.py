"""Drives HTTP requests over connections that stay open, and notes how long each took.

Each connection sends its next request when the answer to the last one is there, so that at most as many are under way
as there are connections. Requests are ready as bytes, and of an answer no more is read than its status and where it
ends, so that the driver takes little of the processor that both share.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Requests = Iterator[bytes]
_BLANK = b"\r\n\r\n"
_LENGTH = b"content-length: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Driven:
    """What came of it: answers a second, and times of single requests in microseconds, in no order."""

    per_s: float
    times_us: list[float]


def request(method: str, path: str, body: Any = None) -> bytes:
    """Give a request as bytes."""
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(content)}\r\n\r\n".encode() + content


def driven(port: int, requests: Callable[[int], Requests], *, connections: int, seconds: float) -> Driven:
    """Ask for so many seconds; ``requests`` gives what each connection sends, by its number.

    Raises:
        RuntimeError: an answer was no success.
    """
    return asyncio.run(_driven(port, requests, connections, seconds))


def asked(port: int, method: str, path: str, body: Any = None) -> Any:
    """Ask once, and give the answer as a tree."""
    answers: list[bytes] = []

    async def once() -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        one = iter([request(method, path, body)])
        await loop.create_connection(lambda: _Asking(one, float("inf"), [], done, answers), "127.0.0.1", port)
        await done

    asyncio.run(once())
    return json.loads(answers[0])


class _Asking(asyncio.Protocol):
    """One connection."""

    def __init__(
        self,
        requests: Requests,
        until: float,
        times_us: list[float],
        done: asyncio.Future[None],
        answers: list[bytes] | None = None,
    ) -> None:
        self._requests = requests
        self._until = until
        self._times_us = times_us
        self._done = done
        self._answers = answers
        self._got = b""
        self._sent = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._next()

    def data_received(self, data: bytes) -> None:
        self._got += data
        head = self._got.find(_BLANK)
        if head < 0:
            return
        start = self._got.find(_LENGTH) + len(_LENGTH)
        end = head + len(_BLANK) + int(self._got[start : self._got.index(b"\r", start)])
        if len(self._got) < end:
            return
        self._times_us.append((time.perf_counter() - self._sent) * 1e6)
        if not self._got.startswith(b"HTTP/1.1 2"):
            self._end(RuntimeError(self._got.decode()))
            return
        if self._answers is not None:
            self._answers.append(self._got[head + len(_BLANK) : end])
        self._got = b""
        self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc)

    def _next(self) -> None:
        self._sent = time.perf_counter()
        found = next(self._requests, None) if self._sent < self._until else None
        if found is None:
            self._end(None)
        else:
            self._transport.write(found)

    def _end(self, error: Exception | None) -> None:
        self._transport.close()
        if not self._done.done():
            self._done.set_result(None) if error is None else self._done.set_exception(error)


async def _driven(port: int, requests: Callable[[int], Requests], connections: int, seconds: float) -> Driven:
    loop = asyncio.get_running_loop()
    times_us: list[float] = []
    begun = time.perf_counter()
    waiting: list[asyncio.Future[None]] = []
    for number in range(connections):
        done: asyncio.Future[None] = loop.create_future()
        waiting.append(done)
        asking = _Asking(requests(number), begun + seconds, times_us, done)
        await loop.create_connection(lambda asking=asking: asking, "127.0.0.1", port)
    await asyncio.gather(*waiting)
    return Driven(per_s=len(times_us) / (time.perf_counter() - begun), times_us=times_us)
