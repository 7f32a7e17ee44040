"""Propositions of a reader matched with those of a file by meaning: the same ones told in other words are found."""

from __future__ import annotations

import pytest

from upheld.conversation.checking.readers import has_local
from upheld.conversation.conversation import Conversation
from upheld.conversation.scoring.alignment import aligned
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.operations import Observe
from upheld.logic.language.turns import Turn
from upheld.speech.embedding.local import local_embedder
from upheld.speech.formats.transcript import Transcript

pytestmark = pytest.mark.skipif(not has_local(), reason="the extra local is not installed")

LABELLED = {"o1": "Customer complaints began at about 2:15 am.", "o2": "The connection pool of Redis is exhausted."}
READ = {"a": "No free connection is left in the Redis pool.", "b": "The first angry customers wrote around 02:15."}


def turn(texts: dict[str, str]) -> Turn:
    """Give one turn that observes these."""
    operations = tuple(Observe(id=PropositionId(id), text=text) for id, text in texts.items())
    return Turn(id=TurnId("T1"), speaker=AgentId("ann"), operations=operations, text="as said")


def told(texts: dict[str, str]) -> Conversation:
    """Give a conversation in which a reader found these."""
    talk = Conversation(agents={"ann": "on call"})
    talk.tell(turn(texts))
    return talk


def test_other_words_for_the_same_are_matched_by_meaning_and_not_by_words() -> None:
    """Recorded readings: words found one of four hypotheses of Phase 2, which made their grounds count for nothing."""
    file = Transcript(id="x", turns=(turn(LABELLED),), agents=(Agent(id=AgentId("ann")),))
    by_words = aligned(file, told(READ), is_same=False)
    by_meaning = aligned(file, told(READ), is_same=False, embedder=local_embedder())
    assert by_words.get(PropositionId("o1")) is None
    assert (by_meaning.get(PropositionId("o1")), by_meaning.get(PropositionId("o2"))) == ("b", "a")


def test_what_means_something_else_is_matched_with_nothing() -> None:
    """A proposition that nobody read has no grounds, which costs recall and not honesty."""
    file = Transcript(id="x", turns=(turn(LABELLED),), agents=(Agent(id=AgentId("ann")),))
    other = told({"c": "The kitchen floor was painted yesterday."})
    found = aligned(file, other, is_same=False, embedder=local_embedder())
    assert found.get(PropositionId("o1")) is None
    assert found.get(PropositionId("o2")) is None
