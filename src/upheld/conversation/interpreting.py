"""A turn's words read by an interpreter, and held against the engine's preconditions before it is told."""

from __future__ import annotations

from dataclasses import dataclass, replace

from upheld.conversation.view import StateView
from upheld.errors import RefusedTurn, UpheldError
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.preconditions import Failure, Unmet
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.step import Finding, step
from upheld.speech.interpretation.interpreter import Interpreter


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A turn with the operations that the engine accepts. ``dropped`` are those that it refused, with the reason."""

    turn: Turn
    interpreter: str
    abstained: str = ""
    dropped: tuple[Finding, ...] = ()


def read_turn(state: State, turn: Turn, interpreter: Interpreter) -> Reading:
    """Read a turn; an operation whose precondition fails is dropped and named.

    An interpreter without a language model cannot be asked again, so the rest of its reading is kept. A reading that
    means nothing at all (it refers to what nobody said) is dropped whole: never a guess.
    """
    read = interpreter.interpret(turn, StateView(state))
    told = replace(turn, operations=read.operations)
    dropped: list[Finding] = []
    while True:
        try:
            step(state, told)
        except RefusedTurn as refusal:
            failure = Failure(name=Unmet(refusal.failure), message=refusal.reason)
            dropped.append(Finding(turn=turn.id, operation=refusal.operation, failure=failure))
            kept = list(told.operations)
            del kept[refusal.operation]
            told = replace(told, operations=tuple(kept))
        except UpheldError as error:
            reason = f"its reading could not be applied: {error}"
            empty = replace(told, operations=())
            return Reading(turn=empty, interpreter=read.interpreter, abstained=reason, dropped=tuple(dropped))
        else:
            break
    return Reading(turn=told, interpreter=read.interpreter, abstained=read.abstained, dropped=tuple(dropped))
