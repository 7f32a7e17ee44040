"""Formulas brought into the connectives that a text can hold, without recursion, so that depth is no limit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TypeVar

from upheld.logic.language.formulas import (
    And,
    Atom,
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
    parts_of,
)

_Result = TypeVar("_Result")


def folded(formula: Formula, give: Callable[[Formula, Sequence[_Result]], _Result]) -> _Result:
    """Give what ``give`` makes of a formula and of what it made of the immediate subformulas, left to right.

    Cost: linear; a subformula that is shared is visited once.
    """
    found: dict[int, _Result] = {}
    pending: list[Formula] = [formula]
    while pending:
        node = pending[-1]
        lacking = [part for part in parts_of(node) if id(part) not in found]
        if lacking:
            pending.extend(lacking)
            continue
        pending.pop()
        found[id(node)] = give(node, [found[id(part)] for part in parts_of(node)])
    return found[id(formula)]


def is_about_knowledge_alone(formula: Formula) -> bool:
    """Tell whether neither belief nor awareness occurs."""
    pending: list[Formula] = [formula]
    while pending:
        node = pending.pop()
        if isinstance(node, Believes | SafelyBelieves | Aware | ExplicitlyKnows):
            return False
        pending.extend(parts_of(node))
    return True


def spelled_out(formula: Formula, agents: Collection[str]) -> Formula:
    """Give an equivalent formula that names every group and joins no fewer than two operands."""
    everybody = tuple(agents)

    def spell(node: Formula, parts: Sequence[Formula]) -> Formula:
        match node:
            case And():
                return _joined(And, parts, Top())
            case Or():
                return _joined(Or, parts, Bottom())
            case CommonKnowledge(group) | DistributedKnowledge(group):
                return type(node)(group or everybody, parts[0])
            case _:
                return rebuilt(node, parts)

    return folded(formula, spell)


def in_few_connectives(formula: Formula) -> Formula:
    """Give an equivalent formula without implications, equivalences and ``Kw``.

    An equivalence doubles its operands, so equivalences nested n deep make it 2^n times as long.
    """

    def spell(node: Formula, parts: Sequence[Formula]) -> Formula:
        match node:
            case Implies():
                return Or((Not(parts[0]), parts[1]))
            case Iff():
                return And((Or((Not(parts[0]), parts[1])), Or((Not(parts[1]), parts[0]))))
            case KnowsWhether(agent):
                return Or((Knows(agent, parts[0]), Knows(agent, Not(parts[0]))))
            case _:
                return rebuilt(node, parts)

    return folded(formula, spell)


def renamed(formula: Formula, *, atoms: Callable[[str], str], agents: Callable[[str], str]) -> Formula:
    """Give the formula with other names."""

    def rename(node: Formula, parts: Sequence[Formula]) -> Formula:
        match node:
            case Atom(name):
                return Atom(atoms(name))
            case Knows(agent) | KnowsWhether(agent):
                return type(node)(agents(agent), parts[0])
            case CommonKnowledge(group) | DistributedKnowledge(group):
                return type(node)(tuple(map(agents, group)), parts[0])
            case _:
                return rebuilt(node, parts)

    return folded(formula, rename)


def rebuilt(node: Formula, parts: Sequence[Formula]) -> Formula:
    """Give a node with other immediate subformulas."""
    match node:
        case Top() | Bottom() | Atom():
            return node
        case And() | Or():
            return type(node)(tuple(parts))
        case Implies() | Iff():
            return type(node)(parts[0], parts[1])
        case Believes(_, _, condition) if condition is not None:
            return replace(node, condition=parts[0], operand=parts[1])
        case _:
            return replace(node, operand=parts[0])


def _joined(make: type[And] | type[Or], parts: Sequence[Formula], of_none: Formula) -> Formula:
    if len(parts) > 1:
        return make(tuple(parts))
    return parts[0] if parts else of_none


Piece = str | Formula
"""Text, or a formula that is yet to be written."""


def written(formula: Formula, pieces_of: Callable[[Formula], Sequence[Piece]]) -> str:
    """Give the text of a formula, ``pieces_of`` saying how each node is written. Cost: linear in the text."""
    text: list[str] = []
    pending: list[Piece] = [formula]
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            text.append(piece)
        else:
            pending.extend(reversed(pieces_of(piece)))
    return "".join(text)


def chained(operands: Sequence[Formula], between: str) -> list[Piece]:
    """Give operands in parentheses, with a word between each two."""
    pieces: list[Piece] = []
    for operand in operands:
        pieces.extend((between, operand))
    return ["(", *pieces[1:], ")"]
