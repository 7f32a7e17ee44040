"""Statements about what one agent knows, believes and has in view, answered by whoever can say so of plain formulas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from upheld.errors import CouldNotCheck
from upheld.logic.language.formulas import (
    And,
    Aware,
    Believes,
    Bottom,
    CommonKnowledge,
    DistributedKnowledge,
    ExplicitlyKnows,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    Or,
    SafelyBelieves,
    Top,
    atoms_of,
    is_propositional,
    parts_of,
)


class Believer(Protocol):
    """Whoever knows and believes plain formulas."""

    def knows(self, formula: Formula) -> bool:
        """Tell whether the formula is known."""
        ...

    def believes(self, formula: Formula) -> bool:
        """Tell whether the formula is believed."""
        ...

    def believes_given(self, condition: Formula, formula: Formula) -> bool:
        """Tell whether the formula would be believed, were the condition learned."""
        ...


def is_true_of(believer: Believer, formula: Formula, aware: frozenset[str] | None) -> bool:
    """Evaluate a combination of modal statements about one agent; see :meth:`OrderedBase.holds`."""
    values: dict[int, bool] = {}
    pending: list[Formula] = [formula]
    while pending:
        node = pending[-1]
        connective = _CONNECTIVES.get(type(node))
        parts = () if connective is None else parts_of(node)
        lacking = [part for part in parts if id(part) not in values]
        if lacking:
            pending.extend(lacking)
            continue
        pending.pop()
        if connective is None:
            values[id(node)] = _statement(believer, node, aware)
        else:
            values[id(node)] = connective([values[id(part)] for part in parts])
    return values[id(formula)]


_CONNECTIVES: dict[type[Formula], Callable[[list[bool]], bool]] = {
    Top: lambda _: True,
    Bottom: lambda _: False,
    Not: lambda parts: not parts[0],
    And: all,
    Or: any,
    Implies: lambda parts: not parts[0] or parts[1],
    Iff: lambda parts: parts[0] == parts[1],
}


def _statement(believer: Believer, statement: Formula, aware: frozenset[str] | None) -> bool:
    if isinstance(statement, CommonKnowledge | DistributedKnowledge):
        raise CouldNotCheck("one base holds what one agent knows: ask a knowledge structure what a group knows")
    if not all(is_propositional(part) for part in parts_of(statement)):
        raise CouldNotCheck("knowledge or belief about knowledge or belief is for a knowledge structure to judge")
    match statement:
        case Knows(_, operand):
            return believer.knows(operand)
        case KnowsWhether(_, operand):
            return believer.knows(operand) or believer.knows(Not(operand))
        case Believes(_, operand, None):
            return believer.believes(operand)
        case Believes(_, operand, condition) if condition is not None:
            return believer.believes_given(condition, operand)
        case Aware(_, operand):
            return _is_in_view(operand, aware)
        case ExplicitlyKnows(_, operand):
            return _is_in_view(operand, aware) and believer.knows(operand)
        case SafelyBelieves():
            raise CouldNotCheck("whether a belief is safe depends on how things are, which a base does not say")
        case _:
            raise CouldNotCheck("a base does not say whether a bare fact is so: ask whether it is known or believed")


def _is_in_view(operand: Formula, aware: frozenset[str] | None) -> bool:
    if aware is None:
        raise CouldNotCheck("awareness needs the atoms that the agent has in view")
    return atoms_of(operand) <= aware
