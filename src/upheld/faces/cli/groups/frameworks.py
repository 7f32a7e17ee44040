"""``upheld af``: bare argumentation frameworks, asked as the solvers of the competitions are."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from upheld.errors import LimitExceeded, MalformedInput, UpheldError
from upheld.faces.cli.console import complain, say_json, say_lines, say_raw
from upheld.faces.cli.files import refuse_overwriting, write_whole
from upheld.faces.cli.options import GROUNDED, NOT_PROVED, AsJson, Force, command
from upheld.faces.cli.rendering.frameworks import step_lines, why_in, why_out_lines
from upheld.faces.cli.sources import STDIN
from upheld.faces.trees import plain
from upheld.logic.argumentation.formats.answers import Style, lines_of, style_of
from upheld.logic.argumentation.formats.edits import Line, edits_from
from upheld.logic.argumentation.formats.reading import Form, form_named, form_of, framework_from, text_of
from upheld.logic.argumentation.formats.solving import Answer, answers_along, check_argument
from upheld.logic.argumentation.formats.tasks import TASKS, Problem, Task, task_named
from upheld.logic.argumentation.framework import Framework
from upheld.logic.argumentation.semantics.explaining import Cause, why_out
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.speech.formats.reading import MAX_FILE


class FrameworkForm(StrEnum):
    """Format of a framework."""

    AUTO = "auto"
    AF = "af"
    APX = "apx"
    TGF = "tgf"

    @property
    def form(self) -> Form | None:
        """Give the format; ``None``: by the file's suffix, else by its first line."""
        return None if self is FrameworkForm.AUTO else Form(self.value)


class AnswerStyle(StrEnum):
    """How answers are written."""

    AUTO = "auto"
    WITNESS = "witness"
    BRACKETS = "brackets"

    def style(self, form: Form) -> Style:
        """Give the style; where it is open, that of the competitions that used the format."""
        return style_of(form) if self is AnswerStyle.AUTO else Style(self.value)


