"""A record with one claim in each standing, and a matcher that goes by tags instead of words."""

from __future__ import annotations

import re
import threading

import pytest

from upheld.conversation.conversation import Conversation
from upheld.conversation.guard.guard import Guard
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Modality, Stance
from upheld.speech.matching.clauses import sentences
from upheld.speech.matching.matcher import Claim, Link, Relation
from upheld.speech.view import View

PATIENCE = 20.0

AGENTS = (
    Agent(id=AgentId("alice"), name="Alice"),
    Agent(id=AgentId("bob"), name="Bob"),
    Agent(id=AgentId("assistant"), kind=AgentKind.ASSISTANT),
)
_TAG = re.compile(r"(~?)#(\w+)")


class TaggedMatcher:
    """Finds one claim a sentence, on what its tags name: ``#o1``, ``~#o1``; "maybe" supposes, "asks" asks."""

    name = "tagged"
    version = "1"

    def __init__(self) -> None:
        """Be as fast as it can, with nothing wrong."""
        self.seen: list[str] = []
        self.error: Exception | None = None

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Give the claims."""
        self.seen.append(text)
        if self.error is not None:
            raise self.error
        return tuple(self._claim(text, span) for span in sentences(text) if "hello" not in text[slice(*span)].lower())

    def _claim(self, text: str, span: tuple[int, int]) -> Claim:
        words = text[slice(*span)]
        modality = Modality.FACT
        if "maybe" in words.lower():
            modality = Modality.HYPOTHESIS
        if words.endswith("?"):
            modality = Modality.QUESTION
        links = tuple(
            Link(
                literal=Literal(PropositionId(id), negated=bool(sign)),
                relation=Relation.SUPPORTED_BY,
                score=1.0,
                rule="tag",
            )
            for sign, id in _TAG.findall(words)
        )
        return Claim(span=span, text=words, stance=Stance.ASSERTS, modality=modality, links=links)


class WaitingMatcher(TaggedMatcher):
    """The same, when it is let go on; before that it waits."""

    def __init__(self) -> None:
        """Begin closed."""
        super().__init__()
        self.has_begun, self.may_end = threading.Event(), threading.Event()
        self.ended = threading.Semaphore(0)

    def match(self, text: str, view: View, *, speaker: AgentId | None = None) -> tuple[Claim, ...]:
        """Wait, then give the claims."""
        self.has_begun.set()
        assert self.may_end.wait(PATIENCE)
        try:
            return super().match(text, view, speaker=speaker)
        finally:
            self.ended.release()


@pytest.fixture
def record() -> Conversation:
    """Claims, each named for its standing; the assistant was not told ``out_of_view``."""
    talk = Conversation(AGENTS)
    talk.observe("alice", "standing", "The parcel weighs two kilos.")
    talk.observe("alice", "superseded", "The parcel goes to 12 Elm Street.")
    talk.observe("alice", "current", "The parcel goes to 14 Oak Street.", supersedes=["superseded"])
    talk.hypothesize("bob", "abandoned", "The courier lost it.")
    talk.revise("bob", "abandoned", because=["standing"])
    talk.observe("bob", "retracted", "The parcel is blue.")
    talk.revise("bob", "retracted")
    talk.observe("bob", "premise", "The depot is open on Sunday.")
    talk.observe("bob", "premise_lost", "It can be fetched on Sunday.", depends_on=["premise"])
    talk.revise("bob", "premise")
    talk.observe("alice", "undermined", "The label is readable.")
    talk.observe("bob", "rain", "It rained on the label.")
    talk.undermine("bob", "undermined", evidence=["rain"])
    talk.hypothesize("alice", "overclaimed", "It will arrive tomorrow.")
    talk.observe("alice", "out_of_view", "Alice pays double.", audience=["bob"])
    talk.observe("alice", "reason", "The van is red.")
    talk.hypothesize("bob", "reopened", "The driver is new.")
    talk.revise("bob", "reopened", because=["reason"])
    talk.revise("alice", "reason")
    return talk


@pytest.fixture
def tagged() -> TaggedMatcher:
    """A matcher by tags."""
    return TaggedMatcher()


@pytest.fixture
def waiting() -> WaitingMatcher:
    """A matcher by tags that waits."""
    return WaitingMatcher()


@pytest.fixture
def guard(record: Conversation, tagged: TaggedMatcher) -> Guard:
    """A guard of the record, by tags, with the policy of the house."""
    return Guard(record, matcher=tagged)
