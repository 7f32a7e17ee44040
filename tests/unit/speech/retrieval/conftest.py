"""An embedder for tests that needs no weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import pytest

WIDTH = 64


class BagEmbedder:
    """A text is the bag of its words: those that fall on the same of 64 directions are the same to it."""

    name = "bag@1"

    def __init__(self, numpy: Any) -> None:
        """Start with nothing embedded."""
        self._numpy = numpy
        self.embedded: list[str] = []
        self.is_broken = False

    def embed(self, texts: Sequence[str], /) -> Any:
        """Give one row for each text."""
        if self.is_broken:
            raise MemoryError
        self.embedded += texts
        rows = self._numpy.zeros((len(texts), WIDTH), dtype=self._numpy.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.casefold().split():
                row[crc32(word.strip(".,?:").encode()) % WIDTH] += 1
            row /= max(float(self._numpy.linalg.norm(row)), 1e-9)
        return rows

    def fits(self, text: str, /) -> bool:
        """Tell that any text is read whole."""
        return len(text) >= 0


@pytest.fixture
def bag() -> BagEmbedder:
    """Give a fresh embedder; skips where the extra is not installed."""
    return BagEmbedder(pytest.importorskip("numpy", reason="numpy of the extra local is not installed"))
