"""A turn's words read by an interpreter, and held against the engine's preconditions before it is told.

The loop of the paper's section 4.1: a reading whose precondition fails goes back to the interpreter with the name of
what failed, if it can be asked again; what is refused in the end is dropped and named.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from upheld.conversation.asking.view import Earlier, StateView, nothing_earlier
from upheld.errors import (
    MalformedInput,
    ModelFailure,
    RefusedTurn,
    RepeatedIdentity,
    SelfSupport,
    UnknownReference,
    UpheldError,
)
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import Hypothesize, Observe, Operation
from upheld.logic.language.plain import plain_operation
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.preconditions import Failure, Unmet
from upheld.logic.reasoning.transition.step import Finding, step
from upheld.speech.interpretation.interpreter import Interpreted, Interpreter, Objection, Reinterpreter
from upheld.speech.models.reply import Usage, usage_of
from upheld.speech.view import View

Ask = Callable[[Interpreted, Objection], Interpreted]

SURPRISING = "surprising"
"""Failure name of the objection that asks for a hypothesis; nothing failed, something is unexplained."""

_NAMES: tuple[tuple[type[UpheldError], str], ...] = (
    (UnknownReference, "unknown_reference"),
    (RepeatedIdentity, "repeated_identity"),
    (SelfSupport, "self_support"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often an interpreter is asked about one turn.

    ``attempts`` counts the first time. With ``asks_why`` a surprising observation that the turn does not explain is
    asked about at once, one more time; without, it waits among the open problems that the next reading sees.
    """

    attempts: int = 3
    asks_why: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A turn with the operations that the engine accepts.

    ``dropped`` are those that it refused in the end, by their places in the reading, with the reason; ``objections``
    are what the interpreter was asked again with. Without an ``interpreter`` nobody has read the turn: it failed.
    """

    turn: Turn
    interpreter: str
    abstained: str = ""
    dropped: tuple[Finding, ...] = ()
    objections: tuple[Objection, ...] = ()
    usage: Usage = field(default_factory=Usage)


def read_turn(
    state: State,
    turn: Turn,
    interpreter: Interpreter,
    *,
    earlier: Earlier = nothing_earlier,
    patience: Patience | None = None,
) -> Reading:
    """Read a turn; an operation whose precondition fails is asked about again, and in the end dropped and named.

    A reading that means nothing at all (it refers to what nobody said) is dropped whole: never a guess. An interpreter
    that fails has not read the turn: its words are kept all the same, without a meaning, and can be read later.
    """
    view = StateView(state, earlier=earlier)
    try:
        first = interpreter.interpret(turn, view)
    except UpheldError as error:
        return failed(turn, error)
    return accepted_reading(state, turn, first, asking(interpreter, turn, view), patience or Patience())


def accepted_reading(
    state: State, turn: Turn, first: Interpreted, ask: Ask | None, patience: Patience, *, is_leaned_on: bool = False
) -> Reading:
    """Hold a reading against the engine; ``ask`` asks the interpreter again, where it can be.

    Where no answer to an objection comes, nobody has read the turn: a part of a refused reading would pass for it.
    With ``is_leaned_on`` (readings of later turns are there already, and refer to it) what is not refused stays.
    """
    read, usage = first, first.usage
    objections: list[Objection] = []
    for _ in range(1, patience.attempts):
        ask = ask if _is_writable(read.operations) else None
        objection = None if ask is None else objection_to(state, turn, read.operations)
        if objection is None or ask is None:
            break
        objections.append(objection)
        try:
            read = ask(read, objection)
        except ModelFailure as error:
            if is_leaned_on:
                usage += usage_of(error)
                break
            unread = failed(turn, error, because=f"it was objected to ({objection.failure}), and not read again")
            return replace(unread, objections=tuple(objections), usage=usage + usage_of(error))
        usage += read.usage
    if patience.asks_why and ask is not None and _is_writable(read.operations):
        read, asked, spent = _with_a_hypothesis(state, turn, read, ask)
        objections += asked
        usage += spent
    reading = _applicable(state, turn, read)
    return replace(reading, objections=tuple(objections), usage=usage)


def objection_to(state: State, turn: Turn, operations: Sequence[Operation]) -> Objection | None:
    """Give what the engine has against some operations of a turn, or ``None`` when it would accept them all."""
    try:
        step(state, replace(turn, operations=tuple(operations)))
    except RefusedTurn as refusal:
        return Objection(failure=refusal.failure, message=refusal.reason, operation=refusal.operation)
    except UpheldError as error:
        name = next((name for kind, name in _NAMES if isinstance(error, kind)), "refused")
        return Objection(failure=name, message=str(error))
    return None


def check_writable(text: str) -> None:
    """Refuse what no store can write down, before anybody is asked about it or paid for it.

    Raises:
        MalformedInput: half a character (a lone surrogate), which JSON can carry and UTF-8 cannot.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise MalformedInput(f"a lone surrogate ({error.object[error.start]!r}) is no text") from error


