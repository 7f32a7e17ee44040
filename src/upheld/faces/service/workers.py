"""Several processes that serve one address: they are started, started again when they end, and ended together.

All of them inherit one listening socket. With a socket for each (``SO_REUSEPORT``) the connections that the kernel
had given to a process would be lost with it; so whoever is still there takes them. Each opens the store for itself,
and has its own limits: requests of a key, streams, and open conversations count in each.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType

from upheld.errors import UpheldError
from upheld.faces.server.settings import Settings
from upheld.faces.service.worker import order

LOOK = 0.1
"""Seconds between two looks at whether all are there."""

FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0
"""Seconds before one that ended is started again; twice as long each time, if it had not lived long."""

LIVED = 10.0
"""Seconds after which an end is taken for an accident, and not for a fault that comes again at once."""

_LOG = logging.getLogger("upheld.server.workers")

Start = Callable[[], "subprocess.Popen[bytes]"]


@dataclass(slots=True)
class _Place:
    """One place among the workers: who is in it, and when it may be filled again."""

    process: subprocess.Popen[bytes] | None = None
    since: float = 0.0
    not_before: float = 0.0
    pause: float = FIRST_PAUSE


@dataclass(slots=True)
class Keeper:
    """Keeps so many processes running until it is told to stop."""

    start: Start
    count: int
    grace: float
    is_stopping: bool = False
    _places: list[_Place] = field(default_factory=list[_Place])

    def run(self) -> None:
        """Start them all, and again those that end; when told to stop, let them end, and end those that do not."""
        self._places = [_Place() for _ in range(self.count)]
        try:
            while not self.is_stopping:
                self._look(time.monotonic())
                time.sleep(LOOK)
        finally:
            self._end()

    def hand_on(self, number: int) -> None:
        """Send a signal to all of them."""
        for place in self._places:
            if place.process is not None:
                with suppress(ProcessLookupError):
                    place.process.send_signal(number)

    def _look(self, now: float) -> None:
        for place in self._places:
            process = place.process
            if process is not None and process.poll() is not None:
                _LOG.warning("worker %d ended (%s)", process.pid, _end_of(process.returncode))
                _let_go(process)
                has_lived = now - place.since >= LIVED
                place.pause = FIRST_PAUSE if has_lived else min(2 * place.pause, LONGEST_PAUSE)
                place.process, place.not_before = None, now + place.pause
            if place.process is None and now >= place.not_before:
                place.process, place.since = self.start(), now
                _LOG.info("worker %d started", place.process.pid)

    def _end(self) -> None:
        there = [place.process for place in self._places if place.process is not None]
        for process in there:
            process.terminate()
        deadline = time.monotonic() + self.grace
        for process in there:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                _LOG.warning("worker %d did not end in %g seconds, and is killed", process.pid, self.grace)
                process.kill()
                process.wait()
            _let_go(process)


def keep_workers(settings: Settings, bound: socket.socket, *, grace: float, is_quiet: bool = False) -> None:
    """Serve on a bound socket with ``settings.workers`` processes until SIGTERM or SIGINT; POSIX only.

    A worker that is told of its keeper's end, even by a kill, ends as well. Cost: a process each, some 60 MB.

    Raises:
        UpheldError: this system cannot hand a socket down.
    """
    if os.name != "posix":
        raise UpheldError("several workers need a POSIX system: set workers = 1, or start several behind a balancer")
    told = order(settings, listener=bound.fileno(), is_quiet=is_quiet)
    keeper = Keeper(start=lambda: _started(told, bound.fileno()), count=settings.workers, grace=grace)

    def stop(_: int, __: FrameType | None) -> None:
        keeper.is_stopping = True

    def hand_on(number: int, _: FrameType | None) -> None:
        keeper.hand_on(number)

    before = {each: signal.signal(each, stop) for each in (signal.SIGTERM, signal.SIGINT)}
    if settings.keys is not None:
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, hand_on)
    try:
        keeper.run()
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _started(told: bytes, listener: int) -> subprocess.Popen[bytes]:
    # The worker finds what this process finds, and (-P) nothing that merely lies in the folder where it was started.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(_folders(sys.path))}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "upheld.faces.service.worker"],
        stdin=subprocess.PIPE,
        env=environment,
        pass_fds=(listener,),
        bufsize=0,
    )
    if process.stdin is not None:
        # Kept open: its end is how a worker learns that nobody keeps it any more. One that ended is seen later.
        with suppress(BrokenPipeError):
            process.stdin.write(told)
    return process


def _folders(path: Sequence[str]) -> list[str]:
    return [each or os.getcwd() for each in path]


def _let_go(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


def _end_of(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"status {status}"
