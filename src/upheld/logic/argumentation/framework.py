"""Frameworks: who attacks whom, and what each argument needs in order to stand.

**Definition.** A framework is a set of arguments, a relation of attack, and for some arguments a list of alternative
*justifications*, each a set of premises that are jointly necessary: an OR of ANDs. Let S be a set of arguments.

- ``rejected(S)`` is the least set R such that x is in R when a member of S attacks x, or when every justification of x
  has a premise in R.
- S is *supported* when its members can be put in an order in which each has a justification among those before it:
  nothing holds itself up in a circle.
- S *defends* x when every attacker of x is in ``rejected(S)`` and some justification of x lies within S.
- S is *conflict-free* when no member attacks a member; *admissible* when it is conflict-free, supported, and defends
  each of its members; *complete* when it is admissible and holds everything that it defends; *preferred* when it is
  maximal among the admissible; *stable* when it is admissible and rejects everything else. The *grounded* extension is
  the least fixpoint of defence. The labelling of S is: in for S, out for ``rejected(S)``, undecided for the rest.

**Without justifications** ``rejected(S)`` is what S attacks, every set is supported, and all of this is Dung (1995),
with the labellings of Caminada (2006).

**With them** it is an argumentation framework with necessary supports, after Nouioua and Risch (2011), whose
necessities are an AND of ORs; an OR of ANDs says the same. One departure: for them an argument with only circular
support is switched off; here it is undecided, and so is what hangs on it alone: a circle is a thing to be looked at,
not a refutation. Dung's fundamental lemma and directionality both survive; ``postulates.py`` has what follows.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Generator, Hashable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, TypeVar

from upheld.errors import RepeatedIdentity, SelfSupport, UnknownReference

A = TypeVar("A", bound=Hashable)
"""What names an argument."""

Justifications = tuple[frozenset[A], ...]
"""Alternatives, each a set of premises that are needed together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framework(Generic[A]):
    """Arguments, attacks as ``(attacker, target)``, and justifications (defined at the top of the module).

    An argument that ``justifications`` does not name needs nothing, as one that has the empty set among its
    alternatives. One that has no alternative at all, ``()``, cannot stand: it is out.
    The order of ``arguments`` decides ties between preferred extensions and the order of what is written, nothing else.
    """

    arguments: tuple[A, ...]
    attacks: frozenset[tuple[A, A]] = frozenset()
    justifications: Mapping[A, Justifications[A]] = field(default_factory=dict[A, Justifications[A]])

    def __post_init__(self) -> None:
        """Refuse what cannot mean anything, and keep a copy of the justifications that nobody can change.

        Raises:
            RepeatedIdentity: an argument is listed twice.
            UnknownReference: an attack or a justification names an argument that is not listed.
            SelfSupport: an argument is a premise of itself.
        """
        known = frozenset(self.arguments)
        if len(known) != len(self.arguments):
            name, count = Counter(self.arguments).most_common(1)[0]
            raise RepeatedIdentity(f"{name} is listed {count} times")
        for attacker, target in self.attacks:
            if attacker not in known or target not in known:
                missing = target if attacker in known else attacker
                raise UnknownReference(str(missing), where=f"the attack of {attacker} on {target}")
        _check_justifications(self.justifications, known)
        # A read-only copy of a dictionary, since no version is ever made from another: a persistent map is slower here.
        object.__setattr__(self, "justifications", MappingProxyType(dict(self.justifications)))

    def __hash__(self) -> int:
        return hash((self.arguments, self.attacks, frozenset(self.justifications.items())))

    @property
    def has_supports(self) -> bool:
        """Tell whether some argument needs something, so that this is more than a framework of Dung (1995)."""
        return any(frozenset() not in ways for ways in self.justifications.values())


def framework_of(
    arguments: Iterable[A],
    attacks: Iterable[tuple[A, A]] = (),
    justifications: Mapping[A, Iterable[Iterable[A]]] | None = None,
) -> Framework[A]:
    """Give the framework of plain collections; raises like :class:`Framework`."""
    ways = {name: tuple(frozenset(way) for way in listed) for name, listed in (justifications or {}).items()}
    return Framework(arguments=tuple(arguments), attacks=frozenset(attacks), justifications=ways)


