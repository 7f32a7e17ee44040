"""What is printed and where: answers on standard output, everything else on standard error.

Colours, progress and cursor movements are for terminals alone; a pipe gets the same words and nothing more.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

PIPED_WIDTH = 120
"""Columns of a table that no terminal limits."""

LONG_WORK = 200
"""Turns from which on progress is shown."""


class _Screen(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the program's edge, which knows the status."""
        raise BrokenPipeError


def screen() -> Console:
    """Give the console of standard output as it is now."""
    is_limited = sys.stdout.isatty() or "COLUMNS" in os.environ
    return _Screen(file=sys.stdout, width=None if is_limited else PIPED_WIDTH, highlight=False, emoji=False)


def say(*renderables: RenderableType) -> None:
    """Print tables and texts; a plain string is taken as it is, never as markup."""
    console = screen()
    texts = [Text(each) if isinstance(each, str) else each for each in renderables]
    if console.is_terminal:
        console.print(*texts, sep="\n")
        return
    with console.capture() as captured:
        console.print(*texts, sep="\n")
    # Cells are filled up with blanks, which only a terminal needs.
    say_raw("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def say_lines(lines: Iterable[str | Text]) -> None:
    """Print lines that a pipe must not see broken."""
    console = screen()
    for line in lines:
        console.print(Text(line) if isinstance(line, str) else line, soft_wrap=True)


def say_raw(text: str) -> None:
    """Print a document as it is."""
    sys.stdout.write(text)


def say_json(tree: Any, *, is_line: bool = False) -> None:
    """Print JSON, indented or on one line."""
    sys.stdout.write(json.dumps(tree, ensure_ascii=False, indent=None if is_line else 1) + "\n")


def complain(message: str) -> None:
    """Say on standard error what went wrong."""
    _errors().print(Text.assemble(("upheld: ", "bold red"), message), soft_wrap=True)


def note(message: str) -> None:
    """Say on standard error what a reader of the output should know."""
    _errors().print(Text.assemble(("note: ", "yellow"), message), soft_wrap=True)


def is_ascii_only() -> bool:
    """Tell whether standard output can show no more than ASCII."""
    return not (sys.stdout.encoding or "ascii").lower().startswith("utf")


@contextmanager
def progress(what: str) -> Generator[Callable[[int, int], None] | None]:
    """Show how far long work is, on standard error; nothing where that is no terminal, or the work is short."""
    console = _errors()
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(what, total=None)

    def advance(done: int, total: int) -> None:
        if total >= LONG_WORK:
            bar.start()
            bar.update(task, completed=done, total=total)

    try:
        yield advance
    finally:
        bar.stop()


def _errors() -> Console:
    return _Screen(file=sys.stderr, highlight=False, emoji=False)
