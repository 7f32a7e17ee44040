"""A folded value as the body of a snapshot, under a fingerprint of all that its meaning hangs on."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

from upheld.errors import MalformedInput
from upheld.record.snapshots.shapes import WIDE, Shapes, shapes_of

Kept = TypeVar("Kept")

LIMIT = 8 << 30
"""Bytes that a body may unfold to: some thirty times what was measured for a conversation of a million entries."""

_SOURCES = ("upheld.logic", "upheld.record.snapshots")
"""Packages that decide what entries fold to, and how that is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Body(Generic[Kept]):
    """A body that was read: its value, and what is needed to write upon it. ``archive`` is the codec's own."""

    value: Kept
    content: bytes
    archive: Any

    @property
    def slices(self) -> int:
        """How many slices lie one upon the other."""
        return int(self.archive.slices)


class SnapshotCodec(Generic[Kept]):
    """Writes values of one frozen dataclass and reads them back; never a pickle, and nothing in the bytes is run."""

    def __init__(self, kind: type[Kept], *, context: str = "", wide: int = WIDE) -> None:
        """``context`` is what else the value depends on: a snapshot that was taken in another one does not fit.

        ``wide`` is the size from which a map from texts is made bit by bit.
        """
        self._kind = kind
        self._wide = wide
        self._context = context

    @property
    def fingerprint(self) -> str:
        """Name of the form and the meaning of what this codec writes; a body under another name is left alone.

        The SHA-256 of the context, of every type that can occur with its fields, and of the engine's sources: the same
        entries may fold to something else after any change there. Cost: some milliseconds, once.
        """
        return _sha256(json.dumps([self._context, _meaning(self._kind)]).encode())

    def encode(self, value: Kept, *, upon: Body[Kept] | None = None) -> bytes:
        """Give the body. Cost: linear in the size of the value; ``upon`` the body that it grew from, in what is new.

        Raises:
            MalformedInput: something in it is outside the list of what can be kept.
        """
        archive = upon.archive if upon is not None else None
        packed = _loaded("upheld.record.snapshots.packing").packed
        slice = zlib.compress(packed(value, _shapes(self._kind), upon=archive, wide=self._wide), level=1)
        before = upon.content if upon is not None else b""
        return b"".join((before, len(slice).to_bytes(8, "little"), slice))

    def decode(self, body: bytes) -> Kept:
        """Read a body; raises and costs as :meth:`opened`."""
        return self.opened(body).value

    def opened(self, body: bytes) -> Body[Kept]:
        """Read a body, to write upon it later.

        Cost: unfolding it, some nanoseconds a byte. What is in its large maps is made when it is looked up.

        Raises:
            MalformedInput: damaged, or not written by this codec. Bytes with the right checksums that no codec wrote
                may be refused only when what is wrong with them is looked up.
        """
        archive = _loaded("upheld.record.snapshots.unpacking").Archive(_shapes(self._kind))
        left = LIMIT
        for slice in _slices_of(body):
            content = _unfolded(slice, left)
            left -= len(content)
            archive.take(content)
        return Body(value=cast("Kept", archive.root()), content=body, archive=archive)


def _slices_of(body: bytes) -> Iterator[memoryview]:
    content, place = memoryview(body), 0
    while place < len(content) or place == 0:
        length = int.from_bytes(content[place : place + 8], "little")
        slice = content[place + 8 : place + 8 + length]
        if not length or len(slice) != length:
            raise MalformedInput("cut short, or with something after its end", source="snapshot")
        yield slice
        place += 8 + length


def _unfolded(slice: memoryview, limit: int) -> bytes:
    unfolding = zlib.decompressobj()
    try:
        content = unfolding.decompress(slice, limit)
    except (zlib.error, ValueError) as error:
        raise MalformedInput(str(error), source="snapshot") from error
    if not unfolding.eof or unfolding.unused_data:
        raise MalformedInput("cut short, or with something after its end", source="snapshot")
    return content


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
