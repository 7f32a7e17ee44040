"""A task, answered: the competition's names put to the semantics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from upheld.errors import MalformedInput
from upheld.logic.argumentation.formats.tasks import Problem, Task
from upheld.logic.argumentation.framework import Framework
from upheld.logic.argumentation.semantics.acceptance import Acceptance, credulously_accepted, sceptically_accepted
from upheld.logic.argumentation.semantics.dynamic import Edit, edited, solved
from upheld.logic.argumentation.semantics.extensions import Found, an_extension, extensions
from upheld.logic.argumentation.semantics.oracle import DEFAULT_CONFLICTS

Members = tuple[str, ...]
"""An extension, in the order of the framework's arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a task found, and whether it is proved.

    Of an acceptance, ``is_yes`` and at most one witness in ``sets``: an extension with the argument for DC, one without
    it for DS. Of SE the extension, none where there is none; of EE all; of CE their ``count``. When ``is_proved`` is
    false the budget ran out: ``is_yes`` and ``count`` are ``None``, and ``sets`` has what was found by then, which for
    SE need not be an extension (see :class:`.Found`).
    """

    task: Task
    is_proved: bool
    is_yes: bool | None = None
    sets: tuple[Members, ...] = ()
    count: int | None = None


def answer(
    task: Task, framework: Framework[str], argument: str = "", *, conflict_budget: int | None = DEFAULT_CONFLICTS
) -> Answer:
    """Answer a task within a budget of the solver's conflicts (``None``: no limit); deterministic.

    Raises:
        MalformedInput: the task is about an argument and none is given, or the other way round.
        UnknownReference: ``argument`` is none of the framework's.
    """
    check_argument(task, argument)
    match task.problem:
        case Problem.CREDULOUS:
            found = credulously_accepted(framework, argument, task.semantics, conflict_budget=conflict_budget)
            return _acceptance(task, framework, found)
        case Problem.SCEPTICAL:
            found = sceptically_accepted(framework, argument, task.semantics, conflict_budget=conflict_budget)
            return _acceptance(task, framework, found)
        case Problem.SOME:
            return _some(task, framework, an_extension(framework, task.semantics, conflict_budget=conflict_budget))
        case Problem.EVERY | Problem.COUNT:
            return _all(task, framework, conflict_budget)


def answers_along(
    task: Task,
    framework: Framework[str],
    edits: Iterable[Edit[str]],
    argument: str = "",
    *,
    conflict_budget: int | None = DEFAULT_CONFLICTS,
) -> Iterator[Answer]:
    """Answer a task, and again after each edit; the budget is for each answer anew.

    Cost: for SE, what an edit reaches is solved again (see :class:`.Solved`); for the others, the whole.

    Raises:
        MalformedInput: as :func:`answer`.
        UnknownReference: as :func:`answer`; an edit removes or names what is not there. What was answered stays.
        RepeatedIdentity: an edit adds an argument that is there.
    """
    check_argument(task, argument)
    if task.problem is not Problem.SOME:
        yield answer(task, framework, argument, conflict_budget=conflict_budget)
        for edit in edits:
            framework = edited(framework, edit)
            yield answer(task, framework, argument, conflict_budget=conflict_budget)
        return
    current = solved(framework, task.semantics, conflict_budget=conflict_budget)
    yield _some(task, framework, Found(extension=current.extension, is_proved=current.is_proved))
    for edit in edits:
        current = current.after(edit)
        yield _some(task, current.framework, Found(extension=current.extension, is_proved=current.is_proved))


def check_argument(task: Task, argument: str) -> None:
    """Refuse a task that is about an argument and is given none, or the other way round.

    Raises:
        MalformedInput: it is so.
    """
    if task.needs_argument != bool(argument):
        wanted = "is about an argument: name one" if task.needs_argument else "is about no argument: name none"
        raise MalformedInput(f"{task} {wanted}")


def _acceptance(task: Task, framework: Framework[str], found: Acceptance[str]) -> Answer:
    witness = () if found.witness is None else (_members(framework)(found.witness),)
    return Answer(task=task, is_proved=found.is_accepted is not None, is_yes=found.is_accepted, sets=witness)


def _some(task: Task, framework: Framework[str], found: Found[str]) -> Answer:
    sets = () if found.extension is None else (_members(framework)(found.extension),)
    return Answer(task=task, is_proved=found.is_proved, sets=sets)


def _all(task: Task, framework: Framework[str], conflict_budget: int | None) -> Answer:
    found = extensions(framework, task.semantics, conflict_budget=conflict_budget)
    if task.problem is Problem.COUNT:
        count = len(found.extensions) if found.is_complete else None
        return Answer(task=task, is_proved=found.is_complete, count=count)
    members = _members(framework)
    return Answer(task=task, is_proved=found.is_complete, sets=tuple(map(members, found.extensions)))


def _members(framework: Framework[str]) -> Callable[[frozenset[str]], Members]:
    return lambda extension: tuple(name for name in framework.arguments if name in extension)
