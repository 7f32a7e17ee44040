"""How a graded result says which variant it is a result of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """The name of a graded variant, what it was given, and where it comes from.

    A result without it would read as a plain label, so every result has one.
    """

    name: str
    setting: str
    source: str

    def __str__(self) -> str:
        return f"{self.name} ({self.setting})"
