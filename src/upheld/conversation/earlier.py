"""What came before the snapshot that a conversation was opened from: known in outline, read when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from rpds import HashTrieSet

from upheld.conversation.events import Event, FirstTold
from upheld.conversation.folding import Waypoints
from upheld.logic.language.identities import TurnId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a snapshot holds: a fold, and as much about its past as every new turn asks for.

    ``events`` and ``turns`` count them; ``keys`` are the idempotency keys that were used.
    """

    state: State
    events: int
    turns: int
    has_private_turns: bool
    findings: tuple[Finding, ...] = ()
    keys: HashTrieSet[str] = HashTrieSet()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The past as the ledger has it: the state before the first event, the events, and the turn told under each key."""

    opening: State
    events: tuple[Event, ...]
    keyed: Mapping[str, FirstTold]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Past:
    recalled: Recalled
    places: Mapping[TurnId, int]
    waypoints: Waypoints


class Earlier:
    """The past of a snapshot. Safe to ask from several threads; the first question reads the ledger, the others wait.

    Every question but for what ``kept`` says raises what reading the ledger raises: the store must still be open the
    first time.
    """

    def __init__(self, kept: Kept, recall: Callable[[], Recalled]) -> None:
        """``recall`` reads the ledger up to the snapshot."""
        self.kept = kept
        self._recall = recall
        self._past: _Past | None = None
        self._lock = Lock()

    @property
    def events(self) -> Sequence[Event]:
        """The events, in order."""
        return self._known().recalled.events

    @property
    def places(self) -> Mapping[TurnId, int]:
        """The place of each turn among the events."""
        return self._known().places

    @property
    def keyed(self) -> Mapping[str, FirstTold]:
        """The turn that was told under each idempotency key, as it was told first."""
        return self._known().recalled.keyed

    @property
    def waypoints(self) -> Waypoints:
        """The way back, from the opening on."""
        return self._known().waypoints

    def forget(self) -> None:
        """Let go of what was read; the next question reads the ledger anew."""
        with self._lock:
            self._past = None

    def after(self, count: int) -> State:
        """Give the state after so many events. Cost: a replay from the nearest state that was asked for before."""
        return self.waypoints.after(count, self.events)

    def _known(self) -> _Past:
        with self._lock:
            if self._past is None:
                recalled = self._recall()
                places = {event.id: place for place, event in enumerate(recalled.events) if isinstance(event, Turn)}
                self._past = _Past(recalled=recalled, places=places, waypoints=Waypoints(recalled.opening))
            return self._past
