"""Every store against the suite that we ship, and the stores against each other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.errors import UpheldError
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.chain import Salts
from upheld.record.ledger.search import SearchableStore
from upheld.record.ledger.snapshot import Snapshot
from upheld.record.ledger.store import Store
from upheld.record.ledger.verifying import audit
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore
from upheld.testing.search_contract import SearchContract, ticking
from upheld.testing.store_contract import DurableStoreContract, StoreContract
from upheld.testing.store_materials import HERE, THERE, said


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


class TestEphemeralSearch(SearchContract):
    """The store in memory finds what any store that can search finds."""

    @pytest.fixture
    def store(self) -> Iterator[SearchableStore]:
        """Give a fresh store."""
        with EphemeralStore(clock=ticking()) as store:
            yield store


class TestSqliteSearch(SearchContract):
    """The store in a file finds it too."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[SearchableStore]:
        """Give a store over a fresh file."""
        with SqliteStore(tmp_path / "ledger.db", clock=ticking()) as store:
            yield store


class Step(NamedTuple):
    """One append, perhaps an erasure and a snapshot, and what is read after them."""

    conversation: ConversationId
    turns: list[int]
    expected: int | None
    key: str
    erased: list[int]
    folded: int
    after: int
    upto: int | None


steps = st.builds(
    Step,
    conversation=st.sampled_from((HERE, THERE)),
    turns=st.lists(st.integers(1, 3), max_size=3),
    expected=st.none() | st.integers(0, 4),
    key=st.sampled_from(("", "", "k", "l")),
    erased=st.lists(st.integers(0, 6), max_size=2),
    folded=st.integers(0, 6),
    after=st.integers(-1, 6),
    upto=st.none() | st.integers(-1, 6),
)


def answered(call: Callable[[], object]) -> str:
    """Give what a call answers, or the error that it raises."""
    try:
        return repr(call())
    except UpheldError as error:
        return repr(error)


def answers(store: Store, steps: list[Step]) -> Iterator[tuple[object, ...]]:
    """Take every step; give what the store answers, errors included, and what it then holds."""
    for here, turns, expected, key, erased, folded, after, upto in steps:
        said_now = [said(turn) for turn in turns]
        yield (
            answered(lambda: store.append(here, said_now, expected=expected, key=key)),  # noqa: B023 - called at once
            answered(lambda: store.erase(here, erased, reason="asked for")),  # noqa: B023
            answered(lambda: store.save_snapshot(here, folded_at(store, here, folded))),  # noqa: B023
            list(store.read(here, after=after, upto=upto)),
            list(store.kept(here, after=after, upto=upto)),
            (store.version(here), store.head(here), store.conversations(), store.snapshot(here, upto=upto)),
            audit(store.kept(here), [store.head(here)]).faults,
        )


def folded_at(store: Store, conversation: ConversationId, epoch: int) -> Snapshot:
    """Give a snapshot at an epoch, of a made-up past where there is no such entry."""
    chain = next((each.chain for each in store.kept(conversation, after=epoch - 1, upto=epoch)), "none")
    return Snapshot(epoch=epoch, chain=chain, fingerprint="f", body=str(epoch).encode())


@settings(max_examples=40 * int(os.environ.get("UPHELD_EXAMPLES", "1")), deadline=None)
@given(st.lists(steps, max_size=12))
def test_the_store_in_a_file_answers_like_the_one_in_memory(taken: list[Step]) -> None:
    """Our promise: the fast and the slow and obvious agree, whatever is asked, in whatever order."""

    def clock() -> str:
        return "2026-01-01T00:00:00"

    def salts() -> Salts:
        numbers = count()
        return lambda: f"{next(numbers):032x}"

    with TemporaryDirectory() as folder, SqliteStore(Path(folder, "l.db"), clock=clock, salts=salts()) as in_file:
        in_memory = EphemeralStore(clock=clock, salts=salts())
        for one, other in zip(answers(in_file, taken), answers(in_memory, taken), strict=True):
            assert one == other
            assert one[-1] == ()
