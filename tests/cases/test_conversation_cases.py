"""Cases from public threads that a conversation must get right; each stands for its whole kind."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from upheld.conversation.asking.picturing import picture_of
from upheld.conversation.asynchronous import AsyncConversation
from upheld.conversation.conversation import Conversation
from upheld.conversation.wiring import opened_store
from upheld.errors import VersionConflict
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.operations import Observe
from upheld.logic.language.standing import Label
from upheld.logic.language.turns import Withdraw
from upheld.logic.language.verdicts import Outcome, Reason
from upheld.record.ledger.store import Store
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore
from upheld.speech.interpretation.cues import CueInterpreter
from upheld.speech.rendering.picture import EdgeKind

PATIENCE = 60.0


@pytest.fixture(params=["ephemeral", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Give each kind of store."""
    with opened(request, tmp_path) as found:
        yield found


def opened(request: pytest.FixtureRequest, folder: Path) -> Store:
    """Open the store that is asked for."""
    match request.param:
        case "ephemeral":
            return EphemeralStore()
        case "sqlite":
            return SqliteStore(folder / "talk.db")
        case _:
            address = request.getfixturevalue("postgres")
            return opened_store(address, tenant=request.getfixturevalue("tenant"))


def supporting_turns(talk: Conversation, id: str) -> list[str]:
    """Give the turns in which a claim was put forward."""
    return [introduction.origin.turn for introduction in talk.state.node(PropositionId(id)).introductions]


def persistently(talk: Conversation, speaker: str, text: str) -> str:
    """Observe, and read again and retry for as long as somebody else was first."""
    while True:
        try:
            return talk.observe(speaker, "o1", text).turn
        except VersionConflict:
            talk.refresh()


def test_c15_a_contradicted_preference_leaves_one_current_and_one_superseded() -> None:
    """C-15 (mem0 #4536): never an empty store; the edge between the two is there to see."""
    talk = Conversation({"ann": "user"})
    talk.observe("ann", "o1", "Ann loves Chinese food.")
    talk.observe("ann", "o2", "Ann hates Chinese food.", supersedes=["o1"])
    assert talk.verify("o2").outcome is Outcome.GROUNDED
    (finding,) = talk.verify("o1").findings
    assert (finding.reason, finding.current, finding.turn) == (Reason.SUPERSEDED, "o2", "T2")
    edges = [edge for edge in picture_of(talk.state).edges if edge.kind is EdgeKind.SUPERSESSION]
    assert [(edge.source, edge.target) for edge in edges] == [("o2", "o1")]
    assert [each.id for each in talk.propositions] == ["o1", "o2"]


def test_c15_words_that_contradict_lose_neither_claim() -> None:
    """C-15, from words: whatever the interpreter makes of it, both claims stay on record."""
    talk = Conversation([Agent(id=AgentId("ann"))], interpreter=CueInterpreter())
    talk.say("ann", "I love Chinese food.")
    talk.say("ann", "I hate Chinese food.")
    texts = " ".join(each.text for each in talk.propositions)
    assert "love" in texts
    assert "hate" in texts


def test_c23_said_twice_is_one_claim_with_two_supporting_turns() -> None:
    """C-23 (mem0 #1674): adding the same thing twice neither deletes nor doubles it."""
    talk = Conversation({"ann": "user"})
    talk.observe("ann", "o1", "Ann lives in Porto.")
    talk.observe("ann", "o1", "Ann lives in Porto.")
    assert [each.id for each in talk.propositions] == ["o1"]
    assert supporting_turns(talk, "o1") == ["T1", "T2"]
    assert talk.verify("o1").outcome is Outcome.GROUNDED


def test_c23_without_the_first_of_two_turns_the_second_still_supports_it() -> None:
    """C-23 with semantics, section 2: withdrawing a source removes what came from it, and nothing else."""
    talk = Conversation({"ann": "user"})
    talk.observe("ann", "o1", "Ann lives in Porto.")
    talk.observe("ann", "o1", "Ann lives in Porto.")
    talk.withdraw("T1")
    assert talk.status("o1").standing is Label.IN
    assert talk.verify("o1").outcome is Outcome.GROUNDED
    talk.withdraw("T2")
    assert talk.verify("o1").reason is Reason.UNKNOWN


def test_c25_sources_are_kept_once_each() -> None:
    """C-25 (graphiti #443): the same claim from t1 and t3; t3 ingested again changes nothing."""
    talk = Conversation({"ann": "user"})
    talk.observe("ann", "o1", "Ann lives in Porto.", key="mail-1")
    talk.say("ann", "By the way.", key="mail-2")
    for _ in range(3):
        talk.observe("ann", "o1", "Ann lives in Porto.", key="mail-3")
    assert supporting_turns(talk, "o1") == ["T1", "T3"]


def test_c26_the_same_episode_twice_is_a_no_op_returning_the_first(store: Store) -> None:
    """C-26 (graphiti #963): by its key, also from another process after the first has gone."""
    first = Conversation({"ann": "user"}, store=store).observe("ann", "o1", "Ann lives in Porto.", key="episode-7")
    talk = Conversation(store=store)
    version = talk.version
    assert talk.observe("ann", "o1", "Ann lives in Porto.", key="episode-7") == first
    assert talk.version == version == store.version(talk.id)


