"""Keys of the service: who may do what in whose conversations. Only digests of them are kept."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import cast

from upheld.errors import MalformedInput
from upheld.record.stores.tenants import tenant_named

PREFIX = "upheld"
SECRET_BYTES = 32
TABLE = "keys"
"""Name of the table in the file."""

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Role(StrEnum):
    """What the holder of a key may do; each may do what those before it may."""

    READER = "reader"
    WRITER = "writer"
    ADMIN = "admin"

    def includes(self, needed: Role) -> bool:
        """Tell whether this role may do what needs another."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key as it is kept: the SHA-256 of its text, and what it opens."""

    digest: str
    tenant: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key that was just made: its text, which nobody can give again, and its line for the file."""

    text: str
    line: str


def new_key(tenant: str, role: Role, *, entropy: Callable[[int], str] = secrets.token_hex) -> NewKey:
    """Make a key: ``upheld_<tenant>_<secret>``.

    Raises:
        MalformedInput: no name of a tenant.
    """
    text = f"{PREFIX}_{tenant_named(tenant)}_{entropy(SECRET_BYTES)}"
    return NewKey(text=text, line=f'{digest_of(text)} = {{ tenant = "{tenant}", role = "{role.value}" }}')


def digest_of(text: str) -> str:
    """Give what is kept of a key. A fast hash will do: the secret is 256 random bits, and no word that one guesses."""
    return hashlib.sha256(text.encode("utf-8", errors="surrogateescape")).hexdigest()


@dataclass(frozen=True, slots=True)
class Keyring:
    """The keys that open a service."""

    keys: tuple[Key, ...]

    @classmethod
    def read(cls, path: Path) -> Keyring:
        """Read a file of keys: a TOML table ``[keys]`` with a line for each, as :func:`new_key` gives it.

        Raises:
            MalformedInput: it cannot be read, or a line is no key; none is quoted.
        """
        source = str(path)
        try:
            table: object = tomllib.loads(path.read_text("utf-8")).get(TABLE, {})
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise MalformedInput(f"the keys cannot be read: {_said(error)}", source=source) from error
        if not isinstance(table, Mapping) or not table:
            raise MalformedInput(f"no keys under [{TABLE}]: make one with upheld keys new", source=source)
        lines = cast("Mapping[str, object]", table).items()
        return cls(tuple(_key(digest, told, place, source) for place, (digest, told) in enumerate(lines, start=1)))

    def has(self, digest: str, tenant: str) -> bool:
        """Tell whether a key that was found once is still there, for the same tenant."""
        return any(key.digest == digest and key.tenant == tenant for key in self.keys)

    def find(self, text: str) -> Key | None:
        """Give the key whose text this is. Every key is compared, each in constant time, so that time tells nothing."""
        digest = digest_of(text)
        found: Key | None = None
        for key in self.keys:
            if hmac.compare_digest(key.digest, digest):
                found = key
        return found


def _key(digest: str, told: object, place: int, source: str) -> Key:
    where = f"{TABLE}[{place}]"
    if not _DIGEST.fullmatch(digest):
        raise MalformedInput("no SHA-256 in 64 small hexadecimal digits", source=source, key=where)
    fields = cast("Mapping[str, object]", told if isinstance(told, Mapping) else {})
    if set(fields) != {"tenant", "role"}:
        raise MalformedInput("a key has a tenant and a role, and nothing else", source=source, key=where)
    role = fields["role"]
    if role not in list(Role):
        raise MalformedInput(f"no role; one of {', '.join(Role)}", source=source, key=f"{where}.role")
    return Key(digest=digest, tenant=tenant_named(fields["tenant"]), role=Role(cast("str", role)))


def _said(error: Exception) -> str:
    return error.strerror or "" if isinstance(error, OSError) else str(error)
