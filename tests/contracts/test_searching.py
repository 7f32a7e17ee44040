"""The stores that can search against each other: which claims are found, whatever was filed, embedded and erased."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from upheld.logic.language.identities import ConversationId, PropositionId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.record.ledger.search import Filing, Found, Moment, Query, Vector
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.sqlite.store import SqliteStore
from upheld.testing.search_contract import EMBEDDER, row
from upheld.testing.store_materials import HERE, THERE, said

RunSql = Callable[..., list[Any]]

EXAMPLES = float(os.environ.get("UPHELD_EXAMPLES", "1"))

WORDS = ("pump", "Pump", "lamp", "4711", "Ölfass", "насос")
"""Words that no stemmer touches: how those of two languages are cut is each store's own."""


class Act(NamedTuple):
    """One append with or without filings, and what is done after it."""

    conversation: ConversationId
    filings: list[Filing] | None
    is_embedded: bool
    is_erased: bool
    refiled: list[list[Filing]]


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
filings = st.lists(
    st.builds(
        Filing,
        id=st.sampled_from("abc").map(PropositionId),
        text=texts,
        kind=st.sampled_from(Kind),
        label=st.sampled_from(Label),
        lifecycle=st.sampled_from(Lifecycle),
    ),
    max_size=3,
    unique_by=lambda each: each.id,
)
acts = st.builds(
    Act,
    conversation=st.sampled_from((HERE, THERE)),
    filings=filings | st.none(),
    is_embedded=st.booleans(),
    is_erased=st.sampled_from((False, False, False, True)),
    refiled=st.lists(filings, max_size=3),
)
QUERIES: tuple[dict[str, Any], ...] = (
    {},
    {"has_superseded": True},
    {"conversation": THERE},
    {"conversation": HERE, "as_of": 1},
    {"conversation": HERE, "as_of": 2, "has_superseded": True},
    {"as_of": "2026-01-01T00:00:02+00:00"},
    {"as_of": "2026-01-01", "has_superseded": True},
)


def meaning(text: str) -> bytes:
    """Give a vector whose products are exact."""
    return row(text.casefold().count("pump"), text.count("lamp"), text.count("4711"))


def told(found: tuple[Found, ...]) -> set[tuple[object, ...]]:
    """Give what was found, without its score."""
    return {(each.conversation, each.id, each.text, each.kind, each.label, each.lifecycle, each.since, each.recorded_at)
            for each in found}  # fmt: skip


def answers(store: Any, taken: list[Act], time: list[int]) -> Iterator[object]:
    """Take every act, and give all that the store then finds, by words and by meaning."""
    for second, act in enumerate(taken):
        time[0] = second
        here = act.conversation
        store.append(here, [said(second)], filings=act.filings)
        if act.is_embedded:
            store.embed(EMBEDDER, [Vector(number=n, row=meaning(text)) for n, text in store.unembedded(EMBEDDER, 2)])
        if act.is_erased:
            store.erase(here, [store.version(here)], reason="asked for")
        if act.refiled:
            last = store.version(here)
            moments = [Moment(epoch=epoch, filings=tuple(each)) for epoch, each in enumerate(act.refiled, start=1)]
            store.refile(here, moments[:last], expected=last)
        yield store.unfiled(), store.filed(here), [text for _, text in store.unembedded(EMBEDDER, 100)]
        for narrowed in QUERIES:
            for words in ("pump", "LAMP 4711", "ölfass насос lamp"):
                yield told(store.find(Query(words=words, limit=100, **narrowed)))
            yield from by_meaning(store, Query(vector=row(2, 1, 0), embedder=EMBEDDER, limit=100, **narrowed))


def by_meaning(store: Any, query: Query) -> Iterator[object]:
    """Give what is found, with its scores; twice: a store in Postgres is asked with pgvector, and as without."""
    for find in (store.find, getattr(store, "_nearest", store.find)):
        found = find(query)
        yield told(found), sorted((each.id, each.score) for each in found)


@pytest.fixture
def pgvector(tenant_sql: RunSql) -> None:
    """Install the extension where the server has it, and lets this user."""
    with suppress(import_module("psycopg").Error):
        tenant_sql("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")


def counting(time: list[int]) -> Callable[[], str]:
    """Give a clock that three stores have in common."""
    return lambda: f"2026-01-01T00:00:{time[0]:02d}.000+00:00"


@settings(max_examples=round(40 * EXAMPLES), deadline=None)
@given(st.lists(acts, max_size=6))
def test_the_store_in_a_file_finds_what_the_one_in_memory_finds(taken: list[Act]) -> None:
    """Our promise: the fast and the slow and obvious agree in what is found."""
    time = [0]
    with TemporaryDirectory() as folder, SqliteStore(Path(folder, "l.db"), clock=counting(time)) as in_file:
        in_memory = EphemeralStore(clock=counting(time))
        for one, other in zip(answers(in_file, taken, time), answers(in_memory, taken, time), strict=True):
            assert one == other


@pytest.mark.usefixtures("pgvector")
@settings(max_examples=round(15 * EXAMPLES), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(acts, max_size=6))
def test_the_store_in_postgres_finds_what_the_one_in_memory_finds(
    postgres: str, tenant: str, tenant_sql: RunSql, taken: list[Act]
) -> None:
    """Our promise, as above; and pgvector changes nothing of it."""
    time = [0]
    make: Callable[..., Any] = import_module("upheld.record.stores.postgres.store").PostgresStore
    with make(postgres, tenant=tenant, clock=counting(time)) as in_postgres:
        tenant_sql("TRUNCATE entries, contents, heads, erasures, snapshots, claims, standings, shelves, vectors")
        in_memory = EphemeralStore(clock=counting(time))
        for one, other in zip(answers(in_postgres, taken, time), answers(in_memory, taken, time), strict=True):
            assert one == other
