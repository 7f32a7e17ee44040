"""A state as interpreters and matchers read it."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.logic.language.identities import PropositionId
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.state import State
from upheld.speech.view import Known


class StateView:
    """The :class:`~upheld.speech.view.View` of one state."""

    def __init__(self, state: State) -> None:
        """Read this state."""
        self._state = state

    def known(self) -> Iterator[Known]:
        """Give all propositions, in the order in which they were put forward. Cost: linear."""
        nodes = self._state.nodes
        for id in sorted(self._state.propositions, key=lambda each: nodes[each].moment):
            yield self._known(id)

    def get(self, proposition: PropositionId, /) -> Known | None:
        """Give one proposition as it stands."""
        return self._known(proposition) if proposition in self._state.propositions else None

    def _known(self, id: PropositionId) -> Known:
        node = self._state.node(id)
        origin = node.first.origin
        return Known(
            proposition=self._state.proposition(id),
            label=self._state.label(id),
            lifecycle=lifecycle_of(self._state, id),
            speaker=origin.speaker,
            turn=origin.turn or None,
        )
