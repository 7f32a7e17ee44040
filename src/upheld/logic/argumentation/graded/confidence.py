"""Calibrated standing: how strongly a claim stands, when each node was read with some confidence.

**Definition.** c(x) in [0, 1] is the confidence that x was put forward and rightly understood. With ``along`` either
the minimum or the product, strengths solve

    s(x) = c(x) · g(x) · (1 - max of s(y) over the attackers y of x)
    g(x) = max over the justifications J of x of (along of s(p) over the premises p of J)

where g(x) is 1 when x needs nothing and 0 when no justification is left, and the maximum over no attacker is 0. The
minimum says that a claim is as strong as its weakest ground, the product that grounds fail independently.

**Circles** can leave more than one solution. So a strength is an interval: ``low`` starts at
0 and ``high`` at 1, and each is computed from the other, since an attacker counts by its high in a low and by its low
in a high. That is the least fixpoint in the order of information, as for the plain labels: where every confidence is
0 or 1, [1, 1] is in, [0, 0] is out and [0, 1] is undecided, exactly. Without circles low and high are equal.

Sources: without supports, and at confidence 1, the equation is Eq-max of Gabbay (2012), "Equational approach to
argumentation networks"; confidences, grounds and the interval are ours, the latter after Dung (1995), section 2.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from upheld.errors import MalformedInput
from upheld.logic.argumentation.components import strongly_connected
from upheld.logic.argumentation.framework import A, Framework, Indexed, indexed
from upheld.logic.argumentation.graded.variant import Variant

PRECISION = 1e-9
"""Changes of a strength up to this are not carried on round a circle."""

MOST_VISITS = 10_000
"""Visits of each member of a circle after which its interval is given as wide as it is by then."""


class Along(StrEnum):
    """How the strengths of premises that are needed together combine."""

    MINIMUM = "minimum"
    PRODUCT = "product"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """An interval within [0, 1] that the strength lies in; a point where no circle leaves it open."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedStanding(Generic[A]):
    """Strengths under confidences, and the variant that they are strengths of."""

    strengths: Mapping[A, Strength]
    variant: Variant


def calibrated(
    framework: Framework[A], confidence: Mapping[A, float], *, along: Along = Along.MINIMUM
) -> CalibratedStanding[A]:
    """Give the strength of each argument by the definition at the top of the module.

    An argument that ``confidence`` does not name has confidence 1. Intervals are sound however early the rounds on a
    circle end. Cost: linear without circles; round one, what it takes to narrow the intervals to ``PRECISION``, at most
    ``MOST_VISITS`` visits of each member.

    Raises:
        MalformedInput: a confidence is not in [0, 1], or is given for what is no argument.
    """
    unknown = confidence.keys() - frozenset(framework.arguments)
    if unknown:
        raise MalformedInput(f"a confidence for {min(map(str, unknown))}, which is no argument")
    for name, value in confidence.items():
        if not 0 <= value <= 1:
            raise MalformedInput(f"{value} is no confidence in {name}: it lies in [0, 1]")
    index = indexed(framework)
    narrowing = _Narrowing(index, [float(confidence.get(name, 1)) for name in framework.arguments], along)
    for component in strongly_connected(index.dependents):
        narrowing.settle(component)
    strengths = {
        name: Strength(low=low, high=high)
        for name, low, high in zip(framework.arguments, narrowing.low, narrowing.high, strict=True)
    }
    variant = Variant(
        name="calibrated confidence",
        setting=f"grounds along the {along}",
        source="upheld, after Gabbay (2012), Eq-max, and Dung (1995), section 2",
    )
    return CalibratedStanding(strengths=strengths, variant=variant)


class _Narrowing:
    """Intervals that only narrow; those before a component are final when it is settled."""

    def __init__(self, index: Indexed, confidence: list[float], along: Along) -> None:
        self.index = index
        self.dependents = index.dependents
        self.confidence = confidence
        self.along = math.prod if along is Along.PRODUCT else min
        self.low = [0.0] * len(index)
        self.high = [1.0] * len(index)

    def settle(self, component: tuple[int, ...]) -> None:
        """Narrow a component until nothing moves by more than ``PRECISION``."""
        members = set(component)
        waiting = deque(component)
        queued = set(component)
        for _ in range(MOST_VISITS * len(component)):
            if not waiting:
                return
            name = waiting.popleft()
            queued.discard(name)
            if self._narrows(name):
                for other in self.dependents[name]:
                    if other in members and other not in queued:
                        queued.add(other)
                        waiting.append(other)

    def _narrows(self, name: int) -> bool:
        low = max(self.low[name], self._strength(name, self.low, self.high))
        high = min(self.high[name], self._strength(name, self.high, self.low))
        # Rounding must not turn an interval inside out.
        low = min(low, high)
        moved = max(low - self.low[name], self.high[name] - high)
        self.low[name], self.high[name] = low, high
        return moved > PRECISION

    def _strength(self, name: int, grounds: Sequence[float], attackers: Sequence[float]) -> float:
        pressure = max((attackers[other] for other in self.index.attackers[name]), default=0.0)
        return self.confidence[name] * self._ground(name, grounds) * (1 - pressure)

    def _ground(self, name: int, strengths: Sequence[float]) -> float:
        ways = self.index.ways[name]
        if ways is None:
            return 1.0
        needed = ([strengths[premise] for premise in self.index.premises[way]] for way in ways)
        return max(map(self.along, needed), default=0.0)
