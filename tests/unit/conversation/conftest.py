"""Conversations to start from, and stores that misbehave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path

import pytest

from upheld.conversation.conversation import Conversation
from upheld.errors import StoreError
from upheld.logic.language.agents import Agent, AgentKind
from upheld.logic.language.formulas import Atom, Not
from upheld.logic.language.identities import AgentId, ConversationId
from upheld.logic.reasoning.state import State
from upheld.record.ledger.chain import Head
from upheld.record.ledger.entry import Content, Entry
from upheld.record.ledger.search import Filing
from upheld.record.stores.ephemeral import EphemeralStore

AGENTS = (
    Agent(id=AgentId("alice"), name="Alice", role="backend"),
    Agent(id=AgentId("bob"), name="Bob", role="lead", authority=True),
    Agent(id=AgentId("bot"), kind=AgentKind.ASSISTANT),
    Agent(id=AgentId("log"), kind=AgentKind.TOOL),
)


class FailingStore(EphemeralStore):
    """A store whose appends fail once it is full."""

    is_full = False

    def append(
        self,
        conversation: ConversationId,
        contents: Sequence[Content],
        *,
        expected: int | Head | None = None,
        key: str | Sequence[str] = "",
        filings: Sequence[Filing] | None = None,
    ) -> tuple[Entry, ...]:
        """Append, or fail."""
        if self.is_full:
            raise StoreError("no space left on the disk")
        return super().append(conversation, contents, expected=expected, key=key, filings=filings)


Facts = dict[str, object]


@pytest.fixture
def facts() -> Callable[[State], Facts]:
    """Give all that a state holds as one comparable value; of the plausibility base, what it answers."""

    def facts_of(state: State) -> Facts:
        found: Facts = {
            field.name: getattr(state, field.name) for field in fields(State) if field.name != "plausibility"
        }
        base = state.plausibility
        atoms = {id: Atom(id) for id in state.propositions}
        found["beliefs"] = {id: (base.believes(atom), base.believes(Not(atom))) for id, atom in atoms.items()}
        found["knowledge"] = {id: (base.knows(atom), base.knows(Not(atom))) for id, atom in atoms.items()}
        return found

    return facts_of


@pytest.fixture
def talk() -> Conversation:
    """Two persons, an assistant and a tool, and nothing said."""
    return Conversation(AGENTS)


@pytest.fixture
def outage() -> Conversation:
    """A hypothesis that was given up for a reason (turns T1 to T4)."""
    talk = Conversation(AGENTS)
    talk.observe("alice", "o8", "Payment gets connection timeouts from Redis.", said="It times out on Redis.")
    talk.hypothesize("bob", "h2", "The Redis failure makes auth fail.", depends_on=["o8"])
    talk.observe("alice", "o9", "Auth answers 401 token expired, not 503.")
    talk.revise("bob", "h2", because=["o9"])
    return talk


@pytest.fixture
def failing() -> FailingStore:
    """A store that can be made to fail."""
    return FailingStore()


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of a file that is not there yet."""
    return f"sqlite:///{tmp_path / 'talk.db'}"


@pytest.fixture
def opened(url: str) -> Iterator[Callable[[], Conversation]]:
    """Open the conversation at the address, as often as wanted; all are closed at the end."""
    found: list[Conversation] = []

    def opening() -> Conversation:
        found.append(Conversation.open(url))
        return found[-1]

    yield opening
    for conversation in found:
        conversation.close()
