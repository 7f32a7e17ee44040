"""How a conversation takes in words: what is removed from them first, who reads them, and how often it is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from upheld.conversation.asking.view import Earlier, nothing_earlier
from upheld.conversation.events import Beginning
from upheld.conversation.reading.turns import Patience, Reading, read_turn
from upheld.logic.language.agents import Agent
from upheld.logic.language.operations import Operation
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.speech.interpretation.interpreter import Interpreter
from upheld.speech.redaction.redactor import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """An interpreter with the terms on which it is asked.

    ``redactor`` takes secrets and personal data out of words and texts before anything is stored or sent. Without an
    ``interpreter`` words are kept and mean nothing yet.
    """

    interpreter: Interpreter | None = None
    patience: Patience = field(default_factory=Patience)
    redactor: Redactor | None = None

    @classmethod
    def of(cls, interpreter: Interpreter | Reader | None) -> Reader:
        """Give a reader on the usual terms, or the one that was given."""
        return interpreter if isinstance(interpreter, Reader) else cls(interpreter=interpreter)

    def clean(self, turn: Turn) -> Turn:
        """Give a turn without what the redactor finds in its words, and in the texts of its operations."""
        if self.redactor is None:
            return turn
        return replace(turn, text=self.clean_text(turn.text), operations=self.clean_operations(turn.operations))

    def clean_operations(self, operations: Iterable[Operation]) -> tuple[Operation, ...]:
        """Give operations without what the redactor finds in their texts."""
        return tuple(self._clean(operation) for operation in operations)

    def clean_text(self, text: str) -> str:
        """Give a title, a reason or any other remark without what the redactor finds in it."""
        return text if self.redactor is None else self.redactor.redact(text).text

    def clean_beginning(self, beginning: Beginning) -> Beginning:
        """Give a beginning without what the redactor finds in title, names and roles, and in what is on the table."""
        if self.redactor is None:
            return beginning
        return replace(
            beginning,
            title=self.clean_text(beginning.title),
            agents=tuple(self._clean_agent(each) for each in beginning.agents),
            initial=tuple(replace(each, text=self.clean_text(each.text)) for each in beginning.initial),
        )

    def read(self, state: State, turn: Turn, *, earlier: Earlier = nothing_earlier) -> Reading:
        """Read a clean turn; without an interpreter it has no meaning yet."""
        if self.interpreter is None:
            return Reading(turn=turn, interpreter="")
        reading = read_turn(state, turn, self.interpreter, earlier=earlier, patience=self.patience)
        return replace(reading, turn=self.clean(reading.turn))

    def _clean_agent(self, agent: Agent) -> Agent:
        return replace(agent, name=self.clean_text(agent.name), role=self.clean_text(agent.role))

    def _clean(self, operation: Operation) -> Operation:
        text = getattr(operation, "text", "")
        return replace(operation, text=self.clean_text(text)) if text else operation
