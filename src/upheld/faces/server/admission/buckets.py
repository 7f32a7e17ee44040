"""How many requests a key may make: a token bucket each."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

Seconds = Callable[[], float]
"""A clock that only grows."""


@dataclass(slots=True)
class _Bucket:
    left: float
    seen: float


class Buckets:
    """A bucket for each name: full at first, it fills evenly, and each request takes one token.

    Names are those of known keys, so that there are never more of them than keys. Safe to call from several threads.
    """

    def __init__(self, a_minute: int, *, clock: Seconds = time.monotonic) -> None:
        """Allow so many requests a minute, all at once if need be; 0 allows any number."""
        self._a_minute = a_minute
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}
        self._lock = threading.Lock()

    def wait(self, name: str) -> float:
        """Take a token, and give 0; where there is none, give the seconds until there is. Cost: none."""
        if not self._a_minute:
            return 0.0
        now, a_second = self._clock(), self._a_minute / 60
        with self._lock:
            bucket = self._buckets.setdefault(name, _Bucket(left=self._a_minute, seen=now))
            bucket.left = min(self._a_minute, bucket.left + (now - bucket.seen) * a_second)
            bucket.seen = now
            if bucket.left >= 1:
                bucket.left -= 1
                return 0.0
            return (1 - bucket.left) / a_second
