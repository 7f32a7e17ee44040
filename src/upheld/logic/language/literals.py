"""A literal: a proposition, or its negation."""

from __future__ import annotations

from dataclasses import dataclass

from upheld.errors import MalformedInput
from upheld.logic.language.identities import PropositionId

NEGATION = "~"


@dataclass(frozen=True, slots=True, order=True)
class Literal:
    """``p`` or ``~p``. ``str(literal)`` is its notation and :func:`literal` reads it back."""

    proposition: PropositionId
    negated: bool = False

    def __str__(self) -> str:
        """Give the notation: the id, with ``~`` before it when negated."""
        return f"{NEGATION}{self.proposition}" if self.negated else self.proposition

    def __invert__(self) -> Literal:
        """Give the literal of opposite sign."""
        return Literal(self.proposition, not self.negated)


def literal(text: str | Literal) -> Literal:
    """Read ``"o1"`` or ``"~o1"``; a literal is passed through.

    Raises:
        MalformedInput: an empty id, or one that carries white space.
    """
    if isinstance(text, Literal):
        return text
    negated = text.startswith(NEGATION)
    name = text[1:] if negated else text
    if not name or name.startswith(NEGATION) or any(char.isspace() for char in name):
        raise MalformedInput(f"{text!r} is no literal: write a proposition id, or ~ and the id")
    return Literal(PropositionId(name), negated)


def literals(texts: tuple[str | Literal, ...] | list[str] | list[Literal]) -> tuple[Literal, ...]:
    """Read several literals, order kept."""
    return tuple(literal(text) for text in texts)
