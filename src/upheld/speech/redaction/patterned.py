"""A redactor that goes by shapes and check digits alone: no model, no network, the same answer every time."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable

from upheld.speech.redaction.patterns import DEFAULT, Pattern
from upheld.speech.redaction.redactor import Redacted, redacted

_PLACEHOLDER = re.compile(r"\[([a-z][a-z-]{1,30})-([0-9a-f]{1,12})\]")


class PatternRedactor:
    """Replaces e-mail addresses, telephone and account numbers, cards, keys and passwords by placeholders.

    ``[email-1]`` is the first address that was seen; every later mention of it is ``[email-1]`` too, as long as this
    redactor lives, so that what is said of somebody stays together. With a ``key`` a placeholder is made of a keyed
    hash instead (``[email-3f9a02]``), the same in every process that has the key. Values are not kept, only keyed
    hashes of them. What it finds is what has a shape; names, addresses of houses and secrets in prose have none.
    """

    def __init__(self, patterns: Iterable[Pattern] = DEFAULT, *, key: bytes = b"") -> None:
        """Look for these kinds, the first first; ``key`` makes placeholders the same everywhere."""
        self._patterns = tuple(patterns)
        self._is_keyed = bool(key)
        self._key = key or secrets.token_bytes(32)
        self._known: dict[tuple[str, bytes], str] = {}
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def redact(self, text: str, /) -> Redacted:
        """Give the text with every finding replaced. Cost: linear in the text, once a kind."""
        # Placeholders that are there already stay: a text that was redacted comes back as it is.
        covered = bytearray(len(text))
        for there in _PLACEHOLDER.finditer(text):
            self._taken.add(there.group())
            covered[there.start() : there.end()] = b"\1" * (there.end() - there.start())
        found: list[tuple[int, int, Pattern]] = []
        for pattern in self._patterns:
            for start, end in pattern.spans(text):
                if not any(covered[start:end]):
                    covered[start:end] = b"\1" * (end - start)
                    found.append((start, end, pattern))
        found.sort(key=lambda each: each[0])
        return redacted(
            text, ((start, end, each.kind, self._placeholder(each, text[start:end])) for start, end, each in found)
        )

    def _placeholder(self, pattern: Pattern, value: str) -> str:
        digest = hmac.digest(self._key, pattern.same_as(value).encode("utf-8", "surrogatepass"), hashlib.sha256)
        if self._is_keyed:
            return f"[{pattern.kind}-{digest.hex()[:6]}]"
        known = self._known.get((pattern.kind, digest))
        if known is None:
            known = self._known[pattern.kind, digest] = self._next(pattern.kind)
        return known

    def _next(self, kind: str) -> str:
        while True:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            placeholder = f"[{kind}-{self._counts[kind]}]"
            if placeholder not in self._taken:
                return placeholder
