"""Every store against the suite that we ship, and the stores against each other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.errors import UpheldError
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.entry import Entry
from upheld.record.ledger.store import Store
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite import SqliteStore
from upheld.testing.store_contract import HERE, THERE, DurableStoreContract, StoreContract, said


class TestEphemeralStore(StoreContract):
    """The store in memory keeps the promises of any store."""

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        """Give a fresh store."""
        with EphemeralStore() as store:
            yield store


class TestSqliteStore(DurableStoreContract):
    """The store in a file keeps them too, and those of a durable one."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        """Give a store over a fresh file."""
        with SqliteStore(tmp_path / "ledger.db") as store:
            yield store

    @pytest.fixture
    def reopened(self, tmp_path: Path) -> Callable[[], Store]:
        """Open the same file anew."""
        return lambda: SqliteStore(tmp_path / "ledger.db")


class Step(NamedTuple):
    """One append, and what is read after it."""

    conversation: ConversationId
    turns: list[int]
    expected: int | None
    key: str
    after: int
    upto: int | None


steps = st.builds(
    Step,
    conversation=st.sampled_from((HERE, THERE)),
    turns=st.lists(st.integers(1, 3), max_size=3),
    expected=st.none() | st.integers(0, 4),
    key=st.sampled_from(("", "", "k", "l")),
    after=st.integers(-1, 6),
    upto=st.none() | st.integers(-1, 6),
)


def answers(store: Store, steps: list[Step]) -> Iterator[tuple[str, list[Entry], int, tuple[ConversationId, ...]]]:
    """Take every step; give what the store answers, errors included, and what it then holds."""
    for conversation, turns, expected, key, after, upto in steps:
        try:
            answer = repr(store.append(conversation, [said(turn) for turn in turns], expected=expected, key=key))
        except UpheldError as error:
            answer = repr(error)
        read = list(store.read(conversation, after=after, upto=upto))
        yield answer, read, store.version(conversation), store.conversations()


@settings(max_examples=40 * int(os.environ.get("UPHELD_EXAMPLES", "1")), deadline=None)
@given(st.lists(steps, max_size=12))
def test_the_store_in_a_file_answers_like_the_one_in_memory(taken: list[Step]) -> None:
    """Our promise: the fast and the slow and obvious agree, whatever is asked, in whatever order."""

    def clock() -> str:
        return "2026-01-01T00:00:00"

    with TemporaryDirectory() as folder, SqliteStore(Path(folder, "ledger.db"), clock=clock) as in_file:
        assert list(answers(in_file, taken)) == list(answers(EphemeralStore(clock=clock), taken))
