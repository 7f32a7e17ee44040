"""A turn's words read by an interpreter, and held against the engine's preconditions before it is told."""

from __future__ import annotations

from dataclasses import dataclass, replace

from upheld.conversation.asking.view import StateView
from upheld.errors import RefusedTurn, UpheldError
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.preconditions import Failure, Unmet
from upheld.logic.reasoning.transition.step import Finding, step
from upheld.speech.interpretation.interpreter import Interpreter


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A turn with the operations that the engine accepts.

    ``dropped`` are those that it refused, by their places in the reading, with the reason.
    """

    turn: Turn
    interpreter: str
    abstained: str = ""
    dropped: tuple[Finding, ...] = ()


def read_turn(state: State, turn: Turn, interpreter: Interpreter) -> Reading:
    """Read a turn; an operation whose precondition fails is dropped and named.

    An interpreter without a language model cannot be asked again, so the rest of its reading is kept. A reading that
    means nothing at all (it refers to what nobody said) is dropped whole: never a guess. An interpreter that fails has
    not read the turn: its words are kept all the same.
    """
    empty = replace(turn, operations=())
    try:
        read = interpreter.interpret(turn, StateView(state))
    except UpheldError as error:
        by = f"{interpreter.name}@{interpreter.version}"
        return Reading(turn=empty, interpreter=by, abstained=f"it could not be read: {error}")
    kept = list(enumerate(read.operations))
    dropped: list[Finding] = []
    while True:
        told = replace(turn, operations=tuple(operation for _, operation in kept))
        try:
            step(state, told)
        except RefusedTurn as refusal:
            place, _ = kept.pop(refusal.operation)
            failure = Failure(name=Unmet(refusal.failure), message=refusal.reason)
            dropped.append(Finding(turn=turn.id, operation=place, failure=failure))
        except UpheldError as error:
            reason = f"its reading could not be applied: {error}"
            return Reading(turn=empty, interpreter=read.interpreter, abstained=reason, dropped=tuple(dropped))
        else:
            return Reading(turn=told, interpreter=read.interpreter, abstained=read.abstained, dropped=tuple(dropped))