def surprising_in(state: State, turn: Turn, operations: Sequence[Operation]) -> tuple[PropositionId, ...]:
    """Give the observations of a turn that nothing led to, unless the turn itself offers a hypothesis."""
    if any(isinstance(operation, Hypothesize) for operation in operations):
        return ()
    try:
        after = step(state, replace(turn, operations=tuple(operations))).state
    except UpheldError:
        return ()
    new = [operation.id for operation in operations if isinstance(operation, Observe)]
    return tuple(id for id in new if id in after.unexplained and id not in state.unexplained)


def _with_a_hypothesis(
    state: State, turn: Turn, read: Interpreted, ask: Ask
) -> tuple[Interpreted, list[Objection], Usage]:
    surprising = surprising_in(state, turn, read.operations)
    if not surprising:
        return read, [], Usage()
    message = (
        f"nothing that was known led to {', '.join(surprising)}: if the speaker says why, add the hypothesis that"
        " explains it; if not, give the same reading again"
    )
    objection = Objection(failure=SURPRISING, message=message)
    try:
        again = ask(read, objection)
    except ModelFailure as error:
        return read, [objection], usage_of(error)
    is_better = objection_to(state, turn, again.operations) is None and len(again.operations) > len(read.operations)
    return (again if is_better else read), [objection], again.usage


def _applicable(state: State, turn: Turn, read: Interpreted) -> Reading:
    """Give what of a reading can be applied; what cannot is dropped, one operation at a time."""
    kept = list(enumerate(read.operations))
    dropped: list[Finding] = []
    while True:
        told = replace(turn, operations=tuple(operation for _, operation in kept))
        try:
            check_writable(_written(told.operations))
            step(state, told)
        except RefusedTurn as refusal:
            place, _ = kept.pop(refusal.operation)
            failure = Failure(name=Unmet(refusal.failure), message=refusal.reason)
            dropped.append(Finding(turn=turn.id, operation=place, failure=failure))
        except UpheldError as error:
            reading = failed(turn, error, because="its reading could not be applied")
            return replace(reading, dropped=tuple(dropped))
        else:
            return Reading(turn=told, interpreter=read.interpreter, abstained=read.abstained, dropped=tuple(dropped))


def _is_writable(operations: Sequence[Operation]) -> bool:
    """Tell whether a reading can be put on record, and so be sent back with an objection."""
    try:
        check_writable(_written(operations))
    except MalformedInput:
        return False
    return True


def _written(operations: Sequence[Operation]) -> str:
    return json.dumps([plain_operation(operation) for operation in operations], ensure_ascii=False)


def asking(interpreter: Interpreter, turn: Turn, view: View) -> Ask | None:
    """Give how an interpreter is asked about a turn once more, or ``None`` for one that cannot be."""
    if not isinstance(interpreter, Reinterpreter):
        return None
    return lambda read, objection: interpreter.reinterpret(turn, view, read, objection)


def failed(turn: Turn, error: UpheldError, *, because: str = "it could not be read") -> Reading:
    """Give the reading of a turn that nobody could read, with what that cost."""
    usage = usage_of(error) if isinstance(error, ModelFailure) else Usage()
    empty = replace(turn, operations=())
    return Reading(turn=empty, interpreter="", abstained=f"{because}: {error}", usage=usage)
