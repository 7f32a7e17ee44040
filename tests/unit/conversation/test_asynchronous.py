"""The same conversation, awaited."""

from __future__ import annotations

import asyncio
import inspect
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from upheld.conversation.asynchronous import AsyncConversation
from upheld.conversation.conversation import Conversation
from upheld.errors import RefusedTurn, UnknownConversation
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Outcome
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.speech.interpretation.interpreter import Interpreted
from upheld.speech.view import View

PATIENCE = 20.0
OWN = {"conversation", "thread"}
"""What the wrapper has besides; ``seen_by`` is how answers are found, and no question of its own."""
WITHIN = {"seen_by"}


def public(kind: type) -> set[str]:
    """Give the public names of a class."""
    return {name for name in dir(kind) if not name.startswith("_")}


class Waiting:
    """An interpreter that waits until it is let go on, and then reads nothing."""

    name = "waiting"
    version = "1"

    def __init__(self) -> None:
        """Begin closed."""
        self.has_begun, self.may_end = threading.Event(), threading.Event()

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Wait."""
        self.has_begun.set()
        assert self.may_end.wait(PATIENCE)
        return Interpreted(operations=(), interpreter="waiting@1")


async def told(talk: AsyncConversation, *numbers: int) -> list[str]:
    """Tell turns all at once; give their ids in the order of the calls."""
    calls = [talk.observe("alice", f"o{number}", f"Claim {number}.") for number in numbers]
    return [each.turn for each in await asyncio.gather(*calls)]


def test_both_have_the_same_names() -> None:
    """Our promise: whoever knows one knows the other."""
    assert public(AsyncConversation) - OWN == public(Conversation) - WITHIN
    instance = set(vars(AsyncConversation(Conversation())))
    assert {name for name in instance if not name.startswith("_")} == OWN


def test_what_waits_on_the_record_is_awaited_with_the_same_arguments() -> None:
    """Our promise: the same signatures; what answers from memory is not awaited."""
    for name in public(Conversation) - WITHIN:
        ours, theirs = getattr(AsyncConversation, name), getattr(Conversation, name)
        if isinstance(theirs, property):
            assert isinstance(ours, property), name
            continue
        assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters), name
        assert inspect.iscoroutinefunction(ours) != (name in {"at", "for_agent", "what_if"}), name


def test_it_answers_like_the_conversation_within() -> None:
    """Our promise: nothing is added and nothing left out."""

    async def talked() -> None:
        talk = AsyncConversation(Conversation({"alice": "backend"}, id="standup"))
        assert (await talk.say("alice", "It rains.", [Observe(id=PropositionId("o1"), text="It rains.")])).turn == "T1"
        assert (await talk.tell(Turn(id=TurnId("x"), speaker=AgentId("alice")))).turn == "x"
        assert (await talk.verify("o1")).outcome is Outcome.GROUNDED
        assert (await talk.retract("o1", by="alice")).affected == ()
        assert talk.at("T1").verify("o1").passes
        assert talk.for_agent("alice").agent == "alice"
        assert talk.what_if().then.state is talk.state
        assert (talk.id, talk.version) == ("standup", 6)
        assert talk.timeline.turns == ("T1", "x")
        assert [each.id for each in talk.propositions] == ["o1"]
        with pytest.raises(RefusedTurn):
            await talk.question("alice", "This asks nothing.")
        await talk.close()

    asyncio.run(talked())


def test_a_conversation_is_opened_without_blocking(url: str) -> None:
    """Our promise: opening reads the record, so it is awaited; errors are those of the other."""

    async def opened() -> str:
        with pytest.raises(UnknownConversation):
            await AsyncConversation.open(url)
        Conversation({"alice": "backend"}, id="standup").save(url)
        talk = await AsyncConversation.open(url, id="standup")
        try:
            return (await talk.say("alice", "Hello.")).turn
        finally:
            await talk.close()

    assert asyncio.run(opened()) == "T1"


def test_it_works_in_two_event_loops_and_in_a_thread() -> None:
    """C-33: in a script, in `asyncio.run` twice with calls that wait for each other, and in a thread."""
    talk = AsyncConversation(Conversation({"alice": "backend"}))
    assert asyncio.run(told(talk, 1, 2, 3)) == ["T1", "T2", "T3"]
    assert asyncio.run(told(talk, 4, 5, 6)) == ["T4", "T5", "T6"]
    with ThreadPoolExecutor(max_workers=1) as thread:
        assert thread.submit(lambda: asyncio.run(told(talk, 7, 8))).result(PATIENCE) == ["T7", "T8"]
    assert talk.conversation.verify("o8").passes


def test_concurrent_calls_are_taken_in_the_order_in_which_they_were_made() -> None:
    """Our promise: one at a time, first come first served."""
    talk = AsyncConversation(Conversation({"alice": "backend"}))
    assert asyncio.run(told(talk, *range(100))) == [f"T{number}" for number in range(1, 101)]
    assert [each.id for each in talk.propositions] == [f"o{number}" for number in range(100)]


def test_a_call_that_is_cancelled_while_it_runs_is_carried_to_its_end() -> None:
    """Our promise: the next call begins after it, and finds a whole turn; nothing is half told."""
    slow = Waiting()
    talk = AsyncConversation(Conversation({"alice": "backend"}, interpreter=slow))

    async def cancelled() -> str:
        call = asyncio.ensure_future(talk.say("alice", "Slowly."))
        await asyncio.to_thread(slow.has_begun.wait, PATIENCE)
        behind = asyncio.ensure_future(talk.observe("alice", "o1", "It rains."))
        dropped = asyncio.ensure_future(talk.observe("alice", "o2", "It pours."))
        await asyncio.sleep(0)
        call.cancel()
        dropped.cancel()
        await asyncio.wait({call, dropped})
        assert call.cancelled()
        assert dropped.cancelled()
        assert not behind.done()
        slow.may_end.set()
        return (await behind).turn

    assert asyncio.run(cancelled()) == "T2"
    assert talk.timeline.told(TurnId("T1")).text == "Slowly."
    assert [each.id for each in talk.propositions] == ["o1"]
    assert asyncio.run(told(talk, 3)) == ["T3"]


def test_two_tenants_on_one_store_see_their_own() -> None:
    """C-31: twice 100 interleaved adds on one store; each sees exactly its own 100."""
    store = EphemeralStore()
    tenants = {name: AsyncConversation(Conversation({"alice": "x"}, id=name, store=store)) for name in ("a", "b")}

    async def add_all() -> None:
        await asyncio.gather(
            *(
                tenant.observe("alice", f"{name}{number}", f"Claim {number} of {name}.")
                for number in range(100)
                for name, tenant in tenants.items()
            )
        )

    asyncio.run(add_all())
    for name in tenants:
        again = Conversation(id=name, store=store)
        assert [each.id for each in again.propositions] == [f"{name}{number}" for number in range(100)]
