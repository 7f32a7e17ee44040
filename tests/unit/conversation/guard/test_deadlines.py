"""A check that takes too long is no verdict, and what comes late changes nothing."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from upheld.conversation.conversation import Conversation
from upheld.conversation.guard.deadlines import Bench, Slot
from upheld.conversation.guard.guard import Guard
from upheld.conversation.guard.policy import Action, GuardPolicy
from upheld.logic.language.verdicts import Outcome

SHORT = 0.03
PATIENCE = 20.0


def late(record: Conversation, matcher: Any, on_failure: Action = Action.BLOCK) -> Guard:
    """A guard with a short deadline."""
    policy = GuardPolicy(deadline=SHORT, on_failure=on_failure)
    return Guard(record, matcher=matcher, policy=policy)


@pytest.mark.parametrize("is_awaited", [True, False])
@pytest.mark.parametrize("on_failure", [Action.BLOCK, Action.WARN, Action.PASS, Action.QUEUE])
def test_past_the_deadline_there_is_no_verdict_and_the_policy_decides(
    record: Conversation, waiting: Any, on_failure: Action, is_awaited: bool
) -> None:
    """Issue, section 3: a deadline, fail-closed by default and configurable; it is never silent."""
    guard = late(record, waiting, on_failure)
    reply = "It is #standing."
    verdict = asyncio.run(guard.check(reply)) if is_awaited else guard.check_now(reply)
    waiting.may_end.set()
    assert (verdict.action, verdict.checked.outcome) == (on_failure, Outcome.ABSTAIN)
    assert "too late" in verdict.could_not_check
    assert "could not check: too late" in verdict.for_people()


def test_a_late_result_is_dropped(record: Conversation, waiting: Any) -> None:
    """Issue, section 3: no state change by what comes late."""
    guard = late(record, waiting)
    before = guard.conversation.version
    verdict = guard.check_now("It is #superseded.")
    waiting.may_end.set()
    assert waiting.ended.acquire(timeout=PATIENCE)
    assert verdict.reasons == ()
    assert (guard.conversation.version, guard.pending) == (before, ())
    roomy = guard.check_now("It is #superseded.")
    assert roomy.retries == 0


def test_a_check_waits_for_one_that_is_late_within_its_own_deadline(record: Conversation, waiting: Any) -> None:
    """Our promise (Bench): two threads never use one matcher, and a hanging one fails closed."""
    guard = late(record, waiting)
    assert "too late" in guard.check_now("It is #standing.").could_not_check
    assert "too late" in guard.check_now("It is #current.").could_not_check
    waiting.may_end.set()
    assert waiting.ended.acquire(timeout=PATIENCE)
    assert waiting.seen == ["It is #standing."]


def test_the_event_loop_goes_on_while_a_check_waits(record: Conversation, waiting: Any) -> None:
    """Our promise (check): it does not hold up the event loop."""
    guard = Guard(record, matcher=waiting)

    async def checked() -> Action:
        task = asyncio.ensure_future(guard.check("It is #standing."))
        await asyncio.to_thread(waiting.has_begun.wait, PATIENCE)
        assert not task.done()
        waiting.may_end.set()
        return (await task).action

    assert asyncio.run(checked()) is Action.PASS


def test_a_cancelled_check_leaves_no_trace(record: Conversation, waiting: Any) -> None:
    """Issue, section 3: cancellation is clean; the next check is a check like any other."""
    guard = Guard(record, matcher=waiting)

    async def checked() -> Action:
        task = asyncio.ensure_future(guard.check("It is #superseded."))
        await asyncio.to_thread(waiting.has_begun.wait, PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        waiting.may_end.set()
        again = await guard.check("It is #superseded.")
        assert again.retries == 0
        return again.action

    assert asyncio.run(checked()) is Action.RETRY


def test_a_rewrite_that_would_be_late_is_left_out_and_the_verdict_is_given() -> None:
    """Our promise: what there is by the deadline is the answer; a rewrite betters it and decides nothing."""
    slot: Slot[str] = Slot()
    has_first, may_end = threading.Event(), threading.Event()

    def work(into: Slot[str]) -> None:
        into.put("verdict")
        has_first.set()
        assert may_end.wait(PATIENCE)
        into.put("verdict with rewrite")

    slot = Bench().begin(work, None)
    assert has_first.wait(PATIENCE)
    assert slot.waited(SHORT) == "verdict"
    may_end.set()
    slot.finish()
    assert slot.taken() == "verdict"


def test_nothing_is_begun_for_which_nobody_waits() -> None:
    """Our promise (Bench): work whose time is over is not done."""
    bench, slot, done = Bench(), Slot[str](), list[str]()
    slot.taken()
    bench.perform(lambda: done.append("work"), slot, None)
    assert done == []


def test_a_result_for_a_closed_event_loop_is_dropped() -> None:
    """Our promise: a thread that comes late meets no exception."""
    slot: Slot[str] = Slot()

    async def waited() -> str | None:
        return await slot.awaited(SHORT)

    assert asyncio.run(waited()) is None
    slot.put("late")
    slot.finish()
    assert slot.taken() is None
