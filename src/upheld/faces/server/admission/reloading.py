"""A file of keys that is looked at again, so that a key is given or taken back without a restart."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from upheld.errors import MalformedInput
from upheld.faces.server.admission.keys import Keyring
from upheld.record.stores.tenants import DEFAULT

_LOG = logging.getLogger("upheld.server")

_Mark = tuple[int, int, int]


class KeyFile:
    """One file of keys, and how it looked when it was last read."""

    def __init__(self, path: Path, *, has_tenants: bool) -> None:
        """Name a file; without tenants it may hold no key of another tenant."""
        self._path = path
        self._has_tenants = has_tenants
        self._seen: _Mark | None = None
        self._is_asked = threading.Event()

    def read(self) -> Keyring:
        """Read the keys.

        Raises:
            MalformedInput: keys that cannot be read, or of a tenant although there are no tenants.
        """
        # Looked at before it is read: a change in between is seen the next time.
        self._seen = self._look()
        keyring = Keyring.read(self._path)
        others = sorted({key.tenant for key in keyring.keys} - {DEFAULT})
        if others and not self._has_tenants:
            raise MalformedInput(
                f"there are keys of {', '.join(others)}, and no tenants: set tenants = true", source=str(self._path)
            )
        return keyring

    def ask(self) -> None:
        """Let it be read the next time, however it looks. Safe to call from a signal."""
        self._is_asked.set()

    def changed(self) -> Keyring | None:
        """Give the keys if the file is another one than it was, by its time, size or place on the disk.

        One that cannot be read changes nothing, and that is written down, once for each change.
        Cost: a look at the file; reading it where it changed.
        """
        if self._look() == self._seen and not self._is_asked.is_set():
            return None
        self._is_asked.clear()
        try:
            keyring = self.read()
        except MalformedInput as error:
            _LOG.warning("the keys stay as they are: %s", error)
            return None
        _LOG.info("the file of keys was read anew: %d keys", len(keyring.keys))
        return keyring

    def _look(self) -> _Mark | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino
