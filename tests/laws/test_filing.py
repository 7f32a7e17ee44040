"""Laws of what is filed for search: found from what moved, it is what the whole state says, after every event."""

from __future__ import annotations

from hypothesis import given
from strategies import Move, after, conversations, examples

from upheld.conversation.events import Took
from upheld.conversation.searching.filing import filings_of, moved
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.record.ledger.search import Filing


def whole(state: State) -> dict[PropositionId, Filing]:
    """Give how every claim stands, one by one: slow and obvious."""
    return {each.id: each for each in filings_of(state, state.propositions.keys())}


@examples(400)
@given(conversations(most=14))
def test_what_moved_is_all_that_stands_otherwise(drawn: tuple[State, tuple[Move, ...]]) -> None:
    """Issue 6, section 1: what was taken back is not found a moment longer, and nothing else is lost."""
    state, moves = drawn
    filed = whole(state)
    for move in moves:
        then = after(state, move)
        if then is not state:
            event = move if isinstance(move, Turn) else Took(retraction=move)
            filed |= {each.id: each for each in filings_of(then, moved(state, then, event))}
        state = then
        assert filed == whole(state)
