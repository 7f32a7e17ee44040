"""Which store an address means. Readers and matchers are named where they are used, in ``checking.readers``.

A store of another kind is loaded when it is asked for, so that a program pays for no driver that it does not use.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import cast

from upheld.errors import StoreError, UnknownConversation
from upheld.record.ledger.store import Store
from upheld.record.stores.ephemeral import EphemeralStore


def opened_store(address: str, *, must_exist: bool = False, is_read_only: bool = False) -> Store:
    """Open the store at an address: ``sqlite:///relative.db``, ``sqlite:////absolute.db``, or ``ephemeral:``.

    ``is_read_only`` opens a file without creating, migrating or writing anything.

    Raises:
        UnknownConversation: ``must_exist``, and there is no such file; none is created.
        StoreError: an address of no known kind, or one that cannot be opened.
    """
    if address in ("ephemeral:", "ephemeral"):
        return EphemeralStore()
    kind, separator, path = address.partition(":///")
    if kind == "sqlite" and separator and path:
        if must_exist and not os.path.exists(path):
            raise UnknownConversation(f"{address} does not exist, so it has no conversation")
        return cast(
            "Store", import_module("upheld.record.stores.sqlite.store").SqliteStore(path, is_read_only=is_read_only)
        )
    raise StoreError(f"{address!r} is no address of a store: write sqlite:///file.db or ephemeral:")
