"""The port to whoever tells which move a clause makes in its talk; values only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

CLASSES = (
    "observe",
    "hypothesize",
    "support",
    "undermine",
    "revise",
    "expand_awareness",
    "resolve",
    "question",
    "none",
)
"""The eight operations, and none of them, in the order of the network's outputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseInTalk:
    """A clause, the whole turn that it is in with its speaker (``Name: text``), and the turns before, oldest first."""

    text: str
    said: str
    earlier: tuple[str, ...] = ()


class MoveReader(Protocol):
    """Tells moves; safe to call from several threads. ``name`` has the digest of its weights."""

    @property
    def name(self) -> str:
        """Weights and version."""
        ...

    def moves(self, clauses: Sequence[ClauseInTalk], /) -> tuple[tuple[float, ...], ...]:
        """Give a distribution over ``CLASSES`` for each clause, in their order."""
        ...
