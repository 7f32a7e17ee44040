"""One event after the other: the state after each, and the way back to those that were passed."""

from __future__ import annotations

from collections.abc import Sequence

from upheld.conversation.events import Event, Joined
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.logic.reasoning.transition.step import Finding, joined, step

STRIDE = 32
"""How many events apart states are kept; a look back replays fewer than this, where all were folded once."""


def applied(state: State, event: Event, *, is_lenient: bool) -> tuple[State, tuple[Finding, ...]]:
    """Give the state after one event, and what a lenient replay noticed."""
    if isinstance(event, Turn):
        result = step(state, event, is_lenient=is_lenient)
        return result.state, result.findings
    if isinstance(event, Joined):
        return joined(state, event.agents), ()
    return taken_back(state, event.retraction), ()


class Waypoints:
    """States along a row of events, by how many events came before; states share what did not change."""

    def __init__(self, state: State, *, first: int = 0) -> None:
        """Begin with the state before the event at place ``first``."""
        self.first = first
        self._kept: dict[int, State] = {first: state}

    @property
    def beginning(self) -> State:
        """The state before the first of the events."""
        return self._kept[self.first]

    def pass_by(self, place: int, state: State) -> None:
        """Keep the state after ``place`` events, if it is one to keep."""
        if place % STRIDE == 0:
            self._kept[place] = state

    def after(self, place: int, events: Sequence[Event]) -> State:
        """Give the state after ``place`` events, of which ``events`` are those from ``first`` on.

        Cost: a replay from the nearest state kept before, keeping others on the way.
        """
        start = place - place % STRIDE
        while start > self.first and start not in self._kept:
            start -= STRIDE
        start = max(start, self.first)
        state = self._kept[start]
        for number in range(start, place):
            state, _ = applied(state, events[number - self.first], is_lenient=True)
            self.pass_by(number + 1, state)
        return state

    def upto(self, place: int) -> Waypoints:
        """Give those of the first ``place`` events."""
        fresh = Waypoints(self.beginning, first=self.first)
        fresh._kept.update((kept, state) for kept, state in self._kept.items() if kept <= place)
        return fresh
