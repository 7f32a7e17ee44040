"""Addresses, tenants, and what is said when there is no connection."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("psycopg_pool", reason="the extra 'postgres' is not installed")

import psycopg
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo

from upheld.errors import MalformedInput, StoreError, UpheldError
from upheld.logic.language.identities import ConversationId
from upheld.record.stores.postgres.connection import Database, lock_of, schema_of
from upheld.record.stores.postgres.store import PostgresStore, has_tenant
from upheld.testing.store_materials import said

Opened = Callable[..., Any]
RunSql = Callable[..., list[Any]]
TALK = ConversationId("talk")
NOWHERE = "postgresql://ann:open-sesame@127.0.0.1:1/db?sslpassword=open-sesame"


@pytest.mark.parametrize(
    "name",
    ["", "A", "ä", "a b", "-a", "_a", "a" * 49, 'a"; DROP SCHEMA public; --', "a\0", "a\n", "public.x", "٣"],
)
def test_a_bad_name_of_a_tenant_is_refused(name: str) -> None:
    """Our promise: refused before anything is connected, never escaped into another name."""
    with pytest.raises(MalformedInput, match="names no tenant"):
        PostgresStore(NOWHERE, tenant=name)


@given(st.from_regex(r"[a-z0-9][a-z0-9_-]{0,47}", fullmatch=True))
def test_a_good_name_of_a_tenant_fits_into_a_name_of_postgres(name: str) -> None:
    """Our promise: Postgres cuts names after 63 bytes, which would make two tenants one."""
    assert len(schema_of(name).encode()) < 63


@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_the_number_of_a_conversation_fits_and_is_its_own(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Our promise: 64 bits with a sign, the same in every process; of another schema or id it is another."""
    numbers: list[int] = []
    for schema, name in (one, other):
        # Names hold neither; see ``named``.
        pair = [text.replace("\0", "").encode("utf-8", "replace").decode() for text in (schema, name)]
        numbers.append(lock_of(*pair))
        assert -(2**63) <= numbers[-1] < 2**63
    assert (numbers[0] == numbers[1]) is (one == other)


def test_numbers_of_conversations_do_not_change() -> None:
    """Our promise: programs of different versions lock the same number."""
    assert lock_of("upheld_default", "talk") == -9172812944815934306


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:open-sesame@host:port/db",
        "postgresql://ann:open-sesame@host/db?colour=open-sesame",
        "host=here password=open-sesame port",
        "postgresql://[open-sesame",
        "postgresql://ann:1/open-sesame@host/db",
        "postgresql://ann:open-sesame/@host/db",
        "postgresql://ann:open@sesame@host/db",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_its_password(address: str) -> None:
    """Our promise: no message has a password, nor has anything that a traceback shows."""
    with pytest.raises(MalformedInput, match="the address cannot be read: write postgresql://") as caught:
        PostgresStore(address)
    assert "sesame" not in "".join(traceback.format_exception(caught.value))


def test_where_nobody_answers_that_is_said_without_the_password() -> None:
    """Our promise: a typed error that names the place and what to look at."""
    for call in (lambda: PostgresStore(NOWHERE), lambda: has_tenant(NOWHERE, "default")):
        with pytest.raises(StoreError, match=r"127\.0\.0\.1:1/db .*no connection to the server; does it run") as caught:
            call()
        assert "sesame" not in "".join(traceback.format_exception(caught.value))
    with pytest.raises(StoreError, match="no connection to the server"):
        PostgresStore("postgresql://no-such-host.invalid/db")


def test_neither_a_store_nor_its_place_shows_the_password(postgres: str, tenant: str) -> None:
    """Our promise: what is printed, logged or raised later has none."""
    with PostgresStore(make_conninfo(postgres, password="open-sesame"), tenant=tenant) as store:
        shown = [repr(store), str(store)]
        store.close()
        with pytest.raises(StoreError) as caught:
            store.version(TALK)
        shown.append(str(caught.value))
    assert not [text for text in shown if "sesame" in text]
    assert schema_of(tenant) in shown[-1]


@pytest.fixture
def role(postgres: str, tenant_sql: RunSql, tenant: str) -> Iterator[str]:
    """Give a user who may connect, and no more."""
    name = f"role_{tenant}"
    tenant_sql(f'CREATE ROLE "{name}" LOGIN')
    yield name
    tenant_sql(f'DROP OWNED BY "{name}"')
    tenant_sql(f'DROP ROLE "{name}"')


def test_a_user_without_the_right_to_make_a_schema_is_told_what_to_grant(
    postgres: str, tenant: str, tenant_sql: RunSql, role: str
) -> None:
    """Our promise: the remedy in the sentence; and where the schema is made already, that right is not needed."""
    address = make_conninfo(postgres, user=role)
    with pytest.raises(StoreError, match="GRANT CREATE ON DATABASE"):
        PostgresStore(address, tenant=tenant)
    tenant_sql(f'CREATE SCHEMA "{schema_of(tenant)}" AUTHORIZATION "{role}"')
    with PostgresStore(address, tenant=tenant) as store:
        assert store.append(TALK, [said(1)])[0].epoch == 1


