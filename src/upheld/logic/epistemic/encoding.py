"""Formulas as clauses of one incremental SAT solver.

Each subformula gets a literal that implies it; the other direction is left out, because literals are only ever assumed
(Plaisted and Greenbaum 1986). Equal subformulas share a literal. Nothing assumed, nothing constrained: entries that
were taken back cost memory and no correctness.

The last valuation that the solver found is kept: where it still satisfies everything, there is nothing to solve.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from upheld.errors import CouldNotCheck
from upheld.logic.epistemic.entries import Core, Entry
from upheld.logic.language.formulas import And, Atom, Bottom, Formula, Iff, Implies, Not, Or, Top


class _Solver(Protocol):
    """The calls that are used of the solver, whose package ships no types."""

    def add_clause(self, clause: list[int]) -> None: ...
    def solve(self, *, assumptions: list[int]) -> object: ...
    def get_core(self) -> list[int] | None: ...
    def get_model(self) -> list[int] | None: ...
    def delete(self) -> None: ...


_Node = tuple[Formula, bool]
"""A subformula, and whether it is affirmed or denied."""

_Reading = tuple[str, tuple[_Node, ...]]
"""A connective over subformulas, negations pushed inwards."""

_Shape = tuple[str, tuple[int, ...]]
"""A connective over literals: what two equal subformulas have in common."""


class Encoding:
    """One solver with everything that was ever asked of it."""

    def __init__(self, *, is_passing: bool) -> None:
        """Start empty. Glucose 4: many tiny calls are its strength.

        The package is loaded at the first question that needs a solver; most conversations never ask one.
        """
        self._literals: dict[Entry, int] | None = {} if is_passing else None
        self._solver = cast("_Solver", import_module("pysat.solvers").Solver(name="glucose4"))
        # Left to its destructor, a solver that lives until the interpreter ends fails there, and complains on stderr.
        weakref.finalize(self, self._solver.delete)
        self._variables = 0
        self._atoms: dict[str, int] = {}
        self._shapes: dict[_Shape, int] = {}
        self._true: set[int] = set()

    def conflict(self, held: Sequence[Entry], added: Sequence[Entry]) -> Core | None:
        """Give a core of entries that cannot hold together, or ``None`` when all can.

        One call of the solver, or none if the valuation that it last found satisfies them.
        """
        # The condition is that of ``_known``, written out: many entries are held by each question.
        literals = [
            noted[1] if (noted := entry.notes.literal) is not None and noted[0] is self else self._literal_of(entry)
            for entry in held
        ]
        if self._true.issuperset(literals) and all(self._is_true(entry) for entry in added):
            return None
        owners = [*held]
        for entry in added:
            cube = self._cube(entry) if entry.position < 0 else None
            found = [self._literal_of(entry)] if cube is None else cube
            literals += found
            owners += [entry] * len(found)
        # Each literal once: Glucose has an array with a place for each variable, and writes to it by assumption.
        if self._solver.solve(assumptions=list(dict.fromkeys(literals))):
            self._true = set(self._solver.get_model() or ())
            return None
        first = dict(zip(reversed(literals), reversed(owners), strict=True))
        return frozenset([first[literal].position for literal in self._solver.get_core() or ()])

    def _literal_of(self, entry: Entry) -> int:
        if self._literals is None:
            noted = entry.notes.literal
            if noted is not None and noted[0] is self:
                return noted[1]
        known = self._known(entry)
        if known is None:
            known = self._literal(entry)
            if self._is_true(entry):
                self._true.add(known)
        return known

    def _cube(self, entry: Entry) -> Sequence[int] | None:
        """Give the literals of an entry that is a conjunction of some."""
        shape = self._flat(entry)
        return shape[1] if shape is not None and shape[0] == "&" else None

    def _is_true(self, entry: Entry) -> bool:
        """Tell whether the last valuation is seen to satisfy an entry, without looking deep."""
        if entry.promoted and not self._true.issuperset([self._known(part) or 0 for part in entry.promoted]):
            return False
        shape = self._flat(entry)
        if shape is None:
            return False
        connective, literals = shape
        return self._true.issuperset(literals) if connective == "&" else not self._true.isdisjoint(literals)

    def _flat(self, entry: Entry) -> _Shape | None:
        """Give the formula of an entry that is one conjunction or disjunction of literals, as most are."""
        noted = entry.notes.shape
        if noted is not None and noted[0] is self:
            return noted[1]
        shape = self._flattened(entry.formula)
        if self._literals is None:
            entry.notes.shape = self, shape
        return shape

    def _flattened(self, formula: Formula) -> _Shape | None:
        found: str | None = None
        literals: list[int] = []
        pending: list[_Node] = [(formula, True)]
        while pending:
            node, sign = pending.pop()
            if isinstance(node, Atom):
                literals.append(self._atom(node, sign))
            elif isinstance(node, Not):
                pending.append((node.operand, not sign))
            elif isinstance(node, And | Or | Implies):
                connective, parts = _reading(node, sign)
                if found not in (None, connective):
                    return None
                found = connective
                pending.extend(parts)
            else:
                return None
        return found or "&", tuple(literals)

    def _literal(self, entry: Entry) -> int:
        pending, literal = [entry], 0
        while pending:
            current = pending[-1]
            parts = [self._known(part) for part in current.promoted]
            if None in parts:
                pending.extend(part for part, literal in zip(current.promoted, parts, strict=True) if literal is None)
                continue
            pending.pop()
            shape = self._flat(current)
            own = self._formula(current.formula) if shape is None else self._of(*shape)
            literal = self._of("&", (own, *(part for part in parts if part is not None)))
            self._note(current, literal)
        return literal

    def _known(self, entry: Entry) -> int | None:
        if self._literals is not None:
            return self._literals.get(entry)
        noted = entry.notes.literal
        return noted[1] if noted is not None and noted[0] is self else None

    def _note(self, entry: Entry, literal: int) -> None:
        if self._literals is not None:
            self._literals[entry] = literal
        else:
            entry.notes.literal = (self, literal)

    def _formula(self, formula: Formula) -> int:
        """Give the literal of a formula, its subformulas first."""
        found: dict[tuple[int, bool], int] = {}
        pending: list[tuple[Formula, bool, _Reading | None]] = [(formula, True, None)]
        while pending:
            node, sign, reading = pending.pop()
            if (id(node), sign) in found:
                continue
            if isinstance(node, Atom):
                found[id(node), sign] = self._atom(node, sign)
            elif reading is None:
                reading = _reading(node, sign)
                pending.append((node, sign, reading))
                pending.extend((part, part_sign, None) for part, part_sign in reading[1])
            else:
                connective, parts = reading
                literals = tuple([found[id(part), part_sign] for part, part_sign in parts])
                found[id(node), sign] = self._of(connective, literals)
        return found[id(formula), True]

    def _atom(self, atom: Atom, sign: bool) -> int:
        if atom.name not in self._atoms:
            self._atoms[atom.name] = self._fresh()
            self._true.add(-self._variables)
        return self._atoms[atom.name] if sign else -self._atoms[atom.name]

    def _of(self, connective: str, literals: tuple[int, ...]) -> int:
        if connective in "&|" and len(literals) == 1:
            return literals[0]
        return self._shared((connective, literals))

    def _shared(self, shape: _Shape) -> int:
        if shape not in self._shapes:
            name = self._fresh()
            self._shapes[shape] = name
            for clause in _clauses(shape):
                self._solver.add_clause([-name, *clause])
        return self._shapes[shape]

    def _fresh(self) -> int:
        self._variables += 1
        return self._variables


def _reading(node: Formula, sign: bool) -> _Reading:
    """Give the connective and parts of an affirmed or denied formula, negations pushed inwards."""
    match node:
        case Top() | Bottom():
            return ("&" if isinstance(node, Top) is sign else "|"), ()
        case Not(operand):
            return "&", ((operand, not sign),)
        case And(operands) | Or(operands):
            return ("&" if isinstance(node, And) is sign else "|"), tuple((part, sign) for part in operands)
        case Implies(antecedent, consequent):
            return ("|" if sign else "&"), ((antecedent, not sign), (consequent, sign))
        case Iff(left, right):
            return "=", ((left, True), (left, False), (right, sign), (right, not sign))
        case _:
            raise CouldNotCheck("a formula that speaks of knowledge or belief is for a knowledge structure to judge")


def _clauses(shape: _Shape) -> list[list[int]]:
    """Give the clauses that the literal of a shape implies."""
    connective, literals = shape
    if connective == "&":
        return [[literal] for literal in literals]
    if connective == "|":
        return [list(literals)]
    left, not_left, right, not_right = literals
    return [[not_left, right], [left, not_right]]
