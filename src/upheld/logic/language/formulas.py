"""Formulas over atoms, knowledge and belief: syntax only, evaluated nowhere in this package.

Each class is one connective of the notation (see :mod:`upheld.logic.language.notation`). Source of the operators:
Baltag and Smets 2008; awareness after Fagin and Halpern 1988.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Top:
    """What always holds: ``true``."""


@dataclass(frozen=True, slots=True)
class Bottom:
    """What never holds: ``false``."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A propositional atom by its name; a proposition without a formula is its own atom."""

    name: str


@dataclass(frozen=True, slots=True)
class Not:
    """Negation: ``~p``."""

    operand: Formula


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction of any number: ``p & q & r``."""

    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction of any number: ``p | q | r``."""

    operands: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Implies:
    """Material implication: ``p -> q``, to the right."""

    antecedent: Formula
    consequent: Formula


@dataclass(frozen=True, slots=True)
class Iff:
    """Equivalence: ``p <-> q``."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Knows:
    """The agent knows: ``K_alice p``."""

    agent: str
    operand: Formula


@dataclass(frozen=True, slots=True)
class KnowsWhether:
    """The agent knows the operand or knows its negation: ``Kw_alice p``."""

    agent: str
    operand: Formula


@dataclass(frozen=True, slots=True)
class Believes:
    """The agent believes: ``B_alice p``; given a condition, would believe: ``B_alice^(q) p``."""

    agent: str
    operand: Formula
    condition: Formula | None = None


@dataclass(frozen=True, slots=True)
class SafelyBelieves:
    """The agent believes, and no true information could change that: ``Sb_alice p`` (Baltag and Smets 2008).

    It holds at a world when the operand holds in every world of the agent's cell that is at least as plausible.
    """

    agent: str
    operand: Formula


@dataclass(frozen=True, slots=True)
class CommonKnowledge:
    """Common knowledge of a group: ``C_{alice,bob} p``; of all when the group is empty: ``C p``."""

    group: tuple[str, ...]
    operand: Formula


@dataclass(frozen=True, slots=True)
class DistributedKnowledge:
    """What a group knows together: ``D_{alice,bob} p``; of all when the group is empty."""

    group: tuple[str, ...]
    operand: Formula


@dataclass(frozen=True, slots=True)
class Aware:
    """The agent has every atom of the operand in view: ``A_alice p``."""

    agent: str
    operand: Formula


@dataclass(frozen=True, slots=True)
class ExplicitlyKnows:
    """The agent knows the operand and is aware of it: ``X_alice p`` (Fagin and Halpern 1988, section 4)."""

    agent: str
    operand: Formula


OfAgent = Knows | KnowsWhether | Believes | SafelyBelieves | Aware | ExplicitlyKnows
"""What is said of one agent."""

OfGroup = CommonKnowledge | DistributedKnowledge
"""What is said of a group."""

Formula = Top | Bottom | Atom | Not | And | Or | Implies | Iff | OfAgent | OfGroup


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Give the formula and everything within it, in no order. Cost: linear; iterative, so depth is no limit."""
    pending: list[Formula] = [formula]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(parts_of(current))


def atoms_of(formula: Formula) -> frozenset[str]:
    """Give the names of the atoms that occur. Cost: linear."""
    return frozenset([part.name for part in subformulas(formula) if isinstance(part, Atom)])


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """Give the immediate subformulas, left to right."""
    match formula:
        case Top() | Bottom() | Atom():
            return ()
        case And(operands) | Or(operands):
            return operands
        case Implies(antecedent, consequent):
            return (antecedent, consequent)
        case Iff(left, right):
            return (left, right)
        case Believes(_, operand, condition):
            return (operand,) if condition is None else (condition, operand)
        case Not(operand) | Knows(_, operand) | KnowsWhether(_, operand) | SafelyBelieves(_, operand):
            return (operand,)
        case Aware(_, operand) | ExplicitlyKnows(_, operand):
            return (operand,)
        case CommonKnowledge(_, operand) | DistributedKnowledge(_, operand):
            return (operand,)


def is_propositional(formula: Formula) -> bool:
    """Tell whether no agent occurs: only atoms and connectives."""
    return not any(isinstance(part, OfAgent | OfGroup) for part in subformulas(formula))


def plainly(formula: Formula | None) -> Formula | None:
    """Give a formula that speaks of no agent, for whoever can only judge such; else nothing. Cost: linear."""
    return formula if formula is not None and is_propositional(formula) else None


def agents_of(formula: Formula) -> frozenset[str]:
    """Give the agents that are named; a group that names none, which stands for all, adds none. Cost: linear."""
    found: set[str] = set()
    for part in subformulas(formula):
        if isinstance(part, OfAgent):
            found.add(part.agent)
        elif isinstance(part, OfGroup):
            found.update(part.group)
    return frozenset(found)
