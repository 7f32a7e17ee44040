"""All that some literals rest on, numbered: what the searches for environments and breaking sets work on.

A literal becomes a number, a justification a rule over numbers (a definite Horn clause; Dowling and Gallier 1984), and
that the wanted literals hold together is one more number, the root. A premise ``~p`` is a number of its own: it holds
when it is assumed, never because ``p`` is absent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from upheld.logic.dependency.justifications import DependencyMap, Justification
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal

JustificationsOf = Callable[[PropositionId], tuple[Justification, ...]]
"""The alternatives of a node: those of a map, or what a caller lets count of them."""

Rule = tuple[int, tuple[int, ...]]
"""A head, and the numbers that hold it up together."""

_OWN_WORD: tuple[Justification, ...] = ((),)

ROOT = 0
"""The number of "all that was asked for holds"."""


@dataclass(frozen=True, kw_only=True)
class Cone:
    """Numbered literals (``names[0]`` stands for the root and is never shown), rules, and what may be assumed."""

    names: tuple[Literal, ...]
    rules: tuple[Rule, ...]
    assumed: tuple[int, ...]

    @cached_property
    def ways(self) -> tuple[tuple[int, ...], ...]:
        """Give the rules of each number, as places in ``rules``."""
        return _places(len(self.names), ((head, place) for place, (head, _) in enumerate(self.rules)))

    @cached_property
    def uses(self) -> tuple[tuple[int, ...], ...]:
        """Give the rules in whose body each number stands."""
        return _places(len(self.names), ((each, place) for place, (_, body) in enumerate(self.rules) for each in body))

    def number_of(self, item: Literal) -> int | None:
        """Give the number of a literal, or ``None`` when nothing in the cone rests on it."""
        return self._numbers.get(item)

    def literals(self, numbers: Iterable[int]) -> frozenset[Literal]:
        """Give the literals of numbers."""
        return frozenset(self.names[each] for each in numbers)

    @cached_property
    def may_be_assumed(self) -> frozenset[int]:
        """Give ``assumed`` as a set."""
        return frozenset(self.assumed)

    @cached_property
    def _numbers(self) -> dict[Literal, int]:
        return {name: number for number, name in enumerate(self.names) if number != ROOT}


def cone_of(
    dependencies: DependencyMap | JustificationsOf,
    wanted: Sequence[Literal],
    *,
    assumptions: Collection[Literal] | None = None,
) -> Cone:
    """Give the cone of some literals that shall hold together.

    Without ``assumptions`` every negated premise is one, and every proposition that needs no premise: the root claims
    (an empty justification) and what the map says nothing about; what nobody holds any more (no justification) is
    none. Given, they are these and no more; another claim with an empty justification then holds unconditionally (de
    Kleer 1986 calls it a premise).

    The cone of ``p`` is there for each ``~p``, since the two must not hold together. Cost: its edges.
    """
    unrecorded = _OWN_WORD if assumptions is None else ()
    justifications_of = _recorded(dependencies, unrecorded) if isinstance(dependencies, DependencyMap) else dependencies
    # The root's place is filled with a literal that is never read, so that names need no optional type. Numbers are
    # found by notation: a string keeps its hash.
    names = [Literal(PropositionId("")), *dict.fromkeys(wanted)]
    numbers = {str(item): number for number, item in enumerate(names) if number != ROOT}

    def number_of(item: Literal) -> int:
        number = numbers.setdefault(str(item), len(names))
        if number == len(names):
            names.append(item)
        return number

    rules: list[Rule] = [(ROOT, tuple(range(1, len(names))))]
    assumed: list[int] = []
    number = 1
    while number < len(names):
        item = names[number]
        groups = () if item.negated else justifications_of(item.proposition)
        is_assumed = item.negated or () in groups if assumptions is None else item in assumptions
        if is_assumed:
            assumed.append(number)
        rules += [(number, tuple(dict.fromkeys(map(number_of, group)))) for group in groups if group or not is_assumed]
        if item.negated:
            number_of(~item)
        number += 1
    return Cone(names=tuple(names), rules=tuple(rules), assumed=tuple(assumed))


def founded(cone: Cone, held: Iterable[int], without: Set[int] = frozenset(), *, upto: int = -1) -> dict[int, int]:
    """Give the least set that the rules build on what is ``held``: each number with the rule that first gave it.

    What is held has the rule -1. Nothing in ``without`` ever holds. Only what is built up counts, so no circle holds
    itself up (Doyle 1979, well-founded support). Stops early once ``upto`` is there. Cost: linear in the cone.
    """
    found: dict[int, int] = {each: -1 for each in held if each not in without}
    missing = [len(body) for _, body in cone.rules]
    uses, rules = cone.uses, cone.rules
    pending = list(found)
    for place, (head, body) in enumerate(rules):
        if not body and head not in found and head not in without:
            found[head] = place
            pending.append(head)
    for each in pending:
        if each == upto:
            break
        for place in uses[each]:
            missing[place] -= 1
            if not missing[place]:
                head = rules[place][0]
                if head not in found and head not in without:
                    found[head] = place
                    pending.append(head)
    return found


def proof_of(cone: Cone, derived: dict[int, int], number: int) -> dict[int, None]:
    """Give what one derivation of a number uses, nearest first, the number itself left out."""
    used: dict[int, None] = {number: None}
    pending = [number]
    for each in pending:
        place = derived[each]
        for premise in cone.rules[place][1] if place >= 0 else ():
            if premise not in used:
                used[premise] = None
                pending.append(premise)
    del used[number]
    return used


def _recorded(dependencies: DependencyMap, otherwise: tuple[Justification, ...]) -> JustificationsOf:
    return lambda node: dependencies.justifications.get(node, otherwise)


def _places(size: int, pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    found: list[list[int]] = [[] for _ in range(size)]
    for number, place in pairs:
        found[number].append(place)
    return tuple(map(tuple, found))
