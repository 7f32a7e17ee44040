"""The fold of a conversation, with its past: every state after every turn, at the cost of a short replay.

States are values that share what did not change, so keeping one every few turns keeps them all within reach.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from upheld.conversation.events import Event, Joined
from upheld.errors import UnknownReference
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.answers.views import was_told
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.retractions import taken_back
from upheld.logic.reasoning.transition.step import Finding, joined, step

STRIDE = 32
"""How many events apart states are kept; a look back replays fewer than this."""


class Timeline:
    """The events of one conversation in order, the state now, and the way back to any earlier one."""

    def __init__(self, opening: State) -> None:
        """Begin with the state before the first event."""
        self.now = opening
        self.events: list[Event] = []
        self.findings: list[Finding] = []
        self._kept: dict[int, State] = {0: opening}
        self._places: dict[TurnId, int] = {}
        self._has_private_turns = False

    @property
    def turns(self) -> tuple[TurnId, ...]:
        """Give the turns told so far, in order. Cost: linear."""
        return tuple(self._places)

    @property
    def length(self) -> int:
        """Give the number of turns told so far. Cost: none, so that each new turn may ask."""
        return len(self._places)

    def add(self, event: Event) -> None:
        """Fold one more event in, leniently: it is on record, so the labels outrank the checks."""
        self.accept(event, *applied(self.now, event, is_lenient=True))

    def accept(self, event: Event, state: State, findings: Iterable[Finding] = ()) -> None:
        """Take on the state after an event, as :func:`applied` gave it for the state now."""
        place = len(self.events)
        self.events.append(event)
        self.findings.extend(findings)
        self.now = state
        if len(self.events) % STRIDE == 0:
            self._kept[len(self.events)] = state
        if isinstance(event, Turn):
            # Last, so that whoever asks from another thread meanwhile finds a turn only when its state is there.
            self._has_private_turns = self._has_private_turns or event.audience is not None
            self._places[event.id] = place

    def at(self, turn: TurnId) -> State:
        """Give the state right after a turn. Cost: a replay of fewer than ``STRIDE`` events.

        Raises:
            UnknownReference: there is no such turn.
        """
        place = self._places.get(turn)
        if place is None:
            raise UnknownReference(turn, where="turns of this conversation")
        return self._after(place + 1)

    def before(self, turn: TurnId) -> State:
        """Give the state right before a turn; raises and costs as :meth:`at`."""
        if turn not in self._places:
            raise UnknownReference(turn, where="turns of this conversation")
        return self._after(self._places[turn])

    def told(self, turn: TurnId) -> Turn:
        """Give a turn as it is folded now; raises :class:`UnknownReference`."""
        if turn not in self._places:
            raise UnknownReference(turn, where="turns of this conversation")
        return cast("Turn", self.events[self._places[turn]])

    def amended(self, turn: Turn) -> Timeline:
        """Give the timeline with another interpretation of one turn; this one is untouched.

        Cost: a replay from that turn on.

        Raises:
            UpheldError: a later event means nothing any more (it refers to what the turn no longer introduces).
        """
        self.told(turn.id)
        place = self._places[turn.id]
        fresh = self._until(place)
        for event in (turn, *self.events[place + 1 :]):
            fresh.add(event)
        return fresh

    def seen_by(self, agent: AgentId, *, upto: TurnId | None = None) -> State:
        """Give the state as an agent was told it: the common one, unless something was said in private."""
        if self._has_private_turns:
            return self.for_agent(agent, upto=upto)
        return self.now if upto is None else self.at(upto)

    def for_agent(self, agent: AgentId, *, upto: TurnId | None = None) -> State:
        """Give the fold of what one agent was told. Cost: the whole conversation up to there.

        An operation that leans on what the agent was never told is left out of its view, with all of its turn.
        """
        state = self._kept[0]
        last = len(self.events) if upto is None else self._places[upto] + 1
        for event in self.events[:last]:
            if isinstance(event, Turn) and not was_told(event, agent):
                continue
            try:
                state, _ = applied(state, event, is_lenient=True)
            except UnknownReference:
                continue
        return state

    def _until(self, count: int) -> Timeline:
        """Give the timeline of the first ``count`` events."""
        fresh = Timeline(self._kept[0])
        fresh.now = self._after(count)
        fresh.events = self.events[:count]
        fresh._kept = {place: state for place, state in self._kept.items() if place <= count}
        fresh._places = {id: place for id, place in self._places.items() if place < count}
        fresh._has_private_turns = any(isinstance(each, Turn) and each.audience is not None for each in fresh.events)
        fresh.findings = [finding for finding in self.findings if finding.turn in fresh._places]
        return fresh

    def _after(self, count: int) -> State:
        if count == len(self.events):
            return self.now
        start = count - count % STRIDE
        state = self._kept[start]
        for event in self.events[start:count]:
            state, _ = applied(state, event, is_lenient=True)
        return state


def applied(state: State, event: Event, *, is_lenient: bool) -> tuple[State, tuple[Finding, ...]]:
    """Give the state after one event, and what a lenient replay noticed."""
    if isinstance(event, Turn):
        result = step(state, event, is_lenient=is_lenient)
        return result.state, result.findings
    if isinstance(event, Joined):
        return joined(state, event.agents), ()
    return taken_back(state, event.retraction), ()
