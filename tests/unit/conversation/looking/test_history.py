"""What a history says of the record: when, what was erased since, and what nobody has read yet."""

from __future__ import annotations

from upheld.conversation.conversation import Conversation
from upheld.conversation.looking.history import History, history_of
from upheld.conversation.looking.log import Log
from upheld.logic.language.plain import read_operation
from upheld.record.stores.ephemeral import EphemeralStore


def observed(id: str) -> tuple[Conversation, EphemeralStore]:
    """A conversation with two turns."""
    store = EphemeralStore()
    talk = Conversation({"ann": "", "ben": ""}, id=id, store=store)
    talk.observe("ann", "o1", "It rains.", said="I tell you, it rains.")
    talk.observe("ben", "o2", "The yard is wet.", depends_on=["o1"], said="So the yard is wet.")
    return talk, store


def texts(history: History) -> list[tuple[str, bool, bool]]:
    """What is shown of each turn's words."""
    return [(each.text, each.is_erased, each.is_unread) for each in history.moments]


def test_words_that_are_erased_are_gone_from_the_next_look() -> None:
    """Issue 6: the log that is kept while a conversation is open holds no words."""
    talk, store = observed("erased")
    log = Log()
    before = history_of(talk, store, log)
    assert texts(before)[0] == ("I tell you, it rains.", False, False)
    assert all(each.recorded_at for each in before.moments)
    talk.erase("T1", reason="asked for")
    after = history_of(talk, store, log)
    assert texts(after)[0] == ("", True, False)
    assert after.moments[0].claims[0].span is None
    talk.erase("T2", reason="asked for", meaning=True)
    assert texts(history_of(talk, store, log))[1] == ("", True, False)


def test_words_without_a_meaning_are_unread_until_they_have_one() -> None:
    """Our promise: a page can say that nobody has read a turn yet."""
    talk, store = observed("unread")
    log = Log()
    history_of(talk, store, log)
    other = Conversation(id="unread", store=store)
    other.say("ann", "The gate is open.")
    talk.refresh()
    assert [each.is_unread for each in history_of(talk, store, log).moments] == [False, False, True]
    operation = read_operation({"op": "observe", "id": "o3", "text": "The gate is open."})
    talk.amend("T3", [operation])
    told = history_of(talk, store, log)
    assert [each.is_unread for each in told.moments] == [False, False, False]
    assert told.moments[-1].claims[0].span == (0, 17)


def test_an_amendment_changes_what_earlier_moments_did() -> None:
    """Our promise: after it everything is to be asked for again, and is as if it had been meant so from the start."""
    talk, store = observed("amended")
    log = Log()
    history_of(talk, store, log)
    talk.amend("T2", [read_operation({"op": "observe", "id": "o2", "text": "The yard is wet."})])
    assert history_of(talk, store, log) == history_of(talk, store, Log())
    assert history_of(talk, store, log).edges == ()
