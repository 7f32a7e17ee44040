r"""The written form of formulas: ``parse_formula`` reads it, ``format_formula`` writes it, and reading undoes writing.

::

    formula   = implies [ "<->" formula ]           to the right
    implies   = or [ "->" implies ]                 to the right
    or        = and { "|" and }                     one Or of all its operands
    and       = unary { "&" unary }                 one And of all its operands
    unary     = { "~" | modality } ( "true" | "false" | name | "(" formula ")" )
    modality  = ( "K_" | "Kw_" | "Sb_" | "A_" | "X_" ) agent | "B_" agent [ "^(" formula ")" ]
              | ( "C" | "D" ) [ "_{" agent { "," agent } "}" ]
    name      = letters, digits and _ . : -  (not ``->``), from a letter or digit on; anything else "in quotes"

Modalities and ``~`` bind tightest. Inside quotes ``\"`` and ``\\`` stand for the quote and the backslash. A name that
reads as a modality or a constant is quoted: ``"K_x"``, ``"C"``, ``"true"``. Parentheses are kept: ``(a & b) & c`` is a
conjunction inside a conjunction, ``a & b & c`` is one of three. No step recurses, so depth is no limit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from upheld.errors import MalformedFormula
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
    OfAgent,
    OfGroup,
    Or,
    SafelyBelieves,
    Top,
)

_OPEN, _IFF, _IMPLIES, _OR, _AND, _PREFIX, _WHOLE = range(7)

_NAME = r"[^\W_](?:[\w.:]|-(?!>))*"
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_LOOKS_MODAL = r"(?:[CD]|(?:K|Kw|B|Sb|A|X|C|D)_(?s:.*))"
# Patterns are left to the cache of ``re``: compiling them is a tenth of what importing the package costs.
_TOKEN = (
    rf"(?s)(?P<space>\s+)|(?P<agent>(?:Kw|K|Sb|B|A|X)_(?:{_NAME}|{_QUOTED}))|(?P<group>[CD]_\{{)|(?P<name>{_NAME})"
    rf"|(?P<quoted>{_QUOTED})|(?P<symbol><->|->|[~&|(){{}},^])"
)
_CONSTANTS: dict[str, Formula] = {"true": Top(), "false": Bottom()}

_Build = Callable[[Sequence[Formula]], Formula]
_BINARY: dict[str, tuple[int, _Build]] = {
    "<->": (_IFF, lambda parts: Iff(parts[0], parts[1])),
    "->": (_IMPLIES, lambda parts: Implies(parts[0], parts[1])),
    "|": (_OR, lambda parts: Or(tuple(parts))),
    "&": (_AND, lambda parts: And(tuple(parts))),
}
_OF_AGENT: dict[str, Callable[[str, Formula], Formula]] = {
    "K": Knows,
    "Kw": KnowsWhether,
    "B": Believes,
    "Sb": SafelyBelieves,
    "A": Aware,
    "X": ExplicitlyKnows,
}
_OPERATORS = {make: operator for operator, make in _OF_AGENT.items()}
_OF_GROUP: dict[str, Callable[[tuple[str, ...], Formula], Formula]] = {"C": CommonKnowledge, "D": DistributedKnowledge}


def parse_formula(text: str) -> Formula:
    """Read a formula.

    Cost: linear in the text.

    Raises:
        MalformedFormula: the text is no formula; names the column.
    """
    return _Reading(text, list(_tokens(text))).formula()


def format_formula(formula: Formula) -> str:
    """Write a formula, with no parenthesis that reading it back does not need.

    Cost: linear in the formula.

    Raises:
        MalformedFormula: a conjunction or disjunction of fewer than two operands, which has no written form.
    """
    written: list[str] = []
    pending: list[_Piece] = [(formula, _OPEN)]
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            written.append(piece)
            continue
        part, at_least = piece
        strength, pieces = _pieces_of(part)
        if strength < at_least:
            pieces = ["(", *pieces, ")"]
        pending.extend(reversed(pieces))
    return "".join(written)


class _Token(NamedTuple):
    kind: str
    text: str
    column: int


def _tokens(text: str) -> Iterator[_Token]:
    column = 0
    while column < len(text):
        match = re.compile(_TOKEN).match(text, column)
        if match is None:
            what = "quotes are never closed" if text[column] == '"' else f"unexpected {text[column]!r}"
            raise MalformedFormula(what, text=text, column=column)
        kind = str(match.lastgroup)
        if kind != "space":
            yield _Token(match.group() if kind == "symbol" else kind, match.group(), column)
        column = match.end()


@dataclass(slots=True)
class _Pending:
    """An operator that still waits for operands, or an open parenthesis (strength ``_OPEN``)."""

    strength: int
    column: int
    arity: int = 1
    build: _Build = lambda parts: parts[0]
    conditional: str | None = None
    """The believer, when the parenthesis holds the condition of a conditional belief."""


@dataclass(slots=True)
class _Reading:
    """Operator precedence parsing with explicit stacks (Pratt 1973; Dijkstra 1961)."""

    text: str
    tokens: list[_Token]
    place: int = 0
    operands: list[Formula] = field(default_factory=list[Formula])
    pending: list[_Pending] = field(default_factory=list[_Pending])

    def formula(self) -> Formula:
        wants_operand = True
        while self.place < len(self.tokens):
            token = self._next()
            wants_operand = self._operand(token) if wants_operand else self._operator(token)
        if wants_operand:
            raise self._error("a formula is missing", None)
        self._reduce(_OPEN)
        if self.pending:
            raise MalformedFormula("this parenthesis is never closed", text=self.text, column=self.pending[-1].column)
        return self.operands.pop()

    def _operand(self, token: _Token) -> bool:
        """Take a token where an operand may start; tell whether an operand is still wanted."""
        if token.kind == "~":
            self._prefix(token, lambda parts: Not(parts[0]))
        elif token.kind == "(":
            self.pending.append(_Pending(_OPEN, token.column))
        elif token.kind == "agent":
            self._agent_modality(token)
        elif token.kind == "group" or token.text in _OF_GROUP:
            self._group_modality(token)
        else:
            self.operands.append(self._word(token))
            return False
        return True

    def _operator(self, token: _Token) -> bool:
        """Take a token after an operand; tell whether another operand is wanted."""
        if token.kind == ")":
            return self._close(token)
        if token.kind not in _BINARY:
            raise self._error(f"expected one of & | -> <-> before {token.text!r}", token)
        strength, build = _BINARY[token.kind]
        self._reduce(strength)
        if self.pending and self.pending[-1].strength == strength and strength in (_AND, _OR):
            self.pending[-1].arity += 1
        else:
            self.pending.append(_Pending(strength, token.column, arity=2, build=build))
        return True

    def _reduce(self, strength: int) -> None:
        """Apply every waiting operator that binds tighter than ``strength``."""
        while self.pending and self.pending[-1].strength > strength:
            waiting = self.pending.pop()
            parts = self.operands[-waiting.arity :]
            del self.operands[-waiting.arity :]
            self.operands.append(waiting.build(parts))

    def _close(self, token: _Token) -> bool:
        self._reduce(_OPEN)
        if not self.pending:
            raise self._error("nothing was opened here", token)
        opened = self.pending.pop()
        believer = opened.conditional
        if believer is None:
            return False
        condition = self.operands.pop()
        self._prefix(token, lambda parts: Believes(believer, parts[0], condition))
        return True

    def _prefix(self, token: _Token, build: _Build) -> None:
        self.pending.append(_Pending(_PREFIX, token.column, build=build))

    def _agent_modality(self, token: _Token) -> None:
        operator, _, name = token.text.partition("_")
        agent = _unquoted(name)
        if operator == "B" and self._peek() == "^":
            self._next()
            if self._peek() != "(":
                raise self._error("a condition stands in parentheses: B_agent^(condition)", self._following())
            opening = self._next()
            self.pending.append(_Pending(_OPEN, opening.column, conditional=agent))
            return
        make = _OF_AGENT[operator]
        self._prefix(token, lambda parts: make(agent, parts[0]))

    def _group_modality(self, token: _Token) -> None:
        make = _OF_GROUP[token.text[0]]
        group = self._group() if token.kind == "group" else ()
        self._prefix(token, lambda parts: make(group, parts[0]))

    def _group(self) -> tuple[str, ...]:
        agents: list[str] = []
        while True:
            if self._peek() not in ("name", "quoted", "agent"):
                raise self._error("expected an agent of the group", self._following())
            agents.append(_unquoted(self._next().text))
            if self._peek() not in (",", "}"):
                raise self._error("expected , or } in the group", self._following())
            if self._next().kind == "}":
                return tuple(agents)

    def _word(self, token: _Token) -> Formula:
        if token.kind == "quoted":
            return Atom(_unquoted(token.text))
        if token.kind != "name":
            raise self._error(f"expected a formula before {token.text!r}", token)
        if token.text in _CONSTANTS:
            return _CONSTANTS[token.text]
        if re.fullmatch(_LOOKS_MODAL, token.text):
            raise self._error(f'this reads as a modality; an atom of that name is written "{token.text}"', token)
        return Atom(token.text)

    def _next(self) -> _Token:
        token = self.tokens[self.place]
        self.place += 1
        return token

    def _following(self) -> _Token | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def _peek(self) -> str:
        token = self._following()
        return "" if token is None else token.kind

    def _error(self, message: str, token: _Token | None) -> MalformedFormula:
        return MalformedFormula(message, text=self.text, column=len(self.text) if token is None else token.column)


def _unquoted(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name[1:-1], flags=re.DOTALL) if name.startswith('"') else name


def _quoted(name: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def _agent(name: str) -> str:
    return name if re.fullmatch(_NAME, name) else _quoted(name)


def _atom(name: str) -> str:
    is_plain = re.fullmatch(_NAME, name) and name not in _CONSTANTS and not re.fullmatch(_LOOKS_MODAL, name)
    return name if is_plain else _quoted(name)


_Piece = str | tuple[Formula, int]
"""Text, or a formula with the strength below which it stands in parentheses."""


def _pieces_of(formula: Formula) -> tuple[int, list[_Piece]]:
    match formula:
        case Top():
            return _WHOLE, ["true"]
        case Bottom():
            return _WHOLE, ["false"]
        case Atom(name):
            return _WHOLE, [_atom(name)]
        case And(operands):
            return _AND, _chain(operands, " & ", _AND + 1, "conjunction")
        case Or(operands):
            return _OR, _chain(operands, " | ", _OR + 1, "disjunction")
        case Implies(antecedent, consequent):
            return _IMPLIES, [(antecedent, _IMPLIES + 1), " -> ", (consequent, _IMPLIES)]
        case Iff(left, right):
            return _IFF, [(left, _IFF + 1), " <-> ", (right, _IFF)]
        case _:
            return _PREFIX, _prefix_pieces(formula)


def _prefix_pieces(formula: Not | OfAgent | OfGroup) -> list[_Piece]:
    operand: _Piece = (formula.operand, _PREFIX)
    match formula:
        case Not():
            return ["~", operand]
        case Believes(agent, _, condition) if condition is not None:
            return [f"B_{_agent(agent)}^(", (condition, _OPEN), ") ", operand]
        case CommonKnowledge(group):
            return [f"C{_members(group)} ", operand]
        case DistributedKnowledge(group):
            return [f"D{_members(group)} ", operand]
        case _:
            return [f"{_OPERATORS[type(formula)]}_{_agent(formula.agent)} ", operand]


def _members(group: tuple[str, ...]) -> str:
    return "_{" + ",".join(_agent(agent) for agent in group) + "}" if group else ""


def _chain(operands: tuple[Formula, ...], between: str, strength: int, what: str) -> list[_Piece]:
    if len(operands) < 2:
        raise MalformedFormula(f"a {what} of {len(operands)} operands has no written form")
    pieces: list[_Piece] = []
    for operand in operands:
        pieces.extend((between, (operand, strength)))
    return pieces[1:]
