"""How often a request is tried, and how long it is waited between two tries: the same rule for both clients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

import httpx2

from upheld.errors import ServiceError

RETRIES = 4
"""Tries after the first."""

FIRST_WAIT = 0.1
"""Seconds before the second try, where the service does not say; doubled each time."""

LONGEST_WAIT = 30.0
"""Seconds that are waited at most, whatever the service says."""

BUSY = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})


@dataclass(slots=True)
class Attempts:
    """The tries of one request, which writes nothing or has an idempotency key: it may be sent again in any case."""

    retries: int = RETRIES
    _made: int = field(default=0, init=False)

    def begin_anew(self) -> None:
        """Forget failures, since something went well."""
        self._made = 0

    def wait_after(self, status: int, headers: Mapping[str, str]) -> float | None:
        """Give the seconds to wait before the next try; ``None`` when the answer is to be taken as it is."""
        if status not in BUSY or self._made >= self.retries:
            return None
        told = headers.get("retry-after", "")
        wait = float(told) if told.isascii() and told.isdigit() else self._doubled()
        self._made += 1
        return min(wait, LONGEST_WAIT)

    def wait_after_loss(self, error: httpx2.TransportError) -> float:
        """Give the seconds to wait after a connection was refused or lost.

        Raises:
            ServiceError: it was tried often enough.
        """
        if self._made >= self.retries:
            why = str(error) or type(error).__name__
            raise ServiceError(f"the service cannot be reached, tried {self._made + 1} times: {why}") from error
        wait = self._doubled()
        self._made += 1
        return min(wait, LONGEST_WAIT)

    def _doubled(self) -> float:
        return FIRST_WAIT * float(2**self._made)
