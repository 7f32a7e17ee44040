"""What the store in memory does besides the contract of every store."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.logic.language.identities import AgentId, ConversationId, TurnId
from upheld.record.ledger.entry import Words
from upheld.record.stores.ephemeral import EphemeralStore

TALK = ConversationId("talk")


def test_the_clock_is_the_callers() -> None:
    """Our promise: the clock is injected, and read once an append."""
    ticks: Iterator[int] = iter(range(100))
    store = EphemeralStore(clock=lambda: f"2026-01-01T00:00:{next(ticks):02}")
    words = Words(turn=TurnId("T1"), speaker=AgentId("alice"))
    store.append(TALK, [words, words])
    store.append(TALK, [words])
    assert [entry.recorded_at[-2:] for entry in store.read(TALK)] == ["00", "00", "01"]


def test_two_stores_share_nothing() -> None:
    """C-31: no state at module level."""
    first, second = EphemeralStore(), EphemeralStore()
    first.append(TALK, [Words(turn=TurnId("T1"), speaker=AgentId("alice"))])
    assert second.version(TALK) == 0
