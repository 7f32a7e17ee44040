"""What each event of a conversation did, found once and kept beside it while it is open.

It holds ids and no words: what is erased of a conversation needs no second erasing here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from upheld.conversation.asking.effects import Effects, effects_of
from upheld.conversation.asking.picturing import Standing, changes, edges_into, falsification, standing_in
from upheld.conversation.asking.questions import is_open_again
from upheld.conversation.events import Event, Joined, Took
from upheld.conversation.looking.stamps import Stamps
from upheld.conversation.searching.filing import touched
from upheld.conversation.timeline import Timeline, applied
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.turns import Falsify, Withdraw
from upheld.logic.reasoning.nodes import falsified_key
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.picture import EdgeKind

FEW = 8
"""Events that a log which is kept up may be behind: whoever told them through another door did not keep it up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How a node stands from a place on, until a later change of it."""

    place: int
    claim: PropositionId
    standing: Standing
    needs_reevaluation: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one event did: to which nodes, and what became of claims that were there before."""

    changes: tuple[Change, ...]
    touched: tuple[PropositionId, ...] = ()
    effects: Effects | None = None


class Log:
    """What the events of one timeline did, place by place: place 0 is the opening, place n is after n events.

    Not for sharing between threads without a lock of your own.
    """

    def __init__(self) -> None:
        """Begin without a timeline."""
        self._timeline: Timeline | None = None
        self.stamps = Stamps()
        """What the record says of the events, which catches up by itself."""
        self._begin(State())

    def follow(self, timeline: Timeline) -> None:
        """Catch up with a timeline. Cost: folding what is new again; all of it where the timeline is another one.

        After an amendment it is another one, since earlier events may have done something else.
        """
        if timeline is not self._timeline or timeline.count < self.count:
            self._begin(timeline.around(0)[1] if timeline.count else timeline.now)
            self._timeline = timeline
        missing = timeline.count - self.count
        events = (event for event, _, _ in [timeline.around(self.count)]) if missing == 1 else self._new(timeline)
        for event in events:
            missing -= 1
            after = timeline.now if not missing else applied(self._state, event, is_lenient=True)[0]
            self._take(event, after)

    def keep_up(self, timeline: Timeline) -> Step | None:
        """Catch up with a timeline if it is a few events behind, and give the last step; ``None`` if it is further.

        Called after each event it spares the first look a second fold of everything. Cost: what is new; nothing where
        a look would have to fold a long past.
        """
        known = self.count if timeline is self._timeline else 0
        if not known <= timeline.count <= known + FEW:
            return None
        self.follow(timeline)
        return self.steps[-1]

    @property
    def count(self) -> int:
        """Events that it knows of."""
        return len(self.steps) - 1

    def place_of(self, moment: int) -> int:
        """Give the place of what the state notes as done at a moment. Cost: a search in the sorted places."""
        return bisect_right(self._ends, moment)

    def changes(self, *, after: int = -1) -> Iterator[Change]:
        """Give the changes past a place, in order: replaying them up to a place gives how all stand there.

        Acts without an id count only where they are drawn, which is where they carry an attack.
        """
        for step in self.steps[after + 1 :]:
            yield from (each for each in step.changes if self.is_drawn(each.claim))

    def is_drawn(self, id: PropositionId) -> bool:
        """Tell whether a node is a claim, an act that carries an attack, or a falsification outside any turn."""
        return id in self._state.propositions or id in self._carriers

    def touched(self, *, after: int) -> set[PropositionId]:
        """Give the nodes that events past a place were about."""
        return {id for step in self.steps[after + 1 :] for id in step.touched}

    def _new(self, timeline: Timeline) -> Iterator[Event]:
        return islice(timeline.events, self.count, None)

    def _begin(self, opening: State) -> None:
        self._state = opening
        self._ends = [opening.moment]
        self._carriers: set[PropositionId] = set()
        self.withdrawn: dict[str, int] = {}
        """From which place on each withdrawn source counts no more."""
        nodes = sorted(opening.nodes, key=lambda id: opening.node(id).moment)
        self.steps = [Step(changes=tuple(_change(0, opening, id) for id in nodes), touched=tuple(nodes))]

    def _take(self, event: Event, after: State) -> None:
        before, place = self._state, self.count + 1
        about = tuple(PropositionId(id) for id in touched(after, event) if PropositionId(id) in after.nodes)
        found = [_change(place, after, id) for id in changes(before, after, event)]
        if isinstance(event, Took):
            found.extend(self._taken(event, place))
        self._carriers.update(_attackers(after, about))
        effects = None if isinstance(event, Joined) else effects_of(event, before, after)
        self.steps.append(Step(changes=tuple(found), touched=about, effects=effects))
        self._ends.append(after.moment)
        self._state = after

    def _taken(self, event: Took, place: int) -> Iterator[Change]:
        match event.retraction:
            case Withdraw(source=source):
                self.withdrawn.setdefault(source, place)
            case Falsify(target=target):
                node = falsification(PropositionId(falsified_key(target).replace(" ", "#")))
                if node.id not in self._carriers:
                    standing = Standing(label=node.label, lifecycle=node.lifecycle)
                    yield Change(place=place, claim=node.id, standing=standing, needs_reevaluation=False)
            case _:
                pass


def _change(place: int, state: State, id: PropositionId) -> Change:
    standing = standing_in(state, id)
    assert standing is not None, "only nodes of the state change"
    is_open = is_open_again(state.node(id), standing.lifecycle, standing.label)
    return Change(place=place, claim=id, standing=standing, needs_reevaluation=is_open)


def _attackers(state: State, ids: tuple[PropositionId, ...]) -> Iterator[PropositionId]:
    for id in ids:
        node = state.node(id)
        if node.attacks:
            yield from (each.edge.source for each in edges_into(state, node) if each.edge.kind is EdgeKind.ATTACK)
