"""Erasing what was said from the conversation itself, and asking about its record."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from upheld.conversation.asynchronous import AsyncConversation
from upheld.conversation.conversation import Conversation
from upheld.conversation.erasing import erased
from upheld.errors import MalformedInput, RepeatedIdentity, StoreError, UnknownReference
from upheld.logic.language.identities import ConversationId, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.state import State
from upheld.record.ledger.chain import Head
from upheld.record.ledger.entry import Erased, Erasure, Words
from upheld.record.ledger.verifying import FaultKind
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore

FactsOf = Callable[[State], dict[str, object]]
TALK = ConversationId("conversation")
SECRET = "My number is 0123 456."


@pytest.fixture
def store() -> EphemeralStore:
    """A store that outlives the conversations on it."""
    return EphemeralStore()


@pytest.fixture
def called(store: EphemeralStore) -> Conversation:
    """A number that was told in words, and what rests on it."""
    return said_it(store)


def said_it(store: EphemeralStore | SqliteStore) -> Conversation:
    """Say something private, and go on."""
    talk = Conversation({"ann": "caller", "bob": "agent"}, store=store, snapshot_every=0)
    talk.observe("ann", "o1", "Ann can be called.", said=SECRET, key="call-1")
    talk.observe("bob", "o2", "She was called.", depends_on=["o1"], said="I called.", key="call-2")
    talk.say("ann", "Thanks.")
    return talk


def again(store: EphemeralStore) -> Conversation:
    """Open it another time."""
    return Conversation(store=store, snapshot_every=0)


# --- words -----------------------------------------------------------------------------------------------------------


def test_the_words_of_a_turn_are_erased_and_its_meaning_stays(
    called: Conversation, store: EphemeralStore, facts: FactsOf
) -> None:
    """Demanded by privacy (GDPR, article 17): what was said goes for good, and what rests on it still rests on it."""
    before = facts(called.state)
    act = called.erase("T1", reason="asked for", by="ann")
    assert act is not None
    assert isinstance(act.content, Erasure)
    assert (act.content.by, act.content.reason) == ("ann", "asked for")
    assert called.version == act.epoch == store.version(TALK)
    assert facts(called.state) == before
    assert called.verify("o2").outcome is Outcome.GROUNDED
    assert called.timeline.told(TurnId("T1")).text == ""
    assert called.timeline.told(TurnId("T1")).speaker == "ann"
    assert SECRET not in repr([*store.read(TALK)])
    assert SECRET not in repr((called.timeline.events, called._keyed))  # pyright: ignore[reportPrivateUsage]
    opened = again(store)
    assert facts(opened.state) == before
    assert opened.timeline.events == called.timeline.events
    assert opened.observe("bob", "o3", "He calls again.").turn == "T4"


def test_nothing_of_the_words_is_left_in_the_file(tmp_path: Path) -> None:
    """Our promise: neither in the ledger nor in a snapshot, whichever was opened or written before or after."""
    path = tmp_path / "talk.db"
    talk = said_it(SqliteStore(path))
    talk.observe("ann", "o9", SECRET)
    talk.keep_snapshot()
    talk.close()
    talk = Conversation(store=SqliteStore(path), snapshot_every=1)
    talk.erase("T1", reason="asked for")
    talk.erase("T4", reason="asked for", meaning=True)
    assert talk.observe("bob", "o3", "He calls again.").turn == "T5"
    talk.keep_snapshot()
    assert SECRET not in repr(talk.state)
    talk.close()
    assert SECRET.encode() not in b"".join(each.read_bytes() for each in tmp_path.glob("talk.db*"))
    with closing(Conversation(store=SqliteStore(path), snapshot_every=0)) as talk:
        assert talk.audit().faults == ()


def test_a_snapshot_after_an_erasure_is_written_upon_none_from_before(store: EphemeralStore) -> None:
    """Our promise: what a slice would carry along of an older one may be what was erased."""
    called = said_it(store)
    called.observe("ann", "o9", SECRET)
    called.keep_snapshot()
    opened, bystander = again(store), again(store)
    opened.erase("T4", reason="asked for", meaning=True)
    bystander.refresh()
    for talk in (opened, bystander):
        talk.keep_snapshot()
        found = store.snapshot(TALK)
        assert found is not None
        assert int.from_bytes(found.body[:8], "little") == len(found.body) - 8, "one slice, not upon another"
        assert SECRET.encode() not in zlib.decompress(found.body[8:])


def test_words_from_before_a_snapshot_are_erased_too(called: Conversation, store: EphemeralStore) -> None:
    """Our promise: wherever the turn lies, and whether or not anybody looked back before."""
    called.keep_snapshot()
    opened, looked = again(store), again(store)
    assert looked.timeline.told(TurnId("T1")).text == SECRET
    opened.erase("T1", reason="asked for")
    assert opened.timeline.told(TurnId("T1")).text == ""
    looked.erase("T2", reason="asked for")
    assert looked.timeline.told(TurnId("T1")).text == looked.timeline.told(TurnId("T2")).text == ""
    assert looked.version == store.version(TALK)


def test_erasing_twice_writes_once(called: Conversation, store: EphemeralStore) -> None:
    """Our promise: there is nothing left to erase, and nothing to put on record."""
    assert called.erase("T1", reason="asked for") is not None
    version = store.version(TALK)
    assert called.erase("T1", reason="asked for") is None
    assert called.version == store.version(TALK) == version


def test_what_is_not_there_and_what_says_no_reason_is_not_erased(called: Conversation, store: EphemeralStore) -> None:
    """Our promise: an act that goes on record says what and why."""
    version = store.version(TALK)
    with pytest.raises(UnknownReference, match="T9"):
        called.erase("T9", reason="asked for")
    with pytest.raises(MalformedInput):
        called.erase("T1", reason=" ")
    assert called.version == store.version(TALK) == version
    assert called.timeline.told(TurnId("T1")).text == SECRET


# --- the meaning -----------------------------------------------------------------------------------------------------


def test_a_meaning_that_a_later_turn_builds_on_is_not_erased(
    called: Conversation, store: EphemeralStore, facts: FactsOf
) -> None:
    """Our promise: what would leave no conversation that can be opened is refused, and nothing goes."""
    before, version = facts(called.state), store.version(TALK)
    with pytest.raises(StoreError, match="a later turn builds on it"):
        called.erase("T1", reason="asked for", meaning=True)
    assert store.version(TALK) == called.version == version
    assert facts(called.state) == facts(again(store).state) == before


def test_a_meaning_that_nothing_builds_on_is_erased_with_its_amendments(
    called: Conversation, store: EphemeralStore, facts: FactsOf
) -> None:
    """Our promise: the newest interpretation goes, and none that it amended comes back."""
    called.amend("T2", [Observe(id=PropositionId("o2"), text="She was rung up.")])
    called.erase("T2", reason="asked for", meaning=True)
    assert PropositionId("o2") not in called.state.propositions
    assert called.timeline.told(TurnId("T2")).operations == ()
    assert facts(again(store).state) == facts(called.state)
    called.erase("T1", reason="asked for", meaning=True)
    assert len(called.state.propositions) == 0
    assert facts(again(store).state) == facts(called.state)


def test_what_another_writer_built_meanwhile_counts_too(called: Conversation, store: EphemeralStore) -> None:
    """Our promise: the record is asked, not what this conversation has seen of it."""
    other = again(store)
    other.observe("bob", "o4", "She answered.", depends_on=["o2"])
    with pytest.raises(StoreError):
        called.erase("T2", reason="asked for", meaning=True)
    called.erase("T2", reason="asked for")
    assert called.version == store.version(TALK)
    assert called.verify("o4").outcome is Outcome.GROUNDED


def test_entries_are_erased_by_number_where_no_conversation_is_open(
    called: Conversation, store: EphemeralStore
) -> None:
    """Our promise: the same guard wherever it is asked for."""
    erased(store, TALK, reason="asked for", epochs=[2], turns=["T3"])
    assert [entry.epoch for entry in store.read(TALK) if isinstance(entry.content, Erased)] == [2, 6]
    with pytest.raises(StoreError):
        erased(store, TALK, reason="asked for", epochs=[1])
    with pytest.raises(UnknownReference):
        erased(store, TALK, reason="asked for", epochs=[99])
    called.refresh()
    assert called.timeline.told(TurnId("T1")).text == ""


# --- the same key again ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_opened", [False, True])
def test_a_turn_whose_words_were_erased_may_be_told_again_under_its_key(
    called: Conversation, store: EphemeralStore, is_opened: bool
) -> None:
    """C-26: a retry is a no-op, and what it says of the erased is not compared: it cannot be."""
    called.erase("T1", reason="asked for")
    talk = again(store) if is_opened else called
    version = talk.version
    assert talk.observe("ann", "o1", "Ann can be called.", said=SECRET, key="call-1").turn == "T1"
    assert talk.observe("ann", "o1", "Ann can be called.", said="Otherwise.", key="call-1").turn == "T1"
    with pytest.raises(RepeatedIdentity):
        talk.observe("ann", "o1", "Something else.", said=SECRET, key="call-1")
    with pytest.raises(RepeatedIdentity):
        talk.observe("bob", "o2", "She was called.", depends_on=["o1"], said="Otherwise.", key="call-2")
    assert talk.version == version
    assert SECRET not in repr([*store.read(TALK)])


def test_a_turn_whose_meaning_was_erased_does_not_come_back_under_its_key(
    called: Conversation, store: EphemeralStore
) -> None:
    """C-26: a retry must not bring back what was erased."""
    called.erase("T2", reason="asked for", meaning=True)
    for talk in (called, again(store)):
        told = talk.observe("bob", "o2", "She was called.", depends_on=["o1"], said="I called.", key="call-2")
        assert (told.turn, told.operations) == ("T2", ())
        assert PropositionId("o2") not in talk.state.propositions


# --- the record ------------------------------------------------------------------------------------------------------


def test_a_head_that_was_kept_proves_what_was_there(called: Conversation) -> None:
    """Demanded by linked time-stamping (Haber and Stornetta 1991): a link tells what was changed before it."""
    head = called.head()
    assert head.epoch == called.version
    called.say("bob", "Bye.")
    called.erase("T1", reason="asked for")
    audit = called.audit(head)
    assert (audit.faults, audit.erased, audit.entries) == ((), 1, called.version)
    assert audit.head == called.head()
    (fault,) = called.audit(Head(epoch=head.epoch, chain="0" * 64)).faults
    assert fault.kind is FaultKind.REWRITTEN


def test_awaiting_changes_nothing(store: EphemeralStore) -> None:
    """Our promise: the same names, awaited."""

    async def talk() -> None:
        talk = AsyncConversation(said_it(store))
        head = await talk.head()
        assert await talk.erase("T1", reason="asked for") is not None
        assert (await talk.audit(head)).faults == ()
        assert all(entry.content.text != SECRET for entry in store.read(TALK) if isinstance(entry.content, Words))

    asyncio.run(talk())
