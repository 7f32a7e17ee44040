"""Laws of the context window: what is kept in step turn by turn is what a reading of the whole gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given
from strategies import Move, conversations, examples

from upheld.conversation.answering.items import StateItems
from upheld.conversation.answering.touched import touched
from upheld.conversation.events import Event, Took
from upheld.conversation.folding import applied
from upheld.errors import UpheldError
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.context.renderer import ContextRenderer

QUERY = "why c1, c2 and c4? Was c0 settled, or ruled out?"


@dataclass
class Kept:
    """A renderer that was told of every change, and the state that it has seen."""

    state: State
    renderer: ContextRenderer = field(default_factory=ContextRenderer)

    def take(self, events: list[Event]) -> None:
        """Fold events, leaving out those that are refused, and refresh what they touched."""
        before, done = self.state, list[Event]()
        for event in events:
            try:
                self.state, _ = applied(self.state, event, is_lenient=True)
            except UpheldError:
                continue
            done.append(event)
        self.renderer.refresh(StateItems(self.state), touched(before, self.state, done))


def pages(renderer: ContextRenderer) -> dict[str, object]:
    """Every page that a renderer gives, for a wide budget and a narrow one."""
    found: dict[str, object] = {"terms": renderer.terms.search(QUERY, 100)}
    for budget in (120, 5_000):
        found[f"content {budget}"] = renderer.content(budget=budget)
        found[f"all {budget}"] = renderer.content(budget=budget, shows_given_up=True)
        found[f"retrieved {budget}"] = renderer.retrieved(QUERY, budget=budget)
        found[f"map {budget}"] = renderer.dependency_map(budget=budget)
    return found


def event_of(move: Move) -> Event:
    """Give a move as an event."""
    return move if isinstance(move, Turn) else Took(retraction=move)


@examples(100)
@given(conversations(most=12))
def test_a_page_kept_in_step_is_the_page_of_a_fresh_reading(case: tuple[State, tuple[Move, ...]]) -> None:
    """Our promise (issue 4, section 4): rendering is incremental, and nobody can tell from the text."""
    state, moves = case
    kept = Kept(state)
    for move in moves:
        kept.take([event_of(move)])
        fresh = ContextRenderer()
        fresh.refresh(StateItems(kept.state))
        assert pages(kept.renderer) == pages(fresh)


@examples(100)
@given(conversations(most=12))
def test_several_events_may_be_caught_up_with_at_once(case: tuple[State, tuple[Move, ...]]) -> None:
    """Our promise: a reader who looks now and then sees what one sees who looks after every turn."""
    state, moves = case
    kept = Kept(state)
    for start in range(0, len(moves), 3):
        kept.take([event_of(move) for move in moves[start : start + 3]])
    fresh = ContextRenderer()
    fresh.refresh(StateItems(kept.state))
    assert pages(kept.renderer) == pages(fresh)


@examples(100)
@given(conversations(most=12))
def test_no_page_is_longer_than_its_budget_and_none_hides_what_it_leaves_out(
    case: tuple[State, tuple[Move, ...]],
) -> None:
    """Our promise (issue 4, section 4): for a token budget; what was cut is said."""
    state, moves = case
    kept = Kept(state)
    kept.take([event_of(move) for move in moves])
    for budget in (100, 200, 400):
        for page in (kept.renderer.content(budget=budget), kept.renderer.retrieved(QUERY, budget=budget)):
            assert page.tokens <= budget
            assert ("left out" in page.text) == (page.left_out > 0)
