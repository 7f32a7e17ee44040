"""What a service offers besides its own routes: packages of their own, which this one does not know."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from fastapi import FastAPI

from upheld.faces.server.house import House


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part: it adds its routes to the application, and may hold something open while the service runs.

    It stands behind the same gate as every other route, and finds who asks in ``request.state.caller``.
    """

    add: Callable[[FastAPI], None]
    alive: Callable[[House], AbstractAsyncContextManager[None]] | None = None
