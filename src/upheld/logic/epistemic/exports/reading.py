"""Words of a text, and formulas among them: operator precedence with explicit stacks (Dijkstra 1961; Pratt 1973)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from upheld.errors import MalformedInput
from upheld.logic.language.formulas import Formula

Build = Callable[[Sequence[Formula]], Formula]

OPEN, LOOSEST, PREFIX = 0, 1, 9
"""Strengths: of an open parenthesis, of the connective that binds least, of what stands before its operand."""


class Word(NamedTuple):
    """A word or sign, with its line from 1."""

    text: str
    line: int


@dataclass(slots=True)
class Words:
    """The words of a text, read from first to last."""

    words: list[Word]
    source: str = ""
    place: int = 0

    @staticmethod
    def of(text: str, pattern: str, *, source: str = "") -> Words:
        """Cut a text; the pattern names what separates words ``space``.

        Raises:
            MalformedInput: something is neither.
        """
        words: list[Word] = []
        start, line = 0, 1
        compiled = re.compile(pattern)
        while start < len(text):
            found = compiled.match(text, start)
            if found is None:
                raise MalformedInput(f"unexpected {text[start]!r}", source=source, line=line)
            if found.lastgroup != "space":
                words.append(Word(found.group(), line))
            line += found.group().count("\n")
            start = found.end()
        return Words(words, source)

    def peek(self, ahead: int = 0) -> str:
        """Give the text of a word that is still to come; empty at the end."""
        place = self.place + ahead
        return self.words[place].text if place < len(self.words) else ""

    def next(self) -> str:
        """Take one word; empty at the end."""
        text = self.peek()
        self.place += 1
        return text

    def takes(self, *texts: str) -> bool:
        """Take these words if they come next, and tell whether they did."""
        if any(self.peek(ahead) != text for ahead, text in enumerate(texts)):
            return False
        self.place += len(texts)
        return True

    def expect(self, *texts: str) -> None:
        """Take exactly these words.

        Raises:
            MalformedInput: something else stands there.
        """
        for text in texts:
            if not self.takes(text):
                raise self.error(f"expected {text!r}")

    def name(self, pattern: str, what: str) -> str:
        """Take one word of a kind.

        Raises:
            MalformedInput: it is of another.
        """
        if not re.fullmatch(pattern, self.peek(), re.ASCII):
            raise self.error(f"expected {what}")
        return self.next()

    def error(self, message: str) -> MalformedInput:
        """Give the error that points at the next word."""
        return MalformedInput(f"{message}, not {self.peek() or 'the end'!r}", source=self.source, line=self.line)

    @property
    def line(self) -> int:
        """Give the line of the next word, or of the last one at the end."""
        return self.words[min(self.place, len(self.words) - 1)].line if self.words else 1


@dataclass(slots=True)
class Waiting:
    """An operator that still waits for operands, or an open parenthesis; one of a list takes any number."""

    build: Build
    strength: int = PREFIX
    arity: int = 1
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Infix:
    """A connective between two operands; chained ones take as many as follow, others group to the right."""

    strength: int
    build: Build
    is_chained: bool = False


@dataclass(slots=True)
class FormulaReader:
    """Reads a formula up to the first word that cannot belong to it.

    ``operand`` takes the words that begin an operand, and gives it, or what waits for it.
    """

    words: Words
    operand: Callable[[Words], Formula | Waiting]
    infixes: Mapping[str, Infix]
    operands: list[Formula] = field(default_factory=list[Formula])
    pending: list[Waiting] = field(default_factory=list[Waiting])

    def formula(self) -> Formula:
        """Read one formula.

        Raises:
            MalformedInput: there is none, or a parenthesis is never closed.
        """
        wants_operand, goes_on = True, True
        while goes_on:
            if wants_operand:
                wants_operand = self._operand()
            else:
                wants_operand = goes_on = self._follows()
                goes_on = goes_on or self._closes()
        self._reduce(OPEN)
        if self.pending:
            raise self.words.error("expected ')'")
        return self.operands.pop()

    def _operand(self) -> bool:
        found = self.operand(self.words)
        if isinstance(found, Waiting):
            self.pending.append(found)
            return True
        self.operands.append(found)
        return False

    def _follows(self) -> bool:
        """Take a connective or the comma of a list; tell whether there was one."""
        text = self.words.peek()
        if text == "," and any(waiting.strength == OPEN for waiting in self.pending):
            self._reduce(OPEN)
            if not self.pending[-1].is_list:
                raise self.words.error("expected ')'")
            self.pending[-1].arity += 1
        elif text in self.infixes:
            infix = self.infixes[text]
            self._reduce(infix.strength)
            if infix.is_chained and self.pending and self.pending[-1].strength == infix.strength:
                self.pending[-1].arity += 1
            else:
                self.pending.append(Waiting(infix.build, infix.strength, arity=2))
        else:
            return False
        self.words.next()
        return True

    def _closes(self) -> bool:
        """Take a closing parenthesis of this formula; tell whether there was one."""
        if self.words.peek() != ")" or not any(waiting.strength == OPEN for waiting in self.pending):
            return False
        self._reduce(OPEN)
        self._apply(self.pending.pop())
        self.words.next()
        return True

    def _reduce(self, strength: int) -> None:
        while self.pending and self.pending[-1].strength > strength:
            self._apply(self.pending.pop())

    def _apply(self, waiting: Waiting) -> None:
        parts = self.operands[-waiting.arity :]
        del self.operands[-waiting.arity :]
        self.operands.append(waiting.build(parts))
