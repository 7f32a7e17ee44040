"""The suite that every matcher must pass: subclass it in a test module and bind its fixture.

::

    class TestMyMatcher(MatcherContract):
        @pytest.fixture
        def fresh(self) -> Callable[[], Matcher]:
            return MyMatcher
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from upheld.conversation.asking.view import StateView
from upheld.conversation.conversation import Conversation
from upheld.speech.matching.matcher import Claim, Matcher

TEXTS = (
    "The train to Porto leaves at 9:40.",
    "The train to Porto leaves at 9:40, and the ticket costs 30 euros.",
    "Since the train to Porto leaves at 9:40, we should take a taxi to the station.",
    "The train to Porto does not leave at 9:40.",
    "Ben said that the hotel in Porto has a garden. Is there a lift? Thank you!",
    "The ticket costs 999 euros.",
    "The hotel in Porto has a garden.\n\nThe ticket costs 25 euros; the train leaves from platform 3.",
)
FOREIGN = "Der Zug nach Porto fährt um 9:40 Uhr von Gleis 3 ab, und das weiß ich genau."
ODD = ("?!… — ( ) \u202e \0", "a " * 50_000, "x" * 30_000, ".\n" * 500, "👩‍👩‍👧 e\u0301 ﬁ ẞ İ" * 20)
PADDING = (
    "The museum of tiles is closed on Mondays.",
    "A violinist tuned her instrument in the corridor.",
    "Zinc melts at 420 degrees.",
    "The committee postponed its vote on the bylaws.",
    "Herons nest in the reeds by the canal.",
    "Our printer jams whenever somebody loads heavy paper.",
    "Seven apprentices passed their examination.",
    "The recipe wants two spoons of vinegar.",
    "A comet was photographed above Oslo.",
)
"""Nine propositions that share no content word with the texts."""


def table(*padding: str) -> Conversation:
    """Give the conversation that the texts are about, with further propositions beside it."""
    talk = Conversation(agents={"ann": "traveller", "ben": "traveller"})
    talk.observe("ann", "o1", "The train to Porto leaves at 9:40.")
    talk.observe("ben", "o2", "The train to Porto leaves from platform 3.")
    talk.observe("ann", "o3", "The ticket costs 30 euros.")
    talk.observe("ben", "o4", "The ticket costs 25 euros.", supersedes=["o3"])
    talk.observe("ben", "o5", "The hotel in Porto has a garden.")
    for number, text in enumerate(padding, start=1):
        talk.observe("ann", f"p{number}", text)
    return talk


class MatcherContract:
    """What any :class:`~upheld.speech.matching.matcher.Matcher` promises."""

    @pytest.fixture
    def view(self) -> StateView:
        """Give what the texts are about."""
        return StateView(table().state)

    def test_it_names_itself(self, fresh: Callable[[], Matcher]) -> None:
        """Demanded by semantics, section 11: a verdict says by which matcher, and which version of it."""
        assert fresh().name
        assert fresh().version

    def test_it_finds_something(self, fresh: Callable[[], Matcher], view: StateView) -> None:
        """Our promise: a suite that a matcher passes by silence would say nothing."""
        assert any(claim.links for text in TEXTS for claim in fresh().match(text, view))

    def test_spans_lie_in_the_text_and_do_not_overlap(self, fresh: Callable[[], Matcher], view: StateView) -> None:
        """Demanded by semantics, section 11: each claim with its characters; whoever marks them needs them apart."""
        for text in (*TEXTS, FOREIGN, *ODD):
            end = 0
            for claim in fresh().match(text, view):
                assert end <= claim.span[0] < claim.span[1] <= len(text), (text[:60], claim.span)
                assert claim.text == text[slice(*claim.span)]
                end = claim.span[1]

    def test_a_claim_has_links_or_says_why_not(self, fresh: Callable[[], Matcher], view: StateView) -> None:
        """Demanded by semantics, section 11: could not be checked is said, never passed over."""
        for text in (*TEXTS, FOREIGN, *ODD):
            for claim in fresh().match(text, view):
                assert bool(claim.links) != bool(claim.abstained), claim.text[:60]

    def test_it_links_only_to_what_is_known(self, fresh: Callable[[], Matcher], view: StateView) -> None:
        """Our promise: no made-up id; a score lies in [0, 1] and a rule is named."""
        for text in (*TEXTS, FOREIGN, *ODD):
            for link in (link for claim in fresh().match(text, view) for link in claim.links):
                assert view.get(link.literal.proposition) is not None
                assert 0 <= link.score <= 1
                assert link.rule

    def test_where_nothing_is_known_nothing_is_linked(self, fresh: Callable[[], Matcher]) -> None:
        """Our promise, from the other side: an empty record supports nothing."""
        empty = StateView(Conversation().state)
        for text in TEXTS:
            assert not any(claim.links for claim in fresh().match(text, empty))

    def test_an_empty_text_claims_nothing(self, fresh: Callable[[], Matcher], view: StateView) -> None:
        """Our promise: nothing said, nothing claimed."""
        for text in ("", "   ", "\n\n\t"):
            assert fresh().match(text, view) == ()

    def test_of_another_language_nothing_is_claimed_to_be_supported(
        self, fresh: Callable[[], Matcher], view: StateView
    ) -> None:
        """Demanded by semantics, section 11: a language that is not covered is abstained on, unless it is covered."""
        claims = fresh().match(FOREIGN, view)
        assert claims
        assert all(claim.abstained or claim.links for claim in claims)

    def test_the_same_text_is_matched_the_same_way(self, fresh: Callable[[], Matcher], view: StateView) -> None:
        """Our promise: an answer depends on text and view alone, not on what was asked before."""
        used = fresh()
        first = [used.match(text, view) for text in TEXTS]
        used.match(TEXTS[0], StateView(table(*PADDING).state))
        again = [used.match(text, view) for text in reversed(TEXTS)]
        assert again[::-1] == first
        assert [fresh().match(text, view) for text in TEXTS] == first

    def test_what_has_nothing_to_do_with_it_changes_nothing(
        self, fresh: Callable[[], Matcher], view: StateView
    ) -> None:
        """C-43: the verdict is the same with nine irrelevant passages and without."""
        padded = StateView(table(*PADDING).state)
        for text in TEXTS:
            assert decided(fresh().match(text, padded)) == decided(fresh().match(text, view)), text

    def test_a_wrong_number_is_never_supported(self, fresh: Callable[[], Matcher], view: StateView) -> None:
        """C-43: a figure that nobody gave must not pass for one that somebody did."""
        found = fresh().match("The ticket costs 999 euros.", view)
        assert not any(link.relation.value == "supported_by" for claim in found for link in claim.links)

    def test_a_match_leaves_the_view_as_it_was(self, fresh: Callable[[], Matcher], view: StateView) -> None:
        """Our promise: looking changes nothing."""
        before = tuple(view.known())
        for text in (*TEXTS, FOREIGN, *ODD):
            fresh().match(text, view)
        assert tuple(view.known()) == before


def decided(claims: tuple[Claim, ...]) -> list[tuple[object, ...]]:
    """Give what a verdict follows from: everything but the scores."""
    return [
        (
            claim.span,
            claim.stance,
            claim.modality,
            [(link.literal, link.relation) for link in claim.links],
            claim.abstained,
        )
        for claim in claims
    ]