def test_a_user_who_may_only_read_reads(postgres: str, tenant: str, tenant_sql: RunSql, role: str) -> None:
    """Our promise: rights on the tables are the database's own; what they refuse is a typed error."""
    with PostgresStore(postgres, tenant=tenant) as store:
        store.append(TALK, [said(1)])
    tenant_sql(f'GRANT USAGE ON SCHEMA "{schema_of(tenant)}" TO "{role}"')
    tenant_sql(f'GRANT SELECT ON ALL TABLES IN SCHEMA "{schema_of(tenant)}" TO "{role}"')
    address = make_conninfo(postgres, user=role)
    with PostgresStore(address, tenant=tenant, is_read_only=True) as store:
        assert store.version(TALK) == 1
    with PostgresStore(address, tenant=tenant) as store, pytest.raises(StoreError, match="may not do that"):
        store.append(TALK, [said(2)])


def test_what_the_server_says_at_the_door_is_told(postgres: str, tenant: str, tenant_sql: RunSql, role: str) -> None:
    """Our promise: an unknown database, an unknown user and too many connections are told apart."""
    with pytest.raises(StoreError, match="there is no such database; create it first"):
        PostgresStore(make_conninfo(postgres, dbname="no such"), tenant=tenant)
    with pytest.raises(StoreError, match="does not let this user in"):
        PostgresStore(make_conninfo(postgres, user="nobody such"), tenant=tenant)
    tenant_sql(f'ALTER ROLE "{role}" CONNECTION LIMIT 1')
    address = make_conninfo(postgres, user=role)
    with psycopg.connect(address), pytest.raises(StoreError, match="no connection left"):
        PostgresStore(address, tenant=tenant)


def test_a_database_that_takes_no_writes_is_refused_for_writing(postgres: str, tenant: str) -> None:
    """Our promise: at opening, not at the first append; and it can be read."""
    PostgresStore(postgres, tenant=tenant).close()
    address = make_conninfo(postgres, options="-c default_transaction_read_only=on")
    with pytest.raises(StoreError, match="read-only"):
        PostgresStore(address, tenant=tenant)
    with PostgresStore(address, tenant=tenant, is_read_only=True) as store:
        assert store.conversations() == ()


def test_a_database_in_another_encoding_is_refused(postgres: str, tenant: str, tenant_sql: RunSql) -> None:
    """Our promise: what is accepted can be read back, and only UTF-8 carries every text."""
    name = f"ascii-{tenant}"
    tenant_sql(f"CREATE DATABASE \"{name}\" TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")
    try:
        with pytest.raises(StoreError, match="ENCODING 'UTF8'"):
            PostgresStore(make_conninfo(postgres, dbname=name), tenant=tenant)
    finally:
        tenant_sql(f'DROP DATABASE "{name}"')


def test_a_statement_outside_a_transaction_of_the_store_finds_no_table(opened: Opened) -> None:
    """Our promise: who forgets the tenant finds nothing at all, rather than somebody else's."""
    with opened() as store:
        store.append(TALK, [said(1)])
        database: Database = store._database
        for table in ("entries", "contents", "heads", "erasures", "snapshots", "migrations"):
            with database.connected() as connection, pytest.raises(psycopg.errors.UndefinedTable):
                connection.execute(f"SELECT * FROM {table}".encode())


def test_whatever_the_server_does_by_default_an_append_waits_for_the_disk(postgres: str, tenant: str) -> None:
    """Our promise: who sets a database to acknowledge early, or to another level, changes nothing for a ledger."""
    options = "-c synchronous_commit=off -c default_transaction_isolation=serializable -c search_path=public"
    made: Any = PostgresStore
    with made(make_conninfo(postgres, options=options), tenant=tenant) as store:
        with store._database.writing(TALK) as transaction:
            for setting, value in (("synchronous_commit", "on"), ("transaction_isolation", "read committed")):
                assert transaction.rows(f"SHOW {setting}", ()) == [(value,)]
        for setting, value in (("transaction_read_only", "on"), ("transaction_isolation", "read committed")):
            assert store._database.rows(f"SHOW {setting}", ()) == [(value,)]
        assert store.append(TALK, [said(1)])[0].epoch == 1


def test_every_refusal_of_an_address_is_one_of_ours() -> None:
    """Our promise: whatever text is taken for an address, no error of the driver gets out."""
    for address in ("postgresql://127.0.0.1:1/x?sslmode=nonsense", "postgresql://127.0.0.1:99999/x", "x", "="):
        with pytest.raises(UpheldError):
            PostgresStore(address)


def test_tenants_beside_each_other_need_no_more_connections_than_one(opened: Opened, postgres: str) -> None:
    """Our promise: a database has some hundred connections, and may have more tenants; each sees its own alone."""
    with opened(pool_size=2) as first:
        names = [f"{first._database.schema.removeprefix('upheld_')}-{number}" for number in range(4)]
        others = [opened(tenant=name, beside=first) for name in names]
        for number, store in enumerate((first, *others), start=1):
            store.append(TALK, [said(turn) for turn in range(1, number + 1)])
        assert [store.version(TALK) for store in (first, *others)] == [1, 2, 3, 4, 5]
        with psycopg.connect(postgres, autocommit=True) as connection:
            asked = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
            there = connection.execute(asked, (first._database.schema.removeprefix("upheld_"),)).fetchone()
            others[0].close()
            with pytest.raises(StoreError, match="this store is closed"):
                others[0].version(TALK)
            assert (others[1].version(TALK), first.version(TALK)) == (3, 1)
            for store, name in zip(others, names, strict=True):
                store.close()
                connection.execute(f'DROP SCHEMA "upheld_{name}" CASCADE'.encode())
        assert there is not None
        assert there[0] <= 2
