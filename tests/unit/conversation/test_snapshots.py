"""Opening from a snapshot: it is used when it fits, passed over when it does not, and never stands in the way."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from rpds import HashTrieSet

from upheld.conversation import keeping
from upheld.conversation.asynchronous import AsyncConversation
from upheld.conversation.conversation import Conversation
from upheld.conversation.keeping import MOST_SLICES
from upheld.errors import MalformedInput, RepeatedIdentity, StoreError, UnknownReference
from upheld.logic.language.identities import AgentId, ConversationId, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.reasoning.policy import EVERYONE, PEOPLE_AND_TOOLS
from upheld.logic.reasoning.state import State
from upheld.record.ledger.entry import Entry, Interpretation, Words
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.store import Store
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore

FactsOf = Callable[[State], dict[str, object]]
TALK = ConversationId("conversation")
ANN = {"ann": "analyst", "bob": "builder"}


class WatchedStore(EphemeralStore):
    """Counts what is read from the beginning on, and can be made to refuse snapshots or to forge them."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self.whole_reads = 0
        self.refused = 0
        self.refuses = False
        self.forged: Snapshot | None = None

    def read(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Read, and count."""
        self.whole_reads += after == 0
        return super().read(conversation, after=after, upto=upto)

    def save_snapshot(self, conversation: ConversationId, snapshot: Snapshot) -> None:
        """Keep it, or refuse."""
        if self.refuses:
            self.refused += 1
            raise StoreError("no space left on the disk")
        super().save_snapshot(conversation, snapshot)

    def snapshot(self, conversation: ConversationId, *, upto: int | None = None) -> Snapshot | None:
        """Give the forged one once, else a true one."""
        if self.forged is not None and (upto is None or self.forged.epoch <= upto):
            return self.forged
        return super().snapshot(conversation, upto=upto)


@pytest.fixture
def store() -> WatchedStore:
    """Give an empty store that counts."""
    return WatchedStore()


def rained(store: Any, **more: Any) -> Conversation:
    """Give a conversation with a snapshot after four turns of six; T2 came under a key, T3 was said in private."""
    talk = Conversation(ANN, store=store, snapshot_every=0, is_lenient=True, **more)
    talk.observe("ann", "o1", "It rains.")
    talk.observe("bob", "o2", "The street is wet.", depends_on=["o1"], key="wet")
    talk.observe("ann", "o3", "Bob is late.", audience=["ann"])
    talk.undermine("bob", "o2", evidence=["o1"])
    talk.keep_snapshot()
    talk.observe("carol", "o4", "It pours.", key="pours")
    talk.revise("ann", "o1", because=["o4"])
    return talk


def again(store: Any, **more: Any) -> Conversation:
    """Open it another time."""
    return Conversation(store=store, snapshot_every=0, **more)


def began_from(talk: Conversation) -> bool:
    """Tell whether it was opened from a snapshot: then nothing before it has a place of its own yet."""
    return talk.timeline.count > len(talk.timeline._recent)  # pyright: ignore[reportPrivateUsage]


# --- used ------------------------------------------------------------------------------------------------------------


def test_opening_reads_what_came_after_the_snapshot_and_no_more(store: WatchedStore, facts: FactsOf) -> None:
    """Our promise: opening is not replaying, and going on needs no past either."""
    live = rained(store)
    store.whole_reads = 0
    opened = again(store)
    assert facts(opened.state) == facts(live.state)
    assert (opened.version, opened.timeline.length) == (live.version, 6)
    assert opened.observe("ann", "o5", "It stopped.", key="new").turn == "T7"
    opened.retract("o4")
    assert opened.at("T5").state.label(PropositionId("o1")) == "in"
    assert opened.at("T6").state.label(PropositionId("o1")) == "out"
    assert opened.timeline.told(TurnId("T5")).speaker == "carol"
    opened.amend("T7", [])
    with pytest.raises(UnknownReference):
        opened.at("T99")
    assert store.whole_reads == 0


def test_the_past_is_read_once_and_is_what_a_replay_has(store: WatchedStore, facts: FactsOf) -> None:
    """Our promise: `at=`, turns, events and views have the same answers, from the ledger."""
    live = rained(store)
    store.whole_reads = 0
    opened = again(store)
    for turn in live.timeline.turns:
        assert facts(opened.at(turn).state) == facts(live.at(turn).state)
        assert facts(opened.timeline.before(turn)) == facts(live.timeline.before(turn))
        assert opened.timeline.told(turn) == live.timeline.told(turn)
    assert opened.timeline.events == live.timeline.events
    assert opened.timeline.findings == live.timeline.findings
    assert opened.timeline.turns == live.timeline.turns
    for agent in map(AgentId, ("ann", "bob", "carol")):
        assert facts(opened.for_agent(agent).state) == facts(live.for_agent(agent).state)
        assert facts(opened.seen_by(agent)) == facts(live.seen_by(agent))
    assert store.whole_reads == 1


@pytest.mark.parametrize("turn", ["T1", "T3", "T4", "T5", "T6"])
def test_any_turn_can_be_amended(store: WatchedStore, facts: FactsOf, turn: str) -> None:
    """Our promise: an amendment before the snapshot replays from the ledger, one after it from there."""
    live = rained(store)
    opened = again(store)
    meant = [Observe(id=PropositionId({"T1": "o1", "T3": "o3", "T5": "o4"}.get(turn, "o9")), text="It hails.")]
    opened.amend(turn, meant)
    live.refresh()
    assert facts(opened.state) == facts(live.state)
    assert opened.timeline.events == live.timeline.events
    assert facts(opened.at("T3").state) == facts(live.at("T3").state)
    assert facts(again(store).state) == facts(live.state)
    assert opened.observe("bob", "o2", "The street is wet.", depends_on=["o1"], key="wet").turn == "T2"


def test_a_key_from_before_the_snapshot_still_means_its_turn(store: WatchedStore) -> None:
    """Demanded by our promise of keys: the same again is told once, something else under it is refused."""
    rained(store)
    opened = again(store)
    version = opened.version
    assert opened.observe("bob", "o2", "The street is wet.", depends_on=["o1"], key="wet").turn == "T2"
    assert opened.observe("carol", "o4", "It pours.", key="pours").turn == "T5"
    with pytest.raises(RepeatedIdentity):
        opened.observe("bob", "o7", "Something else.", key="wet")
    assert opened.version == version
    opened.keep_snapshot()
    assert again(store).observe("bob", "o2", "The street is wet.", depends_on=["o1"], key="wet").turn == "T2"


def test_after_closing_there_is_no_way_back_past_the_snapshot(tmp_path: Path) -> None:
    """Pinned gap: what was not read while the store was open cannot be read."""
    rained(SqliteStore(tmp_path / "talk.db")).close()
    opened = again(SqliteStore(tmp_path / "talk.db"))
    opened.close()
    assert opened.at("T6").state is opened.state
    with pytest.raises(StoreError):
        opened.at("T1")


def test_awaiting_changes_nothing(tmp_path: Path) -> None:
    """Our promise: the awaited conversation opens from the snapshot too, and looks back before it."""

    async def talk() -> None:
        rained(SqliteStore(tmp_path / "talk.db")).close()
        talk = await AsyncConversation.open(f"sqlite:///{tmp_path / 'talk.db'}")
        assert began_from(talk.conversation)
        assert talk.at("T1").state.label(PropositionId("o1")) == "in"
        await talk.observe("ann", "o5", "It stopped.")
        await talk.keep_snapshot()
        await talk.close()

    asyncio.run(talk())
    with closing(again(SqliteStore(tmp_path / "talk.db"))) as opened:
        assert opened.timeline.count == opened.timeline.length + 1
        assert began_from(opened)


# --- passed over -----------------------------------------------------------------------------------------------------


def forged(store: WatchedStore, **changes: Any) -> None:
    """Put a snapshot in the way that differs from the true one."""
    true = store.snapshot(TALK)
    assert true is not None
    store.forged = replace(true, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"body": b""},
        {"body": b"\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x93\x94."},
        {"fingerprint": "of another engine"},
        {"chain": "of another past"},
        {"epoch": 0},
        {"epoch": 10_000},
    ],
)
def test_a_snapshot_that_does_not_fit_is_passed_over(
    store: WatchedStore, facts: FactsOf, changes: dict[str, Any]
) -> None:
    """Our promise: damaged, foreign, or newer than the ledger; the ledger is the truth."""
    live = rained(store)
    forged(store, **changes)
    opened = again(store)
    assert facts(opened.state) == facts(live.state)
    assert opened.timeline.events == live.timeline.events
    assert opened.version == live.version
    with suppress(StoreError):
        opened.keep_snapshot()
    store.forged = None
    assert facts(again(store).state) == facts(live.state)


def test_an_older_snapshot_serves_where_the_newest_does_not(store: WatchedStore, facts: FactsOf) -> None:
    """Our promise: the store keeps one to fall back on, and it is looked at."""
    live = rained(store)
    true = store.snapshot(TALK)
    assert true is not None
    store.forged = replace(true, epoch=live.version, chain=store.head(TALK).chain, body=true.body[:-4])
    opened = again(store)
    assert began_from(opened)
    assert facts(opened.state) == facts(live.state)


def test_a_body_that_was_damaged_in_the_file_is_passed_over(tmp_path: Path, facts: FactsOf) -> None:
    """Our promise: what happens to a cache happens to nothing else."""
    path = tmp_path / "talk.db"
    live = rained(SqliteStore(path))
    expected = facts(live.state)
    live.close()
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("UPDATE snapshots SET body = substr(body, 1, 60)").rowcount > 0
        file.commit()
    with closing(again(SqliteStore(path))) as opened:
        assert not began_from(opened)
        assert facts(opened.state) == expected


def test_another_policy_reads_the_record_for_itself(store: WatchedStore) -> None:
    """Our promise: a snapshot holds what one policy made of the entries, and no other uses it."""
    talk = rained(store)
    talk.keep_snapshot()
    assert began_from(again(store, policy=PEOPLE_AND_TOOLS))
    assert not began_from(again(store, policy=EVERYONE))
    assert again(store, policy=EVERYONE).state.policy == EVERYONE


def test_an_amendment_of_the_past_outdates_the_snapshot(store: WatchedStore, facts: FactsOf) -> None:
    """Demanded by semantics, section 1: the newest interpretation counts, whenever it was made."""
    live = rained(store)
    other = again(store)
    store.append(TALK, [Interpretation(turn=TurnId("T1"), operations=())], expected=live.version)
    with suppress(UnknownReference):
        other.refresh()
    store.append(TALK, [Interpretation(turn=TurnId("T1"), operations=(Observe(id=PropositionId("o1"), text="So."),))])
    live.refresh()
    other.refresh()
    opened = again(store)
    assert not began_from(opened)
    assert facts(opened.state) == facts(other.state) == facts(live.state)
    assert opened.state.proposition(PropositionId("o1")).text == "So."
    opened.keep_snapshot()
    assert began_from(again(store))
    assert facts(again(store).state) == facts(live.state)


def test_words_that_get_a_meaning_after_the_snapshot_are_folded_where_they_were_said(store: WatchedStore) -> None:
    """Demanded by semantics, section 1: a turn without an interpretation gets one later."""
    talk = Conversation(ANN, store=store, snapshot_every=0)
    talk.say("ann", "It rains.")
    talk.say("bob", "Does it?")
    talk.keep_snapshot()
    talk.amend("T1", [Observe(id=PropositionId("o1"), text="It rains.")])
    opened = again(store)
    assert opened.at("T1").state.label(PropositionId("o1")) == "in"
    assert opened.state.label(PropositionId("o1")) == "in"


def test_what_was_erased_is_in_no_snapshot_that_is_used(store: WatchedStore, facts: FactsOf) -> None:
    """Our promise: an erased content leaves nothing behind, also where a conversation was open meanwhile."""
    live = rained(store)
    bystander = again(store)
    epochs = [entry.epoch for entry in store.read(TALK) if entry.turn == "T4"]
    store.erase(TALK, epochs, reason="asked for")
    with suppress(StoreError):
        bystander.keep_snapshot()
    assert store.snapshot(TALK) is None
    opened = again(store)
    live.refresh()
    bystander.refresh()
    assert opened.timeline.told(TurnId("T4")).operations == ()
    assert facts(opened.state) == facts(live.state) == facts(bystander.state)
    opened.keep_snapshot()
    assert began_from(again(store))
    assert facts(again(store).state) == facts(live.state)


# --- written ---------------------------------------------------------------------------------------------------------


def epochs(store: Store) -> int:
    """Give the epoch of the newest snapshot, 0 without any."""
    found = store.snapshot(TALK)
    return found.epoch if found is not None else 0


def chatter(talk: Conversation, count: int, prefix: str = "c") -> None:
    """Say some things."""
    for number in range(count):
        talk.observe("ann", f"{prefix}{number}", f"Thing {number} of {prefix}.")


def test_snapshots_are_kept_as_the_record_grows_further_and_further_apart(store: WatchedStore) -> None:
    """Our promise: all of them together cost less than twice the last, so each waits until the record has doubled."""
    talk = Conversation(ANN, store=store, snapshot_every=20)
    found: list[int] = []
    for number in range(100):
        chatter(talk, 1, f"n{number}x")
        found.append(epochs(store))
    assert sorted(set(found)) == [0, 21, 43, 87, 175]
    again(store)


def test_nothing_is_kept_where_nothing_is_to_be_kept(store: WatchedStore) -> None:
    """Our promise: 0 means never unasked; what dies with the conversation is not kept either."""
    talk = Conversation(ANN, store=store, snapshot_every=0)
    chatter(talk, 30)
    talk._keeper.keep_if_due(talk.timeline, talk.version, HashTrieSet, is_last=True)  # pyright: ignore[reportPrivateUsage]
    assert epochs(store) == 0


def test_closing_keeps_a_snapshot_when_there_is_enough_that_is_new(tmp_path: Path) -> None:
    """Our promise: the next opening replays at most a quarter, and a look in does not rewrite everything."""
    path = tmp_path / "talk.db"
    talk = Conversation(ANN, store=SqliteStore(path), snapshot_every=40)
    chatter(talk, 15)
    talk.close()
    with closing(SqliteStore(path)) as store:
        assert epochs(store) == 31
    with closing(Conversation(store=SqliteStore(path), snapshot_every=40)) as talk:
        assert began_from(talk)
        chatter(talk, 2, "d")
    with closing(SqliteStore(path)) as store:
        assert epochs(store) == 31
    with closing(Conversation(store=SqliteStore(path), snapshot_every=40)) as talk:
        chatter(talk, 6, "e")
    with closing(SqliteStore(path)) as store:
        assert epochs(store) == 47
    with closing(Conversation(store=SqliteStore(path), snapshot_every=4)) as talk:
        talk.amend("T1", [Observe(id=PropositionId("c0"), text="Thing 0, rather.")])
    with closing(SqliteStore(path)) as store:
        assert epochs(store) == 48


def test_a_snapshot_that_cannot_be_written_fails_no_turn_and_is_not_tried_at_each(
    store: WatchedStore, facts: FactsOf
) -> None:
    """Our promise: the append was acknowledged before, and a full disk must not slow every turn down."""
    store.refuses = True
    talk = Conversation(ANN, store=store, snapshot_every=10)
    chatter(talk, 40)
    assert talk.version == store.version(TALK) == 81
    assert store.refused == 3
    with pytest.raises(StoreError):
        talk.keep_snapshot()
    assert facts(again(store).state) == facts(talk.state)


def test_a_writer_that_dies_between_append_and_snapshot_loses_nothing(tmp_path: Path, facts: FactsOf) -> None:
    """Our promise: the append comes first; the file is opened from the snapshot before, and the rest is folded."""

    class Dying(SqliteStore):
        is_dying = False

        def save_snapshot(self, conversation: ConversationId, snapshot: Snapshot) -> None:
            if self.is_dying:
                raise KeyboardInterrupt
            super().save_snapshot(conversation, snapshot)

    path = tmp_path / "talk.db"
    store = Dying(path)
    talk = Conversation(ANN, store=store, snapshot_every=10)
    chatter(talk, 8)
    store.is_dying = True
    with pytest.raises(KeyboardInterrupt):
        chatter(talk, 40, "d")
    with closing(again(SqliteStore(path))) as opened:
        assert opened.version == talk.version == store.version(TALK)
        assert began_from(opened)
        assert facts(opened.state) == facts(talk.state)
        assert isinstance([*store.read(TALK)][-2].content, Words)
    store.close()


def test_a_store_that_was_emptied_meanwhile_fails_no_closing() -> None:
    """Our promise: a snapshot is a cache, and nothing about it is an error of whoever speaks."""

    class Forgetful(EphemeralStore):
        def read(self, conversation: ConversationId, *, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
            return iter(())

    store = Forgetful()
    talk = Conversation(ANN, store=store, snapshot_every=2)
    chatter(talk, 3)
    with pytest.raises(MalformedInput):
        talk.keep_snapshot()
    talk.close()


def test_a_conversation_that_is_only_read_keeps_nothing(tmp_path: Path) -> None:
    """Our promise: whoever may not write does not try to, on closing either."""

    class Watched(SqliteStore):
        tries = 0

        def save_snapshot(self, conversation: ConversationId, snapshot: Snapshot) -> None:
            self.tries += 1
            super().save_snapshot(conversation, snapshot)

    path = tmp_path / "talk.db"
    talk = Conversation(ANN, store=SqliteStore(path), snapshot_every=0)
    chatter(talk, 9)
    talk.close()
    before = path.read_bytes()
    store = Watched(path, is_read_only=True)
    talk = Conversation(store=store, snapshot_every=1)
    with pytest.raises(StoreError, match="reading only"):
        talk.say("ann", "May I?")
    talk.close()
    assert store.tries == talk._keeper.failures == 0  # pyright: ignore[reportPrivateUsage]
    assert path.read_bytes() == before


# --- upon another, and aside -----------------------------------------------------------------------------------------


def slices(store: Store) -> int:
    """Give the number of slices of the newest snapshot."""
    found = store.snapshot(TALK)
    assert found is not None
    place = count = 0
    while place < len(found.body):
        place, count = place + 8 + int.from_bytes(found.body[place : place + 8], "little"), count + 1
    return count


def test_what_began_from_a_snapshot_is_written_upon_it(store: WatchedStore, facts: FactsOf) -> None:
    """Our promise: keeping a few turns more costs a few turns; after a while all is written anew."""
    talk = Conversation(ANN, store=store, snapshot_every=0)
    chatter(talk, 80)
    talk.keep_snapshot()
    found = [slices(store)]
    for number in range(MOST_SLICES):
        opened = again(store)
        assert began_from(opened)
        chatter(opened, 2, f"n{number}x")
        opened.revise("bob", f"c{number}", because=[f"n{number}x1"])
        opened.keep_snapshot()
        found.append(slices(store))
        replayed = EphemeralStore()
        replayed.append(TALK, [entry.content for entry in store.read(TALK)])
        assert facts(again(store).state) == facts(opened.state) == facts(again(replayed).state)
    assert found == [*range(1, MOST_SLICES + 1), 1]


class SlowStore(WatchedStore):
    """Holds every snapshot up until it is let go."""

    def __init__(self) -> None:
        """Begin held."""
        super().__init__()
        self.goes = Event()
        self.at_once = self.most_at_once = 0

    def save_snapshot(self, conversation: ConversationId, snapshot: Snapshot) -> None:
        """Wait, and keep it."""
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        assert self.goes.wait(20)
        self.at_once -= 1
        super().save_snapshot(conversation, snapshot)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> SlowStore:
    """A slow store, and every snapshot large enough for a thread of its own."""
    monkeypatch.setattr(keeping, "ASIDE", 0)
    return SlowStore()


def test_no_turn_waits_for_a_large_snapshot(slow: SlowStore, facts: FactsOf) -> None:
    """Our promise: it is written aside, one at a time, and holds the turns up to when it was begun."""
    talk = Conversation(ANN, store=slow, snapshot_every=10)
    chatter(talk, 40)
    assert (epochs(slow), talk.version) == (0, 81)
    expected = facts(talk.state)
    slow.goes.set()
    talk._keeper.wait()  # pyright: ignore[reportPrivateUsage]
    assert epochs(slow) == 11
    opened = again(slow)
    assert began_from(opened)
    assert facts(opened.state) == expected
    chatter(talk, 1, "d")
    talk._keeper.wait()  # pyright: ignore[reportPrivateUsage]
    assert epochs(slow) == 83
    assert slow.most_at_once == 1


def test_closing_waits_for_what_is_being_written_and_for_the_last(tmp_path: Path, slow: SlowStore) -> None:
    """Our promise: a thread outlives no conversation."""
    talk = Conversation(ANN, store=slow, snapshot_every=10)
    chatter(talk, 20)
    keeper = talk._keeper  # pyright: ignore[reportPrivateUsage]
    assert keeper.is_writing
    slow.goes.set()
    found: list[int] = []
    slow.close = lambda: found.append(epochs(slow))  # type: ignore[method-assign]
    talk.close()
    assert not keeper.is_writing
    assert found == [41]
    assert slow.most_at_once == 1


def test_what_fails_aside_fails_no_turn_and_is_counted(slow: SlowStore) -> None:
    """Our promise: as for a small one."""
    slow.refuses = True
    slow.goes.set()
    talk = Conversation(ANN, store=slow, snapshot_every=10)
    for number in range(20):
        chatter(talk, 1, f"n{number}x")
        talk._keeper.wait()  # pyright: ignore[reportPrivateUsage]
    assert talk.version == slow.version(TALK)
    assert talk._keeper.failures == slow.refused == 2  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(StoreError):
        talk.keep_snapshot()


def test_an_erasure_waits_for_a_snapshot_that_is_being_written(slow: SlowStore) -> None:
    """Our promise: none from before it is kept after it."""
    talk = Conversation(ANN, store=slow, snapshot_every=10)
    chatter(talk, 8)
    slow.goes.set()
    talk.erase("T1", reason="asked for")
    talk._keeper.wait()  # pyright: ignore[reportPrivateUsage]
    assert epochs(slow) == 0
