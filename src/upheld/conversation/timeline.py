"""The fold of a conversation, with its past: every state after every turn, at the cost of a short replay.

States are values that share what did not change, so keeping one every few turns keeps them all within reach. A
conversation that was opened from a snapshot has the part before it as :class:`~upheld.conversation.earlier.Earlier`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from rpds import HashTrieSet

from upheld.conversation.earlier import Earlier, Kept
from upheld.conversation.events import Event
from upheld.conversation.folding import STRIDE, Waypoints, applied
from upheld.errors import UnknownReference
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.answers.views import was_told
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import Finding

__all__ = ["STRIDE", "Timeline", "applied"]


class Timeline:
    """The events of one conversation in order, the state now, and the way back to any earlier one."""

    def __init__(self, opening: State, *, earlier: Earlier | None = None) -> None:
        """Begin with the state before the first event, or with the state that ``earlier`` leads to."""
        self.now = opening
        # The state before the last event, which whoever tells what that event did asks for each time.
        self._before: tuple[int, State] | None = None
        self._earlier = earlier
        self.findings: list[Finding] = list(earlier.kept.findings) if earlier is not None else []
        self._recent: list[Event] = []
        self._waypoints = Waypoints(opening, first=earlier.kept.events if earlier is not None else 0)
        self._places: dict[TurnId, int] = {}
        self.has_private_turns = earlier is not None and earlier.kept.has_private_turns
        self.forgettings = 0

    @property
    def events(self) -> list[Event]:
        """The events so far, in order. Cost: none, or linear after a snapshot."""
        return self._recent if self._earlier is None else [*self._earlier.events, *self._recent]

    @property
    def turns(self) -> tuple[TurnId, ...]:
        """Give the turns told so far, in order. Cost: linear."""
        return (*(self._earlier.places if self._earlier is not None else ()), *self._places)

    @property
    def length(self) -> int:
        """Give the number of turns told so far. Cost: none, so that each new turn may ask."""
        return len(self._places) + (self._earlier.kept.turns if self._earlier is not None else 0)

    @property
    def count(self) -> int:
        """Give the number of events so far. Cost: none."""
        return self._waypoints.first + len(self._recent)

    def kept(self, keys: HashTrieSet[str]) -> Kept:
        """Give what a snapshot of it holds, with the idempotency keys that were used so far."""
        return Kept(
            state=self.now,
            events=self.count,
            turns=self.length,
            has_private_turns=self.has_private_turns,
            findings=tuple(self.findings),
            keys=keys,
        )

    def add(self, event: Event) -> None:
        """Fold one more event in, leniently: it is on record, so the labels outrank the checks."""
        self.accept(event, *applied(self.now, event, is_lenient=True))

    def accept(self, event: Event, state: State, findings: Iterable[Finding] = ()) -> None:
        """Take on the state after an event, as :func:`applied` gave it for the state now."""
        place = self.count
        self._before = place, self.now
        self._recent.append(event)
        self.findings.extend(findings)
        self.now = state
        self._waypoints.pass_by(place + 1, state)
        if isinstance(event, Turn):
            # Last, so that whoever asks from another thread meanwhile finds a turn only when its state is there.
            self.has_private_turns = self.has_private_turns or event.audience is not None
            self._places[event.id] = place

    def at(self, turn: TurnId) -> State:
        """Give the state right after a turn.

        Cost: a replay of fewer than ``STRIDE`` events; the first look past a snapshot replays from the beginning.

        Raises:
            UnknownReference: there is no such turn.
        """
        return self._after(self._place(turn) + 1)

    def before(self, turn: TurnId) -> State:
        """Give the state right before a turn; raises and costs as :meth:`at`."""
        return self._after(self._place(turn))

    def around(self, place: int) -> tuple[Event, State, State]:
        """Give the event at a place, counted from 0, with the states right before and after it; costs as :meth:`at`.

        Raises:
            UnknownReference: there are fewer events.
        """
        if not 0 <= place < self.count:
            raise UnknownReference(str(place), where="events of this conversation")
        return self._events(place)[0], self._after(place), self._after(place + 1)

    def told(self, turn: TurnId) -> Turn:
        """Give a turn as it is folded now; raises :class:`UnknownReference`."""
        return cast("Turn", self._events(self._place(turn))[0])

    def amended(self, turn: Turn) -> Timeline:
        """Give the timeline with another interpretation of one turn; this one is untouched.

        Cost: a replay from that turn on.

        Raises:
            UpheldError: a later event means nothing any more (it refers to what the turn no longer introduces).
        """
        place = self._place(turn.id)
        fresh = self._until(place)
        for event in (turn, *self._events(place + 1)):
            fresh.add(event)
        return fresh

    def forget_words(self, turn: TurnId) -> None:
        """Let go of what was said in a turn; the states know its meaning alone. What the ledger has is read anew.

        ``forgettings`` counts these, for whoever keeps words of turns beside the timeline.
        """
        self.forgettings += 1
        place = self._places.get(turn)
        if place is not None:
            place -= self._waypoints.first
            self._recent[place] = replace(cast("Turn", self._recent[place]), text="")
        elif self._earlier is not None:
            self._earlier.forget()

    def seen_by(self, *agents: AgentId, upto: TurnId | None = None) -> State:
        """Give the state as agents were told it: the common one, unless something was said in private."""
        if self.has_private_turns:
            return self.for_agent(*agents, upto=upto)
        return self.now if upto is None else self.at(upto)

    def for_agent(self, *agents: AgentId, upto: TurnId | None = None) -> State:
        """Give the fold of what one agent was told, or of what several were all told.

        An operation that leans on what was never told to them is left out of the view, with all of its turn.
        Cost: the whole conversation up to there.
        """
        last = self.count if upto is None else self._place(upto) + 1
        state = (self._waypoints if self._earlier is None else self._earlier.waypoints).beginning
        for event in self.events[:last]:
            if isinstance(event, Turn) and not all(was_told(event, agent) for agent in agents):
                continue
            try:
                state, _ = applied(state, event, is_lenient=True)
            except UnknownReference:
                continue
        return state

    def last(self, count: int, *, before: TurnId | None = None) -> tuple[Turn, ...]:
        """Give the last turns, at most ``count``, oldest first: of all, or of those before a turn.

        Cost: their number; past a snapshot, a reading.
        """
        recent: list[Turn] = []
        place = self.count if before is None else self._place(before)
        first = self._waypoints.first
        while place > first and len(recent) < count:
            place -= 1
            event = self._recent[place - first]
            if isinstance(event, Turn):
                recent.append(event)
        missing = count - len(recent)
        if missing > 0 and place > 0 and self._earlier is not None:
            told = [each for each in self._earlier.events[:place] if isinstance(each, Turn)]
            recent.extend(reversed(told[-missing:]))
        return tuple(reversed(recent))

    def _place(self, turn: TurnId) -> int:
        place = self._places.get(turn)
        if place is not None:
            return place
        # The state knows every turn that was told, so that a wrong name does not make anybody read the ledger.
        if self._earlier is None or turn not in self.now.turns:
            raise UnknownReference(turn, where="turns of this conversation")
        return self._earlier.places[turn]

    def _events(self, start: int) -> list[Event]:
        """Give the events from a place on. The part before a snapshot is read only where the place lies in it."""
        first = self._waypoints.first
        return self._recent[start - first :] if start >= first else self.events[start:]

    def _until(self, place: int) -> Timeline:
        """Give the timeline of the first ``place`` events."""
        state = self._after(place)
        earlier, waypoints = self._earlier, self._waypoints
        if earlier is not None and place < waypoints.first:
            earlier, waypoints = None, earlier.waypoints
        fresh = Timeline(waypoints.beginning, earlier=earlier)
        fresh._waypoints = waypoints.upto(place)
        fresh.now = state
        fresh._take(self._events(fresh._waypoints.first)[: place - fresh._waypoints.first])
        later = {event.id for event in self._events(place) if isinstance(event, Turn)}
        fresh.findings = [finding for finding in self.findings if finding.turn not in later]
        return fresh

    def _take(self, events: list[Event]) -> None:
        """Take on events whose state is there already."""
        self._recent = events
        turns = [(place, each) for place, each in enumerate(events, self._waypoints.first) if isinstance(each, Turn)]
        self._places = {turn.id: place for place, turn in turns}
        self.has_private_turns |= any(turn.audience is not None for _, turn in turns)

    def _after(self, count: int) -> State:
        if count == self.count:
            return self.now
        if self._before is not None and self._before[0] == count:
            return self._before[1]
        if self._earlier is not None and count < self._waypoints.first:
            return self._earlier.after(count)
        return self._waypoints.after(count, self._recent)
