"""Drives HTTP requests over connections that stay open, and notes how long each took.

Each connection sends its next request when the answer to the last one is there, so that at most as many are under way
as there are connections. The driver shares the machine's processors with what it drives, so it does as little as it
can: requests are ready as bytes, sockets are read without an event loop, and of an answer no more is looked
at than its status and where it ends. That is some 15 µs a request.
"""

from __future__ import annotations

import json
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

Requests = Iterator[bytes]
_BLANK = b"\r\n\r\n"
_LENGTH = b"content-length: "
_SUCCESS = b"HTTP/1.1 2"
_AT_ONCE = 1 << 16
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Driven:
    """What came of it: answers a second, and times of single requests in microseconds, in no order."""

    per_s: float
    times_us: list[float]


@dataclass(slots=True, kw_only=True)
class _Connection:
    """One connection: what it sends, when it last sent something, and what of an answer is there."""

    socket: socket.socket
    requests: Requests
    sent: float = 0.0
    got: bytes = b""


@dataclass(slots=True)
class _Drive:
    """All connections of one run."""

    until: float
    open: dict[int, _Connection] = field(default_factory=dict[int, _Connection])
    times_us: list[float] = field(default_factory=list[float])


def request(method: str, path: str, body: Any = None) -> bytes:
    """Give a request as bytes."""
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(content)}\r\n\r\n".encode() + content


def driven(port: int, requests: Callable[[int], Requests], *, connections: int, seconds: float) -> Driven:
    """Ask for so many seconds; ``requests`` gives what each connection sends, by its number.

    Raises:
        RuntimeError: an answer was no success, or a connection ended.
    """
    with ExitStack() as stack:
        poll = select.poll()
        begun = time.perf_counter()
        drive = _Drive(begun + seconds)
        for number in range(connections):
            one = _Connection(socket=stack.enter_context(_connected(port)), requests=requests(number))
            drive.open[one.socket.fileno()] = one
            poll.register(one.socket, select.POLLIN)
            _send_next(drive, one, poll)
        while drive.open:
            for number, _ in poll.poll():
                _take(drive, drive.open[number], poll)
        return Driven(per_s=len(drive.times_us) / (time.perf_counter() - begun), times_us=drive.times_us)


def asked(port: int, method: str, path: str, body: Any = None) -> Any:
    """Ask once, and give the answer as a tree."""
    with _connected(port) as one:
        one.sendall(request(method, path, body))
        got = b""
        while not (end := _end(got)):
            got += _received(one)
    return json.loads(_refused_or(got)[got.index(_BLANK) + len(_BLANK) : end])


def _connected(port: int) -> socket.socket:
    one = socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return one


def _take(drive: _Drive, one: _Connection, poll: select.poll) -> None:
    one.got += _received(one.socket)
    if not _end(one.got):
        return
    drive.times_us.append((time.perf_counter() - one.sent) * 1e6)
    _refused_or(one.got)
    one.got = b""
    _send_next(drive, one, poll)


def _send_next(drive: _Drive, one: _Connection, poll: select.poll) -> None:
    one.sent = time.perf_counter()
    found = next(one.requests, None) if one.sent < drive.until else None
    if found is not None:
        one.socket.sendall(found)
        return
    poll.unregister(one.socket)
    del drive.open[one.socket.fileno()]


def _received(one: socket.socket) -> bytes:
    data = one.recv(_AT_ONCE)
    if not data:
        raise RuntimeError("the service closed a connection")
    return data


def _end(got: bytes) -> int:
    """Give where an answer ends; 0 while it has not ended yet."""
    head = got.find(_BLANK)
    if head < 0:
        return 0
    start = got.find(_LENGTH) + len(_LENGTH)
    end = head + len(_BLANK) + int(got[start : got.index(b"\r", start)])
    return end if len(got) >= end else 0


def _refused_or(got: bytes) -> bytes:
    if not got.startswith(_SUCCESS):
        raise RuntimeError(got.decode())
    return got
