"""Whose ledger it is: a tenant has a partition of its own, a file or a schema, never a filter over a shared one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from upheld.errors import MalformedInput

DEFAULT = "default"
"""The tenant of whoever names none, where that is allowed: a library in one program, a file beside it."""

_TENANT = re.compile(r"[a-z0-9][a-z0-9_-]{0,47}")


def tenant_named(tenant: object) -> str:
    """Give a tenant's name when it is one. It is never made into a name that is one.

    Raises:
        MalformedInput: not 1 to 48 of a-z, 0-9, _ and -, or a sign first.
    """
    if not isinstance(tenant, str) or _TENANT.fullmatch(tenant) is None:
        rule = "1 to 48 of a-z, 0-9, _ and -, and begins with a letter or digit"
        raise MalformedInput(f"{tenant!r} names no tenant: a name is {rule}", key="tenant")
    return tenant


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaNumber:
    """Which schema a ledger has, and which one this version of the program knows; they are counted from 1."""

    found: int
    known: int

    @property
    def is_current(self) -> bool:
        """Tell whether nothing is to be done."""
        return self.found == self.known


class Partitions(Protocol):
    """The ledgers of all tenants at one address, as things that are there or not; nobody's entries are read."""

    def tenants(self) -> tuple[str, ...]:
        """Give the tenants that have a ledger, sorted."""
        ...

    def schema(self, tenant: str) -> SchemaNumber:
        """Give the schema of a tenant's ledger, older and newer ones too; nothing is changed.

        Raises:
            UnknownConversation: the tenant has no ledger.
            StoreError: it cannot be read.
        """
        ...

    def drop(self, tenant: str) -> None:
        """Delete the ledger of a tenant with all that is in it, for good.

        Raises:
            UnknownConversation: the tenant has no ledger.
            StoreError: somebody is using it, or it may not be deleted; nothing was.
        """
        ...
