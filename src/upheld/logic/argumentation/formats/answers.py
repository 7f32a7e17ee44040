"""Answers as the competitions write them; nothing else may stand on standard output.

Sources: ICCMA 2023 and 2025, output format ("YES" or "NO", and a line "w" with the members of a certificate); ICCMA
2015 to 2021, output format ("YES" or "NO", extensions in brackets). The older ones have no certificates, the newer ones
no EE and no CE: there a line "w" stands for each extension, and "NO" for there being none.
"""

from __future__ import annotations

from enum import StrEnum

from upheld.logic.argumentation.formats.reading import Form
from upheld.logic.argumentation.formats.solving import Answer, Members
from upheld.logic.argumentation.formats.tasks import Problem


class Style(StrEnum):
    """How answers are written."""

    WITNESS = "witness"
    """As in 2023 and 2025: ``YES`` and then ``w 1 2``."""

    BRACKETS = "brackets"
    """As from 2015 to 2021: ``YES``, and ``[1,2]`` where an extension is asked for."""


def style_of(form: Form) -> Style:
    """Give the style of the competitions that used a format: witnesses for af, brackets for apx and tgf."""
    return Style.WITNESS if form is Form.AF else Style.BRACKETS


def lines_of(found: Answer, style: Style) -> tuple[str, ...]:
    """Write an answer.

    One that is not proved is written as the sets that were found: whoever prints it says so elsewhere. There is no line
    without any, and none for an acceptance whose witness is wanted and was not proved in time.
    """
    if found.task.problem is Problem.COUNT:
        return () if found.count is None else (str(found.count),)
    if found.task.needs_argument:
        return _acceptance(found, style)
    if not found.sets and not found.is_proved:
        return ()
    if style is Style.BRACKETS and found.task.problem is Problem.EVERY:
        return (f"[{','.join(map(_bracketed, found.sets))}]",)
    written = _bracketed if style is Style.BRACKETS else _witness
    return tuple(map(written, found.sets)) or ("NO",)


def _acceptance(found: Answer, style: Style) -> tuple[str, ...]:
    if found.is_yes is None:
        return ()
    word = "YES" if found.is_yes else "NO"
    if style is Style.BRACKETS:
        return (word,)
    wants_witness = found.is_yes == (found.task.problem is Problem.CREDULOUS)
    return () if wants_witness and not found.sets else (word, *map(_witness, found.sets))


def _witness(members: Members) -> str:
    return " ".join(("w", *members))


def _bracketed(members: Members) -> str:
    return f"[{','.join(members)}]"
