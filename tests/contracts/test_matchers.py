"""Every matcher against the suite that we ship, and the suite against matchers that break it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from upheld.conversation.asking.view import StateView
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.matcher import Claim, Link, Matcher, Relation
from upheld.speech.view import View
from upheld.testing.matcher_contract import MatcherContract, table


class TestLexicalMatcher(MatcherContract):
    """The embedded matcher."""

    @pytest.fixture
    def fresh(self) -> Callable[[], Matcher]:
        """Make one."""
        return LexicalMatcher


def linked(id: str, score: float = 1.0) -> Link:
    """Give a link to a proposition."""
    return Link(literal=Literal(PropositionId(id)), relation=Relation.SUPPORTED_BY, score=score, rule="faulty")


class Faulty:
    """A matcher that answers what it is told to."""

    name = "faulty"
    version = "1"

    def __init__(self, *claims: Claim) -> None:
        """Give these claims for whatever is said."""
        self._claims = claims

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Answer."""
        return self._claims


class Padded(Faulty):
    """A matcher that gives up when much is known."""

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Answer."""
        if len(list(view.known())) > 6:
            return (Claim(span=(0, 1), text=text[:1], abstained="too much"),)
        return (Claim(span=(0, 1), text=text[:1], links=(linked("o1"),)),)


class Remembering(Faulty):
    """A matcher whose answer depends on how often it was asked."""

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Answer with a reason of the count."""
        self._count = getattr(self, "_count", 0) + 1
        return (Claim(span=(0, 1), text=text[:1], abstained=f"asked {self._count} times"),)


Check = Callable[[MatcherContract, Callable[[], Matcher], StateView], None]
SUITE = MatcherContract
OUTSIDE = Claim(span=(0, 10**9), text="far", abstained="far")
FIRST = Claim(span=(0, 4), text="The ", abstained="first")


@pytest.mark.parametrize(
    ("faulty", "check"),
    [
        (Faulty(), SUITE.test_it_finds_something),
        (Faulty(OUTSIDE), SUITE.test_spans_lie_in_the_text_and_do_not_overlap),
        (Faulty(FIRST, FIRST), SUITE.test_spans_lie_in_the_text_and_do_not_overlap),
        (Faulty(Claim(span=(0, 1), text="T")), SUITE.test_a_claim_has_links_or_says_why_not),
        (
            Faulty(Claim(span=(0, 1), text="T", links=(linked("nowhere"),))),
            SUITE.test_it_links_only_to_what_is_known,
        ),
        (
            Faulty(Claim(span=(0, 1), text="T", links=(linked("o1", 1.5),))),
            SUITE.test_it_links_only_to_what_is_known,
        ),
        (Faulty(FIRST), SUITE.test_an_empty_text_claims_nothing),
        (Faulty(), SUITE.test_of_another_language_nothing_is_claimed_to_be_supported),
        (Padded(), SUITE.test_what_has_nothing_to_do_with_it_changes_nothing),
        (Remembering(), SUITE.test_the_same_text_is_matched_the_same_way),
        (Faulty(Claim(span=(0, 1), text="T", links=(linked("o3"),))), SUITE.test_a_wrong_number_is_never_supported),
    ],
    ids=[
        "silent", "outside", "overlapping", "speechless", "dangling", "overrated",
        "hearing-voices", "deaf", "crowded", "remembering", "careless",
    ],
)  # fmt: skip
def test_the_suite_notices_a_faulty_matcher(faulty: Matcher, check: Check) -> None:
    """A suite that nothing fails proves nothing."""
    with pytest.raises(AssertionError):
        check(SUITE(), lambda: faulty, StateView(table().state))


def test_the_suite_notices_links_to_an_empty_record() -> None:
    """A suite that nothing fails proves nothing."""
    with pytest.raises(AssertionError):
        SUITE().test_where_nothing_is_known_nothing_is_linked(
            lambda: Faulty(Claim(span=(0, 1), text="T", links=(linked("o1"),)))
        )
