"""What an interpreter or a matcher may read of the state, and nothing more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.propositions import Proposition
from upheld.logic.language.standing import Label, Lifecycle


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A proposition as the conversation has it now: who put it forward first, and how it stands."""

    proposition: Proposition
    label: Label
    lifecycle: Lifecycle
    speaker: AgentId | None = None
    turn: TurnId | None = None


class View(Protocol):
    """A reading of one state. Anything with these two methods will do."""

    def known(self) -> Iterable[Known]:
        """Give all propositions in view, in the order in which they were put forward."""
        ...

    def get(self, proposition: PropositionId, /) -> Known | None:
        """Give one, or ``None`` when nobody put it forward."""
        ...
