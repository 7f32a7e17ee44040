"""Weighted attacks: those too weak to count, or those that a budget of inconsistency lets one overlook.

**Definition.** A weighted framework gives each attack a weight w > 0. A set R of attacks is within the budget b when
the sum of its weights is at most b. The b-grounded extensions are the grounded extensions of the framework without R,
for each R within b; so at b = 0 there is one, the plain one. The least budget of an argument is the least b for which
it lies in some b-grounded extension: how much has to be overlooked for it to stand.

Source: Dunne, Hunter, McBurney, Parsons and Wooldridge (2011), "Weighted argument systems: Basic definitions,
algorithms, and complexity results", Artificial Intelligence 175. Asking whether an argument lies in
some b-grounded extension is NP-complete (there), so the search is best first and has a stated limit. It overlooks only
attacks by what is not out: an attack by an argument that is out changes no grounded label by its absence. Ignoring all
attacks below a threshold, the other usual reading, is linear.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from math import inf
from typing import Generic

from upheld.errors import LimitExceeded, MalformedInput
from upheld.logic.argumentation.framework import A, Framework, members_of, places_of
from upheld.logic.argumentation.graded.variant import Variant
from upheld.logic.argumentation.grounded import grounded
from upheld.logic.language.standing import Label

AttackWeights = Mapping[tuple[A, A], float]
"""Weights of attacks, as ``(attacker, target)``; one that is not listed weighs 1."""

MOST_RELAXATIONS = 10_000
"""Sets of overlooked attacks that are looked at before a search is given up."""

_DUNNE = "Dunne et al. (2011)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relaxation(Generic[A]):
    """A framework without the attacks that are overlooked, and what they weigh together."""

    framework: Framework[A]
    overlooked: frozenset[tuple[A, A]]
    weight: float
    variant: Variant

    @property
    def extension(self) -> frozenset[A]:
        """Give the grounded extension of what is left. Linear."""
        return frozenset(name for name, label in grounded(self.framework).items() if label is Label.IN)


def above_threshold(framework: Framework[A], weights: AttackWeights[A], threshold: float) -> Relaxation[A]:
    """Give the framework without the attacks that weigh less than ``threshold``; ask it under any semantics. Linear.

    Raises:
        MalformedInput: a weight is not a positive number or is given for what is no attack, or the limit is not finite
            or less than 0 (so in all functions here).
    """
    exact = _exact_weights(framework, weights)
    least = _exact(threshold, "threshold")
    weak = frozenset(pair for pair, weight in exact.items() if weight < least)
    return _Weighted(framework, exact, f"attacks below {threshold:g} ignored", "upheld").without(weak)


def grounded_within(framework: Framework[A], weights: AttackWeights[A], budget: float) -> tuple[Relaxation[A], ...]:
    """Give a relaxation for each b-grounded extension, the cheapest for each, in the order of weight.

    Raises:
        MalformedInput: as for :func:`above_threshold`.
        LimitExceeded: more than ``MOST_RELAXATIONS`` sets of attacks would have to be looked at.
    """
    weighted = _Weighted(framework, _exact_weights(framework, weights), f"budget {budget:g}", _DUNNE)
    found: dict[frozenset[A], Relaxation[A]] = {}
    for relaxation, _ in weighted.search(budget, framework.arguments):
        found.setdefault(relaxation.extension, relaxation)
    return tuple(found.values())


def least_budget(framework: Framework[A], weights: AttackWeights[A], argument: A) -> Relaxation[A] | None:
    """Give the cheapest relaxation whose grounded extension holds ``argument``; ``None`` where overlooking cannot help.

    It cannot where the argument lacks a ground, as when all its justifications hang on a circle of support.

    Raises:
        UnknownReference: ``argument`` is none of the framework's.
        MalformedInput: as for :func:`above_threshold`.
        LimitExceeded: it was not found among ``MOST_RELAXATIONS`` sets of attacks.
    """
    members_of(framework, [argument])
    weighted = _Weighted(framework, _exact_weights(framework, weights), f"least budget for {argument}", _DUNNE)
    if argument not in weighted.without(framework.attacks).extension:
        return None
    relevant = _leading_to(framework, argument)
    return next(found for found, labels in weighted.search(None, relevant) if labels[argument] is Label.IN)


def relaxations(framework: Framework[A], weights: AttackWeights[A], budget: float) -> Iterator[Relaxation[A]]:
    """Give every relaxation within the budget, in the order of weight: to ask each under another semantics.

    Raises:
        MalformedInput: as for :func:`above_threshold`.
        LimitExceeded: there are more than ``MOST_RELAXATIONS``.
    """
    weighted = _Weighted(framework, _exact_weights(framework, weights), f"budget {budget:g}", _DUNNE)
    every = frozenset(framework.attacks)
    for overlooked in weighted.cheapest_first(budget, lambda gone: every - gone):
        yield weighted.without(overlooked)


class _Weighted(Generic[A]):
    """A framework, the weights of its attacks, and what its relaxations are called."""

    def __init__(
        self, framework: Framework[A], weights: Mapping[tuple[A, A], Fraction], setting: str, source: str
    ) -> None:
        self.framework = framework
        self.weights = weights
        self.variant = Variant(name="weighted attacks", setting=setting, source=source)
        place = places_of(framework)
        self.order = {pair: (place[pair[0]], place[pair[1]]) for pair in framework.attacks}

    def without(self, overlooked: frozenset[tuple[A, A]]) -> Relaxation[A]:
        """Give the relaxation that overlooks these attacks."""
        return Relaxation(
            framework=replace(self.framework, attacks=self.framework.attacks - overlooked),
            overlooked=overlooked,
            weight=float(sum(map(self.weights.__getitem__, overlooked))),
            variant=self.variant,
        )

    def search(self, budget: float | None, relevant: Iterable[A]) -> Iterator[tuple[Relaxation[A], Mapping[A, Label]]]:
        """Give relaxations in the order of weight, with their labels, that reach every grounded labelling within."""
        targets = frozenset(relevant)
        pending: dict[frozenset[tuple[A, A]], list[tuple[A, A]]] = {}
        for overlooked in self.cheapest_first(budget, pending.pop):
            relaxation = self.without(overlooked)
            labels = grounded(relaxation.framework)
            pending[overlooked] = [
                (attacker, target)
                for attacker, target in relaxation.framework.attacks
                if target in targets and labels[attacker] is not Label.OUT
            ]
            yield relaxation, labels

    def cheapest_first(
        self,
        budget: float | None,
        beyond: Callable[[frozenset[tuple[A, A]]], Iterable[tuple[A, A]]],
    ) -> Iterator[frozenset[tuple[A, A]]]:
        """Give sets of attacks in the order of weight; ``beyond`` says, once a set was given, what may join it."""
        most = inf if budget is None else _exact(budget, "budget")
        ties = count()
        queue: list[tuple[Fraction, int, frozenset[tuple[A, A]], list[tuple[A, A]], int]] = []

        def offer(weight: Fraction, overlooked: frozenset[tuple[A, A]], joining: list[tuple[A, A]], at: int) -> None:
            # One child at a time, the cheapest first: with all of them the queue would outgrow the memory.
            if at < len(joining) and (heavier := weight + self.weights[joining[at]]) <= most:
                heapq.heappush(queue, (heavier, next(ties), overlooked, joining, at))

        seen: set[frozenset[tuple[A, A]]] = {frozenset()}
        yield frozenset()
        offer(Fraction(), frozenset(), self._sorted(beyond(frozenset())), 0)
        while queue:
            weight, _, parent, joining, at = heapq.heappop(queue)
            offer(weight - self.weights[joining[at]], parent, joining, at + 1)
            overlooked = parent | {joining[at]}
            if overlooked in seen:
                continue
            if len(seen) == MOST_RELAXATIONS:
                raise LimitExceeded(f"more than {MOST_RELAXATIONS} sets of attacks to overlook")
            seen.add(overlooked)
            yield overlooked
            offer(weight, overlooked, self._sorted(beyond(overlooked)), 0)

    def _sorted(self, pairs: Iterable[tuple[A, A]]) -> list[tuple[A, A]]:
        return sorted(pairs, key=lambda pair: (self.weights[pair], self.order[pair]))


def _exact_weights(framework: Framework[A], weights: AttackWeights[A]) -> dict[tuple[A, A], Fraction]:
    for pair, weight in weights.items():
        if pair not in framework.attacks:
            raise MalformedInput(f"a weight for {pair[0]} against {pair[1]}, which is no attack")
        if not 0 < weight < float("inf"):
            raise MalformedInput(f"{weight} is no weight of an attack: it is more than 0, and finite")
    return {pair: Fraction(str(weights.get(pair, 1))) for pair in framework.attacks}


def _exact(limit: float, meant: str) -> Fraction:
    # The decimal number as it is written: three attacks of 0.1 are within a budget of 0.3.
    if not 0 <= limit < float("inf"):
        raise MalformedInput(f"{limit} is no {meant}: it is at least 0, and finite")
    return Fraction(str(limit))


def _leading_to(framework: Framework[A], argument: A) -> set[A]:
    """Give what the label of ``argument`` may turn on, itself included."""
    before: dict[A, list[A]] = {}
    for attacker, target in framework.attacks:
        before.setdefault(target, []).append(attacker)
    for name, ways in framework.justifications.items():
        before.setdefault(name, []).extend(premise for way in ways for premise in way)
    found, pending = {argument}, [argument]
    while pending:
        for name in before.get(pending.pop(), ()):
            if name not in found:
                found.add(name)
                pending.append(name)
    return found
