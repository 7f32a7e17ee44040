"""Where bytes come from: a file, a text that is there already, or a member of an archive that is never unpacked."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath, PurePosixPath
from typing import BinaryIO, cast

from upheld.errors import LimitExceeded, MalformedInput

MAX_MEMBERS = 100_000
"""Files of an archive or a folder."""

MAX_UNPACKED = 16 * 1024**3
"""Bytes of an archive, unpacked."""

MAX_RATIO = 250
"""How many times larger a member of more than a mebibyte may be than what it is packed into; texts reach some 20."""

_SMALL = 1024 * 1024
_DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, NotImplementedError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Bytes that can be read from the beginning as often as needed.

    ``name`` is for messages; ``inner`` is the path inside an archive, empty for a file of its own.
    """

    name: str
    opened: Callable[[], BinaryIO]
    inner: str = ""

    @property
    def stem(self) -> str:
        """The name without folder and ending."""
        return PurePath(self.name).stem

    @property
    def ending(self) -> str:
        """The ending of the name, such as ``.json``."""
        return PurePath(self.inner or self.name).suffix.casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """Members of a zip or files below a folder, by their path inside it, sorted; nothing is ever written."""

    name: str
    members: dict[str, Source]


def source_of(path: Path) -> Source | Archive:
    """Give the source of a file, or the archive of a zip or a folder.

    Raises:
        MalformedInput: it cannot be read.
        LimitExceeded: an archive is too large, or packed as no text can be.
    """
    try:
        if path.is_dir():
            return _folder(path)
        with path.open("rb") as file:
            is_zip = file.read(4) == b"PK\x03\x04"
    except OSError as error:
        raise MalformedInput(f"cannot be read: {error.strerror or error}", source=str(path)) from error
    opened = partial(_opened, path)
    return _zip(str(path), opened) if is_zip else Source(name=str(path), opened=opened)


def source_of_bytes(content: bytes, name: str) -> Source | Archive:
    """Give the source of bytes that are there already; raises as :func:`source_of` does for an archive."""

    def opened() -> BinaryIO:
        return io.BytesIO(content)

    return _zip(name, opened) if content[:4] == b"PK\x03\x04" else Source(name=name, opened=opened)


def _opened(path: Path) -> BinaryIO:
    return path.open("rb")


def _folder(path: Path) -> Archive:
    """List a folder. A link that leads out of it is passed over: what it names was not given."""
    there = path.resolve()
    members: dict[str, Source] = {}
    for each in sorted(path.rglob("*")):
        if not each.is_file() or not each.resolve().is_relative_to(there):
            continue
        inner = each.relative_to(path).as_posix()
        members[inner] = Source(name=str(path), opened=partial(_opened, each), inner=inner)
        if len(members) > MAX_MEMBERS:
            raise LimitExceeded(f"{path}: more than {MAX_MEMBERS} files")
    return Archive(name=str(path), members=members)


def _zip(name: str, opened: Callable[[], BinaryIO]) -> Archive:
    try:
        with opened() as file, zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise MalformedInput(f"a damaged archive: {error}", source=name) from error
    if len(entries) > MAX_MEMBERS:
        raise LimitExceeded(f"{name}: more than {MAX_MEMBERS} members")
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED:
        raise LimitExceeded(f"{name}: more than {MAX_UNPACKED} bytes unpacked")
    members: dict[str, Source] = {}
    for entry in sorted(entries, key=lambda entry: entry.filename):
        if entry.is_dir() or ".." in PurePosixPath(entry.filename).parts:
            continue
        if entry.file_size > _SMALL and entry.file_size > MAX_RATIO * max(1, entry.compress_size):
            raise LimitExceeded(f"{name}: {entry.filename} is packed more than {MAX_RATIO} times smaller than it is")
        if entry.flag_bits & 1:
            raise MalformedInput(f"{entry.filename} is encrypted: unpack it and read the folder", source=name)
        members[entry.filename] = Source(
            name=name, opened=partial(_member, opened, entry.filename, name), inner=entry.filename
        )
    return Archive(name=name, members=members)


class _Member:
    """A member that is being read, with the archive it is in, which closes with it; no more than its stated size."""

    def __init__(self, file: BinaryIO, member: str, name: str) -> None:
        self._file = file
        self._what = f"{name}: {member}"
        try:
            self._archive = zipfile.ZipFile(file)
            self._inner = self._archive.open(member)
        except _DAMAGES as error:
            file.close()
            raise MalformedInput(f"a damaged member: {error}", source=self._what) from error

    def __enter__(self) -> _Member:
        return self

    def __exit__(self, *_: object) -> None:
        self._inner.close()
        self._archive.close()
        self._file.close()

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def read(self, size: int = -1) -> bytes:
        return self._checked(self._inner.read, size)

    def readline(self, size: int = -1) -> bytes:
        return self._checked(self._inner.readline, size)

    def _checked(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            return read(size)
        except _DAMAGES as error:
            raise MalformedInput(f"a damaged member: {error}", source=self._what) from error


def _member(opened: Callable[[], BinaryIO], member: str, name: str) -> BinaryIO:
    return cast("BinaryIO", _Member(opened(), member, name))
