"""The interpreter that knows the answer: operations as a person annotated them."""

from __future__ import annotations

from upheld.logic.language.turns import Turn
from upheld.speech.formats.transcript import Transcript
from upheld.speech.interpretation.interpreter import Interpreted
from upheld.speech.view import View


class AnnotatedInterpreter:
    """Gives each turn the operations that a transcript has for it.

    It abstains on a turn that the transcript does not have, or has with other words.
    """

    name = "annotated"
    version = "1"

    def __init__(self, transcript: Transcript) -> None:
        """Take the annotations of one transcript."""
        self._turns = {turn.id: turn for turn in transcript.turns} if transcript.is_annotated else {}

    def interpret(self, turn: Turn, view: View) -> Interpreted:
        """Look a turn up by its id."""
        interpreter = f"{self.name}@{self.version}"
        found = self._turns.get(turn.id)
        if found is None:
            return Interpreted(operations=(), interpreter=interpreter, abstained=f"no annotation of turn {turn.id}")
        if (turn.speaker, turn.text) != (found.speaker, found.text):
            reason = f"turn {turn.id} was annotated with another speaker or other words"
            return Interpreted(operations=(), interpreter=interpreter, abstained=reason)
        return Interpreted(operations=found.operations, interpreter=interpreter)
