"""Right of how many, and precision and recall: counted, and given as shares only at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, TypeVar

Item = TypeVar("Item")


@dataclass(slots=True)
class Ratio:
    """Answers that were right, of those asked."""

    right: int = 0
    of: int = 0

    def count(self, *, is_right: bool) -> None:
        """Count one answer."""
        self.of += 1
        self.right += is_right

    @property
    def share(self) -> float | None:
        """The share that was right, in [0, 1]; ``None`` when nothing was asked."""
        return self.right / self.of if self.of else None

    def as_tree(self) -> dict[str, int]:
        """Give both counts."""
        return {"right": self.right, "of": self.of}


@dataclass(slots=True)
class Tally:
    """Items expected, found, and both: pooled over everything counted (micro average)."""

    expected: int = 0
    found: int = 0
    both: int = 0

    def __add__(self, other: Tally) -> Tally:
        """Pool two."""
        return Tally(self.expected + other.expected, self.found + other.found, self.both + other.both)

    def count(self, expected: Counter[Item], found: Counter[Item]) -> None:
        """Count two multisets against each other."""
        self.expected += expected.total()
        self.found += found.total()
        self.both += (expected & found).total()

    @property
    def precision(self) -> float | None:
        """Share of what was found that was expected; ``None`` when nothing was found."""
        return self.both / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """Share of what was expected that was found; ``None`` when nothing was expected."""
        return self.both / self.expected if self.expected else None

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; ``None`` when neither side has anything."""
        total = self.expected + self.found
        return 2 * self.both / total if total else None

    def as_tree(self) -> dict[str, Any]:
        """Give precision, recall and F1."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}
