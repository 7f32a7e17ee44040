"""A conversation as a context window shows it, kept in step with it turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from upheld.conversation.answering.changes import changes_between
from upheld.conversation.answering.items import StateItems
from upheld.conversation.answering.touched import touched
from upheld.conversation.timeline import Timeline
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.context.pages import Rendering
from upheld.speech.rendering.context.renderer import ContextRenderer, Mode
from upheld.speech.rendering.context.searching import HitSource
from upheld.speech.rendering.context.tokens import Tokens

BUDGET = 1_500
"""Tokens of a page where nobody says how many: what the paper's content and retrieval mode came to."""


class Followed(Protocol):
    """A conversation, as far as it is followed here."""

    @property
    def state(self) -> State:
        """The state now."""
        ...

    @property
    def timeline(self) -> Timeline:
        """The events so far."""
        ...

    @property
    def version(self) -> int:
        """Number of entries of the record."""
        ...


class ConversationContext:
    """Pages of one conversation; each is as of now.

    A turn costs what it touched. Where the past was changed (a turn amended, words erased), everything is read anew.
    One context serves one thread at a time.
    """

    def __init__(
        self,
        conversation: Followed,
        *,
        tokens: Tokens | Callable[[str], int] | None = None,
        search: HitSource | None = None,
    ) -> None:
        """``tokens`` counts as the reader does; ``search`` finds items instead of the words that they share."""
        self._conversation = conversation
        self._renderer = ContextRenderer(tokens, search=search)
        self._timeline: Timeline | None = None
        self._state: State | None = None
        self._count = self._version = self._forgettings = 0
        self._told: dict[TurnId, Turn] = {}

    @property
    def renderer(self) -> ContextRenderer:
        """The lines, brought up to the conversation as it is now."""
        self.refresh()
        return self._renderer

    def render(self, mode: Mode | str = Mode.CONTENT, *, budget: int = BUDGET, query: str = "") -> Rendering:
        """Give a page of at most ``budget`` tokens.

        Raises:
            LimitExceeded: the budget has no room for the first and the last line.
        """
        return self.renderer.render(Mode(mode), budget=budget, query=query)

    def changes_since(self, turn: str) -> tuple[str, ...]:
        """Say what became another since right after a turn, one sentence a claim, in the order of the record.

        Cost: what the turns since touched, and a look back.

        Raises:
            UnknownReference: there is no such turn.
        """
        self.refresh()
        timeline = self._conversation.timeline
        before, after = timeline.at(TurnId(turn)), self._conversation.state
        events = timeline.events
        place = next(n for n, event in enumerate(events) if isinstance(event, Turn) and event.id == turn)
        ids = touched(before, after, events[place + 1 :])
        return changes_between(StateItems(before, self._told.get), StateItems(after, self._told.get), after, ids)

    def refresh(self) -> None:
        """Catch up with the conversation. Cost: what was touched since."""
        conversation = self._conversation
        timeline, state = conversation.timeline, conversation.state
        if timeline is self._timeline and conversation.version == self._version:
            return
        ids = self._touched(timeline, state)
        if ids is None:
            self._told = {each.id: each for each in timeline.events if isinstance(each, Turn)}
        self._renderer.refresh(StateItems(state, self._told.get), ids)
        self._timeline, self._state = timeline, state
        self._count, self._version = timeline.count, conversation.version
        self._forgettings = timeline.forgettings

    def _touched(self, timeline: Timeline, state: State) -> frozenset[PropositionId] | None:
        """Give what to read again, or ``None`` for everything: the past is another, or its words are."""
        before = self._state
        if timeline is not self._timeline or before is None or timeline.count <= self._count:
            return None
        if timeline.forgettings != self._forgettings:
            # Words were erased, and more was told since: what was touched does not name them.
            return None
        events = timeline.events[self._count :]
        self._told.update((each.id, each) for each in events if isinstance(each, Turn))
        return touched(before, state, events)


def rendered(
    state: State,
    mode: Mode | str = Mode.CONTENT,
    *,
    budget: int = BUDGET,
    query: str = "",
    turns: Sequence[Turn] = (),
) -> Rendering:
    """Give a page of one state, once: as of some turn, or as one agent was told it. Cost: the whole state.

    ``turns`` have the times and words of what was told; without them items have no date. Raises like
    :meth:`ConversationContext.render`.
    """
    renderer = ContextRenderer()
    renderer.refresh(StateItems(state, {each.id: each for each in turns}.get))
    return renderer.render(Mode(mode), budget=budget, query=query)
