"""Partial dependency: a claim stands while the share of its premises that is lost stays within a tolerance.

**Definition.** Each premise p of a justification J has a weight w(p) > 0; the share of a set of premises is its weight
over that of all of J. With a tolerance t in [0, 1), J is *held* when the share of its premises that are not in is at
most t, and *broken* when the share of those that are out is more than t. An argument is in iff all its attackers are
out and some justification is held; out iff some attacker is in or every justification is broken; else undecided. The
labelling is the least fixpoint, as for the plain labels, which it equals at t = 0.

A justification is broken only by more than t: at a tolerance of 1 nothing could be, so 1 is refused.

Source: our own, for what Grounded Continuation (section 1) calls partial dependency; the fixpoint is that of
Dung (1995), section 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from upheld.errors import MalformedInput
from upheld.logic.argumentation.framework import A, Framework, Indexed, indexed
from upheld.logic.argumentation.graded.variant import Variant
from upheld.logic.language.standing import Label

Weights = Mapping[tuple[A, A], float]
"""Weights of premises, as ``(claim, premise)``; a pair that is not listed weighs 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialStanding(Generic[A]):
    """Labels under a tolerance, and the variant that they are labels of."""

    labels: Mapping[A, Label]
    variant: Variant


def partially_grounded(
    framework: Framework[A], *, tolerance: float, weights: Weights[A] | None = None
) -> PartialStanding[A]:
    """Label each argument by the least fixpoint of the definition at the top of the module.

    Weights and tolerance are taken as the decimal numbers that they are written as, so that three premises of 0.1 are
    as heavy as one of 0.3. Cost: linear.

    Raises:
        MalformedInput: the tolerance is not in [0, 1), or a weight is not a positive number.
    """
    if not 0 <= tolerance < 1:
        raise MalformedInput(f"{tolerance} is no tolerance: it lies in [0, 1)")
    index = indexed(framework)
    search = _Erosion(index, Fraction(str(tolerance)), _weights_of(framework, index, weights or {}))
    labels = dict(zip(framework.arguments, search.settled(), strict=True))
    variant = Variant(
        name="partial dependency",
        setting=f"tolerance {tolerance:g}",
        source="upheld, after Dung (1995), section 2",
    )
    return PartialStanding(labels=labels, variant=variant)


def _weights_of(framework: Framework[A], index: Indexed, weights: Weights[A]) -> list[dict[int, Fraction]]:
    names = framework.arguments
    found: list[dict[int, Fraction]] = []
    for way, premises in enumerate(index.premises):
        owner = names[index.owner[way]]
        found.append({premise: _exact(weights.get((owner, names[premise]), 1)) for premise in premises})
    return found


def _exact(weight: float) -> Fraction:
    if not 0 < weight < float("inf"):
        raise MalformedInput(f"{weight} is no weight of a premise: it is more than 0, and finite")
    return Fraction(str(weight))


class _Erosion:
    """Weights that shrink or grow as labels are forced; each attack and each premise is looked at once."""

    def __init__(self, index: Indexed, tolerance: Fraction, weights: list[dict[int, Fraction]]) -> None:
        self.index = index
        self.weights = weights
        self.labels = [Label.UNDECIDED] * len(index)
        self.pending: list[int] = []
        self.unanswered = list(map(len, index.attackers))  # attackers not yet out
        self.spare = [tolerance * sum(needed.values()) for needed in weights]  # weight that may go missing
        self.missing = [sum(needed.values(), Fraction()) for needed in weights]  # weight not yet in
        self.lost = [Fraction()] * len(weights)  # weight out
        self.is_held = [ways is None for ways in index.ways]
        self.open_ways = [len(ways or ()) for ways in index.ways]
        self.is_open = [True] * len(weights)

    def settled(self) -> list[Label]:
        """Give the labels once nothing more is forced."""
        for name, attackers in enumerate(self.index.attackers):
            if self.index.ways[name] == ():
                self._settle(name, Label.OUT)
            elif self.is_held[name] and not attackers:
                self._settle(name, Label.IN)
        while self.pending:
            name = self.pending.pop()
            if self.labels[name] is Label.IN:
                self._carry_in(name)
            else:
                self._carry_out(name)
        return self.labels

    def _settle(self, name: int, label: Label) -> None:
        if self.labels[name] is Label.UNDECIDED:
            self.labels[name] = label
            self.pending.append(name)

    def _carry_in(self, name: int) -> None:
        for target in self.index.targets[name]:
            self._settle(target, Label.OUT)
        for way in self.index.serves[name]:
            self.missing[way] -= self.weights[way][name]
            owner = self.index.owner[way]
            if self.missing[way] <= self.spare[way]:
                self.is_held[owner] = True
                if not self.unanswered[owner]:
                    self._settle(owner, Label.IN)

    def _carry_out(self, name: int) -> None:
        for target in self.index.targets[name]:
            self.unanswered[target] -= 1
            if not self.unanswered[target] and self.is_held[target]:
                self._settle(target, Label.IN)
        for way in self.index.serves[name]:
            self.lost[way] += self.weights[way][name]
            if self.is_open[way] and self.lost[way] > self.spare[way]:
                self.is_open[way] = False
                owner = self.index.owner[way]
                self.open_ways[owner] -= 1
                if not self.open_ways[owner]:
                    self._settle(owner, Label.OUT)
