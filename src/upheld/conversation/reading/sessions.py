"""A whole session read with one call, and accepted turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from upheld.conversation.asking.view import Earlier, StateView, nothing_earlier
from upheld.conversation.reading.reader import Reader
from upheld.conversation.reading.turns import Reading, accepted_reading, asking, failed, objection_to
from upheld.conversation.speaking import newcomers
from upheld.errors import UpheldError
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.state import State
from upheld.logic.reasoning.transition.step import joined, step
from upheld.speech.interpretation.interpreter import Interpreted, Objection, Reviewer, SessionInterpreter
from upheld.speech.models.reply import Usage
from upheld.speech.view import View

NOT_REVIEWED = "not_reviewed"
"""Failure name of the objection that says that the second look at a turn failed; its first reading stands."""


def read_session(
    state: State, turns: Sequence[Turn], reader: Reader, *, earlier: Earlier = nothing_earlier
) -> tuple[Reading, ...]:
    """Read turns in order, each held against what those before it established.

    An interpreter that reads sessions is asked once for all of them, and about a single turn only where the engine
    objects; any other is asked turn by turn. Where the one call fails, every turn of the session is unread.
    """
    interpreter = reader.interpreter
    if not isinstance(interpreter, SessionInterpreter):
        return _one_by_one(state, turns, reader, earlier)
    try:
        first = interpreter.interpret_session(turns, StateView(_with_all(state, turns), earlier=earlier))
    except UpheldError as error:
        whole = [failed(turn, error) for turn in turns]
        return (*whole[:1], *(replace(each, usage=Usage()) for each in whole[1:]))
    readings: list[Reading] = []
    for turn, read in zip(turns, first, strict=True):
        present = joined(state, newcomers(state, turn))
        view = StateView(present, earlier=partial(_before, earlier, [each.turn for each in readings]))
        ask = asking(interpreter, turn, view)
        reading = accepted_reading(present, turn, read, ask, reader.patience, is_leaned_on=True)
        if isinstance(interpreter, Reviewer) and reading.turn.operations:
            reading = _reviewed(present, reading, read, interpreter, view)
        reading = replace(reading, turn=reader.clean(reading.turn))
        readings.append(reading)
        state = step(present, reading.turn).state
    return tuple(readings)


def _reviewed(state: State, reading: Reading, read: Interpreted, reviewer: Reviewer, view: View) -> Reading:
    """Give a reading with what the interpreter adds on a second look, where the engine accepts it."""
    first = replace(read, operations=reading.turn.operations, usage=Usage())
    try:
        again = reviewer.follow_up(replace(reading.turn, operations=()), view, first)
    except UpheldError as error:
        # What was read stays: the turns after it lean on it, and a second look would only have added.
        missed = Objection(failure=NOT_REVIEWED, message=str(error))
        usage = reading.usage + failed(reading.turn, error).usage
        return replace(reading, objections=(*reading.objections, missed), usage=usage)
    usage = reading.usage + again.usage
    if objection_to(state, reading.turn, again.operations) is not None:
        return replace(reading, usage=usage)
    return replace(reading, turn=replace(reading.turn, operations=again.operations), usage=usage)


def _one_by_one(state: State, turns: Sequence[Turn], reader: Reader, earlier: Earlier) -> tuple[Reading, ...]:
    readings: list[Reading] = []
    for turn in turns:
        present = joined(state, newcomers(state, turn))
        before = partial(_before, earlier, [each.turn for each in readings])
        readings.append(reader.read(present, turn, earlier=before))
        state = step(present, readings[-1].turn).state
    return tuple(readings)


def _before(earlier: Earlier, session: Sequence[Turn], count: int) -> Sequence[Turn]:
    """Give the last turns where some of this session were read but are not told yet."""
    recent = session[max(0, len(session) - count) :]
    return (*earlier(count - len(recent)), *recent)


def _with_all(state: State, turns: Sequence[Turn]) -> State:
    for turn in turns:
        state = joined(state, newcomers(state, turn))
    return state
