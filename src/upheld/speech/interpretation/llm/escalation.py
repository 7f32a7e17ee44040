"""A cheap interpreter where it is sure, a capable one for the rest, and the share that was asked."""

from __future__ import annotations

import threading

from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.interpreter import Interpreted, Interpreter, Objection, Reinterpreter
from upheld.speech.view import View

SURE = 0.75
"""Certainty from which the cheap interpreter's reading stands."""


class EscalatingInterpreter:
    """Asks ``cheap``; where it abstains or its certainty is below ``threshold``, asks ``capable``.

    A reading names the one of the two that made it. A reading of the cheap one that the engine refuses goes to the
    capable one. Safe from several threads if both are.
    """

    def __init__(self, cheap: Interpreter, capable: Interpreter, *, threshold: float = SURE) -> None:
        """``threshold`` is in [0, 1]; at 0 only what the cheap one abstains on is passed on."""
        self._cheap = cheap
        self._capable = capable
        self._threshold = threshold
        self._asked = self._seen = 0
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self._cheap.name}>{self._capable.name}"

    @property
    def version(self) -> str:
        """Both versions, and the threshold."""
        return f"{self._cheap.version}>{self._capable.version}<{self._threshold:g}"

    @property
    def seen(self) -> int:
        """How many turns were read."""
        return self._seen

    @property
    def asked(self) -> int:
        """For how many of them the capable interpreter was asked."""
        return self._asked

    @property
    def share(self) -> float:
        """The share of turns for which the capable one was asked, in [0, 1]; 0 before the first."""
        with self._lock:
            return self._asked / self._seen if self._seen else 0.0

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Read a turn; raises what the interpreter that is asked raises."""
        read = self._cheap.interpret(turn, view)
        is_passed_on = bool(read.abstained) or read.certainty < self._threshold
        with self._lock:
            self._seen += 1
            self._asked += is_passed_on
        return self._capable.interpret(turn, view) if is_passed_on else read

    def reinterpret(self, turn: Turn, view: View, first: Interpreted, objection: Objection) -> Interpreted:
        """Have the capable one read a turn once more: told of its first reading, if that was its own."""
        is_cheap = first.interpreter == f"{self._cheap.name}@{self._cheap.version}"
        if is_cheap:
            with self._lock:
                self._asked += 1
        elif isinstance(self._capable, Reinterpreter):
            return self._capable.reinterpret(turn, view, first, objection)
        return self._capable.interpret(turn, view)
