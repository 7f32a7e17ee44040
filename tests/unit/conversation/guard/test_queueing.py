"""What a guard puts before a person is a flag on record, which is decided here or by whoever reviews the store."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from upheld.conversation.conversation import Conversation
from upheld.conversation.guard.guard import Guard
from upheld.conversation.guard.policy import Action, GuardPolicy
from upheld.conversation.guard.queueing import Decision
from upheld.conversation.reading.reader import Reader
from upheld.conversation.reviewing.queue import queued
from upheld.errors import StoreError, UnknownReference
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.record.ledger.review.contents import ReviewOutcome
from upheld.record.ledger.review.queue import FlagQuery
from upheld.record.stores.sqlite.store import SqliteStore
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.redaction.patterned import PatternRedactor

ELM, OAK = "The delivery goes to 12 Elm Street.", "No wait, the delivery goes to 14 Oak Street."
STALE = "Your delivery goes to 12 Elm Street."


def moved(address: str) -> Guard:
    """A guard over a talk in which one value was replaced, whose policy asks a person."""
    guard = Guard.open(address, policy="ask a person")
    if not guard.conversation.state.propositions:
        guard.said("user", ELM)
        guard.said("user", OAK)
    return guard


@pytest.fixture
def address(tmp_path: Path) -> str:
    """A store of its own."""
    return f"sqlite:///{tmp_path / 'chats.db'}"


@pytest.mark.parametrize("is_awaited", [True, False])
def test_what_waits_is_in_the_queue_of_the_store_with_what_was_found(address: str, is_awaited: bool) -> None:
    """Issue 6, section 2: what a guard queues is what reviewers see."""
    with moved(address) as guard:
        verdict = asyncio.run(guard.check(STALE)) if is_awaited else guard.check_now(STALE)
        assert (verdict.action, verdict.flag) == (Action.QUEUE, "F1")
    with SqliteStore(address.removeprefix("sqlite:///")) as store:
        (review,) = queued(store, FlagQuery()).reviews
    flagged = review.flagged
    assert (flagged.text, flagged.speaker, flagged.by) == (STALE, "assistant", "guard")
    assert (flagged.outcome, flagged.note) == (Outcome.UNGROUNDED, "a policy wants a person to look: superseded")
    assert review.checked.findings[0].reason is Reason.SUPERSEDED


def test_what_waits_outlives_the_program_with_its_concerns(address: str) -> None:
    """Our promise: the queue is read off the record, by every process that guards the conversation."""
    with moved(address) as guard:
        before = guard.check_now(STALE)
    with moved(address) as later:
        (waiting,) = later.pending
        assert (waiting.id, waiting.reply, waiting.verdict.reasons) == ("F1", STALE, before.reasons)
        assert [each.stands for each in waiting.verdict.concerns] == [each.stands for each in before.concerns]
        assert later.check_now(STALE).flag == "F1", "the same reply at the same place waits once"


def test_a_decision_made_here_is_on_record_with_its_reason(address: str) -> None:
    """Our promise: approved is grounded, rejected is not, and both say who and why."""
    with moved(address) as guard:
        first, second = guard.check_now(STALE).flag, guard.check_now(f"{STALE} Today.").flag
        assert guard.approve(first, by="ana").decision is Decision.APPROVED
        assert guard.reject(second, "the customer has moved").by == "person"
        assert guard.pending == ()
        decisions = [review.decision for review in guard.conversation.flags()]
        told = [(each.outcome, each.by, each.reason) for each in decisions if each is not None]
        assert told == [
            (ReviewOutcome.GROUNDED, "ana", ""),
            (ReviewOutcome.UNGROUNDED, "person", "the customer has moved"),
        ]
        with pytest.raises(UnknownReference):
            guard.approve(second)


@pytest.mark.parametrize(("outcome", "decision"), list(zip(ReviewOutcome, Decision, strict=True)))
def test_a_decision_made_elsewhere_is_seen_and_waited_for(
    address: str, outcome: ReviewOutcome, decision: Decision
) -> None:
    """Our promise: a reviewer of the store decides for the guard, too."""

    async def waited(guard: Guard, flag: str) -> Any:
        waiting = asyncio.create_task(guard.decided(flag, every=0.01))
        await asyncio.sleep(0.03)
        assert not waiting.done()
        with SqliteStore(address.removeprefix("sqlite:///")) as store:
            Conversation(id="conversation", store=store).decide(flag, outcome, by="ben", reason="I asked.")
        return await asyncio.wait_for(waiting, 20)

    with moved(address) as guard:
        flag = guard.check_now(STALE).flag
        assert guard.queued(flag).decision is None
        found = asyncio.run(waited(guard, flag))
        assert (found.decision, found.by, found.reason) == (decision, "ben", "I asked.")
        assert guard.pending == ()
        with pytest.raises(UnknownReference):
            guard.reject(flag)


def test_what_people_flagged_themselves_is_not_the_guards(address: str) -> None:
    """Our promise: a guard waits for what it put before a person, and for nothing else."""
    with moved(address) as guard:
        guard.conversation.flag("It is fine.", speaker="assistant", by="ana")
        assert guard.pending == ()
        for look in (guard.queued, guard.approve):
            with pytest.raises(UnknownReference):
                look("F1")


def test_filing_changes_nothing_that_stands(address: str) -> None:
    """Our promise: a flag is no turn and no claim."""
    with moved(address) as guard:
        state, turns = guard.conversation.state, guard.conversation.timeline.turns
        guard.check_now(STALE)
        assert (guard.conversation.state, guard.conversation.timeline.turns) == (state, turns)


def test_what_cannot_be_put_on_record_waits_in_memory(
    record: Conversation, tagged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our promise: a store that is away loses no reply, and a check does not raise."""
    guard = Guard(record, matcher=tagged, policy="ask a person")

    def away(*_: object, **__: object) -> Any:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(record, "_append", away)
        verdict = guard.check_now("It is #superseded.")
    assert (verdict.action, verdict.flag) == (Action.QUEUE, "Q1")
    assert [(each.id, each.verdict) for each in guard.pending] == [("Q1", verdict)]
    assert guard.approve("Q1", by="ana").by == "ana"
    assert guard.pending == ()
    assert guard.queued("Q1").decision is Decision.APPROVED
    with pytest.raises(UnknownReference):
        guard.approve("Q1")


def test_what_could_not_be_checked_is_filed_with_the_reason(record: Conversation, tagged: Any) -> None:
    """Our promise: where a policy asks a person about failures, they see what failed."""
    tagged.error = RuntimeError("out of memory")
    guard = Guard(record, matcher=tagged, policy=GuardPolicy(on_failure=Action.QUEUE))
    flag = guard.check_now("It is #standing.").flag
    flagged = record.flagged(flag).flagged
    assert (flagged.outcome, flagged.abstained) == (Outcome.ABSTAIN, "RuntimeError: out of memory")


def test_secrets_are_redacted_on_record_and_the_guard_still_has_the_reply(address: str) -> None:
    """Our promise: what is kept is redacted; what is sent after approval is what was judged."""
    reader = Reader(interpreter=CueInterpreter(), redactor=PatternRedactor(key=b"k" * 32))
    reply = f"{STALE} Call +49 151 23456789 or write to ana@example.org."
    with Guard.open(address, interpreter=reader, policy="ask a person") as guard:
        guard.said("user", ELM)
        guard.said("user", OAK)
        flag = guard.check_now(reply).flag
        assert flag == "F1"
        assert "ana@example.org" not in guard.conversation.flagged(flag).flagged.text
        assert guard.approve(flag).reply == reply
