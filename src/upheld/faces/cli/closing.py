"""What a command opened is closed when it ends, however it ends."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar


class Closeable(Protocol):
    """Something that holds on to something until it is closed."""

    def close(self) -> None:
        """Let go."""
        ...


Opened = TypeVar("Opened", bound=Closeable)

_OPEN: ContextVar[ExitStack | None] = ContextVar("_OPEN", default=None)


@contextmanager
def closing() -> Generator[None]:
    """Close at the end what :func:`closed_at_the_end` is given meanwhile, the last first."""
    with ExitStack() as stack:
        before = _OPEN.set(stack)
        try:
            yield
        finally:
            _OPEN.reset(before)


def closed_at_the_end(opened: Opened) -> Opened:
    """Give what was opened; it is closed when the command ends. Outside one it is the caller's."""
    stack = _OPEN.get()
    if stack is not None:
        stack.callback(opened.close)
    return opened
