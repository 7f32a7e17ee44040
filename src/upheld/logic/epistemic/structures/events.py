"""What may happen, who notices it, and how plausible each finds it: event models with plausibility.

Sources: Baltag, Moss and Solecki 1998, *The logic of public announcements, common knowledge, and private suspicions*;
Baltag and Smets 2008, section 4 (action plausibility models and the action-priority product). An agent's classes
partition the events (S5). Events that an agent takes for something else and never doubts (KD45, the wholly unnoticed
whisper) are left out: here whoever is deceived finds the truth implausible, and not impossible.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from upheld.errors import MalformedInput
from upheld.logic.language.formulas import And, Formula, Not, Top

TOLD, DENIED, SILENCE = "told", "denied", "silence"
"""The events of :func:`telling_whether` and :func:`whisper`."""

Classes = tuple[frozenset[str], ...]
"""Events that an agent cannot tell apart, class by class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventModel:
    """Events, each with the precondition under which it can happen.

    ``partitions`` gives for each agent the classes of events that it cannot tell apart; whoever is not listed tells all
    apart. ``ranks`` gives for each agent how plausible it finds each event (lower is more); for whoever is not listed
    all are equal. A precondition may speak of knowledge and belief: it is judged before anything happens. The product
    has a world for each pair of a world and an event that can happen there; an agent finds one pair more plausible
    than another of its cell when its event is, and between equally plausible events when its world was.

    ``changes`` gives for an event the atoms whose value it sets, each to what a formula was worth before; whatever is
    not listed stays (van Benthem, van Eijck and Kooi 2006, *Logics of communication and change*). Who observed such an
    atom remembers what it was; what it is now, one knows from the event.

    ``actual`` is the event that in fact happened, for whoever wants to say so; the product keeps all.

    Raises:
        MalformedInput: no event or one twice, a precondition or a rank too few or too many, classes that overlap or
            leave an event out, changes by what is no event.
    """

    events: tuple[str, ...]
    preconditions: Mapping[str, Formula]
    partitions: Mapping[str, Classes] = field(default_factory=dict[str, Classes])
    ranks: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    changes: Mapping[str, Mapping[str, Formula]] = field(default_factory=dict[str, Mapping[str, Formula]])
    actual: str | None = None

    def __post_init__(self) -> None:
        """Refuse what is no event model."""
        events = frozenset(self.events)
        if not events or len(events) != len(self.events):
            raise MalformedInput("an event model has at least one event, and none twice", key="events")
        _require_each(events, self.preconditions, "preconditions")
        for agent, classes in self.partitions.items():
            listed = [event for each in classes for event in each]
            if frozenset(listed) != events or len(listed) != len(events) or not all(classes):
                raise MalformedInput("the classes must hold each event exactly once", key=f"partitions.{agent}")
        for agent, ranks in self.ranks.items():
            _require_each(events, ranks, f"ranks.{agent}")
        for event in self.changes:
            if event not in events:
                raise MalformedInput(f"{event!r} is none of the events", key="changes")
        if self.actual is not None and self.actual not in events:
            raise MalformedInput(f"{self.actual!r} is none of the events", key="actual")

    def classes_of(self, agent: str) -> Classes:
        """Give the classes of an agent; of one that is not listed, each event alone."""
        return self.partitions.get(agent) or tuple(frozenset({event}) for event in self.events)

    def rank(self, agent: str, event: str) -> int:
        """Give how plausible an agent finds an event: lower is more, 0 when nothing was said."""
        return self.ranks[agent][event] if agent in self.ranks else 0

    @property
    def changed(self) -> tuple[str, ...]:
        """Give the atoms that any event sets, in alphabetical order."""
        return tuple(sorted({atom for changes in self.changes.values() for atom in changes}))

    @property
    def agents(self) -> frozenset[str]:
        """Give the agents that are listed anywhere."""
        return frozenset(self.partitions) | frozenset(self.ranks)


def _require_each(events: frozenset[str], given: Mapping[str, object], key: str) -> None:
    if frozenset(given) != events:
        odd = ", ".join(sorted(frozenset(given) ^ events))
        raise MalformedInput(f"one for each event is needed: {odd}", key=key)


def occurrence(name: str, event: str) -> str:
    """Give the atom that is true where an event of the update called ``name`` happened."""
    return f"{name}:{event}"


def former(name: str, atom: str) -> str:
    """Give the atom that is true where ``atom`` was true before the update called ``name`` set it."""
    return f"{name}<{atom}"


def announcement(*formulas: Formula) -> EventModel:
    """Give the public announcement of all formulas at once."""
    whole = formulas[0] if len(formulas) == 1 else And(formulas)
    return EventModel(events=(TOLD,), preconditions={TOLD: whole}, actual=TOLD)


def telling_whether(formula: Formula, *, to: Collection[str], agents: Collection[str]) -> EventModel:
    """Give the semi-private announcement: some hear whether the formula holds, all notice that they are told.

    Source: van Ditmarsch, van der Hoek and Kooi 2007, section 6.2.
    """
    both = frozenset({TOLD, DENIED})
    return EventModel(
        events=(TOLD, DENIED),
        preconditions={TOLD: formula, DENIED: Not(formula)},
        partitions=dict.fromkeys(sorted(frozenset(agents) - frozenset(to)), (both,)),
        actual=TOLD,
    )


def whisper(formula: Formula, *, to: Collection[str], agents: Collection[str]) -> EventModel:
    """Give the private announcement: some hear the formula, the others think it likelier that nothing was said.

    Source: Baltag and Smets 2008, section 4, with suspicion in the place of certainty.
    """
    outside = sorted(frozenset(agents) - frozenset(to))
    return EventModel(
        events=(TOLD, SILENCE),
        preconditions={TOLD: formula, SILENCE: Top()},
        partitions={agent: (frozenset({TOLD, SILENCE}),) for agent in outside},
        ranks={agent: {SILENCE: 0, TOLD: 1} for agent in outside},
        actual=TOLD,
    )
