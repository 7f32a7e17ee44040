"""A reply held against what stands: the verdict on a text from the verdicts on its claims."""

from __future__ import annotations

import pytest

from upheld.conversation.checking.claims import NO_CLAIM, Checked, check_candidates, check_text, checked
from upheld.conversation.conversation import Conversation
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Candidate, Modality, Outcome, Reason, Stance
from upheld.speech.matching.lexical import LexicalMatcher
from upheld.speech.matching.matcher import Claim, Link, Relation
from upheld.speech.view import View

SUPPORTED, COMMITTED, CONTRADICTS = Relation.SUPPORTED_BY, Relation.COMMITTED_TO, Relation.CONTRADICTS
Links = tuple[tuple[str, Relation], ...]


class Told:
    """A matcher that finds the claims that it was told of: links, or the reason why there are none."""

    name = "told"
    version = "2"

    def __init__(self, *claims: Links | str) -> None:
        """Take the claims, a word of the text each."""
        self._claims = claims

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims."""
        return tuple(
            Claim(
                span=(place, place + 1),
                text=text[place],
                links=() if isinstance(claim, str) else tuple(_link(id, relation) for id, relation in claim),
                abstained=claim if isinstance(claim, str) else "",
            )
            for place, claim in enumerate(self._claims)
        )


def _link(id: str, relation: Relation) -> Link:
    return Link(literal=Literal(PropositionId(id)), relation=relation, score=1.0, rule="told")


def outcome(talk: Conversation, *claims: Links | str) -> Outcome:
    """Give the verdict on a text with these claims."""
    return check_text(talk.state, "abcdef", Told(*claims)).outcome


GOOD: Links = (("o8", SUPPORTED),)
BAD: Links = (("h2", SUPPORTED),)
LEANING: Links = (("o8", COMMITTED),)


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ((GOOD,), Outcome.GROUNDED),
        ((GOOD, GOOD), Outcome.GROUNDED),
        ((BAD,), Outcome.UNGROUNDED),
        ((GOOD, BAD), Outcome.UNGROUNDED),
        ((GOOD, "no match"), Outcome.ABSTAIN),
        ((BAD, "no match"), Outcome.UNGROUNDED),
        (("no match",), Outcome.ABSTAIN),
        ((), Outcome.ABSTAIN),
        (((),), Outcome.ABSTAIN),
        ((LEANING,), Outcome.ABSTAIN),
        ((GOOD, LEANING), Outcome.ABSTAIN),
        (((("h2", COMMITTED),),), Outcome.UNGROUNDED),
        (((("o8", SUPPORTED), ("h2", COMMITTED)),), Outcome.UNGROUNDED),
        (((("o8", SUPPORTED), ("o9", COMMITTED)),), Outcome.GROUNDED),
        (((("o8", CONTRADICTS),),), Outcome.UNGROUNDED),
        (((("h2", CONTRADICTS),),), Outcome.ABSTAIN),
        (((("nowhere", SUPPORTED),),), Outcome.UNGROUNDED),
    ],
)
def test_a_text_is_grounded_only_if_every_claim_was_checked_and_is(
    outage: Conversation, claims: tuple[Links | str, ...], expected: Outcome
) -> None:
    """Demanded by semantics, section 11: could not check is no kind of grounded, and one bad claim is enough."""
    assert outcome(outage, *claims) is expected


def test_a_verdict_on_a_text_carries_each_claim(outage: Conversation) -> None:
    """Demanded by semantics, section 11: span, stance, modality, what it was matched with, by which matcher."""
    found = check_text(outage.state, "abcdef", Told(GOOD, BAD, "no match"))
    assert [claim.span for claim in found.claims] == [(0, 1), (1, 2), (2, 3)]
    assert [claim.text for claim in found.claims] == ["a", "b", "c"]
    assert [claim.outcome for claim in found.claims] == [Outcome.GROUNDED, Outcome.UNGROUNDED, Outcome.ABSTAIN]
    assert {claim.matcher for claim in found.claims} == {"told@2"}
    assert [claim.abstained for claim in found.claims] == ["", "", "no match"]
    assert [finding.literal.proposition for finding in found.findings] == ["h2", "o8"]
    assert found.findings[0].reason is Reason.ABANDONED
    assert not found.passes


def test_why_it_abstained_is_said(outage: Conversation) -> None:
    """Demanded by semantics, section 11: never silently grounded, and never silently not."""
    state = outage.state
    assert check_text(state, "a", Told("too long")).abstained == "too long"
    assert check_text(state, "a", Told()).abstained == NO_CLAIM
    assert "o8" in check_text(state, "a", Told(LEANING)).abstained
    assert check_text(state, "a", Told(())).abstained == "no proposition matches well enough"
    assert check_text(state, "a", Told(GOOD)).abstained == ""
    assert checked([]) == Checked(outcome=Outcome.ABSTAIN, abstained=NO_CLAIM)


def test_what_contradicts_a_claim_that_was_given_up_denies_it(outage: Conversation) -> None:
    """Demanded by semantics, section 6: ~p is grounded when p was given up; but words against it say more than that."""
    found = check_text(outage.state, "a", Told((("h2", CONTRADICTS),)))
    assert found.claims[0].findings[0].literal == Literal(PropositionId("h2"), negated=True)
    assert found.claims[0].findings[0].outcome is Outcome.GROUNDED


def test_the_speaker_is_looked_at(outage: Conversation) -> None:
    """Demanded by semantics, section 8: what the speaker was never told is a leak or a guess."""
    outage.observe("alice", "o10", "The password is known.", audience=["bob"])
    assert outcome(outage, (("o10", SUPPORTED),)) is Outcome.GROUNDED
    found = check_text(outage.state, "a", Told((("o10", SUPPORTED),)), speaker=AgentId("bot"))
    assert found.findings[0].reason is Reason.OUT_OF_VIEW


def test_a_text_whose_claims_are_known_is_checked_as_one(outage: Conversation) -> None:
    """Our promise: a label or a declaration says what a text rests on; the span is the whole."""
    as_view = Candidate(literal=Literal(PropositionId("o8")), stance=Stance.PRESUPPOSES, modality=Modality.HYPOTHESIS)
    given_up = Candidate(literal=Literal(PropositionId("h2")))
    found = check_candidates(outage.state, "abc", [as_view, given_up], matcher="labels")
    (claim,) = found.claims
    assert (claim.span, claim.text, claim.matcher) == ((0, 3), "abc", "labels")
    assert (claim.stance, claim.modality) == (Stance.PRESUPPOSES, Modality.HYPOTHESIS)
    assert (found.outcome, claim.outcome) == (Outcome.UNGROUNDED, Outcome.UNGROUNDED)
    assert check_candidates(outage.state, "abc", [as_view], matcher="labels").passes


def test_a_text_that_rests_on_nothing_is_ungrounded_as_a_whole(outage: Conversation) -> None:
    """Our promise: known to rest on nothing is not the same as not checked."""
    found = check_candidates(outage.state, "abc", [], matcher="labels")
    assert found.outcome is Outcome.UNGROUNDED
    assert found.findings == ()
    assert found.claims[0].stance is Stance.ASSERTS


def test_words_alone_are_enough_where_they_are_the_same(outage: Conversation) -> None:
    """Our promise: the embedded matcher, from end to end; the reply of C-45 is abstained on."""
    words = "Payment gets connection timeouts from Redis."
    assert check_text(outage.state, words, LexicalMatcher()).passes
    assert check_text(outage.state, "That has not been said here.", LexicalMatcher()).outcome is Outcome.ABSTAIN
