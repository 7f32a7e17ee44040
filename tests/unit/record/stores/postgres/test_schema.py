"""The tables of the store in Postgres, and schemas that somebody else made."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from typing import Any

import pytest

from upheld.errors import StoreError
from upheld.logic.language.identities import ConversationId
from upheld.testing.store_materials import said

Opened = Callable[..., Any]
RunSql = Callable[..., list[Any]]
TALK = ConversationId("talk")
SHIPPED = [
    "e5bf1db492ee784b6a2419ef14e0b80b40fda2caf5f7515e57ad742436110d4e",
    "2173b06d563e558466a1d0c8ff8701b6a3db930ac9ae0af529dfe65515ff0dfa",
    "5ddc1ed8f94eec33cf1b13f4d5239272908374476a8c70238a925be6155c7e3a",
    "140f7fa45e954b7523c08d900acb369b58f9815cf63f5f7ee7922092dc62f571",
]
"""Digests of the migrations in their order; a new one adds its own."""

OPENER = """
import sys
from upheld.record.ledger.entry import Words
from upheld.record.stores.postgres.store import PostgresStore

print("ready", flush=True)
sys.stdin.readline()
with PostgresStore(sys.argv[1], tenant=sys.argv[2]) as store:
    store.append("talk", [Words(turn="T1", speaker="ann", text="once")], key="once")
"""


def test_migrations_run_once_when_four_processes_open_a_fresh_schema(postgres: str, tenant: str, sql: RunSql) -> None:
    """Our promise: the first one makes the schema, the others wait for it, and nobody fails."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", OPENER, postgres, tenant]
    openers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(4)
    ]
    for opener in openers:
        assert opener.stdout is not None
        assert opener.stdout.readline() == "ready\n"
    for opener in openers:
        assert opener.stdin is not None
        opener.stdin.write("go\n")
        opener.stdin.flush()
    for opener in openers:
        opener.communicate(timeout=60)
        assert opener.returncode == 0
    assert sql("SELECT number FROM migrations ORDER BY number") == [(1,), (2,), (3,), (4,)]
    assert sql("SELECT count(*) FROM entries") == [(1,)]


def test_a_newer_ledger_is_refused_and_left_alone(opened: Opened, sql: RunSql) -> None:
    """Our promise: an older program does not write into what it does not understand, nor read it."""
    opened().close()
    sql("INSERT INTO migrations VALUES (99, 'from the future', '2030-01-01T00:00:00')")
    for is_read_only in (False, True):
        with pytest.raises(StoreError, match=r"schema 99.*upgrade"):
            opened(is_read_only=is_read_only)
    assert sql("SELECT number FROM migrations ORDER BY number") == [(1,), (2,), (3,), (4,), (99,)]


def test_an_older_ledger_is_not_brought_up_to_date_by_who_only_reads(opened: Opened, sql: RunSql) -> None:
    """Our promise: reading changes nothing, and the message says what to do."""
    opened().close()
    sql("DELETE FROM migrations")
    with pytest.raises(StoreError, match=r"schema 0 of 4: open it for writing once"):
        opened(is_read_only=True)


def test_opening_again_applies_nothing_again(opened: Opened, sql: RunSql) -> None:
    """Our promise: migrations are numbered and applied once, at the time of the store's clock."""
    for _ in range(2):
        with opened(clock=lambda: "2026-02-02T00:00:00") as store:
            assert store.append(TALK, [said(1)], key="k")[0].epoch == 1
    assert sql("SELECT DISTINCT applied_at FROM migrations") == [("2026-02-02T00:00:00",)]
    assert sql("SELECT number FROM migrations ORDER BY number") == [(1,), (2,), (3,), (4,)]


def test_a_ledger_from_before_claims_were_filed_is_brought_up_to_date(opened: Opened, sql: RunSql) -> None:
    """Our promise: its entries stay, and that nobody filed them is said."""
    with opened() as store:
        store.append(TALK, [said(1)], filings=[])
        head = store.head(TALK)
    sql("DROP TABLE vectors, standings, shelves, claims, reviews, bookmarks")
    sql("DELETE FROM migrations WHERE number >= 2")
    with opened() as store:
        assert store.head(TALK) == head
        assert store.unfiled() == (TALK,)
        store.refile(TALK, [], expected=1)
        assert store.unfiled() == ()


def test_somebody_elses_schema_is_left_as_it_was(opened: Opened, tenant: str, sql: RunSql) -> None:
    """Our promise: a migration is applied whole or not at all."""
    sql(f'CREATE SCHEMA "upheld_{tenant}"')
    sql("CREATE TABLE contents (theirs text)")
    with pytest.raises(StoreError, match="tables of another program; choose another tenant"):
        opened()
    names = "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
    assert sql(names) == [("contents",)]


def test_the_shipped_migrations_are_not_edited() -> None:
    """Our promise: else schemas of one number would differ from database to database."""
    pytest.importorskip("psycopg_pool", reason="the extra 'postgres' is not installed")
    migrations = import_module("upheld.record.stores.postgres.schema").MIGRATIONS
    digests = [sha256(" ".join(" ".join(each.statements).split()).encode()).hexdigest() for each in migrations]
    assert digests[: len(SHIPPED)] == SHIPPED
