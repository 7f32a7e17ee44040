"""An interpreter that notices what kind of conversation it reads, and when that changes (the paper, Appendix F).

A kind picks a section of the instructions; it is told by cue words from the turns themselves, never asked for, so that
it costs no call and the same turns give the same requests.
"""

from __future__ import annotations

from collections.abc import Sequence

from upheld.logic.language.turns import Turn
from upheld.speech.interpretation.interpreter import Interpreted, Objection
from upheld.speech.interpretation.llm.interpreter import LlmInterpreter
from upheld.speech.interpretation.llm.paradigm import OPENING, Paradigm, paradigm_of
from upheld.speech.interpretation.llm.situation import situation_of
from upheld.speech.view import View

EVERY = 6
"""Turns after which the kind is told anew."""


class AdaptingInterpreter:
    """Reads with a language model, under the instructions for the kind of conversation that it is at the time.

    It remembers the kind, so that one interpreter serves one conversation, turn after turn.
    """

    def __init__(self, inner: LlmInterpreter, *, paradigm: Paradigm | None = None, every: int = EVERY) -> None:
        """``paradigm`` is what it is taken for at first; ``None`` tells it from the opening turns."""
        self._inner = inner
        self._every = every
        self._seen = 0
        self.paradigm = paradigm
        self.changes: list[Paradigm] = []

    @property
    def name(self) -> str:
        """The method, with the language model that is asked."""
        return self._inner.name

    @property
    def version(self) -> str:
        """Version of the method and of the instructions that are used now."""
        return self._now.version

    @property
    def _now(self) -> LlmInterpreter:
        return self._inner.with_paradigm(self.paradigm)

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Read a turn, after a look at what kind of conversation this is; raises as the interpreter within."""
        is_opening = self._seen < OPENING
        if is_opening or self._seen % self._every == 0:
            self._tell([*situation_of(view).earlier(OPENING - 1), turn])
        self._seen += 1
        return self._now.interpret(turn, view)

    def reinterpret(self, turn: Turn, view: View, first: Interpreted, objection: Objection) -> Interpreted:
        """Read a turn once more."""
        return self._now.reinterpret(turn, view, first, objection)

    def follow_up(self, turn: Turn, view: View, first: Interpreted) -> Interpreted:
        """Look again at a reading."""
        return self._now.follow_up(turn, view, first)

    def interpret_session(self, turns: Sequence[Turn], view: View) -> tuple[Interpreted, ...]:
        """Read a session at once, as the kind of conversation that its opening tells."""
        self._tell(turns[:OPENING])
        self._seen += len(turns)
        return self._now.interpret_session(turns, view)

    def _tell(self, turns: Sequence[Turn]) -> None:
        told = paradigm_of(turns, before=self.paradigm)
        if told.has_changed:
            self.changes.append(told.paradigm)
        self.paradigm = told.paradigm
