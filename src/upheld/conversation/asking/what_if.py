"""A branch of the state to try changes on; nothing of it is ever written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Self

from upheld.conversation.asking.questions import Claimed, Questions, Snapshot, Status
from upheld.errors import UnknownReference
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.turns import Falsify, Retract, Retraction, Supersede, Withdraw
from upheld.logic.language.verdicts import Verdict
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back


class WhatIf:
    """Changes tried on a branch: ``with conversation.what_if() as branch: branch.retract("o9")``.

    Every question of :class:`~upheld.conversation.asking.questions.Questions` can be put to ``branch.then``, the
    commonest ones to the branch itself.
    """

    def __init__(self, state: State, seen_by: Callable[[AgentId], State] | None = None) -> None:
        """Branch off a state; ``seen_by`` gives it as each agent was told it, where not all were told the same."""
        self._before = self._state = state
        self._seen_by = seen_by
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
        return Snapshot(self._state, seen_by=self._view)

    def retract(self, id: str) -> Self:
        """Suppose that nobody holds a claim any more."""
        return self.suppose(Retract(target=PropositionId(id)))

    def falsify(self, id: str) -> Self:
        """Suppose that a claim turns out false."""
        return self.suppose(Falsify(target=PropositionId(id)))

    def withdraw(self, source: str) -> Self:
        """Suppose that a turn had not been said, or a document does not count."""
        return self.suppose(Withdraw(source=source))

    def supersede(self, older: str, newer: str) -> Self:
        """Suppose that one value replaces another."""
        return self.suppose(Supersede(older=PropositionId(older), newer=PropositionId(newer)))

    def suppose(self, change: Retraction) -> Self:
        """Suppose any change; raises :class:`~upheld.errors.UnknownReference`."""
        self._state = taken_back(self._state, change)
        self.changes.append(change)
        return self

    def _view(self, agent: AgentId) -> State:
        """Give what an agent would think, were it told of the changes; what it never heard of cannot change for it."""
        state = self._before if self._seen_by is None else self._seen_by(agent)
        if state is self._before:
            return self._state
        for change in self.changes:
            with suppress(UnknownReference):
                state = taken_back(state, change)
        return state


def moved(before: Questions, after: Questions) -> Iterator[PropositionId]:
    """Give the claims whose lifecycle or standing is another on a branch. Cost: all claims."""
    return (each.id for each in after.propositions if before.status(each.id) != after.status(each.id))
