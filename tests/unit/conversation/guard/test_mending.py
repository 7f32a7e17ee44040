"""A reply that could be sent in place of one that does not stand."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from upheld.conversation.conversation import Conversation
from upheld.conversation.guard.guard import Guard
from upheld.conversation.guard.policy import GuardPolicy
from upheld.logic.language.verdicts import Outcome


def replaced(old: str, new: str, *more: str) -> Guard:
    """A guard of a conversation in which one value replaced another, and other things were said."""
    talk = Conversation({"user": "guest"})
    talk.observe("user", "old", old)
    for number, text in enumerate(more):
        talk.observe("user", f"m{number}", text)
    talk.observe("user", "new", new, supersedes=["old"])
    return Guard(talk)


@pytest.mark.parametrize(
    ("old", "new", "reply", "rewritten"),
    [
        (
            "The delivery goes to 12 Elm Street.",
            "The delivery goes to 14 Oak Street.",
            "Noted. The delivery goes to 12 Elm Street. Anything else?",
            "Noted. The delivery goes to 14 Oak Street. Anything else?",
        ),
        (
            "The stay is for one night from 3 May.",
            "The stay is for three nights from 3 May.",
            "The stay is for one night from 3 May.",
            "The stay is for three nights from 3 May.",
        ),
        (
            "The ticket costs 40 euros.",
            "The ticket costs 45 euros.",
            "The ticket costs 40 euros.",
            "The ticket costs 45 euros.",
        ),
        (
            "The meeting is in Lisbon.",
            "The meeting is in Porto.",
            "The meeting is in Lisbon.",
            "The meeting is in Porto.",
        ),
        (
            "The meeting is on Monday at 14:00.",
            "The meeting is on Tuesday at 15:30.",
            "The meeting is on Monday at 14:00.",
            "The meeting is on Tuesday at 15:30.",
        ),
    ],
)
def test_a_replaced_value_gives_way_to_the_current_one(old: str, new: str, reply: str, rewritten: str) -> None:
    """Issue, section 3: values corrected where the current value is known exactly."""
    verdict = replaced(old, new).check_now(reply)
    assert not verdict.passes
    assert verdict.rewritten == rewritten


def test_a_sentence_that_cannot_be_corrected_is_left_out() -> None:
    """Issue, section 3: the offending sentences removed, the rest untouched."""
    talk = Conversation({"bob": "courier"})
    talk.observe("bob", "o", "The parcel weighs two kilos.")
    talk.hypothesize("bob", "h", "The courier lost the parcel.", explains=["o"])
    talk.revise("bob", "h")
    verdict = Guard(talk).check_now("Hello Ann,\n\nThe parcel weighs two kilos. The courier lost the parcel. Sorry!")
    assert verdict.rewritten == "Hello Ann,\n\nThe parcel weighs two kilos. Sorry!"


def test_nothing_is_offered_where_nothing_would_be_left(guard: Guard) -> None:
    """Our promise: empty, and not a reply that says nothing."""
    assert guard.check_now("It is #abandoned.").rewritten == ""


def test_a_rewrite_is_offered_only_for_what_is_not_let_through(record: Conversation, guard: Guard) -> None:
    """Our promise (GuardPolicy.is_mending)."""
    assert guard.check_now("It is #standing. It is #overclaimed.").rewritten == ""
    silent = Guard(record, policy=GuardPolicy(is_mending=False))
    assert silent.check_now("The parcel goes to 12 Elm Street. The parcel weighs two kilos.").rewritten == ""


def test_a_correction_that_does_not_stand_either_is_not_offered() -> None:
    """Issue, section 3: a rewrite is checked again before it is offered."""
    guard = replaced("The lamp costs 40 euros.", "The lamp costs 45 euros.")
    guard.conversation.retract("new")
    verdict = guard.check_now("The lamp costs 40 euros. The lamp is blue.")
    assert "45" not in verdict.rewritten


def test_two_values_of_one_sort_are_not_guessed_at() -> None:
    """Our promise: the current value is known exactly, or the sentence goes."""
    guard = replaced("Ana pays 40 euros and Bo pays 50 euros.", "Ana pays 45 euros and Bo pays 55 euros.")
    assert guard.check_now("Ana pays 40 euros and Bo pays 50 euros. Thanks.").rewritten == "Thanks."


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    tags=st.lists(
        st.sampled_from(["standing", "superseded", "abandoned", "retracted", "current", "out_of_view", "nowhere"]),
        min_size=1,
        max_size=6,
    )
)
def test_whatever_is_offered_is_not_ungrounded(guard: Guard, tags: list[str]) -> None:
    """Issue, section 3: it must itself check as not ungrounded, else it is empty."""
    verdict = guard.check_now(" ".join(f"It is #{tag}." for tag in tags), retries=0)
    if verdict.rewritten:
        again = guard.check_now(verdict.rewritten, retries=0)
        assert again.passes
        assert again.checked.outcome is not Outcome.UNGROUNDED
        assert not verdict.passes
