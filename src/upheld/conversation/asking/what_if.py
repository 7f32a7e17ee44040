"""A branch of the state to try changes on; nothing of it is ever written."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from upheld.conversation.asking.questions import Claimed, Snapshot, Status
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw
from upheld.logic.language.verdicts import Verdict
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back


class WhatIf:
    """Changes tried on a branch: ``with conversation.what_if() as branch: branch.retract("o9")``.

    Every question of :class:`~upheld.conversation.asking.questions.Questions` can be put to ``branch.then``, the
    commonest ones to the branch itself.
    """

    def __init__(self, state: State) -> None:
        """Branch off a state."""
        self._state = state
        self.changes: list[Retraction] = []

    def __enter__(self) -> Self:
        """Open the branch."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Drop the branch: there is nothing to undo."""

    def verify(self, *claims: Claimed, speaker: str | None = None) -> Verdict:
        """Judge claims on the branch."""
        return self.then.verify(*claims, speaker=speaker)

    def status(self, id: str) -> Status:
        """Give a claim's lifecycle and standing on the branch."""
        return self.then.status(id)

    @property
    def then(self) -> Snapshot:
        """Give the branch as it is now, for any question."""
        return Snapshot(self._state)

    def retract(self, id: str) -> Self:
        """Suppose that nobody holds a claim any more."""
        return self._take(Retract(target=PropositionId(id)))

    def falsify(self, id: str) -> Self:
        """Suppose that a claim turns out false."""
        return self._take(Falsify(target=PropositionId(id)))

    def withdraw(self, source: str) -> Self:
        """Suppose that a turn had not been said, or a document does not count."""
        return self._take(Withdraw(source=source))

    def supersede(self, older: str, newer: str) -> Self:
        """Suppose that one value replaces another."""
        return self._take(Supersede(older=PropositionId(older), newer=PropositionId(newer)))

    def _take(self, change: Retraction) -> Self:
        self._state = taken_back(self._state, change)
        self.changes.append(change)
        return self
