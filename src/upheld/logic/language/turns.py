"""A turn: who said what to whom, and which operations that performs."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.logic.language.agents import Audience
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.operations import Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn with its interpretation: the input of ``step``.

    ``at`` is a time in ISO 8601 as its source wrote it, or empty: the engine orders by the ledger, never by clocks.
    Turns that share ``simultaneous`` are one announcement. An empty ``operations`` is a turn that only acknowledges.
    """

    id: TurnId
    speaker: AgentId
    operations: tuple[Operation, ...] = ()
    text: str = ""
    audience: Audience | None = None
    session: str = ""
    at: str = ""
    simultaneous: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retract:
    """Take a proposition back: nobody holds it any more, and nothing is said about its falsity."""

    target: PropositionId


@dataclass(frozen=True, slots=True, kw_only=True)
class Falsify:
    """Establish that a proposition is false."""

    target: PropositionId


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """Remove every operation that came from a source: a turn id, or the ``uri`` of a provenance."""

    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """Replace a proposition's value by another that is already known."""

    older: PropositionId
    newer: PropositionId


Retraction = Retract | Falsify | Withdraw | Supersede
"""Ways to take something back that are no utterance: an act of the keeper of the record, or a what-if."""
