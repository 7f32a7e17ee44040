"""What is found in a schema of Postgres besides the contract of every store that can search."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from importlib import import_module
from itertools import count
from typing import Any

import pytest

from upheld.errors import MalformedInput, StoreError, VersionConflict
from upheld.logic.language.identities import ConversationId
from upheld.record.ledger.search import Moment, Query, Vector
from upheld.testing.search_contract import EMBEDDER, filing, given_up, ids, row
from upheld.testing.store_materials import HERE, PATIENCE, THERE, said

Opened = Callable[..., Any]
RunSql = Callable[..., list[Any]]

DIRECTIONS = {"o1": row(1, 0), "o2": row(0.5, 0.5), "o3": row(0, 1), "o4": row(1, 0), "o5": row(-1, 0)}
"""Vectors whose products are exact, two of them alike."""

_databases = count(1)


@pytest.fixture
def on_database(postgres: str) -> Iterator[RunSql]:
    """Run one statement on a database of the test's own; without a statement, give its address."""
    psycopg: Any = import_module("psycopg")
    make_conninfo: Callable[..., str] = import_module("psycopg.conninfo").make_conninfo
    name = f"upheld_search_{os.getpid()}_{next(_databases)}"
    address = make_conninfo(postgres, dbname=name)

    def run(statement: str = "") -> Any:
        if not statement:
            return address
        with closing(psycopg.connect(address, autocommit=True)) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    with closing(psycopg.connect(postgres, autocommit=True)) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield run
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def embedded(store: Any) -> None:
    """File the claims of ``DIRECTIONS`` in two conversations, each under its id as text, and embed them."""
    store.append(HERE, [said(1)], filings=[filing(id, id) for id in ("o1", "o2", "o3")])
    store.append(THERE, [said(1)], filings=[filing(id, id) for id in ("o4", "o5")])
    missing = store.unembedded(EMBEDDER, 10)
    store.embed(EMBEDDER, [Vector(number=number, row=DIRECTIONS[text]) for number, text in missing])


def nearest(store: Any, **asked: Any) -> list[tuple[str, float]]:
    """Give what is near to (1, 0), with its products."""
    found = store.find(Query(vector=row(1, 0), embedder=EMBEDDER, **asked))
    return [(each.id, each.score) for each in found]


def test_tenants_do_not_find_each_others_claims(opened: Opened, tenant: str, sql: RunSql) -> None:
    """Our promise: neither by words nor by meaning, nor does one learn what another has not filed."""
    try:
        with opened() as here, opened(tenant=f"{tenant}_2") as there:
            embedded(here)
            there.append(HERE, [said(1)])
            assert there.find(Query(words="o1 o2 o3 o4 o5", has_superseded=True)) == ()
            assert nearest(there, has_superseded=True) == []
            assert there.unembedded(EMBEDDER, 10) == ()
            assert (here.unfiled(), there.unfiled()) == ((), (HERE,))
            there.erase(HERE, [1], reason="asked for")
            assert len(here.find(Query(words="o1 o2 o3 o4 o5"))) == len(nearest(here)) == 5
    finally:
        sql(f'DROP SCHEMA "upheld_{tenant}_2" CASCADE')


@pytest.mark.parametrize("place", ["public", '"Other ""tools"" 100%"'])
def test_with_and_without_pgvector_the_same_is_found(on_database: RunSql, place: str) -> None:
    """Our promise: the extension makes nothing but speed, wherever it lies, and may come and go."""
    make: Opened = import_module("upheld.record.stores.postgres.store").PostgresStore
    with make(on_database()) as store:
        embedded(store)
        without = nearest(store), nearest(store, limit=2), nearest(store, conversation=THERE)
        assert without[0] == [("o1", 1.0), ("o4", 1.0), ("o2", 0.5), ("o3", 0.0), ("o5", -1.0)]
        assert without[1:] == ([("o1", 1.0), ("o4", 1.0)], [("o4", 1.0), ("o5", -1.0)])
        if not on_database("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"):
            pytest.skip("this server has no pgvector")
        on_database(f"CREATE SCHEMA IF NOT EXISTS {place}")
        on_database(f"CREATE EXTENSION vector SCHEMA {place}")
        assert (nearest(store), nearest(store, limit=2), nearest(store, conversation=THERE)) == without
        assert on_database("SELECT count(*) FROM pg_depend WHERE refobjid = 'upheld_default.vectors'::regclass"
                           " AND objid IN (SELECT oid FROM pg_extension)") == [(0,)]  # fmt: skip
        on_database("DROP EXTENSION vector")
        store.append(HERE, [said(2)], filings=[given_up("o1", "o1")])
        assert nearest(store) == without[0][1:]


