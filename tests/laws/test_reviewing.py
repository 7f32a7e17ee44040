"""Laws of reviews: whatever people do about replies, and whenever, what was said and what stands is as without them."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from strategies import AGENTS, Move, conversations, examples, picture

from upheld.conversation.asking.transcribing import transcribed
from upheld.conversation.conversation import Conversation
from upheld.conversation.reviewing.erasing import erased_flag
from upheld.conversation.reviewing.review import Review, ReviewStatus
from upheld.errors import UpheldError
from upheld.logic.language.identities import ConversationId
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.policy import SourcePolicy
from upheld.logic.reasoning.state import State
from upheld.record.ledger.review.queue import FlagQuery
from upheld.record.ledger.search import Query
from upheld.record.ledger.verifying import verified
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.speech.formats.writing import write_transcript

TALK = ConversationId("talk")
ACTS = st.lists(st.sampled_from(("flag", "assign", "decide", "comment", "erase", "")), min_size=11, max_size=11)


def begun(store: EphemeralStore, policy: SourcePolicy) -> Conversation:
    """Begin a talk on a store."""
    return Conversation(AGENTS, id=TALK, store=store, policy=policy, is_lenient=True)


def told(talk: Conversation, move: Move) -> None:
    """Say something, or take it back; what is refused is not said."""
    with suppress(UpheldError):
        talk.tell(move) if isinstance(move, Turn) else talk.retract(move)


def reviewed(talk: Conversation, store: EphemeralStore, act: str) -> None:
    """Do something about the newest flag, or flag a reply."""
    flags = talk.flags()
    if act == "flag" or (act and not flags):
        talk.flag("Claims of somebody, more or less.", note="look")
    elif act == "assign":
        talk.assign(flags[-1].id, "carla")
    elif act == "comment":
        talk.comment(flags[-1].id, "Really?", by="carla")
    elif act == "decide":
        talk.decide(flags[-1].id, "ungrounded", by="carla", expected=flags[-1].version)
    elif act == "erase":
        erased_flag(store, TALK, flags[-1].id, reason="by lot", policy=talk.state.policy)
        talk.refresh()


def filed(store: EphemeralStore) -> Any:
    """Give all that a search finds, but for the epochs, which count all entries."""
    found = store.find(Query(words="a b c the rain claim o1", has_superseded=True, limit=1000))
    return sorted((each.id, each.text, each.label, each.lifecycle) for each in found), store.unfiled()


@examples(120)
@given(conversations(most=8), ACTS)
def test_reviews_change_nothing_of_what_was_said(drawn: tuple[State, tuple[Move, ...]], acts: list[str]) -> None:
    """Issue 6, section 2: they change no claim; fold, search, export, chain and a reopened talk are as without them."""
    state, moves = drawn
    with EphemeralStore() as plain_store, EphemeralStore() as store:
        plain, talk = begun(plain_store, state.policy), begun(store, state.policy)
        for move, act in zip(moves, acts, strict=False):
            told(plain, move)
            told(talk, move)
            reviewed(talk, store, act)
            assert picture(talk.state) == picture(plain.state)
        assert filed(store) == filed(plain_store)
        assert write_transcript(transcribed(talk), form="yaml") == write_transcript(transcribed(plain), form="yaml")
        assert verified(store, TALK).faults == ()
        again = begun(store, state.policy)
        assert (picture(again.state), again.version, again.flags()) == (picture(talk.state), talk.version, talk.flags())


@examples(60)
@given(conversations(most=6), ACTS)
def test_a_copy_has_the_flags_and_the_queue_is_their_fold(
    drawn: tuple[State, tuple[Move, ...]], acts: list[str]
) -> None:
    """Our promise: what is listed as waiting is what nobody decided, in a copy as in the original."""
    state, moves = drawn
    with EphemeralStore() as store, EphemeralStore() as copy, EphemeralStore() as backup:
        talk = begun(store, state.policy)
        for move, act in zip(moves, acts, strict=False):
            told(talk, move)
            reviewed(talk, store, act)
        talk.copy_to(copy)
        backup.adopt(TALK, store.kept(TALK))
        for kept in (store, copy, backup):
            other = begun(kept, state.policy)
            assert list(map(outline, other.flags())) == list(map(outline, talk.flags()))
            for is_decided in (True, False):
                listed = {place.flag for place in kept.flags(FlagQuery(is_decided=is_decided))}
                of_status = {each.id for each in talk.flags() if (each.status is ReviewStatus.DECIDED) is is_decided}
                assert listed == of_status


def outline(review: Review) -> Any:
    """Give a review without its places in the record; a copy does not say that words were erased."""
    return review.flagged, [step.content for step in review.history]


def test_a_conversation_is_closed_and_opened_with_its_flags() -> None:
    """Our promise: kill-safe, for each act is one append."""
    with EphemeralStore() as store:
        talk = Conversation({"ann": "x"}, id=TALK, store=store)
        talk.observe("ann", "o1", "It rains.")
        before = talk.version
        talk.flag("It rains.", key="k")
        assert talk.version == before + 1
        with closing(EphemeralStore()) as empty:
            talk.copy_to(empty)
            assert Conversation(id=TALK, store=empty).flagged("F1").flagged.text == "It rains."
