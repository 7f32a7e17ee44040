"""What was answered stays answered: budgets, caches, recordings, and a record that is gone on with later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from upheld.conversation.wiring import opened_store
from upheld.errors import NoRecording
from upheld.speech.models.budget import BudgetedModel
from upheld.speech.models.cache import CachedModel, SqliteReplyStore
from upheld.speech.models.recordings import RecordedModel, read_recording, recording
from upheld.speech.models.reply import Usage
from upheld.speech.models.request import Request
from upheld.testing.scripted_server import ScriptedServer

KNOWN_CALLS = 13
"""Calls that the ten turns take: a reading each, two second looks, and one reading asked for again."""


@pytest.fixture
def uninterrupted(loop: Any) -> tuple[str, list[Any], list[Any]]:
    """Give what is known in the end, what was told, and what was asked, where nothing goes wrong."""
    with ScriptedServer(loop.script()) as server:
        told = loop.tell(talk := loop.conversation(loop.gateway(server)))
        assert len(server.bodies) == KNOWN_CALLS
        return loop.known(talk), [each.operations for each in told], list(server.bodies)


@pytest.mark.parametrize("calls", range(KNOWN_CALLS + 1))
def test_a_second_run_with_the_cache_asks_for_the_rest_alone(
    loop: Any, uninterrupted: Any, calls: int, tmp_path: Path
) -> None:
    """Issue 4, section 1: stopping cleanly and resuming. Wherever the budget ends, no call is paid for twice."""
    known, operations, asked = uninterrupted
    store = SqliteReplyStore(tmp_path / "replies.db")
    with ScriptedServer(loop.script()) as server:
        first = CachedModel(BudgetedModel(loop.gateway(server), calls=calls), store)
        told = loop.tell(loop.conversation(first))
        assert loop.cost(told) == server.usage
        assert len(server.bodies) == calls
        again = CachedModel(loop.gateway(server), store)
        told = loop.tell(talk := loop.conversation(again))
    assert (loop.known(talk), [each.operations for each in told]) == (known, operations)
    assert sorted(map(repr, server.bodies)) == sorted(map(repr, asked))
    assert loop.cost(told).reused + loop.cost(told).calls == KNOWN_CALLS


def test_a_record_on_disk_is_gone_on_with_where_the_budget_ended(loop: Any, uninterrupted: Any, tmp_path: Path) -> None:
    """Issue 4, section 1, for a conversation that is kept: the words are there, and the rest is read later."""
    known, _, asked = uninterrupted
    url = f"sqlite:///{tmp_path / 'talk.db'}"
    with ScriptedServer(loop.script()) as server:
        llm = BudgetedModel(loop.gateway(server), calls=6)
        talk = loop.conversation(llm, store=opened_store(url))
        told = loop.tell(talk)
        # The sixth call is the first reading of T5, to which the engine objects: that turn is not half-read.
        assert talk.unread() == tuple(f"T{place}" for place in range(5, 11))
        talk.close()
        again = loop.conversation(loop.gateway(server), store=opened_store(url))
        told += again.read_again()
        assert again.unread() == ()
        assert loop.known(again) == known
        again.close()
    # The first reading of T5 alone is asked for twice: nothing of it was kept.
    assert len(server.bodies) == KNOWN_CALLS + 1
    assert {repr(body) for body in server.bodies} == {repr(body) for body in asked}
    assert loop.cost(told) == server.usage


def test_recorded_replies_replay_byte_for_byte_without_a_server(loop: Any, uninterrupted: Any, tmp_path: Path) -> None:
    """Issue 4, section 1: recorded replies replay byte for byte, and cost nothing."""
    known, operations, _ = uninterrupted
    path = tmp_path / "replies.jsonl"
    with ScriptedServer(loop.script()) as server:
        loop.tell(loop.conversation(recording(loop.gateway(server), path, known="scripted", date="2026-11-30")))
    written = path.read_bytes()
    told = loop.tell(talk := loop.conversation(RecordedModel(read_recording(path))))
    assert (loop.known(talk), [each.operations for each in told]) == (known, operations)
    assert loop.cost(told) == Usage(reused=KNOWN_CALLS)
    assert path.read_bytes() == written
    assert len(written.splitlines()) == 1 + KNOWN_CALLS


def test_a_recording_of_another_conversation_answers_nothing(loop: Any, tmp_path: Path) -> None:
    """The counterpart: a word that differs is another request; what has no recording is unread, never guessed."""
    path = tmp_path / "replies.jsonl"
    with ScriptedServer(loop.script()) as server:
        loop.tell(loop.conversation(recording(loop.gateway(server), path)), slice(0, 1))
    replayed = RecordedModel(read_recording(path))
    talk = loop.conversation(replayed)
    told = talk.say("mara", loop.said[0][1].replace("68", "69"))
    assert told.abstained.startswith("it could not be read: no reply was recorded for request ")
    assert (talk.propositions, told.usage) == ((), Usage())
    with pytest.raises(NoRecording):
        replayed.ask(Request(prompt="x@1", messages=()))
