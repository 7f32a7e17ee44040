"""Whoever follows a conversation reads only what is new, and is never out of step with it."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from upheld import Conversation
from upheld.conversation.asking.view import StateView
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import Observe
from upheld.logic.language.propositions import Proposition
from upheld.logic.reasoning.state import State
from upheld.speech.following import Follower
from upheld.speech.matching.index import LexicalIndex
from upheld.speech.matching.tokens import frame
from upheld.speech.view import Known


class Counted(StateView):
    """A view that counts how many propositions were asked of it."""

    def __init__(self, state: State) -> None:
        """Begin to count."""
        super().__init__(state)
        self.read = 0

    def known(self) -> Iterator[Known]:
        """Give all, counting."""
        for each in super().known():
            self.read += 1
            yield each

    def newest(self) -> Iterator[Proposition]:
        """Give the newest first, counting."""
        for each in super().newest():
            self.read += 1
            yield each


def told(count: int) -> Conversation:
    """A conversation of so many observations."""
    conversation = Conversation()
    for number in range(count):
        conversation.observe("ada", f"o{number}", f"Sensor {number} reads {number} degrees.")
    return conversation


def texts(propositions: list[Proposition]) -> list[str]:
    """What they say."""
    return [each.text for each in propositions]


def test_what_is_new_is_all_that_is_read() -> None:
    """Our promise (cost of a turn): what was said long ago is not gone through again."""
    conversation, follower = told(200), Follower()
    follower.catch_up(StateView(conversation.state))
    conversation.observe("ada", "late", "The window is open.")
    view = Counted(conversation.state)
    news = follower.catch_up(view)
    assert texts(list(news.propositions)) == ["The window is open."]
    assert not news.is_afresh
    assert view.read <= 2


def test_a_past_that_was_told_otherwise_is_read_afresh() -> None:
    """Our promise (amend): the answer never depends on what was asked before the correction."""
    conversation, follower = told(5), Follower()
    follower.catch_up(StateView(conversation.state))
    conversation.amend("T2", [Observe(id=PropositionId("o1"), text="Sensor 1 is broken.")])
    follower.catch_up(StateView(conversation.state))
    assert "Sensor 1 is broken." in texts(list(follower.seen))
    assert texts(list(follower.seen)) == texts(list(conversation.propositions))


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6)), max_size=12))
def test_following_any_walk_through_time_sees_exactly_the_view(steps: list[tuple[int, int]]) -> None:
    """Fast = slow: at any moment, after any jumps, what was seen is what the view lists."""
    conversation, follower = Conversation(), Follower()
    for number, (kind, place) in enumerate(steps):
        turns = conversation.timeline.turns
        if kind < 2 or not turns:
            conversation.observe("ada", f"o{number}", f"Reading {number} is {place}.")
        elif kind == 2:
            follower.catch_up(StateView(conversation.at(turns[place % len(turns)]).state))
        else:
            turn = turns[place % len(turns)]
            (first,) = conversation.timeline.told(turn).operations
            assert isinstance(first, Observe)
            conversation.amend(turn, [Observe(id=first.id, text=f"Amended {number}.")])
        follower.catch_up(StateView(conversation.state))
        assert texts(list(follower.seen)) == texts(list(conversation.propositions))


def test_an_index_that_grew_answers_like_one_made_at_once() -> None:
    """Fast = slow: the order of telling leaves no trace in the index."""
    conversation, grown = told(40), LexicalIndex()
    for turn in conversation.timeline.turns:
        grown.update(StateView(conversation.at(turn).state))
    fresh = LexicalIndex()
    fresh.update(StateView(conversation.state))
    grown.update(StateView(conversation.state))
    wanted = frame("Sensor 7 reads 7 degrees.")
    found = [[known.proposition.id for known, _ in each.candidates(wanted)] for each in (grown, fresh)]
    assert found[0] == found[1]
    assert found[0][0] == "o7"
