"""What an interpreter makes of a turn: typed operations, or the reason why it cannot tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from upheld.logic.language.operations import Operation
from upheld.logic.language.turns import Turn
from upheld.speech.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreted:
    """Operations in the order in which the turn performs them, by which interpreter (``name@version``).

    No operations and an empty ``abstained``: the turn only acknowledges. No operations and a reason: it could not be
    read, which is another thing.
    """

    operations: tuple[Operation, ...]
    interpreter: str
    abstained: str = ""


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