def test_the_server_compares_where_pgvector_is(on_database: RunSql, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: then this process holds no vectors."""
    make: Opened = import_module("upheld.record.stores.postgres.store").PostgresStore
    with make(on_database()) as store:
        embedded(store)
        if not on_database("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"):
            pytest.skip("this server has no pgvector")
        on_database("CREATE EXTENSION vector")
        monkeypatch.setattr(store, "_shelves", None)
        assert nearest(store, limit=1) == [("o1", 1.0)]
        on_database("DROP EXTENSION vector")
        with pytest.raises(AttributeError):
            nearest(store)


def test_a_reader_without_a_right_to_pgvector_finds_the_same(on_database: RunSql) -> None:
    """Our promise: rights of the database decide who compares, and not what is found."""
    make: Opened = import_module("upheld.record.stores.postgres.store").PostgresStore
    if not on_database("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"):
        pytest.skip("this server has no pgvector")
    on_database("CREATE SCHEMA tools")
    on_database("CREATE EXTENSION vector SCHEMA tools")
    reader = f"upheld_reader_{os.getpid()}"
    with make(on_database()) as store:
        embedded(store)
        on_database(f"CREATE ROLE {reader}")
        try:
            on_database(f"GRANT USAGE ON SCHEMA upheld_default TO {reader}")
            on_database(f"GRANT SELECT ON ALL TABLES IN SCHEMA upheld_default TO {reader}")
            address = import_module("psycopg.conninfo").make_conninfo(on_database(), options=f"-c role={reader}")
            with make(address, is_read_only=True) as other:
                assert nearest(other) == nearest(store)
                with pytest.raises(StoreError, match="opened for reading only"):
                    other.embed(EMBEDDER, [])
        finally:
            on_database(f"DROP OWNED BY {reader}")
            on_database(f"DROP ROLE {reader}")


@pytest.mark.parametrize("wrong", [b"", b"abc", row(float("nan"), 0), row(1, float("inf"))])
def test_what_is_no_vector_is_refused_and_none_of_its_batch_is_kept(opened: Opened, wrong: bytes) -> None:
    """Our promise: one such row would stand in the way of every search."""
    with opened() as store:
        store.append(HERE, [said(1)], filings=[filing("o1", "one"), filing("o2", "two")])
        (first, _), (second, _) = missing = store.unembedded(EMBEDDER, 10)
        with pytest.raises(MalformedInput, match="vector"):
            store.embed(EMBEDDER, [Vector(number=first, row=row(1, 0)), Vector(number=second, row=wrong)])
        assert store.unembedded(EMBEDDER, 10) == missing


def test_a_vector_of_another_length_is_refused(opened: Opened) -> None:
    """Our promise: as the other stores refuse it."""
    with opened() as store:
        embedded(store)
        with pytest.raises(MalformedInput, match="a vector of length 3; this store holds those of 2"):
            store.find(Query(vector=row(1, 0, 0), embedder=EMBEDDER))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("See https://example.org/pumps/three?x=1 for it.", "pumps"),
        ("The file /srv/hall-3/pump.log is full.", "pump"),
        ("It says <pump> and &pump;.", "pump"),
        ("The PUMP_SPEED is -5.", "speed 5"),
        ("ÄRGER in Łódź, überall", "arger"),
        ("Arger", "ärger"),
        ("НАСОС ТЕЧЁТ", "насос"),  # noqa: RUF001 - another alphabet on purpose
        ("The pumps were leaking.", "leak"),
        ("水泵 漏水", "水泵"),
    ],
)
def test_a_word_is_found_whatever_it_stands_in(opened: Opened, text: str, words: str) -> None:
    """Our promise: in paths, tags and names, in capitals and with accents, whatever the language of the database."""
    with opened() as store:
        store.append(HERE, [said(1)], filings=[filing("o1", text)])
        assert ids(store.find(Query(words=words))) == ["o1"]


def test_the_text_with_more_of_the_words_comes_first(opened: Opened) -> None:
    """Our promise: best first; equal ones by conversation, then in order of filing."""
    with opened() as store:
        store.append(THERE, [said(1)], filings=[filing("o1", "The pump leaks."), filing("o2", "A pump is a pump.")])
        store.append(HERE, [said(1)], filings=[filing("o4", "The pump leaks."), filing("o3", "The pump leaks.")])
        found = store.find(Query(words="pump leaks valve"))
        first, second = sorted((HERE, THERE))
        of = {HERE: ["o4", "o3"], THERE: ["o1"]}
        assert ids(found) == [*of[first], *of[second], "o2"]


def test_long_texts_and_long_questions_are_no_fault(opened: Opened) -> None:
    """Our promise: a text may be longer than any index holds, and two that end differently are two claims."""
    many = " ".join(f"word{number}" for number in range(300_000))
    endless = "x" * 100_000
    with opened() as store:
        store.append(HERE, [said(1)], filings=[filing("o1", many), filing("o2", endless), filing("o3", "A pump.")])
        store.append(HERE, [said(2)], filings=[filing("o1", many + "!")])
        (found,) = store.find(Query(words="word7"))
        assert (found.text, found.since) == (many + "!", 2)
        (found,) = store.find(Query(words="word7", conversation=HERE, as_of=1))
        assert found.text == many
        assert sorted(ids(store.find(Query(words=f"pump {many}")))) == ["o1", "o3"]
        assert store.find(Query(words=endless)) == ()


def test_what_was_erased_is_in_no_table(opened: Opened, sql: RunSql) -> None:
    """Our promise: every table of the schema is looked into, word for word; so is what is left of others."""
    with opened() as store:
        for name in (HERE, THERE):
            store.append(name, [said(1, f"zebra of {name}")], filings=[filing("o1", f"A zebra of {name}.")])
            ((number, _),) = store.unembedded(EMBEDDER, 1)
            store.embed(EMBEDDER, [Vector(number=number, row=row(1, 0))])
        store.erase(HERE, [1], reason="asked for")
        tables = sql("SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
                     " AND relkind = 'r' ORDER BY relname")  # fmt: skip
        assert len(tables) == 12
        rows = [str(found) for (table,) in tables for found in sql(f"SELECT * FROM {table}")]
        told = [found for found in rows if "zebra" in found]
        assert len(told) == 2, "the words and the claim of the other conversation"
        assert all(str(THERE) in found for found in told)
        assert sql("SELECT count(*) FROM vectors") == sql("SELECT count(*) FROM standings") == [(1,)]
        assert sql("SELECT pg_stat_get_vacuum_count('claims'::regclass)") == [(1,)]


def test_a_vector_that_comes_while_its_text_is_erased_goes_with_it(opened: Opened, sql: RunSql) -> None:
    """Our promise: neither waits for the other for ever, and no vector outlives its claim."""
    claims = import_module("upheld.record.stores.postgres.claims")
    with opened() as store, ThreadPoolExecutor(max_workers=1) as thread, ExitStack() as first:
        store.append(HERE, [said(1)], filings=[filing("o1", "A pump.")])
        ((number, _),) = store.unembedded(EMBEDDER, 1)
        embedding = first.enter_context(store._database.writing(""))
        claims.keep_vectors(embedding, EMBEDDER, [Vector(number=number, row=row(1, 0))])
        embedding.rows("SELECT 1", ())
        erasing = thread.submit(store.erase, HERE, [1], reason="asked for")
        with pytest.raises(TimeoutError):
            erasing.result(0.2)
        first.close()
        assert erasing.result(PATIENCE).epoch == 2
        assert sql("SELECT count(*) FROM vectors") == [(0,)]


def test_a_claim_that_is_being_erased_is_not_waited_for(opened: Opened) -> None:
    """Our promise: its vector is passed over; were the erasure not done after all, it would come with the next."""
    claims = import_module("upheld.record.stores.postgres.claims")
    with opened() as store:
        store.append(HERE, [said(1)], filings=[filing("o1", "one")])
        store.append(THERE, [said(1)], filings=[filing("o1", "two")])
        vectors = [Vector(number=number, row=row(1, 0)) for number, _ in store.unembedded(EMBEDDER, 2)]
        with store._database.writing(HERE) as erasing:
            claims.unfile(erasing, HERE)
            erasing.rows("SELECT 1", ())
            store.embed(EMBEDDER, vectors)
        assert [each.text for each in store.find(Query(vector=row(1, 0), embedder=EMBEDDER))] == ["two"]
        assert store.unembedded(EMBEDDER, 2) == ()


def test_a_refused_filing_leaves_no_entry(opened: Opened, sql: RunSql) -> None:
    """Our promise: one transaction; an entry without its filing would put the conversation out of step."""
    with opened() as store:
        sql("CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE 'no space left' USING ERRCODE = 'disk_full'; END $$")  # fmt: skip
        sql("CREATE TRIGGER full_disk BEFORE INSERT ON standings FOR EACH ROW EXECUTE FUNCTION full_disk()")
        with pytest.raises(StoreError, match="nothing was written"):
            store.append(HERE, [said(1)], filings=[filing("o1", "A pump.")])
        assert (store.version(HERE), store.unfiled(), sql("SELECT count(*) FROM claims")) == (0, (), [(0,)])


def test_filing_anew_is_refused_where_there_is_no_such_entry(opened: Opened) -> None:
    """Our promise: bad input gets a clear typed error, and what was filed stays."""
    with opened() as store:
        store.append(HERE, [said(1)], filings=[filing("o1", "A pump.")])
        with pytest.raises(MalformedInput, match="has no entry 7"):
            store.refile(HERE, [Moment(epoch=7, filings=(filing("o2", "A tap."),))], expected=1)
        with pytest.raises(VersionConflict):
            store.refile(ConversationId("nobody's"), [], expected=1)
        assert ids(store.find(Query(words="pump tap"))) == ["o1"]
