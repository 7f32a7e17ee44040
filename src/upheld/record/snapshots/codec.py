"""A folded value as the body of a snapshot, under a fingerprint of all that its meaning hangs on."""

from __future__ import annotations

import json
import zlib
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from upheld.errors import MalformedInput
from upheld.record.snapshots.shapes import Shapes, shapes_of

Kept = TypeVar("Kept")

LIMIT = 8 << 30
"""Bytes that a body may unfold to: some thirty times what was measured for a conversation of a million entries."""

_SOURCES = ("upheld.logic", "upheld.record.snapshots")
"""Packages that decide what entries fold to, and how that is written."""


class SnapshotCodec(Generic[Kept]):
    """Writes values of one frozen dataclass and reads them back; never a pickle, and nothing in the bytes is run."""

    def __init__(self, kind: type[Kept], *, context: str = "") -> None:
        """``context`` is what else the value depends on: a snapshot that was taken in another one does not fit."""
        self._kind = kind
        self._context = context

    @property
    def fingerprint(self) -> str:
        """Name of the form and the meaning of what this codec writes; a body under another name is left alone.

        The SHA-256 of the context, of every type that can occur with its fields, and of the engine's sources: the same
        entries may fold to something else after any change there. Cost: some milliseconds, once.
        """
        return _sha256(json.dumps([self._context, _meaning(self._kind)]).encode())

    def encode(self, value: Kept) -> bytes:
        """Give the body. Cost: linear in the size of the value.

        Raises:
            MalformedInput: something in it is outside the list of what can be kept.
        """
        packed = _loaded("upheld.record.snapshots.packing").packed
        return zlib.compress(packed(value, _shapes(self._kind)), level=1)

    def decode(self, body: bytes) -> Kept:
        """Read a body.

        Raises:
            MalformedInput: damaged, or not written by this codec.
        """
        unfolding = zlib.decompressobj()
        try:
            content = unfolding.decompress(body, LIMIT)
        except zlib.error as error:
            raise MalformedInput(str(error), source="snapshot") from error
        if not unfolding.eof or unfolding.unused_data:
            raise MalformedInput("cut short, or with something after its end", source="snapshot")
        unpacked = _loaded("upheld.record.snapshots.unpacking").unpacked
        return cast("Kept", unpacked(content, _shapes(self._kind)))


@cache
def _shapes(kind: type) -> Shapes:
    return shapes_of(kind)


@cache
def _meaning(kind: type) -> str:
    tree = [kind.__qualname__, _shapes(kind).described(), _engine()]
    return json.dumps(tree, separators=(",", ":"))


@cache
def _engine() -> str:
    sources = bytearray()
    for package in _SOURCES:
        pending = [_loaded("importlib.resources").files(package)]
        while pending:
            place = pending.pop()
            if place.is_dir():
                pending.extend(sorted(place.iterdir(), key=lambda each: each.name))
            elif place.name.endswith(".py"):
                sources += place.name.encode() + b"\0" + place.read_bytes()
    return _sha256(bytes(sources))


def _sha256(content: bytes) -> str:
    return str(_loaded("hashlib").sha256(content).hexdigest())


def _loaded(name: str) -> Any:
    # A conversation that is never kept pays for none of this, and importing the package stays quick.
    return import_module(name)
