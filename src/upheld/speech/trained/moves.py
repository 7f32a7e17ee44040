"""The port to whoever tells which moves the clauses of a turn make, and on what; values only.

A move is one of the eight operations; four of them act on a proposition that is on the table, and what a speaker says
may rest on one. A reader weighs all clauses of a turn beside all propositions at once, since what makes a fact a
support is what has been proposed (Cohan et al. 2019 read the sentences of an abstract together in the same way).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

OPERATIONS = (
    "observe",
    "hypothesize",
    "support",
    "undermine",
    "revise",
    "expand_awareness",
    "resolve",
    "question",
)
"""The eight operations, in the order of the network's outputs."""

ACTS = ("support", "undermine", "revise", "resolve", "rest_on")
"""What a clause may do to one proposition, or say that it rests on it, in the order of the network's outputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnInTalk:
    """A turn cut into clauses, the turns before it, and what is on the table.

    ``earlier`` are turns as ``Name: text``, oldest first; ``propositions`` say who put them forward as what.
    ``nearness`` has a row a clause, with its cosine to each proposition.
    """

    speaker: str
    clauses: tuple[str, ...]
    earlier: tuple[str, ...] = ()
    propositions: tuple[str, ...] = ()
    nearness: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseMoves:
    """How likely a clause performs each of ``OPERATIONS``, and each of ``ACTS`` on each proposition.

    Shares in [0, 1] that need not sum to one: a clause may report a value and replace another by it.
    """

    operations: tuple[float, ...]
    acts: tuple[tuple[float, ...], ...]


class MoveReader(Protocol):
    """Tells moves; safe to call from several threads. ``name`` has the digest of its weights."""

    @property
    def name(self) -> str:
        """Weights and version."""
        ...

    def reads_turn(self, clauses: Sequence[str], /) -> bool:
        """Tell whether clauses that are read together are read whole; of longer ones only the beginning is."""
        ...

    def moves(self, turn: TurnInTalk, /) -> tuple[ClauseMoves, ...]:
        """Give the moves of each clause, in their order; the same for the same turn."""
        ...
