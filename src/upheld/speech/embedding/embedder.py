"""The port to embedders: whoever turns texts into vectors whose cosine tells how near they are in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Rows(Protocol):
    """An array of two dimensions, one row a text; numpy's fits. Named here so that a port needs no array library."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of texts, and length of a vector."""
        ...

    def tolist(self) -> Any:
        """Give the rows as lists of floats."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors; safe to call from several threads.

    ``name`` says which weights, down to their content, so that vectors of different embedders are never mixed.
    Nearness is no truth: a claim and its denial are about as near as a claim and its paraphrase.
    """

    @property
    def name(self) -> str:
        """Weights and version."""
        ...

    def embed(self, texts: Sequence[str], /) -> Rows:
        """Give one vector of length one for each text, in their order: float32, the same for the same text."""
        ...

    def fits(self, text: str, /) -> bool:
        """Tell whether the whole text is read; of a longer one the vector is that of its beginning."""
        ...
