"""The stores that find flags against the suite that we ship, and against each other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from upheld.errors import UpheldError
from upheld.logic.language.identities import AgentId, ConversationId, FlagId
from upheld.logic.language.verdicts import Outcome
from upheld.record.ledger.entry import Content
from upheld.record.ledger.review.contents import Assigned, Commented
from upheld.record.ledger.review.queue import FlagPlace, FlagQuery, ReviewableStore, flags_of, steps_of
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore
from upheld.testing.review_contract import ReviewContract, decided, flagged
from upheld.testing.search_contract import ticking
from upheld.testing.store_materials import HERE, THERE, said

EXAMPLES = float(os.environ.get("UPHELD_EXAMPLES", "1"))


class TestEphemeralReviews(ReviewContract):
    """The store in memory finds what any store that finds flags finds."""

    @pytest.fixture
    def store(self) -> Iterator[EphemeralStore]:
        """Give a fresh store."""
        with EphemeralStore(clock=ticking()) as store:
            yield store


class TestSqliteReviews(ReviewContract):
    """The store in a file finds it too."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[SqliteStore]:
        """Give a store over a fresh file."""
        with SqliteStore(tmp_path / "ledger.db", clock=ticking()) as store:
            yield store


class TestPostgresReviews(ReviewContract):
    """The store in Postgres finds it too."""

    @pytest.fixture
    def store(self, postgres: str, tenant: str) -> Iterator[Any]:
        """Give a store over a fresh schema."""
        make: Any = import_module("upheld.record.stores.postgres.store").PostgresStore
        with make(postgres, tenant=tenant, clock=ticking()) as store:
            yield store


NAMES = st.sampled_from(("F1", "F2", "F3"))
contents: st.SearchStrategy[Content] = st.one_of(
    st.builds(flagged, NAMES, st.sampled_from(Outcome)),
    st.builds(decided, NAMES),
    st.builds(Assigned, flag=NAMES.map(FlagId), to=st.sampled_from((AgentId("ann"), AgentId("ben"), None))),
    st.builds(Commented, flag=NAMES.map(FlagId), by=st.just(AgentId("ben")), text=st.just("Really?")),
    st.builds(said, st.integers(1, 3)),
)
acts = st.tuples(
    st.sampled_from((HERE, THERE)), st.lists(contents, max_size=3), st.lists(st.integers(1, 6), max_size=2)
)
QUERIES: tuple[dict[str, Any], ...] = (
    {},
    {"is_decided": False},
    {"is_decided": True, "conversation": HERE},
    {"assignee": AgentId("ann")},
    {"limit": 2},
)


def answers(store: Any, taken: list[tuple[ConversationId, list[Content], list[int]]], time: list[int]) -> Iterator[Any]:
    """Take every act, and give all flags and steps that the store then finds."""
    for second, (here, appended, erased) in enumerate(taken):
        time[0] = second
        store.append(here, appended)
        with suppress(UpheldError):
            store.erase(here, erased, reason="asked for")
        found: tuple[FlagPlace, ...] = ()
        for query in QUERIES:
            found = store.flags(FlagQuery(**query))
            yield found
        yield store.flags(FlagQuery(after=found[-1] if found else None))
        yield store.steps(here), store.steps(here, FlagId("F1"))


def counted() -> Callable[[], str]:
    """Give salts that two stores have in common."""
    numbers = iter(range(10_000))
    return lambda: f"{next(numbers):032x}"


def counting(time: list[int]) -> Callable[[], str]:
    """Give a clock that two stores have in common."""
    return lambda: f"2026-01-01T00:00:{time[0]:02d}.000+00:00"


@settings(max_examples=round(60 * EXAMPLES), deadline=None)
@given(st.lists(acts, max_size=6))
def test_the_store_in_a_file_finds_the_flags_that_the_one_in_memory_finds(taken: list[Any]) -> None:
    """Our promise: the fast and the slow and obvious agree, whatever was erased."""
    time = [0]
    make = SqliteStore
    with TemporaryDirectory() as folder, make(Path(folder, "l.db"), clock=counting(time), salts=counted()) as in_file:
        in_memory = EphemeralStore(clock=counting(time), salts=counted())
        for one, other in zip(answers(in_file, taken, time), answers(in_memory, taken, time), strict=True):
            assert one == other


@settings(max_examples=round(10 * EXAMPLES), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(acts, max_size=5))
def test_the_store_in_postgres_finds_the_flags_that_the_one_in_memory_finds(
    postgres: str, tenant: str, tenant_sql: Callable[..., list[Any]], taken: list[Any]
) -> None:
    """Our promise, as above."""
    time = [0]
    make: Callable[..., Any] = import_module("upheld.record.stores.postgres.store").PostgresStore
    with make(postgres, tenant=tenant, clock=counting(time), salts=counted()) as in_postgres:
        tenant_sql("TRUNCATE entries, contents, heads, erasures, snapshots, reviews")
        in_memory = EphemeralStore(clock=counting(time), salts=counted())
        for one, other in zip(answers(in_postgres, taken, time), answers(in_memory, taken, time), strict=True):
            assert one == other


class PlainStore:
    """A store that keeps entries and finds no flags."""

    def __init__(self, store: EphemeralStore) -> None:
        """Ask another store for everything but flags."""
        self.conversations, self.read = store.conversations, store.read


def test_flags_of_a_store_that_does_not_find_them_are_found_by_reading_it() -> None:
    """Our promise: a store of somebody's own has a queue too."""
    with EphemeralStore(clock=ticking()) as store:
        store.append(HERE, [said(1), flagged("F1"), decided("F1")])
        store.append(THERE, [flagged("F1")])
        plain: Any = PlainStore(store)
        assert isinstance(store, ReviewableStore)
        assert not isinstance(plain, ReviewableStore)
        for query in (FlagQuery(), FlagQuery(conversation=HERE), FlagQuery(is_decided=False)):
            assert flags_of(plain, query) == flags_of(store, query) != ()
        assert steps_of(plain, HERE, FlagId("F1")) == steps_of(store, HERE, FlagId("F1")) != ()
