"""Many conversations of one store, entered by many threads."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from upheld import Conversation
from upheld.conversation.events import Beginning
from upheld.conversation.hosting.host import Host, Room
from upheld.errors import MalformedInput, UnknownConversation, UnreadableEntry, VersionConflict
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.standing import Label
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore

ANN = Beginning(agents=(Agent(id=AgentId("ann")),))


def is_in(room: Room) -> bool:
    """Tell whether the first observation stands there."""
    return room.conversation.state.label(PropositionId("o1")) is Label.IN


def test_a_conversation_is_begun_only_where_one_says_so() -> None:
    """Our promise: a wrong name makes no conversation, and is told."""
    host = Host(EphemeralStore())
    with pytest.raises(UnknownConversation), host.entered("talk"):
        pass
    assert (host.store.conversations(), host.open_count) == ((), 0)
    with host.entered("talk", beginning=ANN) as room:
        room.conversation.observe("ann", "o1", "It rains.")
    with host.entered("talk") as again:
        assert again is room
        assert is_in(again)
    with pytest.raises(MalformedInput), host.entered(" "):
        pass


def test_what_another_process_appended_is_there_on_entering(tmp_path: Path) -> None:
    """Several workers share a store: whoever enters sees what the others said."""
    path = tmp_path / "talk.db"
    with SqliteStore(path) as ours, SqliteStore(path) as theirs:
        host = Host(ours)
        with host.entered("talk", beginning=ANN):
            pass
        other = Conversation(id="talk", store=theirs)
        other.observe("ann", "o1", "It rains.")
        with host.entered("talk") as room:
            assert is_in(room)


def test_a_conversation_is_at_hand_only_where_nothing_is_waited_for(tmp_path: Path) -> None:
    """Our promise: not while it is closed, while somebody is in it, or when another process has gone on with it."""
    path = tmp_path / "talk.db"
    with SqliteStore(path) as ours, SqliteStore(path) as theirs:
        host = Host(ours)
        with host.at_hand("talk") as closed:
            assert closed is None
        with host.entered("talk", beginning=ANN) as room, ThreadPoolExecutor(1) as pool:
            assert not pool.submit(lambda: _is_at_hand(host)).result()
        with host.at_hand("talk") as found:
            assert found is room
        Conversation(id="talk", store=theirs).observe("ann", "o1", "It rains.")
        assert not _is_at_hand(host)
        with host.entered("talk"):
            pass
        assert _is_at_hand(host)


def _is_at_hand(host: Host) -> bool:
    with host.at_hand("talk") as room:
        return room is not None


def test_no_more_conversations_stay_open_than_there_is_room_for() -> None:
    """Memory is bounded, and nothing is lost: what was let go of is opened again."""
    host = Host(EphemeralStore(), most_open=3)
    for number in range(10):
        with host.entered(f"talk {number}", beginning=ANN) as room:
            room.conversation.observe("ann", "o1", f"It is {number} o'clock.")
        assert host.open_count <= 3
    with host.entered("talk 0") as room:
        assert is_in(room)


def test_who_is_inside_is_not_put_out() -> None:
    """A conversation that somebody is in stays the same object, however many others are opened meanwhile."""
    host = Host(EphemeralStore(), most_open=1)
    with host.entered("talk", beginning=ANN) as room:
        for number in range(5):
            with host.entered(f"other {number}", beginning=ANN):
                pass
        with host.entered("talk") as again:
            assert again is room
    assert host.open_count == 1


def test_many_threads_speak_in_a_few_conversations_and_nothing_is_lost() -> None:
    """Case C-28 for the host: each acknowledged turn once, in the order in which it was acknowledged."""
    host = Host(EphemeralStore(), most_open=2)
    told: dict[str, list[str]] = {f"talk {number}": [] for number in range(4)}

    def speak(number: int) -> None:
        name = f"talk {number % 4}"
        with host.entered(name, beginning=ANN) as room:
            told[name].append(room.conversation.observe("ann", f"o{number}", f"It is {number}.").turn)

    with ThreadPoolExecutor(max_workers=8) as threads:
        list(threads.map(speak, range(200)))
    for name, turns in told.items():
        with host.entered(name) as room:
            assert list(room.conversation.timeline.turns) == turns
            assert len(turns) == 50


def test_one_conversation_does_not_wait_for_another() -> None:
    """A slow reader holds up its own conversation alone."""
    host = Host(EphemeralStore())
    is_inside, may_leave = threading.Event(), threading.Event()

    def stay() -> None:
        with host.entered("slow", beginning=ANN):
            is_inside.set()
            may_leave.wait(20)

    thread = threading.Thread(target=stay)
    thread.start()
    try:
        assert is_inside.wait(20)
        with host.entered("quick", beginning=ANN) as room:
            assert room.conversation.version == 1
    finally:
        may_leave.set()
        thread.join()


def test_what_is_dropped_is_let_go_of_and_a_later_one_is_opened_anew(tmp_path: Path) -> None:
    """Our promise: dropped here or by another process, nobody is given the old one, and nobody begins one unasked."""
    path = tmp_path / "talk.db"
    with SqliteStore(path) as ours, SqliteStore(path) as theirs:
        host, other = Host(ours), Host(theirs)
        for dropping in (host, other):
            with host.entered("talk", beginning=ANN) as room:
                room.conversation.observe("ann", "o1", "It rains.")
            with pytest.raises(VersionConflict):
                dropping.drop("talk", reason="asked for", expected=1)
            assert dropping.drop("talk", reason="asked for", by=AgentId("ann"), expected=3).entries == 3
            with host.at_hand("talk") as found:
                assert found is None
            with pytest.raises(UnknownConversation), host.entered("talk"):
                pass
            with other.entered("talk", beginning=ANN) as later:
                later.conversation.observe("ann", "o1", "It is dry.")
            with host.at_hand("talk") as found:
                assert found is None
            with host.entered("talk") as again:
                assert again is not room
                assert again.conversation.state.proposition(PropositionId("o1")).text == "It is dry."
            host.drop("talk", reason="asked for")
        with pytest.raises(UnknownConversation):
            host.drop("talk", reason="asked for")
        assert host.open_count == 0


def test_a_conversation_is_dropped_when_nobody_is_in_it_and_need_not_be_readable(tmp_path: Path) -> None:
    """Our promise: who is inside finishes; what cannot be opened any more can still go."""
    path = tmp_path / "talk.db"
    with SqliteStore(path) as store:
        host = Host(store)
        with ThreadPoolExecutor(1) as pool:
            with host.entered("talk", beginning=ANN) as room:
                dropping = pool.submit(host.drop, "talk", reason="asked for")
                room.conversation.observe("ann", "o1", "It rains.")
                assert not dropping.done()
            assert dropping.result(20).entries == 3
        with host.entered("torn", beginning=ANN):
            pass
        host.forget("torn")
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE contents SET body = 'nonsense'")
        with pytest.raises(UnreadableEntry), host.entered("torn"):
            pass
        assert host.drop("torn", reason="it is damaged").entries == 1
