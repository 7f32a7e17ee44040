"""A conversation as an annotated transcript, and its record in another store."""

from __future__ import annotations

from upheld import Conversation
from upheld.conversation.asking.transcribing import beginning_in, transcribed, untold
from upheld.conversation.checking.replaying import loaded
from upheld.conversation.events import Beginning
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, ConversationId, PropositionId
from upheld.logic.language.propositions import Kind, Proposition
from upheld.record.stores.ephemeral import EphemeralStore

OPENING = Beginning(
    agents=(Agent(id=AgentId("ann"), role="gardener"),),
    initial=(Proposition(id=PropositionId("p0"), text="It is May.", kind=Kind.FACT),),
    title="Beds",
)


def test_a_transcript_of_a_conversation_tells_it_again() -> None:
    """Our promise: who took part, what was on the table and every turn are in it; retractions are counted."""
    talk = Conversation(OPENING, id="garden")
    talk.observe("ann", "o1", "The soil is dry.", said="The soil is dry, I think.")
    talk.observe("ben", "o2", "The pump hums.")
    transcript = transcribed(talk)
    again = loaded(transcript)
    assert again.beginning().initial == OPENING.initial
    assert transcribed(again) == transcript
    assert beginning_in(transcript).title == "Beds"
    assert untold(talk) == 0
    talk.retract("o1")
    assert (untold(talk), len(transcribed(talk).turns)) == (1, 2)


def test_a_record_is_copied_into_a_store_that_is_open_with_its_keys() -> None:
    """Our promise: a retry of what was told is told from it there as well."""
    talk = Conversation(OPENING, id="garden")
    talk.observe("ann", "o1", "The soil is dry.", key="k1")
    with EphemeralStore() as store:
        talk.copy_to(store)
        there = Conversation(id="garden", store=store)
        assert (store.version(ConversationId("garden")), there.was_told("k1"), there.was_told("k2")) == (3, True, False)