def without(framework: Framework[A], removed: Iterable[A]) -> Framework[A]:
    """Give the framework after ``removed`` are taken out, with their attacks and every justification that needs one.

    An argument that thereby loses its last justification stays, and is out: what was built on it can be seen to fall.

    Raises:
        UnknownReference: ``removed`` names an argument that is not there.
    """
    gone = members_of(framework, removed)
    return Framework(
        arguments=tuple(name for name in framework.arguments if name not in gone),
        attacks=frozenset(pair for pair in framework.attacks if pair[0] not in gone and pair[1] not in gone),
        justifications={
            name: tuple(way for way in ways if way.isdisjoint(gone))
            for name, ways in framework.justifications.items()
            if name not in gone
        },
    )


def members_of(framework: Framework[A], names: Iterable[A]) -> frozenset[A]:
    """Give ``names`` as a set.

    Raises:
        UnknownReference: one of them is no argument of ``framework``.
    """
    chosen = frozenset(names)
    unknown = chosen.difference(framework.arguments)
    if unknown:
        raise UnknownReference(min(map(str, unknown)), where="a set of arguments")
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """A framework over 0 … n-1, by adjacency: what the algorithms walk.

    ``ways[x]`` numbers the justifications of x, ``None`` when it needs nothing. Of justification j, ``owner[j]`` is
    whom it holds up and ``premises[j]`` what it needs; ``serves[x]`` are the justifications that need x. Everything is
    sorted, so that no result depends on the order of a set.
    """

    attackers: tuple[tuple[int, ...], ...]
    targets: tuple[tuple[int, ...], ...]
    ways: tuple[tuple[int, ...] | None, ...]
    owner: tuple[int, ...] = ()
    premises: tuple[tuple[int, ...], ...] = ()
    serves: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        """Count the arguments."""
        return len(self.attackers)

    @property
    def dependents(self) -> tuple[tuple[int, ...], ...]:
        """Give, for each argument, those whose label may turn on it: its targets, and what it is a premise of."""
        if not self.owner:
            return self.targets
        return tuple(
            (*hit, *(self.owner[way] for way in served)) for hit, served in zip(self.targets, self.serves, strict=True)
        )


def places_of(framework: Framework[A]) -> dict[A, int]:
    """Give the number of each argument in :func:`indexed`."""
    return {name: place for place, name in enumerate(framework.arguments)}


def indexed(framework: Framework[A]) -> Indexed:
    """Give the adjacency of ``framework``; linear but for the sorting of neighbours."""
    place = places_of(framework)
    with _collecting_nothing():
        attackers: list[list[int]] = [[] for _ in place]
        for attacker, target in framework.attacks:
            attackers[place[target]].append(place[attacker])
        ways = {
            place[name]: [[place[premise] for premise in way] for way in listed]
            for name, listed in framework.justifications.items()
        }
        return index_of(attackers, ways)


def index_of(attackers: list[list[int]], ways: Mapping[int, Sequence[Sequence[int]]]) -> Indexed:
    """Give the adjacency in which x is attacked by ``attackers[x]`` and held up by ``ways[x]`` (absent: needs nothing).

    An empty way makes the other ways idle, so both are left out: no justification of the result is empty.
    """
    targets: list[list[int]] = [[] for _ in attackers]
    for target, listed in enumerate(attackers):
        listed.sort()
        for attacker in listed:
            targets[attacker].append(target)
    size = len(attackers)
    numbers: list[tuple[int, ...] | None] = [None] * size
    owner: list[int] = []
    premises: list[tuple[int, ...]] = []
    serves: dict[int, list[int]] = {}
    for name in sorted(ways):
        if not all(ways[name]):
            continue
        first = len(owner)
        for way in ways[name]:
            for premise in (needed := tuple(sorted(way))):
                serves.setdefault(premise, []).append(len(owner))
            owner.append(name)
            premises.append(needed)
        numbers[name] = tuple(range(first, len(owner)))
    return Indexed(
        attackers=tuple(map(tuple, attackers)),
        targets=tuple(map(tuple, targets)),
        ways=tuple(numbers),
        owner=tuple(owner),
        premises=tuple(premises),
        serves=tuple([tuple(serves.get(name, ())) for name in range(size)]) if serves else ((),) * size,
    )


@contextmanager
def _collecting_nothing() -> Generator[None]:
    """Keep the collector of circular garbage away: it walks each new list again and again, and takes half the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _check_justifications(justifications: Mapping[A, Justifications[A]], known: frozenset[A]) -> None:
    for name, ways in justifications.items():
        if name not in known:
            raise UnknownReference(str(name), where="the justifications")
        for way in ways:
            if name in way:
                raise SelfSupport(f"{name} is given as its own ground")
            if not way <= known:
                raise UnknownReference(min(map(str, way - known)), where=f"a justification of {name}")
