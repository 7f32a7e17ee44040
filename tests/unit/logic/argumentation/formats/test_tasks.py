"""The names of the tasks."""

from __future__ import annotations

import pytest

from upheld.errors import MalformedInput
from upheld.logic.argumentation.formats.tasks import TASKS, Problem, Task, task_named
from upheld.logic.argumentation.semantics.names import Semantics


def test_every_task_of_the_competitions_has_its_name() -> None:
    """ICCMA 2017 (seven semantics, DC DS SE EE), 2021 (CE), 2023 and 2025 (the main track)."""
    of_2017 = {f"{problem}-{name}" for problem in ("DC", "DS", "SE", "EE") for name in ("CO", "PR", "ST", "SST", "STG")}
    of_2017 |= {"DC-GR", "SE-GR", "DC-ID", "SE-ID"}
    of_2021 = {"CE-CO", "CE-PR", "CE-ST"}
    of_2025 = {"DC-CO", "DC-ST", "DC-SST", "DS-PR", "DS-ST", "DS-SST", "SE-PR", "SE-ST", "SE-SST", "SE-ID"}
    assert of_2017 | of_2021 | of_2025 <= TASKS.keys()


def test_a_name_is_read_and_written_back() -> None:
    """Our promise: capitals or not."""
    task = task_named("dc-sst")
    assert task == Task(problem=Problem.CREDULOUS, semantics=Semantics.SEMI_STABLE)
    assert (str(task), task.needs_argument) == ("DC-SST", True)
    assert all(str(task) == name for name, task in TASKS.items())


@pytest.mark.parametrize("name", ["", "DC", "DC-XY", "D3", "SE-PR-D", "SE-PR "])
def test_an_unknown_name_is_answered_with_those_that_there_are(name: str) -> None:
    """Our promise: nothing is guessed."""
    with pytest.raises(MalformedInput, match=r"no task '.*'; there are DC-CO, .*, CE-ID$"):
        task_named(name)
