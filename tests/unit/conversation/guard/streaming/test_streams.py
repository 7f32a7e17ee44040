"""Nothing of a sentence that does not stand leaves, and no call is run after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import nullcontext
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from upheld.conversation.conversation import Conversation
from upheld.conversation.guard.guard import Guard
from upheld.conversation.guard.policy import Action, GuardPolicy
from upheld.conversation.guard.streaming.streams import HeldStream
from upheld.conversation.guard.verdict import Blocked
from upheld.logic.language.verdicts import Reason

GOOD = ["It is #standing. ", "Hello there!\n\n", "It is #current; yes.  ", "So is it? ", "It is 3.5 #overclaimed, "]
BAD = "It is #superseded and secret. "
PATIENCE = 20.0


class Source:
    """Pieces, one after the other; remembers how many were asked for, and whether it was closed."""

    def __init__(self, *pieces: Any) -> None:
        """Begin before the first."""
        self.pieces = pieces
        self.given = 0
        self.is_closed = False

    async def __aiter__(self) -> AsyncIterator[Any]:
        """Give the pieces."""
        try:
            for piece in self.pieces:
                self.given += 1
                await asyncio.sleep(0)
                yield piece
        finally:
            self.is_closed = True

    def __iter__(self) -> Iterator[Any]:
        """Give the pieces."""
        try:
            for piece in self.pieces:
                self.given += 1
                yield piece
        finally:
            self.is_closed = True


def left_of(guard: Guard, source: Source) -> tuple[list[Any], Blocked | None]:
    """Give what leaves a stream, and what ended it; awaited and not, which must agree."""
    left: list[Any] = []
    error: Blocked | None = None
    try:
        left.extend(guard.hold_back(source))
    except Blocked as blocked:
        error = blocked
        left = [blocked.left]
    found, surfaced = asyncio.run(collected(guard.stream(source)))
    assert "".join(each for each in found if isinstance(each, str)) == "".join(filter(is_text, left))
    assert (surfaced is None) is (error is None)
    return found, surfaced


def is_text(item: object) -> bool:
    """Tell whether an item is text."""
    return isinstance(item, str)


async def collected(stream: HeldStream[Any]) -> tuple[list[Any], Blocked | None]:
    """Give what leaves, and what surfaced to whoever awaited."""
    found: list[Any] = []
    try:
        async for each in stream:
            found.append(each)  # noqa: PERF401 - what left before the exception counts
    except Blocked as blocked:
        with pytest.raises(Blocked):
            await anext(stream)
        return found, blocked
    return found, None


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    before=st.lists(st.sampled_from(GOOD), max_size=4),
    after=st.lists(st.sampled_from([*GOOD, BAD]), max_size=3),
    has_bad=st.booleans(),
    places=st.lists(st.integers(0, 300), max_size=15),
)
def test_what_leaves_is_the_same_for_any_cutting_and_holds_nothing_of_a_failing_sentence(
    record: Conversation, tagged: Any, before: list[str], after: list[str], has_bad: bool, places: list[int]
) -> None:
    """Issue, section 3 (openai-agents 300, 2688): nothing of an unverified sentence leaves."""
    guard = Guard(record, matcher=tagged, policy=GuardPolicy(deadline=None))
    text = "".join(before) + (BAD + "".join(after) if has_bad else "")
    marks = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    pieces = [text[start:end] for start, end in pairwise(marks)]
    found, error = left_of(guard, Source(*pieces))
    whole, _ = left_of(guard, Source(text))
    assert found == whole
    assert (error is not None) is has_bad
    left = "".join(found)
    assert text.startswith(left)
    assert "superseded" not in left
    if error is not None:
        assert error.left == left
        assert error.verdict.reasons[-1:] == (Reason.SUPERSEDED,)
        assert "secret" not in left
    else:
        assert left == text


def test_nothing_after_a_failing_third_sentence_leaves_and_no_call_is_run(guard: Guard) -> None:
    """Case C-41 (openai-agents 300, 495): the third sentence is stale, and a tool is called in the same turn."""
    source = Source("It is #standing. It is #cur", "rent. It is #super", "seded. ", {"tool": "refund"}, "Done. ")
    found, error = left_of(guard, source)
    assert found == ["It is #standing. ", "It is #current. "]
    assert error is not None
    assert error.verdict.reply.strip() == "It is #superseded."
    assert "superseded" in str(error)
    assert source.is_closed
    assert source.given == 2 * 4


def test_a_call_comes_through_in_its_place_when_the_text_before_it_stands(guard: Guard) -> None:
    """Case C-41: the unfinished sentence before a call is checked before the call is given away."""
    call = {"tool": "weigh"}
    found, error = left_of(guard, Source("It is #standing. It is #curr", "ent", call, " and so on."))
    assert (found, error) == (["It is #standing. ", "It is #current", call, " and so on."], None)


def test_a_held_call_is_run_only_when_all_text_before_it_stands(guard: Guard) -> None:
    """Case C-41: ``hold(call)``; the exception surfaces to whoever awaits the call, and to whoever reads."""
    ran: list[str] = []

    async def call() -> str:
        ran.append("refund")
        return "refunded"

    async def talked(text: str) -> str:
        source = Source(text, " and more")
        stream = guard.stream(source)
        reading = asyncio.ensure_future(anext(stream))
        while not source.given:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        try:
            return await stream.hold(call)
        finally:
            with pytest.raises(Blocked) if "superseded" in text else nullcontext():
                await reading
            await stream.aclose()
            assert source.is_closed

    assert asyncio.run(talked("It is #standing")) == "refunded"
    assert ran == ["refund"]
    with pytest.raises(Blocked):
        asyncio.run(talked("It is #superseded"))
    assert ran == ["refund"]


def test_a_held_call_without_awaiting(guard: Guard) -> None:
    """Case C-41, for code that does not await."""
    ran: list[str] = []
    good = guard.hold_back(Source("It is #standing. It is", " #current."))
    assert next(good) == "It is #standing. "
    good.hold(lambda: ran.append("weigh"))
    bad = guard.hold_back(Source("It is #standing. It is #superseded", "."))
    assert next(bad) == "It is #standing. "
    with pytest.raises(Blocked) as caught:
        bad.hold(lambda: ran.append("refund"))
    assert caught.value.left == "It is #standing. "
    with pytest.raises(Blocked):
        next(bad)
    assert ran == ["weigh"]


def test_a_stream_may_go_on_with_the_mended_sentence(record: Conversation) -> None:
    """Issue, section 3: by policy the rewrite is given; a sentence that cannot be mended is left out."""
    guard = Guard(record, policy="mend streams")
    text = "Good news. The parcel goes to 12 Elm Street. The courier lost it. The parcel weighs two kilos."
    found, error = left_of(guard, Source(*text))
    assert error is None
    assert "".join(found) == "Good news. The parcel goes to 14 Oak Street. The parcel weighs two kilos."


def test_a_mending_stream_still_ends_where_nothing_could_be_checked(record: Conversation, tagged: Any) -> None:
    """Our promise: what could not be checked is not left out in silence."""
    tagged.error = ValueError("a bug")
    guard = Guard(record, matcher=tagged, policy=GuardPolicy(is_mending_streams=True))
    found, error = left_of(guard, Source("It is #standing."))
    assert found == []
    assert error is not None
    assert "a bug" in error.verdict.could_not_check


def test_blanks_alone_leave_as_they_are(record: Conversation, tagged: Any) -> None:
    """Our promise: nothing to check, and nothing lost."""
    assert left_of(Guard(record, matcher=tagged), Source(" ", "\n", "")) == ([" \n"], None)
    assert tagged.seen == []


def test_warnings_are_kept_with_the_stream(guard: Guard) -> None:
    """Our promise: a sentence that passes with a warning says so in the verdicts."""
    stream = guard.hold_back(["It is #overclaimed. ", "It is #standing."])
    assert "".join(stream) == stream.left == "It is #overclaimed. It is #standing."
    assert [verdict.action for verdict in stream.verdicts] == [Action.WARN, Action.PASS]


@pytest.mark.parametrize(
    "pieces", [["x" * 41], ["x" * 20, "x" * 21], list("x" * 60), ["Hi. " + "y" * 50 + " #standing."]]
)
def test_a_sentence_that_will_not_end_is_not_held_for_ever(
    record: Conversation, tagged: Any, pieces: list[str]
) -> None:
    """Our promise (GuardPolicy): a bounded buffer, and fail-closed."""
    guard = Guard(record, matcher=tagged, policy=GuardPolicy(max_held=40))
    found, error = left_of(guard, Source(*pieces))
    assert error is not None
    assert "over the limit of 40 characters in one sentence" in error.verdict.could_not_check
    assert found in ([], ["Hi. "])


def test_the_source_is_read_only_when_somebody_asks(guard: Guard) -> None:
    """Issue, section 3: backpressure."""
    source = Source(*["It is #standing. "] * 50)

    async def read_two() -> None:
        stream = guard.stream(source)
        await anext(stream)
        await anext(stream)
        assert source.given == 3
        await stream.aclose()
        assert source.is_closed
        with pytest.raises(StopAsyncIteration):
            await anext(stream)

    asyncio.run(read_two())


def test_a_stream_that_is_closed_while_it_is_read_ends_for_its_reader_too(guard: Guard) -> None:
    """Issue, section 3: cancellation is clean; what arrives after the end does not leave."""

    async def read() -> None:
        source, may_go_on = Source("It is #standing. ", "It is #current."), asyncio.Event()

        async def slow() -> AsyncIterator[str]:
            async for piece in source.__aiter__():
                await may_go_on.wait()
                yield piece

        stream = guard.stream(slow())
        reading = asyncio.ensure_future(anext(stream))
        while not source.given:
            await asyncio.sleep(0)
        await stream.aclose()
        may_go_on.set()
        with pytest.raises(StopAsyncIteration):
            await reading
        assert (stream.left, stream.verdicts) == ("", ())

    asyncio.run(read())


def test_a_cancelled_reader_loses_no_sentence(record: Conversation, waiting: Any) -> None:
    """Issue, section 3: cancellation is clean; a sentence whose check was cancelled is checked again."""
    guard = Guard(record, matcher=waiting)

    async def read() -> str:
        stream = guard.stream(Source("It is #standing. ", "It is #current."))
        reading = asyncio.ensure_future(anext(stream))
        await asyncio.to_thread(waiting.has_begun.wait, PATIENCE)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        waiting.may_end.set()
        return "".join([each async for each in stream])

    assert asyncio.run(read()) == "It is #standing. It is #current."


def test_a_source_that_fails_takes_what_was_held_with_it(guard: Guard) -> None:
    """Our promise: an error of the source surfaces, and nothing unchecked has left."""

    async def failing() -> AsyncIterator[str]:
        yield "It is #standing. It is #superseded"
        raise ConnectionError("cut")

    async def read() -> str:
        stream = guard.stream(failing())
        first = await anext(stream)
        with pytest.raises(ConnectionError):
            await anext(stream)
        return first

    assert asyncio.run(read()) == "It is #standing. "


def test_a_stream_for_a_person_ends_and_waits(record: Conversation, tagged: Any) -> None:
    """Issue, section 3: queue; of a stream it is the sentence that waits."""
    guard = Guard(record, matcher=tagged, policy="ask a person; mend streams")
    with pytest.raises(Blocked):
        list(guard.hold_back(["It is #standing. It is #superseded. It is #current."]))
    assert [pending.reply for pending in guard.pending] == ["It is #superseded. "]
