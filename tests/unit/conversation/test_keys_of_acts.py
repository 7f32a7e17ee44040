"""Acts outside of turns under idempotency keys: done once, and answered alike."""

from __future__ import annotations

import pytest

from upheld.conversation.conversation import Conversation
from upheld.errors import MalformedInput, RepeatedIdentity, VersionConflict
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.erasing import requested
from upheld.record.stores.ephemeral import EphemeralStore


def opened(store: EphemeralStore, *, snapshot_every: int = 0) -> Conversation:
    """Open the talk that the store has, or begin it."""
    return Conversation({"ann": "", "ben": ""}, id="talk", store=store, snapshot_every=snapshot_every)


@pytest.fixture
def store() -> EphemeralStore:
    """A store with a talk of three turns, the second of which rests on the first."""
    store = EphemeralStore()
    talk = opened(store)
    talk.observe("ann", "o1", "The lamp is on.")
    talk.hypothesize("ben", "h1", "Somebody is in.", depends_on=["o1"])
    talk.observe("ann", "o2", "The door is shut.")
    return store


@pytest.mark.parametrize("is_opened_anew", [False, True])
@pytest.mark.parametrize("has_snapshot", [False, True])
def test_a_retraction_is_answered_again_as_it_was_then(
    store: EphemeralStore, is_opened_anew: bool, has_snapshot: bool
) -> None:
    """Our promise: the answer to a retry is that of the first time, whatever was said since."""
    talk = opened(store)
    first = talk.retract("o1", by="ann", reason="it was a reflection", key="k")
    talk.observe("ben", "o3", "The bell rings.")
    if has_snapshot:
        talk.keep_snapshot()
    talk = opened(store) if is_opened_anew else talk
    version = talk.version
    assert talk.was_done("k")
    assert not talk.was_done("other")
    assert talk.retract("o1", by="ann", reason="it was a reflection", key="k") == first
    assert [each.id for each in first.lost] == ["h1"]
    assert talk.version == version
    for wrong in ({"reason": "no"}, {"by": "ben", "reason": "it was a reflection"}):
        with pytest.raises(RepeatedIdentity):
            talk.retract("o1", key="k", **wrong)
    with pytest.raises(RepeatedIdentity):
        talk.observe("ben", "o4", "A dog barks.", key="k")


def test_the_key_of_a_turn_is_no_key_of_an_act(store: EphemeralStore) -> None:
    """Our promise: a key names one request."""
    talk = opened(store)
    talk.observe("ben", "o3", "The bell rings.", key="k")
    with pytest.raises(RepeatedIdentity):
        talk.retract("o3", key="k")
    with pytest.raises(RepeatedIdentity):
        talk.amend("T4", [], key="k")
    with pytest.raises(RepeatedIdentity):
        talk.erase("T4", reason="asked for", key="k")


def test_what_another_process_did_under_the_key_meanwhile_is_a_race_like_any_other(store: EphemeralStore) -> None:
    """Our promise: the loser reads on, and finds that it is done."""
    here, there = opened(store), opened(store)
    there.observe("ben", "o3", "The bell rings.")
    there.retract("o1", key="k")
    with pytest.raises(VersionConflict):
        here.retract("o1", key="k")
    here.refresh()
    version = here.version
    here.retract("o1", key="k")
    assert here.version == version


def test_an_amendment_that_was_erased_since_is_not_brought_back_by_its_retry(store: EphemeralStore) -> None:
    """Our promise: what was erased cannot be compared, and is taken for the same."""
    talk = opened(store)
    talk.amend("T3", [], key="k", reason="a slip")
    talk.erase("T3", reason="asked for", meaning=True, key="e")
    version = talk.version
    talk.amend("T3", [], key="k", reason="a slip")
    act = talk.erase("T3", reason="asked for", meaning=True, key="e")
    assert act is not None
    assert (act.key, act.epoch, talk.version) == ("e", version, version)
    with pytest.raises(RepeatedIdentity):
        talk.erase("T1", reason="asked for", meaning=True, key="e")


def test_the_key_of_an_erasure_is_one_that_every_database_can_carry() -> None:
    """Our promise: checked before any lock is taken."""
    assert requested(ConversationId("talk"), [1], reason="asked for", by=None, key="k").key == "k"
    with pytest.raises(MalformedInput, match="null character"):
        requested(ConversationId("talk"), [1], reason="asked for", by=None, key="a\0b")