def test_c28_twenty_concurrent_identical_adds_are_one_claim_with_twenty_supports(store: Store) -> None:
    """C-28 (mem0 #6515): no check-then-insert race; every writer has a conversation of its own."""
    Conversation({"ann": "user"}, store=store)
    barrier = Barrier(20)

    def add(number: int) -> str:
        talk = Conversation(store=store)
        barrier.wait(PATIENCE)
        return persistently(talk, f"agent{number}", "Ann lives in Porto.")

    with ThreadPoolExecutor(max_workers=20) as threads:
        turns = list(threads.map(add, range(20)))
    talk = Conversation(store=store)
    assert [each.id for each in talk.propositions] == ["o1"]
    assert sorted(supporting_turns(talk, "o1")) == sorted(turns) == sorted(f"T{number}" for number in range(1, 21))
    assert talk.verify("o1").outcome is Outcome.GROUNDED


def test_c30_two_writers_on_one_base_get_one_winner_and_a_quiet_typed_conflict(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """C-30 (letta #3366): the conflict is retryable, and no error with a traceback in the log."""
    Conversation({"ann": "user"}, store=store)
    writers = [Conversation(store=store), Conversation(store=store)]
    barrier = Barrier(2)

    def write(talk: Conversation) -> str:
        barrier.wait(PATIENCE)
        try:
            return talk.observe("ann", "o1", "Ann lives in Porto.").turn
        except VersionConflict as conflict:
            return f"{conflict.expected} is {conflict.found}"

    with caplog.at_level(logging.DEBUG), ThreadPoolExecutor(max_workers=2) as threads:
        results = sorted(threads.map(write, writers))
    assert results == ["1 is 3", "T1"]
    assert not [record for record in caplog.records if record.levelno > logging.WARNING]


def test_c31_two_tenants_on_one_store_see_exactly_their_own(store: Store) -> None:
    """C-31 (graphiti #1676): twice 100 interleaved asynchronous adds on one store."""
    names = ("tenant a", "tenant b")
    tenants = {name: AsyncConversation(Conversation({"ann": "user"}, id=name, store=store)) for name in names}

    async def add_all() -> None:
        calls = [
            tenant.observe("ann", f"o{number}", f"{name}, {number}")
            for number in range(100)
            for name, tenant in tenants.items()
        ]
        await asyncio.gather(*calls)

    asyncio.run(add_all())
    for name in names:
        talk = Conversation(id=name, store=store)
        assert [each.text for each in talk.propositions] == [f"{name}, {number}" for number in range(100)]


def test_c33_it_works_in_a_script_in_two_event_loops_and_in_a_thread(store: Store) -> None:
    """C-33 (Memori #11): constructed outside, used inside, twice, and the other way round."""
    outside = AsyncConversation(Conversation({"ann": "user"}, id="outside", store=store))

    async def use(talk: AsyncConversation, *numbers: int) -> int:
        await asyncio.gather(*(talk.observe("ann", f"o{number}", f"Claim {number}.") for number in numbers))
        return talk.version

    async def construct_and_use() -> int:
        return await use(AsyncConversation(Conversation({"ann": "user"}, id="inside", store=store)), 1, 2)

    outside.conversation.observe("ann", "o0", "In a script.")
    asyncio.run(use(outside, 1, 2))
    asyncio.run(use(outside, 3, 4))
    with ThreadPoolExecutor(max_workers=1) as thread:
        assert thread.submit(lambda: asyncio.run(use(outside, 5, 6))).result(PATIENCE) == 1 + 2 * 7
    assert asyncio.run(construct_and_use()) == 5
    assert [each.id for each in outside.propositions] == [f"o{number}" for number in range(7)]


def test_c38_of_ten_utterances_nine_are_applied_and_the_fourth_is_repaired_alone() -> None:
    """C-38 (graphiti #879): what cannot be read is abstained on under its turn id, and does not abort the rest."""
    talk = Conversation({"ann": "user"}, interpreter=CueInterpreter())
    words = [f"The parcel number {number} arrived on Monday." for number in range(1, 11)]
    words[3] = "Das Paket kam nämlich schon am Montag, und das weiß ich auch ganz genau."
    told = [talk.say("ann", text) for text in words]
    assert [each.turn for each in told if each.abstained] == ["T4"]
    assert len(talk.propositions) == 9
    version = talk.version
    talk.amend("T4", [Observe(id=PropositionId("o4"), text="The parcel number 4 arrived on Monday.")], by="ann")
    assert len(talk.propositions) == 10
    assert talk.version == version + 1


def test_c55_a_chain_of_ten_thousand_is_lost_and_explained_without_recursion() -> None:
    """C-55 (ftl-reasons 0.57): retract the first of 10,000, and all are lost; the last can be explained."""
    length = 10_000
    chain = [Observe(id=PropositionId("o0"), text="Claim 0.")]
    chain += [
        Observe(id=PropositionId(f"o{n}"), text=f"Claim {n}.", depends_on=(Literal(PropositionId(f"o{n - 1}")),))
        for n in range(1, length + 1)
    ]
    talk = Conversation({"ann": "user"})
    talk.say("ann", "A long story.", chain)
    delta = talk.retract("o0")
    assert len(delta.lost) == length
    (finding,) = talk.verify(f"o{length}").findings
    assert finding.reason is Reason.PREMISE_LOST
    assert finding.path[-1] == "o0"
    assert f"o{length}" in talk.explain(f"o{length}").tree()
    assert talk.status(f"o{length}").standing is Label.OUT
    assert talk.affected(Withdraw(source="T1")).affected == ()
