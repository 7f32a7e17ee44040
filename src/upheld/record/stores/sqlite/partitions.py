"""The files of all tenants beside one file: which there are, which schema they have, and how one goes."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from upheld.errors import StoreError, UnknownConversation
from upheld.record.stores.sqlite.connection import connected_for_reading, translated
from upheld.record.stores.sqlite.schema import MIGRATIONS
from upheld.record.stores.tenants import DEFAULT, SchemaNumber, tenant_named

ENDING = ".db"


class FilePartitions:
    """The tenants of a file: the file itself, and a folder of files beside it."""

    def __init__(self, path: str) -> None:
        """Nothing is looked at yet."""
        self._path = Path(path)
        self._folder = Path(f"{path}.tenants")

    def file_of(self, tenant: str) -> Path:
        """Give the file of a tenant; it need not be there. Raises ``MalformedInput`` for no name of a tenant."""
        return self._path if tenant_named(tenant) == DEFAULT else self._folder / f"{tenant}{ENDING}"

    def tenants(self) -> tuple[str, ...]:
        """Give the tenants that have a file, sorted."""
        there = [DEFAULT] if self._path.exists() else []
        return tuple(sorted(there + [each.stem for each in self._folder.glob(f"*{ENDING}")]))

    def schema(self, tenant: str) -> SchemaNumber:
        """Give the schema of a tenant's file."""
        path = self._required(tenant)
        with translated(path), closing(connected_for_reading(path, busy_timeout=10.0)) as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone():
                raise StoreError(f"{path}: the file holds no ledger")
            (found,) = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone()
        return SchemaNumber(found=found, known=len(MIGRATIONS))

    def drop(self, tenant: str) -> None:
        """Delete the file of a tenant with its log; refused while any process has it open, idle or not."""
        path = self._required(tenant)
        with translated(path), _alone(path):
            path.unlink()

    def _required(self, tenant: str) -> Path:
        path = self.file_of(tenant)
        if not path.exists():
            raise UnknownConversation(f"{path} does not exist, so the tenant {tenant!r} has no ledger")
        return path


@contextmanager
def _alone(path: Path) -> Generator[None]:
    """Have a file that nobody else has open, and keep others out."""
    with closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as connection:
        try:
            # Only who is alone can leave write-ahead logging, which also takes away the files of the log. Without it
            # a file that somebody has open would be unlinked under them, and what they acknowledge from then on lost.
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY"):
                raise
            raise StoreError(f"{path}: a process has it open: end the service, or whoever it is, first") from error
        yield
