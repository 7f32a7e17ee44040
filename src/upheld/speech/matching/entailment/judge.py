"""The port to whoever judges whether one text follows from another; values only.

The task and its three labels are those of Bowman et al. 2015 (SNLI): entailment, neutral, contradiction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Pair:
    """What is given, and what may follow from it."""

    premise: str
    hypothesis: str

    def turned(self) -> Pair:
        """Give the pair the other way round."""
        return Pair(self.hypothesis, self.premise)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """How likely each label of a pair is; they sum to one, unless the judge gave no number."""

    entails: float
    neutral: float
    contradicts: float

    @property
    def is_number(self) -> bool:
        """Whether all three are numbers."""
        return all(map(math.isfinite, (self.entails, self.neutral, self.contradicts)))


class PairJudge(Protocol):
    """Judges pairs; safe to call from several threads. ``name`` has the digest of its weights."""

    @property
    def name(self) -> str:
        """Weights and version."""
        ...

    def reads(self, pair: Pair, /) -> bool:
        """Tell whether both texts of a pair are read whole."""
        ...

    def judge(self, pairs: Sequence[Pair], /) -> tuple[Shares, ...]:
        """Give the shares of each pair, in their order; the same for the same pair, whatever is asked with it."""
        ...