FrameworkFile = Annotated[
    str,
    typer.Argument(metavar="FILE", help="A framework (af, apx, tgf), or - for standard input.", show_default=False),
]
ArgumentName = Annotated[
    str,
    typer.Option("--argument", "-a", metavar="NAME", help="The argument that is asked about.", show_default=False),
]
FormName = Annotated[
    FrameworkForm,
    typer.Option("--format", "-fo", help="Format of the file; auto goes by its suffix, else by its first line."),
]
Conflicts = Annotated[
    int | None,
    typer.Option(
        "--conflicts", metavar="N", min=0, help="Conflicts of the solver; without it, no limit.", show_default=False
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOptions:
    """What ``af solve`` takes."""

    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A framework (af, apx, tgf), or - for standard input.", show_default=False),
    ] = ""
    named_file: Annotated[
        str, typer.Option("--file", "-f", metavar="FILE", help="The same, as an option.", show_default=False)
    ] = ""
    task: Annotated[
        str, typer.Option("--task", "-p", metavar="TASK", help="What is asked, such as SE-PR.", show_default=False)
    ] = ""
    argument: ArgumentName = ""
    form: FormName = FrameworkForm.AUTO
    edits: Annotated[
        str,
        typer.Option(
            "--edits", "-m", metavar="FILE", help="Edits, one a line: answer again after each.", show_default=False
        ),
    ] = ""
    conflicts: Conflicts = None
    is_anytime: Annotated[
        bool, typer.Option("--anytime", help="When the conflicts run out, print the best set found and say so.")
    ] = False
    style: Annotated[
        AnswerStyle,
        typer.Option("--style", help="witness as in 2023 and 2025, brackets as before; auto goes by the format."),
    ] = AnswerStyle.AUTO
    as_json: AsJson = False
    is_listing: Annotated[bool, typer.Option("--problems", help="List the tasks, and do nothing else.")] = False


@command(
    "af solve",
    "Answer a task of the argumentation competitions.",
    "upheld af solve examples/frameworks/rollback.af --task SE-PR",
    "upheld af solve -p DC-ST -f examples/frameworks/rollback.apx -a rollback",
    "upheld af solve -p DS-PR -f examples/frameworks/rollback.apx -a rollback -m examples/frameworks/rollback.apxm",
    "upheld af solve --problems",
)
def solve(options: SolveOptions) -> int:
    """Answer a task of the argumentation competitions (ICCMA), as a solver of theirs does.

    Standard output has the answer in the competition's format and nothing else: YES or NO, with a line w for the
    extension that shows it; or extensions in brackets, as before 2023. Under semantics with one extension (GR, ID), DC
    and DS ask the same.

    Ends with status 0 when every answer is proved, and with 4 when the conflicts ran out first. What is not proved is
    not printed, unless --anytime asks for the best set found.
    """
    if options.is_listing:
        say_raw(f"[{','.join(TASKS)}]\n")
        return GROUNDED
    task = task_named(options.task)
    check_argument(task, options.argument)
    name = _file_of(options)
    text = _text_of(name)
    form = options.form.form or form_of(text, name=name)
    framework = framework_from(text, name=name, form=form)
    edits = edits_from(_text_of(options.edits), source=options.edits) if options.edits else ()
    style = options.style.style(form)
    is_all_proved = True
    for number, found in enumerate(_answers(task, framework, edits, options)):
        is_proved = _told(found, style, number, options)
        is_all_proved = is_all_proved and is_proved
        if not (is_proved or options.is_anytime):
            break  # an answer left out would let the next one pass for it
    return GROUNDED if is_all_proved else NOT_PROVED


def _file_of(options: SolveOptions) -> str:
    if bool(options.file) == bool(options.named_file):
        raise MalformedInput("name one FILE, by itself or after --file")
    return options.file or options.named_file


def _answers(task: Task, framework: Framework[str], edits: tuple[Line, ...], options: SolveOptions) -> Iterator[Answer]:
    found = answers_along(
        task, framework, [line.edit for line in edits], options.argument, conflict_budget=options.conflicts
    )
    yield next(found)
    for line in edits:
        try:
            yield next(found)
        except UpheldError as error:
            raise MalformedInput(str(error), source=options.edits, line=line.number) from error


def _told(found: Answer, style: Style, number: int, options: SolveOptions) -> bool:
    """Print an answer if it may be printed; tell whether it is proved in full, its witness included."""
    lines = lines_of(found, style)
    is_proved = found.is_proved and bool(lines)
    if not is_proved:
        complain(f"{found.task}: {_shortcoming(found, is_shown=options.is_anytime and bool(lines))}")
    if options.as_json:
        say_json(_tree(found, number, options), is_line=bool(options.edits))
    elif is_proved or options.is_anytime:
        say_raw("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()
    return is_proved


def _shortcoming(found: Answer, *, is_shown: bool) -> str:
    if not is_shown:
        return "not proved within the conflicts allowed"
    return "not proved maximal" if found.task.problem is Problem.SOME else "not proved that these are all"


def _tree(found: Answer, number: int, options: SolveOptions) -> dict[str, Any]:
    # What is not proved is no part of the answer unless it was asked for.
    sets = found.sets if found.is_proved or options.is_anytime else ()
    return {
        "task": str(found.task),
        "argument": options.argument or None,
        "edits": number,
        "is_proved": found.is_proved,
        "is_accepted": found.is_yes,
        "extensions": [list(members) for members in sets],
        "count": found.count,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertFrameworkOptions:
    """What ``af convert`` takes."""

    file: Annotated[
        str,
        typer.Argument(metavar="IN", help="A framework (af, apx, tgf), or - for standard input.", show_default=False),
    ]
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="Where to write it, or - for standard output.", show_default=False)
    ]
    form: FormName = FrameworkForm.AUTO
    to: Annotated[FrameworkForm, typer.Option("--to", help="Format to write; auto goes by the suffix of OUT.")] = (
        FrameworkForm.AUTO
    )
    is_forced: Force = False


@command(
    "af convert",
    "Write a framework in another format.",
    "upheld af convert examples/frameworks/rollback.apx rollback.af",
    "upheld af convert examples/frameworks/rollback.af - --to tgf",
)
def convert_framework(options: ConvertFrameworkOptions) -> int:
    """Write a framework in another format: af, apx or tgf.

    af knows numbers alone: arguments are numbered in their order, and comments say which name each number stands for.
    """
    target = options.to.form or form_named(options.out)
    if target is None:
        raise MalformedInput(f"{options.out} has no suffix of a framework: say --to {', '.join(Form)}")
    written = text_of(_framework_of(options.file, options.form), target)
    if options.out == STDIN:
        say_raw(written)
        return GROUNDED
    refuse_overwriting(Path(options.out), is_forced=options.is_forced)
    write_whole({Path(options.out): written})
    return GROUNDED


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyOptions:
    """What ``af why`` takes."""

    file: FrameworkFile
    argument: ArgumentName = ""
    semantics: Annotated[Semantics, typer.Option("--semantics", help="Whose extensions.")] = Semantics.GROUNDED
    conflicts: Conflicts = None
    form: FormName = FrameworkForm.AUTO
    as_json: AsJson = False


@command(
    "af why",
    "Why an argument of a framework is accepted, or why it falls.",
    "upheld af why examples/frameworks/rollback.apx --argument snapshot",
    "upheld af why examples/frameworks/rollback.apx -a rollback --semantics preferred",
)
def why(options: WhyOptions) -> int:
    """Why an argument of a framework is in every extension, or why it falls.

    What the grounded extension decides is derived step by step, down to what nothing attacks; what it leaves open ends
    in the circle that keeps it so. Under the other semantics an extension without the argument is shown, or the
    attackers that nothing which can stand answers.

    Ends with status 0 when there is a reason either way, and with 4 when the conflicts ran out first.
    """
    if not options.argument:
        raise MalformedInput("name the argument that is asked about", key="--argument")
    framework = _framework_of(options.file, options.form)
    found = why_out(framework, options.argument, options.semantics, conflict_budget=options.conflicts)
    steps = why_in(framework, options.argument) if found is None else found.steps
    is_settled = found is None or found.cause is not Cause.UNSETTLED
    if options.as_json:
        is_accepted = found is None if is_settled else None
        asked = {"argument": options.argument, "semantics": options.semantics.value, "is_accepted": is_accepted}
        say_json(asked | (plain(found) if found is not None else {"steps": plain(steps)}))
    elif found is not None:
        say_lines(why_out_lines(found))
    else:
        some = "an admissible set has it" if options.semantics is Semantics.ADMISSIBLE else "in every extension"
        say_lines(step_lines(steps) if steps else [f"{options.argument}: {some} ({options.semantics})"])
    if is_settled:
        return GROUNDED
    complain(f"{options.argument}: not settled within the conflicts allowed")
    return NOT_PROVED


def _framework_of(name: str, form: FrameworkForm) -> Framework[str]:
    return framework_from(_text_of(name), name=name, form=form.form)


def _text_of(name: str) -> str:
    source = "<stdin>" if name == STDIN else name
    try:
        content = sys.stdin.buffer.read(MAX_FILE + 1) if name == STDIN else _beginning(Path(name))
    except OSError as error:
        raise MalformedInput(f"cannot be read: {error.strerror or error}", source=source) from error
    if len(content) > MAX_FILE:
        raise LimitExceeded(f"{source}: larger than {MAX_FILE} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise MalformedInput("not in UTF-8: save it as UTF-8 and try again", source=source, line=line) from error


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_FILE + 1)
