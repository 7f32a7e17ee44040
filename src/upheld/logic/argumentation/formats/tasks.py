"""The tasks of the competitions: what is asked, under which semantics, by their names such as ``DC-CO``.

Sources: ICCMA 2015 to 2021 (EE, SE, DC, DS; CE from 2021), 2023 and 2025 (DC, DS, SE). "Dung's triathlon" (D3, 2017),
the tasks with the suffix -D of 2019 (ask them by a file of edits) and the semantics CF2 are not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from upheld.errors import MalformedInput
from upheld.logic.argumentation.semantics.names import Semantics


class Problem(StrEnum):
    """What is asked of a framework, and for the first two of an argument."""

    CREDULOUS = "DC"
    """Is the argument in some extension?"""

    SCEPTICAL = "DS"
    """Is the argument in every extension (where there is none, yes)?"""

    SOME = "SE"
    """Some extension."""

    EVERY = "EE"
    """Every extension."""

    COUNT = "CE"
    """How many extensions there are."""


SEMANTICS = {
    "CO": Semantics.COMPLETE,
    "GR": Semantics.GROUNDED,
    "PR": Semantics.PREFERRED,
    "ST": Semantics.STABLE,
    "SST": Semantics.SEMI_STABLE,
    "STG": Semantics.STAGE,
    "ID": Semantics.IDEAL,
}
"""The semantics by their short names."""

_SHORT = {meant: name for name, meant in SEMANTICS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A problem under a semantics."""

    problem: Problem
    semantics: Semantics

    def __str__(self) -> str:
        return f"{self.problem}-{_SHORT[self.semantics]}"

    @property
    def needs_argument(self) -> bool:
        """Tell whether the question is about one argument."""
        return self.problem in {Problem.CREDULOUS, Problem.SCEPTICAL}


TASKS = {
    str(task): task
    for task in (Task(problem=problem, semantics=semantics) for problem in Problem for semantics in SEMANTICS.values())
}
"""Every task by its name. Under GR and ID there is one extension, so DC and DS ask the same."""


def task_named(name: str) -> Task:
    """Give the task; capitals or not.

    Raises:
        MalformedInput: there is none of that name; the message lists those that there are.
    """
    task = TASKS.get(name.upper())
    if task is None:
        raise MalformedInput(f"no task {name[:20]!r}; there are {', '.join(TASKS)}")
    return task
