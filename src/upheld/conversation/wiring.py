"""Which store an address means. Readers and matchers are named where they are used, in ``checking.readers``.

A store of another kind is loaded when it is asked for, so that a program pays for no driver that it does not use.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path
from typing import cast

from upheld.errors import StoreError, UnknownConversation
from upheld.record.ledger.store import Store
from upheld.record.stores.ephemeral import EphemeralStore
from upheld.record.stores.tenants import DEFAULT, Partitions, tenant_named

_FILE = "sqlite:///"
_SERVER = ("postgresql://", "postgres://")
_PASSWORDS = (
    # To the last @, for a password that should have been written in % codes and was not.
    (re.compile(r"(://[^:/@]*):.*@"), r"\1:…@"),
    (re.compile(r"(password=)[^&#]*"), r"\1…"),
)


def opened_store(
    address: str,
    *,
    tenant: str = DEFAULT,
    must_exist: bool = False,
    is_read_only: bool = False,
    beside: Store | None = None,
) -> Store:
    """Open the store at an address.

    It is a file, ``sqlite:///relative.db`` or ``sqlite:////absolute.db``, beside which another ``tenant`` has a file of
    its own, ``relative.db.tenants/<tenant>.db``; a database, ``postgresql://user@host/name``, which has a ledger for
    each tenant; or memory, ``ephemeral:``. ``is_read_only`` opens what is there without
    creating, migrating or writing anything. ``beside`` is another tenant's store at this address, closed after this
    one: a database is then asked over its connections.

    Raises:
        UnknownConversation: ``must_exist``, and there is no such file or tenant; none is created.
        StoreError: an address of no known kind, one that cannot be opened, or a tenant of what has none.
        MalformedInput: an address that cannot be read, or a name that can be no tenant's.
        MissingExtra: a database, and the extra ``postgres`` is not installed.
    """
    if address.startswith(_SERVER):
        return _in_database(address, tenant, must_exist=must_exist, is_read_only=is_read_only, beside=beside)
    if address.startswith(_FILE) and address != _FILE:
        address = _of_tenant(address, tenant, is_made=not (must_exist or is_read_only))
        return _in_file(address, must_exist=must_exist, is_read_only=is_read_only)
    if tenant != DEFAULT:
        raise StoreError(f"{without_password(address)} has no tenants: a file or a database keeps them apart")
    if address in ("ephemeral:", "ephemeral"):
        return EphemeralStore()
    ways = "sqlite:///file.db, postgresql://user@host/database or ephemeral:"
    raise StoreError(f"{without_password(address)!r} is no address of a store: write {ways}")


def partitions_at(address: str) -> Partitions:
    """Give the ledgers of all tenants at an address, to list them, to see how old they are, and to drop one.

    Raises:
        StoreError: an address of no known kind, or of what has no tenants.
        MalformedInput: an address that cannot be read.
        MissingExtra: a database, and the extra ``postgres`` is not installed.
    """
    if address.startswith(_SERVER):
        made = import_module("upheld.record.stores.postgres.partitions").DatabasePartitions(address)
    elif address.startswith(_FILE) and address != _FILE:
        made = import_module("upheld.record.stores.sqlite.partitions").FilePartitions(address.removeprefix(_FILE))
    else:
        raise StoreError(f"{without_password(address)} has no tenants: a file or a database keeps them apart")
    return cast("Partitions", made)


def is_address(text: str) -> bool:
    """Tell whether a text is meant as the address of a store that outlives the program, and not as a file's name."""
    return text.startswith((_FILE, *_SERVER))


def without_password(address: str) -> str:
    """Give an address as it may be shown: what stands in it as a password is left out."""
    for pattern, kept in _PASSWORDS:
        address = pattern.sub(kept, address)
    return address


def _of_tenant(address: str, tenant: str, *, is_made: bool) -> str:
    if tenant_named(tenant) == DEFAULT:
        return address
    folder = f"{address.removeprefix(_FILE)}.tenants"
    try:
        if is_made:
            Path(folder).mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be made: {error.strerror or error}") from error
    return f"{_FILE}{folder}/{tenant}.db"


def _in_file(address: str, *, must_exist: bool, is_read_only: bool) -> Store:
    path = address.removeprefix(_FILE)
    if must_exist and not os.path.exists(path):
        raise UnknownConversation(f"{address} does not exist, so it has no conversation")
    made = import_module("upheld.record.stores.sqlite.store")
    return cast("Store", made.SqliteStore(path, is_read_only=is_read_only))


def _in_database(
    address: str, tenant: str, *, must_exist: bool, is_read_only: bool, beside: Store | None = None
) -> Store:
    made = import_module("upheld.record.stores.postgres.store")
    if must_exist and not made.has_tenant(address, tenant):
        raise UnknownConversation(
            f"{without_password(address)} has no ledger of the tenant {tenant!r}, so it has no conversation"
        )
    return cast("Store", made.PostgresStore(address, tenant=tenant, is_read_only=is_read_only, beside=beside))
