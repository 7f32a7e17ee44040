"""Every store against the suite that we ship, and the stores against each other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
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


Opened = Callable[..., Store]
RunSql = Callable[..., list[Any]]
FUNCTION_SCOPED = HealthCheck.function_scoped_fixture


@pytest.fixture
def opened(postgres: str, tenant: str) -> Opened:
    """Open the tenant's ledger in Postgres."""
    # Loaded here, since the extra may be absent: then the server has skipped the test already.
    made: Any = import_module("upheld.record.stores.postgres.store").PostgresStore
    return partial(made, postgres, tenant=tenant)


class TestPostgresStore(DurableStoreContract):
    """The store in Postgres keeps the same promises as the one in a file."""

    @pytest.fixture
    def store(self, opened: Opened) -> Iterator[Store]:
        """Give a store over a fresh schema."""
        with opened() as store:
            yield store

    @pytest.fixture
    def reopened(self, opened: Opened) -> Opened:
        """Open the same schema anew."""
        return opened


class TestPostgresSearch(SearchContract):
    """The store in Postgres finds it too."""

    @pytest.fixture
    def store(self, opened: Opened) -> Iterator[Store]:
        """Give a store over a fresh schema."""
        with opened(clock=ticking()) as store:
            yield store


class Step(NamedTuple):
    """One append, perhaps an erasure, a snapshot and a dropping, and what is read after them."""

    conversation: ConversationId
    turns: list[int]
    expected: int | None
    key: str
    erased: list[int]
    folded: int
    dropped: int
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
    dropped=st.integers(0, 6),
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
    for here, turns, expected, key, erased, folded, dropped, after, upto in steps:
        said_now = [said(turn) for turn in turns]
        yield (
            answered(lambda: store.append(here, said_now, expected=expected, key=key)),  # noqa: B023 - called at once
            answered(lambda: store.erase(here, erased, reason="asked for")),  # noqa: B023
            answered(lambda: store.save_snapshot(here, folded_at(store, here, folded))),  # noqa: B023
            answered(lambda: store.drop(here, reason="asked for", expected=dropped)),  # noqa: B023
            list(store.read(here, after=after, upto=upto)),
            list(store.kept(here, after=after, upto=upto)),
            (store.version(here), store.head(here), store.conversations(), store.snapshot(here, upto=upto)),
            audit(store.kept(here), [store.head(here)]).faults,
        )


def folded_at(store: Store, conversation: ConversationId, epoch: int) -> Snapshot:
    """Give a snapshot at an epoch, of a made-up past where there is no such entry."""
    chain = next((each.chain for each in store.kept(conversation, after=epoch - 1, upto=epoch)), "none")
    return Snapshot(epoch=epoch, chain=chain, fingerprint="f", body=str(epoch).encode())


EXAMPLES = float(os.environ.get("UPHELD_EXAMPLES", "1"))


def clock() -> str:
    """Give the same time always."""
    return "2026-01-01T00:00:00"


def counted() -> Salts:
    """Give salts that two stores have in common."""
    numbers = count()
    return lambda: f"{next(numbers):032x}"


def answers_as_in_memory(store: Store, taken: list[Step]) -> bool:
    """Tell that a store with the clock and the salts above answers every step like the one in memory."""
    in_memory = EphemeralStore(clock=clock, salts=counted())
    for one, other in zip(answers(store, taken), answers(in_memory, taken), strict=True):
        assert one == other
        assert one[-1] == ()
    return True


@settings(max_examples=round(40 * EXAMPLES), deadline=None)
@given(st.lists(steps, max_size=12))
def test_the_store_in_a_file_answers_like_the_one_in_memory(taken: list[Step]) -> None:
    """Our promise: the fast and the slow and obvious agree, whatever is asked, in whatever order."""
    with TemporaryDirectory() as folder, SqliteStore(Path(folder, "l.db"), clock=clock, salts=counted()) as in_file:
        assert answers_as_in_memory(in_file, taken)


@settings(max_examples=max(1, round(8 * EXAMPLES)), deadline=None, suppress_health_check=[FUNCTION_SCOPED])
@given(st.lists(steps, max_size=12))
def test_the_store_in_postgres_answers_like_the_one_in_memory(
    opened: Opened, tenant_sql: RunSql, taken: list[Step]
) -> None:
    """Our promise, as above."""
    with opened(clock=clock, salts=counted()) as in_postgres:
        tenant_sql("TRUNCATE entries, contents, heads, erasures, snapshots, reviews")
        assert answers_as_in_memory(in_postgres, taken)
