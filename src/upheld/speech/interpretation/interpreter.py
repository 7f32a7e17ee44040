"""What an interpreter makes of a turn: typed operations, or the reason why it cannot tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from upheld.logic.language.operations import Operation
from upheld.logic.language.turns import Turn
from upheld.speech.models.reply import Usage
from upheld.speech.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreted:
    """Operations in the order in which the turn performs them, by which interpreter (``name@version``).

    No operations and an empty ``abstained``: the turn only acknowledges. No operations and a reason: it could not be
    read, which is another thing. ``certainty`` in [0, 1] is how sure the interpreter is that nothing else was meant;
    ``usage`` is what a language model was asked for it.
    """

    operations: tuple[Operation, ...]
    interpreter: str
    abstained: str = ""
    certainty: float = 1.0
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """What the engine, or the record, has against a reading; an interpreter that can be asked again is told.

    ``failure`` is the stable name of what failed (a precondition, ``unknown_reference``, …), ``operation`` the place of
    the operation in the reading, or -1 for the whole of it.
    """

    failure: str
    message: str
    operation: int = -1


class Interpreter(Protocol):
    """Reads one turn against what is known before it. ``name`` and ``version`` are kept with every reading."""

    @property
    def name(self) -> str:
        """Name of the method."""
        ...

    @property
    def version(self) -> str:
        """Version: another one may read otherwise."""
        ...

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Read a turn's words; operations that the turn carries already are not looked at."""
        ...


@runtime_checkable
class Reinterpreter(Interpreter, Protocol):
    """An interpreter that can be asked again with what was wrong with its reading."""

    def reinterpret(self, turn: Turn, view: View, first: Interpreted, objection: Objection) -> Interpreted:
        """Read a turn once more; ``usage`` is that of this call alone."""
        ...


@runtime_checkable
class Reviewer(Interpreter, Protocol):
    """An interpreter that looks again at what it read first; when it reads a turn alone, it has done so already."""

    def follow_up(self, turn: Turn, view: View, first: Interpreted) -> Interpreted:
        """Give a reading with what a second look adds; ``usage`` is that of these calls alone."""
        ...


@runtime_checkable
class SessionInterpreter(Interpreter, Protocol):
    """An interpreter that can read a whole session at once."""

    def interpret_session(self, turns: Sequence[Turn], view: View) -> tuple[Interpreted, ...]:
        """Read turns in order, one reading each, against what is known before the first of them.

        A later reading may refer to what an earlier one introduces. The usage of the call stands with the first.
        """
        ...
