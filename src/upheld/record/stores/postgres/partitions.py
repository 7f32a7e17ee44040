"""The schemas of all tenants in one database: which there are, how old they are, and how one goes."""

from __future__ import annotations

from upheld.errors import UnknownConversation
from upheld.record.stores.postgres.connection import Database, begin_reading, begin_writing, lock_of, schema_of
from upheld.record.stores.postgres.schema import MIGRATIONS, has_ledger
from upheld.record.stores.tenants import DEFAULT, SchemaNumber

_PREFIX = schema_of(DEFAULT).removesuffix(DEFAULT)
_SCHEMAS = (
    "SELECT substr(nspname, %s) FROM pg_namespace"
    " WHERE starts_with(nspname, %s) AND to_regclass(format('%%I.migrations', nspname)) IS NOT NULL ORDER BY 1"
)


class DatabasePartitions:
    """The tenants of a database: a schema each."""

    def __init__(self, address: str) -> None:
        """Nothing is connected yet; raises ``MalformedInput`` for an address that cannot be read."""
        self._database = Database(address, schema_of(DEFAULT), pool_size=1)

    def tenants(self) -> tuple[str, ...]:
        """Give the tenants that have a schema with a ledger, sorted."""
        with self._database.connected() as connection:
            rows = connection.execute(_SCHEMAS, (len(_PREFIX) + 1, _PREFIX)).fetchall()
        return tuple(sorted(name for (name,) in rows))

    def schema(self, tenant: str) -> SchemaNumber:
        """Give the schema's number of a tenant's ledger."""
        name = schema_of(tenant)
        with self._database.connected() as connection:
            if not has_ledger(connection, name):
                raise UnknownConversation(f"{self._database.place} has no ledger of the tenant {tenant!r}")
            connection.execute(begin_reading(name))
            row = connection.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone()
        return SchemaNumber(found=int(row[0]) if row else 0, known=len(MIGRATIONS))

    def drop(self, tenant: str) -> None:
        """Drop the schema of a tenant in one transaction, after whoever writes in it; raises as the protocol says.

        Who has it open and does nothing is not noticed: from then on their calls fail, and nothing is acknowledged.
        """
        name = schema_of(tenant)
        with self._database.connected() as connection:
            if not has_ledger(connection, name):
                raise UnknownConversation(f"{self._database.place} has no ledger of the tenant {tenant!r}")
            # Under the lock of migrations, so that nobody makes tables in it meanwhile.
            connection.execute(begin_writing(name, lock_of(name, "")))
            connection.execute(f'DROP SCHEMA "{name}" CASCADE'.encode())
