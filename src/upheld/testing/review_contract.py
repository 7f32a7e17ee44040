"""What every store that finds flags promises; a part of no other suite, since a store need not.

::

    class TestMyReviews(ReviewContract):
        @pytest.fixture
        def store(self) -> Iterator[Store]:
            with MyStore(clock=ticking()) as store:
                yield store
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from upheld.errors import MalformedInput
from upheld.logic.language.identities import AgentId, ConversationId, Epoch, FlagId
from upheld.logic.language.literals import literal
from upheld.logic.language.verdicts import Modality, Outcome, Reason, Stance
from upheld.record.ledger.entry import step_of
from upheld.record.ledger.review.contents import (
    Assigned,
    Commented,
    Decided,
    Flagged,
    FlaggedClaim,
    FlaggedFinding,
    ReviewOutcome,
)
from upheld.record.ledger.review.queue import FlagPlace, FlagQuery
from upheld.record.ledger.verifying import verified
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.testing.store_materials import HERE, THERE, said

ANN, BEN = AgentId("ann"), AgentId("ben")
WORDS = "The pump in hall three is still dry."


def flagged(name: str, outcome: Outcome = Outcome.UNGROUNDED, *, modality: Modality = Modality.FACT) -> Flagged:
    """Give a flag on a reply of one claim."""
    finding = FlaggedFinding(literal=literal("o1"), outcome=outcome, reason=Reason.RETRACTED, by=ANN)
    claim = FlaggedClaim(span=(0, 8), stance=Stance.ASSERTS, modality=modality, outcome=outcome, findings=(finding,))
    return Flagged(flag=FlagId(name), text=WORDS, epoch=Epoch(1), outcome=outcome, claims=(claim,))


def decided(name: str, outcome: ReviewOutcome = ReviewOutcome.UNGROUNDED) -> Decided:
    """Give a decision."""
    return Decided(flag=FlagId(name), outcome=outcome, by=ANN, reason="It was taken back.")


def names(places: tuple[FlagPlace, ...]) -> list[str]:
    """Give the flags that were found, in order."""
    return [place.flag for place in places]


class ReviewContract:
    """Which flags are found, in which order, and what became of them."""

    def test_flags_of_all_conversations_are_found_the_most_urgent_first_and_of_these_the_newest(
        self, store: Any
    ) -> None:
        """Issue 6, section 2: worst and newest first."""
        store.append(HERE, [said(1), flagged("grounded", Outcome.GROUNDED), flagged("older")])
        store.append(THERE, [flagged("unchecked", Outcome.ABSTAIN), flagged("newer")])
        store.append(HERE, [flagged("supposed", modality=Modality.HYPOTHESIS)])
        found = store.flags(FlagQuery())
        assert names(found) == ["newer", "older", "supposed", "unchecked", "grounded"]
        assert [place.urgency for place in found] == [0, 0, 1, 2, 3]
        assert [(place.conversation, place.epoch) for place in found[:2]] == [(THERE, 2), (HERE, 3)]
        assert names(store.flags(FlagQuery(conversation=THERE))) == ["newer", "unchecked"]

    def test_pages_have_every_flag_once(self, store: Any) -> None:
        """Our promise: whoever goes on after the last of a page misses none and sees none twice."""
        for number in range(7):
            outcome = list(Outcome)[number % 3]
            store.append((HERE, THERE)[number % 2], [flagged(f"a{number}", outcome), flagged(f"b{number}", outcome)])
        whole, paged = store.flags(FlagQuery()), list[FlagPlace]()
        while page := store.flags(FlagQuery(after=paged[-1] if paged else None, limit=3)):
            paged += page
        assert tuple(paged) == whole
        assert len(whole) == len({(place.conversation, place.flag) for place in whole}) == 14

    def test_what_is_decided_is_told_from_what_waits(self, store: Any) -> None:
        """Issue 6, section 2: a queue is of what nobody decided."""
        store.append(HERE, [flagged("F1"), flagged("F2")])
        store.append(THERE, [flagged("F1")])
        store.append(HERE, [decided("F1"), decided("F1", ReviewOutcome.GROUNDED)])
        assert [place.conversation for place in store.flags(FlagQuery(is_decided=True))] == [HERE]
        assert [(place.conversation, place.flag) for place in store.flags(FlagQuery(is_decided=False))] == [
            (THERE, "F1"),
            (HERE, "F2"),
        ]

    def test_the_newest_assignment_counts(self, store: Any) -> None:
        """Our promise: what was given to somebody else, or back, is not hers any more."""
        store.append(HERE, [flagged("F1"), flagged("F2")])
        store.append(HERE, [Assigned(flag=FlagId("F1"), to=ANN), Assigned(flag=FlagId("F2"), to=ANN)])
        assert names(store.flags(FlagQuery(assignee=ANN))) == ["F2", "F1"]
        store.append(HERE, [Assigned(flag=FlagId("F1"), to=BEN, by=ANN), Assigned(flag=FlagId("F2"))])
        assert names(store.flags(FlagQuery(assignee=ANN))) == []
        assert names(store.flags(FlagQuery(assignee=BEN))) == ["F1"]

    def test_the_entries_of_a_flag_are_given_in_order(self, store: Any) -> None:
        """Our promise: its own alone, or those of all flags of a conversation."""
        store.append(HERE, [flagged("F1"), said(1), flagged("F2")])
        store.append(HERE, [Commented(flag=FlagId("F1"), by=BEN, text="I doubt it."), decided("F2"), decided("F1")])
        assert [entry.epoch for entry in store.steps(HERE, FlagId("F1"))] == [1, 4, 6]
        assert [entry.epoch for entry in store.steps(HERE)] == [1, 3, 4, 5, 6]
        assert [entry.content for entry in store.steps(HERE, FlagId("F2"))] == [flagged("F2"), decided("F2")]
        assert store.steps(HERE, FlagId("F9")) == store.steps(THERE) == ()
        with pytest.raises(MalformedInput):
            store.steps(ConversationId(" "))

    def test_an_erased_flag_is_found_without_its_words(self, store: Any) -> None:
        """Issue 6, section 2: a reply's text is what somebody said; that it was flagged and decided stays."""
        store.append(HERE, [flagged("F1"), Commented(flag=FlagId("F1"), by=BEN, text=WORDS), decided("F1")])
        store.erase(HERE, [1, 2], reason="asked for")
        found = store.steps(HERE, FlagId("F1"))
        assert WORDS not in repr(found)
        assert [step_of(entry.content) for entry in found] == [
            replace(flagged("F1"), text=""),
            Commented(flag=FlagId("F1"), by=BEN),
            decided("F1"),
        ]
        assert names(store.flags(FlagQuery(is_decided=True))) == ["F1"]
        assert verified(store, HERE).faults == ()

    def test_an_erased_assignment_is_gone(self, store: Any) -> None:
        """Our promise: it is nothing but names; the one before it counts."""
        store.append(HERE, [flagged("F1"), Assigned(flag=FlagId("F1"), to=ANN), Assigned(flag=FlagId("F1"), to=BEN)])
        store.erase(HERE, [3], reason="asked for")
        assert names(store.flags(FlagQuery(assignee=ANN))) == ["F1"]
        assert [entry.epoch for entry in store.steps(HERE)] == [1, 2]

    def test_flags_are_found_in_a_record_that_was_taken_over(self, store: Any) -> None:
        """Our promise: ``ledger copy`` carries flags, those with erased words too."""
        with EphemeralStore() as source:
            source.append(HERE, [flagged("F1"), flagged("F2"), decided("F2"), Assigned(flag=FlagId("F1"), to=ANN)])
            source.erase(HERE, [1, 4], reason="asked for")
            store.adopt(HERE, source.kept(HERE))
            assert store.flags(FlagQuery()) == source.flags(FlagQuery())
            assert store.steps(HERE) == source.steps(HERE)
        assert names(store.flags(FlagQuery(is_decided=False))) == ["F1"]
        assert store.flags(FlagQuery(assignee=ANN)) == ()

    def test_a_retry_finds_nothing_twice(self, store: Any) -> None:
        """Our promise: an append with a key that was used before writes nothing."""
        for _ in range(2):
            store.append(HERE, [flagged("F1")], key="k")
        assert names(store.flags(FlagQuery())) == ["F1"]

    def test_names_that_no_database_can_list_are_refused(self, store: Any) -> None:
        """Our promise: bad input loses nothing."""
        for step in (flagged("F\0"), Assigned(flag=FlagId("F1"), to=AgentId("a\0"))):
            with pytest.raises(MalformedInput):
                store.append(HERE, [step])
        assert store.version(HERE) == 0
        with pytest.raises(MalformedInput):
            FlagQuery(limit=0)
