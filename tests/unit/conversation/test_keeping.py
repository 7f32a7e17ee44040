"""A conversation on its record: opened, saved, shared by several writers, told again under a key."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.conversation.events import Beginning
from upheld.errors import (
    RepeatedIdentity,
    StoreError,
    UnknownConversation,
    UnreadableEntry,
    UpheldError,
    VersionConflict,
)
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, ConversationId, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.propositions import Kind, Proposition
from upheld.logic.language.turns import Turn
from upheld.logic.language.verdicts import Outcome
from upheld.logic.reasoning.policy import EVERYONE
from upheld.logic.reasoning.state import State
from upheld.record.ledger.entry import Words
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.cues import CueInterpreter

FactsOf = Callable[[State], dict[str, object]]

TALK = ConversationId("conversation")
RAIN = Observe(id=PropositionId("o1"), text="It rains.")
Opened = Callable[[], Conversation]


# --- opening and saving ----------------------------------------------------------------------------------------------


def test_what_was_saved_is_opened_as_it_was(outage: Conversation, url: str, opened: Opened, facts: FactsOf) -> None:
    """Our promise (programs.md, 2): the state is the fold of the record, in this store or in that."""
    outage.say("alice", "Hm.")
    outage.amend("T5", [RAIN], by="bob", reason="she meant it")
    outage.falsify("o8", by="bob", reason="measured again")
    outage.observe("carol", "o2", "It pours.", audience=["bob"], session="s2", at="2026-01-02")
    outage.save(url)
    again = opened()
    assert facts(again.state) == facts(outage.state)
    assert again.timeline.events == outage.timeline.events
    assert again.version == outage.version
    assert again.observe("alice", "o3", "It stopped.").turn == "T7"


def test_saving_twice_overwrites_nothing(outage: Conversation, url: str, opened: Opened) -> None:
    """Our promise: a conversation of that name that is there already is left alone."""
    outage.save(url)
    outage.say("alice", "Hm.")
    with pytest.raises(VersionConflict):
        outage.save(url)
    assert opened().version == outage.version - 1


def test_an_unknown_conversation_is_told_which_there_are(url: str) -> None:
    """Our promise: the message lists what could have been meant."""
    for name in ("standup", "retro"):
        Conversation(id=name).save(url)
    with pytest.raises(UnknownConversation, match="'planning'; it has retro, standup"):
        Conversation.open(url, id="planning")


def test_an_empty_store_has_none_at_all(url: str) -> None:
    """Our promise: said in words, not by an empty list."""
    SqliteStore(url.removeprefix("sqlite:///")).close()
    with pytest.raises(UnknownConversation, match="none at all"):
        Conversation.open(url)


def test_opening_creates_no_file(url: str) -> None:
    """Our promise: a mistyped address leaves nothing behind."""
    with pytest.raises(UnknownConversation, match="does not exist"):
        Conversation.open(url)
    assert not Path(url.removeprefix("sqlite:///")).exists()


def test_an_address_of_no_kind_is_refused(outage: Conversation) -> None:
    """Our promise: the message says what an address looks like."""
    for address in ("incident.db", "sqlite:///", "mysql:///x", ""):
        with pytest.raises(StoreError, match=r"write sqlite:///file\.db"):
            outage.save(address)


def test_a_record_in_memory_can_be_saved_nowhere_and_opened_nowhere(outage: Conversation) -> None:
    """Our promise: ``ephemeral:`` is an address too; it is empty each time."""
    outage.save("ephemeral:")
    with pytest.raises(UnknownConversation):
        Conversation.open("ephemeral")


def test_a_damaged_record_is_not_opened(outage: Conversation, url: str) -> None:
    """Our promise: a typed error, and the file is let go of (an unclosed one warns, and warnings are errors)."""
    outage.save(url)
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file, file:
        file.execute("UPDATE contents SET body = 'no' WHERE epoch = 3")
    with pytest.raises(UnreadableEntry):
        Conversation.open(url)


def test_the_policy_is_chosen_by_who_opens(url: str) -> None:
    """Demanded by semantics, section 10: the policy is a setting, and no part of the record."""
    Conversation(id="conversation").save(url)
    talk = Conversation.open(url, policy=EVERYONE)
    assert talk.state.policy is EVERYONE
    talk.close()


def test_a_conversation_that_is_there_is_continued_with_its_own_agents() -> None:
    """Our promise: the record says who takes part; what a later caller says of them is not looked at."""
    store = EphemeralStore()
    Conversation({"alice": "backend"}, store=store).observe("alice", "o1", "It rains.")
    again = Conversation({"bob": "lead"}, store=store)
    assert list(again.state.agents) == ["alice"]
    assert again.verify("o1").outcome is Outcome.GROUNDED


def test_a_record_without_an_opening_begins_with_nobody() -> None:
    """Our promise: whoever wrote the record, it is read; who speaks in it must have joined."""
    store = EphemeralStore()
    store.append(TALK, [Words(turn=TurnId("T1"), speaker=AgentId("alice"), text="Hello.")])
    with pytest.raises(UpheldError, match="alice"):
        Conversation(store=store)


def test_a_title_is_kept_and_copied(url: str, opened: Opened) -> None:
    """Demanded by the annotated format: a conversation has a title and a paradigm, in every store it comes to."""
    rain = Proposition(id=PropositionId("o1"), text="It rains.", kind=Kind.OBSERVATION)
    begun = Beginning(agents=(Agent(id=AgentId("alice")),), initial=(rain,), title="Weather", paradigm="diagnostic")
    store = EphemeralStore()
    talk = Conversation(begun, store=store)
    assert talk.beginning() == begun
    assert talk.verify("o1").outcome is Outcome.GROUNDED
    talk.save(url)
    assert opened().beginning() == Conversation(store=store).beginning() == begun
    assert Conversation({"alice": "guest"}).beginning().title == ""


def test_a_transcript_is_told_under_its_title() -> None:
    """Our promise: what a file says of itself stands in the record."""
    turn = Turn(id=TurnId("T1"), speaker=AgentId("alice"), operations=(RAIN,))
    transcript = Transcript(
        id="weather",
        title="Weather",
        paradigm="diagnostic",
        agents=(Agent(id=AgentId("alice")),),
        turns=(turn,),
        is_annotated=True,
    )
    beginning = loaded(transcript).beginning()
    assert (beginning.title, beginning.paradigm) == ("Weather", "diagnostic")


def test_keys_are_saved_with_the_record(talk: Conversation, url: str, opened: Opened) -> None:
    """C-26: the second ingest is a no-op in the copy too; but for what was erased, which it could not compare."""
    talk.observe("alice", "o1", "It rains.", key="mail-7")
    talk.observe("bob", "o2", "It pours.", said="It pours!", key="mail-8")
    talk.say("bob", "Hm.")
    talk.erase("T2", reason="asked for")
    talk.save(url)
    again = opened()
    version = again.version
    assert again.observe("alice", "o1", "It rains.", key="mail-7").turn == "T1"
    with pytest.raises(RepeatedIdentity):
        again.observe("alice", "o1", "It snows.", key="mail-7")
    assert again.version == version
    assert again.observe("bob", "o9", "It thunders.", key="mail-8").turn == "T4"


# --- several writers -------------------------------------------------------------------------------------------------


def test_of_two_writers_of_one_file_the_loser_is_told_and_can_retry(url: str, opened: Opened, facts: FactsOf) -> None:
    """C-30: a typed, retryable conflict; refresh, and the turn goes through under the next number."""
    Conversation({"alice": "backend", "bob": "lead"}).save(url)
    one, other = opened(), opened()
    one.observe("alice", "o1", "It rains.")
    state = other.state
    with pytest.raises(VersionConflict) as caught:
        other.observe("bob", "o2", "It pours.")
    assert (caught.value.expected, caught.value.found) == (1, 3)
    assert other.state is state
    assert other.timeline.turns == ()
    other.refresh()
    assert other.observe("bob", "o2", "It pours.").turn == "T2"
    one.refresh()
    assert facts(one.state) == facts(other.state)


def test_an_amendment_and_a_retraction_lose_races_too(url: str, opened: Opened, facts: FactsOf) -> None:
    """C-30, for the other ways to write."""
    talk = Conversation({"alice": "backend"})
    talk.observe("alice", "o1", "It rains.")
    talk.save(url)
    one, other = opened(), opened()
    one.say("alice", "Hm.")
    for call in (lambda: other.amend("T1", []), lambda: other.retract("o1")):
        with pytest.raises(VersionConflict):
            call()
    assert other.verify("o1").outcome is Outcome.GROUNDED
    other.refresh()
    other.amend("T1", [])
    one.refresh()
    assert facts(one.state) == facts(other.state)


def test_a_refresh_without_news_keeps_the_state(outage: Conversation) -> None:
    """Our promise: nothing is folded anew when there is nothing new."""
    state = outage.state
    outage.refresh()
    assert outage.state is state


# --- the same key again ----------------------------------------------------------------------------------------------


def test_the_same_key_again_gives_the_first_answer_and_changes_nothing(talk: Conversation) -> None:
    """C-26: the second ingest is a no-op that returns the first id, whatever was said in between."""
    first = talk.observe("alice", "o1", "It rains.", key="mail-7")
    talk.say("bob", "Hm.", key="mail-8")
    state, version = talk.state, talk.version
    assert talk.observe("alice", "o1", "It rains.", key="mail-7") is first
    assert first.turn == "T1"
    assert talk.state is state
    assert talk.version == version
    assert talk.observe("alice", "o1", "It rains.").turn == "T3", "without a key it is said again"


def test_a_key_is_known_after_reopening() -> None:
    """C-26: the key is on record, not in the head of one process."""
    store = EphemeralStore()
    talk = Conversation(store=store, is_lenient=True)
    first = talk.hypothesize("alice", "h1", "Perhaps.", key="mail-7")
    assert first.findings
    again = Conversation(store=store, is_lenient=True)
    assert again.hypothesize("alice", "h1", "Perhaps.", key="mail-7") == first
    assert again.version == talk.version


def test_a_key_outlives_an_amendment_of_its_turn() -> None:
    """C-26: the first answer is given, not what the turn means by now."""
    store = EphemeralStore()
    talk = Conversation(store=store)
    first = talk.observe("alice", "o1", "It rains.", key="mail-7")
    talk.amend("T1", [])
    assert talk.observe("alice", "o1", "It rains.", key="mail-7") == first
    assert Conversation(store=store).observe("alice", "o1", "It rains.", key="mail-7") == first
    assert talk.verify("o1").outcome is Outcome.UNGROUNDED


def test_the_same_key_for_something_else_is_refused(talk: Conversation) -> None:
    """C-26, the other side: silence would lose the second turn."""
    talk.observe("alice", "o1", "It rains.", key="mail-7")
    version = talk.version
    for call in (
        lambda: talk.observe("alice", "o2", "It pours.", key="mail-7"),
        lambda: talk.observe("bob", "o1", "It rains.", key="mail-7"),
        lambda: talk.say("alice", "It rains.", key="mail-7"),
        lambda: talk.tell(Turn(id=TurnId("T9"), speaker=AgentId("alice"), operations=(RAIN,)), key="mail-7"),
    ):
        with pytest.raises(RepeatedIdentity, match="T1"):
            call()
    assert talk.version == version


def test_words_under_a_key_are_read_once() -> None:
    """C-26: what an interpreter would make of the words by now does not matter."""
    talk = Conversation({"alice": "guest"}, interpreter=CueInterpreter())
    first = talk.say("alice", "The train leaves at 9:40.", key="mail-7")
    assert first.operations
    assert talk.say("alice", "The train leaves at 9:40.", key="mail-7") is first
    assert len(talk.propositions) == 1


def test_a_turn_of_its_own_id_may_have_a_key(talk: Conversation) -> None:
    """C-26, for turns that come from elsewhere."""
    turn = Turn(id=TurnId("mail-7"), speaker=AgentId("alice"), operations=(RAIN,))
    first = talk.tell(turn, key="mail-7")
    assert talk.tell(turn, key="mail-7") is first


def test_two_writers_with_one_key_make_one_turn(url: str, opened: Opened, facts: FactsOf) -> None:
    """C-26 and C-28 together: the loser's append is the winner's, if it comes at the same place."""
    Conversation({"alice": "backend"}).save(url)
    one, other = opened(), opened()
    first = one.observe("alice", "o1", "It rains.", key="mail-7")
    assert other.observe("alice", "o1", "It rains.", key="mail-7") == first
    assert facts(other.state) == facts(one.state)
    assert other.version == one.version == 3


@pytest.mark.parametrize("before", ["a turn", "a retraction"])
def test_a_key_that_another_writer_used_elsewhere_is_a_conflict_like_any_other(
    url: str, opened: Opened, before: str
) -> None:
    """C-30: read again and retry; then the key is known, and the first answer is given."""
    talk = Conversation({"alice": "backend"})
    talk.observe("alice", "o0", "Good morning.")
    talk.save(url)
    one, other = opened(), opened()
    if before == "a turn":
        one.say("alice", "Hm.")
    else:
        one.retract("o0")
    first = one.observe("alice", "o1", "It rains.", key="mail-7")
    state = other.state
    with pytest.raises(VersionConflict) as caught:
        other.observe("alice", "o1", "It rains.", key="mail-7")
    assert caught.value.found == one.version
    assert other.state is state
    other.refresh()
    assert other.observe("alice", "o1", "It rains.", key="mail-7") == first
    assert other.version == one.version


def test_a_key_that_was_used_for_no_turn_is_refused() -> None:
    """Our promise: a key of the store that belongs to something else is not passed off as a race."""
    store = EphemeralStore()
    Conversation([Agent(id=AgentId("alice"))], store=store)
    store.append(TALK, [Words(turn=TurnId("T1"), speaker=AgentId("alice"))])
    talk = Conversation(store=store)
    store._ledgers[TALK].keyed["k"] = (1, 1)  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(RepeatedIdentity, match="'k'"):
        talk.observe("alice", "o1", "It rains.", key="k")
    assert talk.verify("o1").outcome is Outcome.UNGROUNDED
