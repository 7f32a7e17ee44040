"""Steps of reviews as JSON text: pinned, and read back with care."""

from __future__ import annotations

import pytest

from upheld.errors import UnreadableEntry
from upheld.logic.language.identities import AgentId, ConversationId, Epoch, FlagId
from upheld.logic.language.literals import literal
from upheld.logic.language.verdicts import Outcome
from upheld.record.ledger.codec import Codec
from upheld.record.ledger.entry import Content, Erasing, Erasure, remaining
from upheld.record.ledger.review.contents import (
    Assigned,
    Commented,
    CorrectedClaim,
    Decided,
    Flagged,
    ReviewOutcome,
)
from upheld.testing.review_contract import flagged
from upheld.testing.store_materials import said

CODEC = Codec()
F1, ANN = FlagId("F1"), AgentId("ann")


def decoded(text: str) -> Content:
    """Decode as entry 7 of ``talk``."""
    return CODEC.decode(text, conversation=ConversationId("talk"), epoch=7)


def test_each_step_has_a_pinned_text() -> None:
    """Our promise: a release that writes another text for the same content has to raise the schema number."""
    claim = CorrectedClaim(span=(0, 4), literals=(literal("~o1"),), outcome=ReviewOutcome.COULD_NOT_TELL)
    texts: dict[Content, str] = {
        Flagged(flag=F1, text="Dry.", epoch=Epoch(4), outcome=Outcome.ABSTAIN, abstained="no claim", note="why?"): (
            '{"abstained":"no claim","epoch":4,"flag":"F1","kind":"flagged","note":"why?","outcome":"abstain",'
            '"schema":1,"text":"Dry."}'
        ),
        flagged("F1"): (
            '{"claims":[{"findings":[{"by":"ann","literal":"o1","outcome":"ungrounded","reason":"retracted"}],'
            '"modality":"fact","outcome":"ungrounded","span":[0,8],"stance":"asserts"}],"epoch":1,"flag":"F1",'
            '"kind":"flagged","outcome":"ungrounded","schema":1,"text":"The pump in hall three is still dry."}'
        ),
        Assigned(flag=F1): '{"flag":"F1","kind":"assigned","schema":1}',
        Decided(flag=F1, outcome=ReviewOutcome.GROUNDED, by=ANN, claims=(claim,)): (
            '{"by":"ann","claims":[{"literals":["~o1"],"outcome":"could_not_tell","span":[0,4]}],"flag":"F1",'
            '"kind":"decided","outcome":"grounded","schema":1}'
        ),
        Commented(flag=F1, by=ANN, text="Hm."): '{"by":"ann","flag":"F1","kind":"commented","schema":1,"text":"Hm."}',
        Erasure(erased=(Erasing(epoch=Epoch(1), remains=Commented(flag=F1, by=ANN)),), reason="asked"): (
            '{"erased":[{"epoch":1,"remains":{"by":"ann","flag":"F1","kind":"commented"}}],"kind":"erasure",'
            '"reason":"asked","schema":1}'
        ),
    }
    for content, text in texts.items():
        assert CODEC.encode(content) == text
        assert decoded(text) == content


def test_no_claims_and_no_correction_are_told_apart() -> None:
    """Our promise: a reviewer who says that a reply makes no claim has said something."""
    without = Decided(flag=F1, outcome=ReviewOutcome.GROUNDED, by=ANN)
    empty = Decided(flag=F1, outcome=ReviewOutcome.GROUNDED, by=ANN, claims=())
    assert [decoded(CODEC.encode(each)) for each in (without, empty)] == [without, empty]


@pytest.mark.parametrize("span", ["[8,0]", "[0,true]", "[0]", "8", "[-1,3]", '["0","8"]'])
def test_a_span_that_is_none_is_refused(span: str) -> None:
    """Our promise: damage is told and never passed over."""
    with pytest.raises(UnreadableEntry, match="span"):
        decoded(CODEC.encode(flagged("F1")).replace("[0,8]", span))


def test_a_step_that_this_version_does_not_know_is_refused() -> None:
    """Our promise: an older program tells what a newer one wrote, and does not pass it over."""
    with pytest.raises(UnreadableEntry, match="unknown kind 'waved'"):
        decoded(CODEC.encode(flagged("F1")).replace('"flagged"', '"waved"'))
    erasure = Erasure(erased=(Erasing(epoch=Epoch(1), remains=flagged("F1")),), reason="asked for")
    with pytest.raises(UnreadableEntry, match="unknown kind 'waved'"):
        decoded(CODEC.encode(erasure).replace('"flagged"', '"waved"'))


def test_what_remains_of_an_erased_content_is_who_did_what() -> None:
    """Issue 6, section 2: the words go, and with an assignment, which has none, all of it."""
    left = remaining(flagged("F1"))
    assert isinstance(left, Flagged)
    assert (left.text, left.note, left.claims) == ("", "", flagged("F1").claims)
    decided = Decided(flag=F1, outcome=ReviewOutcome.GROUNDED, by=ANN, reason="I looked.")
    assert remaining(decided) == Decided(flag=F1, outcome=ReviewOutcome.GROUNDED, by=ANN)
    assert remaining(Assigned(flag=F1, to=ANN)) is None
    assert remaining(said(1, "Hello.")) == said(1).__class__(turn=said(1).turn, speaker=said(1).speaker)
