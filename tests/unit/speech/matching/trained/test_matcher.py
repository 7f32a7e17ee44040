"""The trained matcher on the weights of this release: what it does not read whole it does not judge."""

from __future__ import annotations

import pytest

from upheld.conversation.asking.view import StateView
from upheld.conversation.checking.claims import check_claims
from upheld.conversation.checking.networks import trained_matcher
from upheld.conversation.checking.readers import has_local
from upheld.conversation.conversation import Conversation
from upheld.speech.matching.trained.matcher import LONG_CLAIM, LONG_PROPOSITION, MOST_CLAIMS, NOTHING_NEAR, TOO_MANY

pytestmark = pytest.mark.skipif(not has_local(), reason="the extra local is not installed")

ANYHOW = (0.49, 0.51)
"""Bars between which hardly anything lies: what is judged at all is called one or the other."""


def view(*texts: str) -> StateView:
    """Give a record of these."""
    talk = Conversation(agents={"ann": "on call"})
    for number, text in enumerate(texts, start=1):
        talk.observe("ann", f"o{number}", text)
    return StateView(talk.state)


def test_a_clause_over_the_limit_is_not_judged_by_its_beginning() -> None:
    """Over limits: refuse, never pass silently; eighty words have more than 64 pieces, and so have forty long ones."""
    for clause in ("the pump failed again " * 20, "the electrohydraulic servomechanism of the pump " * 6):
        (claim,) = trained_matcher(bars=ANYHOW).match(clause, view("The pump failed at noon."))
        assert claim.abstained == LONG_CLAIM
        assert not claim.links


def test_a_claim_near_a_proposition_over_the_limit_is_not_judged_by_its_beginning() -> None:
    """A tool's output is one long observation, and what is said of its end would seem said by nobody."""
    long = "The pump log says: " + ", ".join(f"the pump failed on day {day}" for day in range(1, 20)) + "."
    (claim,) = trained_matcher(bars=ANYHOW).match("The pump failed on day 19.", view(long))
    assert claim.abstained == LONG_PROPOSITION
    (judged,) = trained_matcher(bars=ANYHOW).match("The pump failed on day 19.", view("The pump failed on day 19."))
    assert judged.abstained not in (LONG_CLAIM, LONG_PROPOSITION, NOTHING_NEAR)


def test_a_text_of_more_claims_than_the_limit_is_not_judged_at_all() -> None:
    """Bounded time, and no verdict on a part."""
    (claim,) = trained_matcher().match("The pump failed at noon. " * (MOST_CLAIMS + 1), view("The pump failed."))
    assert claim.abstained == TOO_MANY


def test_a_claim_far_from_everything_on_record_is_left_open() -> None:
    """Finding nothing near is not being sure that nobody said it."""
    (claim,) = trained_matcher(bars=ANYHOW).match("Violins need new strings.", view("The pump failed at noon."))
    assert (claim.abstained, claim.is_new) == (NOTHING_NEAR, False)


def test_every_claim_that_was_weighed_tells_how_likely_it_is_supported_called_or_not() -> None:
    """It ranks what a person should look at first; what was not weighed has none, and nothing is made up."""
    record = view("The pump failed at noon.", "The valve was replaced on Monday.", "The filters are new.")
    weighed = trained_matcher().match("The pump gave up at twelve. The valve is the old one still.", record)
    assert len(weighed) == 2
    assert all(claim.likelihood is not None and 0 <= claim.likelihood <= 1 for claim in weighed)
    (far,) = trained_matcher().match("Violins need new strings.", view("The pump failed at noon."))
    assert far.likelihood is None
    checked = check_claims(Conversation(agents={"ann": "on call"}).state, [far], matcher="trained")
    assert checked.claims[0].likelihood is None
