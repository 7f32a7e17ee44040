"""What a text is about, found in a conversation that grows."""

from __future__ import annotations

import pytest

from upheld import Conversation
from upheld.conversation.asking.view import StateView
from upheld.conversation.finding import Finder, StateSearch, finder
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import Observe


def stocked(count: int) -> Conversation:
    """A conversation with one telling claim, and then many about something else."""
    conversation = Conversation()
    conversation.observe("ada", "leak", "The cooling pump in hall four leaks.")
    for number in range(count):
        conversation.observe("ada", f"o{number}", f"Invoice {number} was paid in week {number % 52}.")
    return conversation


def test_an_old_claim_is_found_among_many_newer_ones() -> None:
    """Issue, section 2: candidates by retrieval; what was said long ago is not out of reach."""
    conversation = stocked(200)
    found = Finder()("The pump in hall four is leaking.", StateView(conversation.state), 20)
    assert "leak" in {known.proposition.id for known in found}
    assert len(found) == 20


def test_few_propositions_are_given_whole() -> None:
    """Our promise: where all fit, nothing is left out by a search."""
    conversation = stocked(5)
    found = Finder()("Anything at all.", StateView(conversation.state), 60)
    assert len(found) == 6


def test_a_finder_that_followed_answers_like_a_fresh_one() -> None:
    """Fast = slow, through an amendment that changes a text."""
    conversation, following = stocked(40), Finder()
    following("pump", StateView(conversation.state), 10)
    conversation.amend("T1", [Observe(id=PropositionId("leak"), text="The compressor in hall four is loud.")])
    conversation.observe("ada", "late", "The roof was mended.")
    view = StateView(conversation.state)
    asked = "The compressor is too loud."
    assert [each.proposition.id for each in following(asked, view, 10)] == [
        each.proposition.id for each in Finder()(asked, view, 10)
    ]


def test_the_search_of_a_context_window_goes_along_the_graph() -> None:
    """Issue, section 4 (hops over the graph): what a decision rests on is found with it."""
    conversation = stocked(30)
    conversation.hypothesize("ada", "h", "Hall four will flood.", depends_on=["leak"], explains=["leak"])
    found = StateSearch(conversation.state, Finder()).search("Will hall four flood?", 5)
    assert {"h", "leak"} <= {id for id, _ in found}


def test_meaning_finds_what_shares_no_word() -> None:
    """Issue, section 4 (hybrid): with the local embedder; skipped where it is not installed."""
    taken = finder()
    if "bm25" in taken.name and "minilm" not in taken.name:
        pytest.skip("upheld[local] is not installed")
    conversation = stocked(200)
    found = taken("Water drips from the machine that keeps things cold.", StateView(conversation.state), 20)
    assert "leak" in {known.proposition.id for known in found}
