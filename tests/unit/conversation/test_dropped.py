"""A conversation whose record goes while it is open: it says so, whatever it is asked to write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from upheld.conversation.conversation import Conversation
from upheld.errors import DroppedConversation
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore

AGENTS = {"ann": "user"}


def acts(talk: Conversation) -> list[Callable[[], object]]:
    """Whatever writes to the record, or asks about it as such."""
    return [
        lambda: talk.observe("ann", "o9", "It is late."),
        lambda: talk.retract("o1"),
        lambda: talk.amend("T1", []),
        lambda: talk.erase("T1", reason="asked for"),
        lambda: talk.copy_to(EphemeralStore()),
        talk.refresh,
        talk.beginning,
        talk.head,
        talk.audit,
    ]


@pytest.mark.parametrize("later", [0, 1, 2, 9], ids="a later one of {} turns".format)
def test_whoever_has_a_dropped_conversation_open_is_told_and_writes_into_no_other(tmp_path: Path, later: int) -> None:
    """Our promise: the same length, the same turns and the same ids do not make another record the same."""
    path = tmp_path / "talk.db"
    with SqliteStore(path) as ours, SqliteStore(path) as theirs:
        talk = Conversation(AGENTS, id="talk", store=ours)
        talk.observe("ann", "o1", "It rains.", key="k")
        theirs.drop(talk.id, reason="the house rule")
        if later:
            other = Conversation(AGENTS, id="talk", store=theirs)
            for number in range(1, later + 1):
                other.observe("ann", f"o{number}", "It rains.")
        before = list(theirs.kept(talk.id))
        for act in acts(talk):
            with pytest.raises(DroppedConversation, match="'talk'"):
                act()
        assert list(theirs.kept(talk.id)) == before
        assert talk.status("o1").standing.value == "in", "what is known of it stays as it was"
        talk.close()


def test_a_snapshot_that_comes_late_is_not_kept_with_a_later_conversation(tmp_path: Path) -> None:
    """Our promise: what dropped words folded to is in no file, also when it was being written."""
    path = tmp_path / "talk.db"
    with SqliteStore(path) as ours, SqliteStore(path) as theirs:
        talk = Conversation(AGENTS, id="talk", store=ours, snapshot_every=1)
        talk.observe("ann", "o1", "The secret word is heliotrope.")
        theirs.drop(talk.id, reason="the house rule")
        Conversation(AGENTS, id="talk", store=theirs).observe("ann", "o1", "It rains.")
        talk.close()
        assert theirs.snapshot(talk.id) is None
    assert not any(b"heliotrope" in each.read_bytes() for each in tmp_path.iterdir())
