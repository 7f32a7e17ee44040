"""The chain of a ledger: each entry's link is a hash over its envelope and the link before it.

The idea is that of linked time-stamping (Haber and Stornetta, "How to time-stamp a digital document", 1991): whoever
kept one link can tell whether anything before it was changed, left out, put in or moved. The chain covers contents by
their digests alone, and a digest is salted, so that a content can be erased: chain and digest stay, and without the
salt they do not even confirm a guess of what was there.

The chain by itself shows damage and clumsy hands. Whoever can write to the file can also compute a new chain; that is
seen only by those who kept a link elsewhere (``upheld ledger head``).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from upheld.errors import MalformedInput
from upheld.record.ledger.entry import Content, Entry, Envelope

Salts = Callable[[], str]
"""Gives a salt for one content: hexadecimal, and never the same again."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Where a ledger ends: its newest epoch and the link of that entry."""

    epoch: int
    chain: str

    def is_after(self, seen: Head) -> bool:
        """Tell whether a record that ends here has what somebody who saw it end at ``seen`` does not know.

        That it is another record by now is news as well, unless that one saw nothing of it: no chain.
        """
        return self.epoch > seen.epoch or (bool(seen.chain) and self != seen)


BEGINNING = Head(epoch=0, chain="0" * 64)
"""Where every ledger begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptEntry:
    """An entry as it is kept, nothing of it read: what a verifier looks at.

    ``chain`` is its link. ``salt`` is empty for entries from before salts were introduced, and where the content was
    erased; ``body`` is the content's text in UTF-8, ``None`` where there is none.
    """

    envelope: Envelope
    chain: str
    salt: str
    body: bytes | None

    def holding(self, content: Content) -> Entry:
        """Give the entry with its content read."""
        envelope = self.envelope
        return Entry(
            conversation=envelope.conversation,
            epoch=envelope.epoch,
            turn=envelope.turn,
            content=content,
            key=envelope.key,
            recorded_at=envelope.recorded_at,
            digest=envelope.digest,
            chain=self.chain,
        )


def random_salt() -> str:
    """Give 128 bits from the operating system (the source of ``secrets``, which would load OpenSSL to give them)."""
    return os.urandom(16).hex()


def digest_of(text: str, salt: str = "") -> str:
    """Give the SHA-256 of the salt followed by the text, both in UTF-8, in hexadecimal.

    Raises:
        MalformedInput: a lone surrogate in the text.
    """
    try:
        return salted_digest(text.encode(), salt)
    except UnicodeEncodeError as error:
        raise MalformedInput(f"a lone surrogate ({error.object[error.start]!r}) is no text") from error


def salted_digest(body: bytes, salt: str) -> str:
    """Give the SHA-256 of the salt followed by these bytes, in hexadecimal."""
    return str(_sha256()(salt.encode("utf-8", "surrogatepass") + body).hexdigest())


def linked(previous: str, envelope: Envelope) -> str:
    """Give the link of an entry: the SHA-256 of the link before it followed by the envelope's canonical JSON."""
    tree = {
        "conversation": envelope.conversation,
        "digest": envelope.digest,
        "epoch": envelope.epoch,
        "key": envelope.key,
        "recorded_at": envelope.recorded_at,
        "turn": envelope.turn,
    }
    text = previous + _ENCODER.encode(tree)
    return str(_sha256()(text.encode("utf-8", "surrogatepass")).hexdigest())


@cache
def _sha256() -> Any:
    # Loaded at the first append: it brings OpenSSL along, the tenth part of importing the package.
    return import_module("hashlib").sha256
