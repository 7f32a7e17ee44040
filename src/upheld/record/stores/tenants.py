"""Whose ledger it is: a tenant has a partition of its own, a file or a schema, never a filter over a shared one."""

from __future__ import annotations

import re

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
