"""Flags of one conversation: what is filed, what is refused, what was erased, and what a label says."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from upheld.conversation.asynchronous import AsyncConversation
from upheld.conversation.conversation import Conversation
from upheld.conversation.reading.reader import Reader
from upheld.conversation.reviewing.erasing import erased_flag
from upheld.conversation.reviewing.gold import gold_item
from upheld.conversation.reviewing.looking import looked_at
from upheld.conversation.reviewing.queue import all_queued, cursor_of, place_in, queued
from upheld.conversation.reviewing.review import Review, ReviewStatus, reviews_of
from upheld.errors import MalformedInput, RepeatedIdentity, UnknownReference, VersionConflict
from upheld.logic.language.identities import ConversationId, TurnId
from upheld.logic.language.literals import literal
from upheld.logic.language.verdicts import Modality, Outcome, Reason
from upheld.record.ledger.review.contents import CorrectedClaim, ReviewOutcome
from upheld.record.ledger.review.queue import FlagQuery
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.speech.redaction.patterned import PatternRedactor
from upheld.testing.review_contract import decided, flagged
from upheld.testing.store_materials import said

DRY = "The tank in the yard is dry."


@pytest.fixture
def store() -> EphemeralStore:
    """A store that outlives the conversations on it."""
    return EphemeralStore()


@pytest.fixture
def talk(store: EphemeralStore) -> Conversation:
    """A tank that was dry until somebody looked again; the pump rests on it."""
    talk = Conversation({"ann": "engineer", "bot": "assistant"}, id="yard", store=store)
    talk.observe("ann", "o1", DRY)
    talk.observe("ann", "o2", "The pump is off.", depends_on=["o1"])
    talk.observe("ann", "o3", "Somebody looked into another tank.")
    return talk


def take_back(talk: Conversation) -> None:
    """Take the dry tank back."""
    talk.revise("ann", "o1", because=["o3"], withdrawn=True, said="No, that was the other tank.")


def test_a_flag_keeps_what_was_found_and_no_words_of_the_conversation(talk: Conversation) -> None:
    """Issue 6, section 2: as judged at that moment, with names alone, so that erasing reaches all words."""
    take_back(talk)
    review = talk.flag(DRY, speaker="bot", by="carla", note="A guest asked.")
    flag = review.flagged
    assert (review.status, review.version, flag.epoch, flag.at) == (ReviewStatus.OPEN, 1, talk.version - 1, "T4")
    assert (flag.outcome, flag.urgency, review.checked.claims[0].reason) == (Outcome.UNGROUNDED, 0, Reason.RETRACTED)
    assert "another tank" not in repr(flag)
    assert talk.flags() == (review,)
    assert Conversation(id="yard", store=talk._store).flagged("F1") == review  # pyright: ignore[reportPrivateUsage]


def test_the_turns_that_matter_are_those_that_said_and_that_ended_it(talk: Conversation) -> None:
    """Issue 6, section 2: what it rests on and what ended it, and how the same stands now."""
    live = talk.flag("The pump is off.")
    assert looked_at(live, talk.timeline).ended_by is None
    take_back(talk)
    looked = looked_at(live, talk.timeline)
    ((_, now),) = looked.now.items()
    assert (live.flagged.outcome, now.reason) == (Outcome.GROUNDED, Reason.PREMISE_LOST)
    assert looked.rests_on is not None
    assert (looked.rests_on.turn, looked.rests_on.text) == ("T2", "The pump is off.")
    assert looked.ended_by is not None
    assert (looked.ended_by.turn, looked.ended_by.text) == ("T4", "No, that was the other tank.")
    nothing = talk.flag("Is there anything else?")
    assert looked_at(nothing, talk.timeline).rests_on is None


def test_what_was_ended_outside_any_turn_has_no_turn_that_ended_it(talk: Conversation) -> None:
    """Our promise: nobody is named who did not speak; and a turn whose meaning changed leaves no claim to look at."""
    talk.retract("o1", by="keeper")
    looked = looked_at(talk.flag(DRY), talk.timeline)
    assert looked.ended_by is None
    assert looked.rests_on is not None
    other = talk.flag("Somebody looked into another tank.")
    talk.amend("T3", [])
    assert looked_at(other, talk.timeline).rests_on is None
    assert [each.reason for each in looked_at(other, talk.timeline).now.values()] == [Reason.UNKNOWN]


def test_a_claim_that_fell_with_its_premise_was_ended_where_the_premise_was(talk: Conversation) -> None:
    """Issue 6, section 2: of the two turns that matter, the second is where it began to be wrong."""
    take_back(talk)
    looked = looked_at(talk.flag("The pump is off."), talk.timeline)
    assert (looked.rests_on.turn if looked.rests_on else "") == "T2"
    assert (looked.ended_by.turn if looked.ended_by else "") == "T4"
    assert talk.flags()[0].flagged_at


def test_a_later_decision_counts_and_both_stay_on_record(talk: Conversation) -> None:
    """Issue 6, section 2: no decision twice without saying so."""
    flag = talk.flag(DRY).id
    talk.assign(flag, "carla", by="ann")
    assert talk.flagged(flag).status is ReviewStatus.ASSIGNED
    first = talk.decide(flag, "grounded", by="carla")
    with pytest.raises(VersionConflict) as conflict:
        talk.decide(flag, "ungrounded", by="dan")
    assert (conflict.value.expected, conflict.value.found) == (2, 3)
    second = talk.decide(flag, ReviewOutcome.UNGROUNDED, by="dan", expected=first.version)
    assert [each.by for each in second.decisions] == ["carla", "dan"]
    assert (second.decision, second.assignee) == (second.decisions[-1], "carla")
    assert talk.assign(flag, None).assignee is None
    assert talk.flagged(flag).status is ReviewStatus.DECIDED
    with pytest.raises(VersionConflict):
        talk.comment(flag, "Late.", by="ann", expected=1)
    with pytest.raises(VersionConflict):
        talk.assign(flag, "ann", expected=1)


def test_whoever_did_not_read_what_others_did_is_told_to(store: EphemeralStore, talk: Conversation) -> None:
    """Our promise: two processes at once, one of them is first."""
    other = Conversation(id="yard", store=store)
    flag = talk.flag(DRY).id
    with pytest.raises(UnknownReference):
        other.decide(flag, "grounded", by="dan")
    other.refresh()
    talk.decide(flag, "grounded", by="carla")
    with pytest.raises(VersionConflict):
        other.decide(flag, "ungrounded", by="dan")
    other.refresh()
    assert [each.by for each in other.flagged(flag).decisions] == ["carla"]


def test_what_means_nothing_is_refused_and_nothing_is_written(talk: Conversation) -> None:
    """Our promise: bad input loses nothing."""
    flag = talk.flag(DRY).id
    version = talk.version
    whole = CorrectedClaim(span=(0, len(DRY)), literals=(literal("o9"),), outcome=ReviewOutcome.GROUNDED)
    for act, error in (
        (lambda: talk.flag(" "), MalformedInput),
        (lambda: talk.flag(DRY, speaker="nobody"), UnknownReference),
        (lambda: talk.comment(flag, " ", by="ann"), MalformedInput),
        (lambda: talk.comment(flag, "Hm.", by=""), MalformedInput),
        (lambda: talk.decide(flag, "maybe", by="ann"), MalformedInput),
        (lambda: talk.decide(flag, "grounded", by="ann", claims=[whole]), UnknownReference),
        (lambda: talk.decide(flag, "grounded", by="ann", claims=[replace(whole, span=(3, 99))]), MalformedInput),
        (lambda: talk.assign("F9", "ann"), UnknownReference),
    ):
        with pytest.raises(error):
            act()
    assert talk.version == version


def test_a_key_is_used_once(talk: Conversation) -> None:
    """Our promise: a retry writes nothing, also after the words were erased; another use is refused."""
    first = talk.flag(DRY, speaker="bot", key="f")
    decision = talk.decide(first.id, "grounded", by="ann", reason="I looked.", key="d")
    remark = talk.comment(first.id, "Fine.", by="ann", key="c")
    version = talk.version
    assert talk.flag(DRY, speaker="bot", key="f") == remark
    assert talk.decide(first.id, "grounded", by="ann", reason="I looked.", key="d") == remark
    assert decision.version == 2
    for act in (
        lambda: talk.flag(DRY, key="f"),
        lambda: talk.flag("The pump is off.", speaker="bot", key="f"),
        lambda: talk.flag(DRY, speaker="bot", key="d"),
        lambda: talk.comment(first.id, "Not fine.", by="ann", key="c"),
        lambda: talk.observe("ann", "o8", "Something else.", key="f"),
    ):
        with pytest.raises(RepeatedIdentity):
            act()
    assert talk.version == version
    erased_flag(talk._store, talk.id, first.id, reason="asked for")  # pyright: ignore[reportPrivateUsage]
    talk.refresh()
    assert talk.flag(DRY, speaker="bot", key="f").is_erased
    with pytest.raises(UnknownReference):
        erased_flag(talk._store, talk.id, "F9", reason="asked for")  # pyright: ignore[reportPrivateUsage]
    assert talk.comment(first.id, "Fine.", by="ann", key="c").version == 3


def test_a_verdict_that_is_there_already_is_filed_as_it_is(talk: Conversation) -> None:
    """Our promise: nobody pays a matcher twice; but what was redacted is another text."""
    given = replace(talk.flag(DRY).checked, outcome=Outcome.ABSTAIN, abstained="too late", claims=())
    assert talk.flag(DRY, checked=given).flagged.abstained == "too late"
    reader = Reader(redactor=PatternRedactor())
    careful = Conversation({"ann": "engineer"}, id="yard", store=talk._store, interpreter=reader)  # pyright: ignore[reportPrivateUsage]
    filed = careful.flag(f"Ask bo@example.org. {DRY}", checked=given, note="by bo@example.org").flagged
    assert "example.org" not in repr(filed)
    assert filed.outcome is not Outcome.ABSTAIN or filed.claims


def test_a_label_says_what_the_reviewer_said(talk: Conversation) -> None:
    """Issue 6, section 2: usable as a label file; what nobody decided, or was erased, is no label."""
    take_back(talk)
    open_flag = talk.flag(DRY)
    assert gold_item(open_flag) is None
    two = talk.flag(f"{DRY} Somebody looked into another tank.")
    ungrounded = gold_item(talk.decide(two.id, "ungrounded", by="ann"))
    assert ungrounded is not None
    assert [each["outcome"] for each in ungrounded["claims"]] == ["ungrounded", "grounded"]
    assert (ungrounded["rests_on"], ungrounded["label"]) == (["o1"], "ungrounded")
    other = talk.flag(f"{DRY} The pump is off. Somebody looked into another tank.")
    agreed = gold_item(talk.decide(other.id, "grounded", by="ann"))
    assert agreed is not None
    assert {each["outcome"] for each in agreed["claims"]} == {"grounded"}
    unsure = gold_item(talk.decide(two.id, "could_not_tell", by="ann", expected=2))
    assert unsure is not None
    assert [each["outcome"] for each in unsure["claims"]] == ["could_not_tell"] * 2
    assert unsure["label"] == "abstain"
    claim = CorrectedClaim(
        span=(0, len(DRY)), literals=(literal("~o1"),), outcome=ReviewOutcome.GROUNDED, modality=Modality.HYPOTHESIS
    )
    corrected = gold_item(talk.decide(open_flag.id, "grounded", by="ann", claims=[claim]))
    assert corrected is not None
    assert (corrected["rests_on"], corrected["modality"], corrected["claims"][0]["text"]) == (
        ["~o1"],
        "hypothesis",
        DRY,
    )


def test_steps_without_their_flag_and_a_second_flag_of_one_name_are_passed_over(store: EphemeralStore) -> None:
    """Our promise: what a program wrote by mistake hides nothing else."""
    here = ConversationId("here")
    entries = store.append(here, [said(1), decided("F3"), flagged("F1"), flagged("F1"), decided("F1")])
    (review,) = reviews_of(entries)
    assert (review.id, review.version, review.history[0].epoch) == ("F1", 2, 3)
    assert [each.id for each in queued(store, FlagQuery()).reviews] == ["F1"]


def test_a_turn_that_the_record_does_not_have_is_not_shown(store: EphemeralStore, talk: Conversation) -> None:
    """Our promise: a flag that another program wrote, about a turn of elsewhere, can be looked at."""
    flag = flagged("F1")
    (claim,) = flag.claims
    elsewhere = replace(claim, findings=(replace(claim.findings[0], turn=TurnId("T99")),))
    store.append(talk.id, [replace(flag, claims=(elsewhere,))])
    talk.refresh()
    looked = looked_at(talk.flagged("F1"), talk.timeline)
    assert (looked.rests_on.turn if looked.rests_on else "", looked.ended_by) == ("T1", None)


def test_a_new_flag_takes_no_name_that_any_step_has(store: EphemeralStore) -> None:
    """Our promise: a step whose flag was lost becomes none of another flag."""
    talk = Conversation({"ann": "engineer"}, id="here", store=store)
    store.append(talk.id, [decided("F1"), decided("F2")])
    talk.refresh()
    assert [talk.flag(DRY).id, talk.flag(DRY).id] == ["F3", "F4"]


def test_a_place_in_the_queue_is_a_text_and_back(store: EphemeralStore) -> None:
    """Our promise: a page is gone on after by what the one before gave, and nothing else is taken for it."""
    store.append(ConversationId("ünter/a b"), [flagged(f"F{number}") for number in range(5)])
    page = queued(store, FlagQuery(limit=2))
    assert page.last is not None
    assert place_in(cursor_of(page.last)) == page.last
    assert len({review.id for review in all_queued(store, FlagQuery(limit=2))}) == 5
    for wrong in ("", "x", "W10", "é", cursor_of(page.last)[:-3], "W" * 2000):
        with pytest.raises(MalformedInput):
            place_in(wrong)


def test_the_acts_are_awaited_under_the_same_names(talk: Conversation) -> None:
    """Our promise: whatever a conversation has, the one that is awaited has too."""

    async def reviewed() -> Review:
        talking = AsyncConversation(talk)
        flag = await talking.flag(DRY)
        await talking.assign(flag.id, "carla")
        await talking.comment(flag.id, "Hm.", by="carla")
        await talking.decide(flag.id, "grounded", by="carla")
        assert await talking.flags() == (await talking.flagged(flag.id),)
        return await talking.flagged(flag.id)

    assert asyncio.run(reviewed()).version == 4
