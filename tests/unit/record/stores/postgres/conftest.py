"""A ledger in Postgres for each test, and ways to write to it behind the store's back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pytest


@pytest.fixture
def opened(postgres: str, tenant: str) -> Callable[..., Any]:
    """Open the test's own ledger; its sessions have the tenant for their name."""
    made = import_module("upheld.record.stores.postgres.store").PostgresStore
    address = import_module("psycopg.conninfo").make_conninfo(postgres, application_name=tenant)
    return partial(made, address, tenant=tenant)


@pytest.fixture
def sql(tenant_sql: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """Run one statement in the test's own schema, and give its rows."""
    return tenant_sql
