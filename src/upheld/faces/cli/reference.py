"""The help of every command as Markdown, so that the reference page is the help.

``python -m upheld.faces.cli.reference docs/reference/cli.md`` writes it between the marks of the page.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from enum import EnumType
from pathlib import Path
from typing import Any, cast, get_args, get_type_hints

from upheld.faces.cli.options import Command
from upheld.faces.cli.program import EVERY_COMMAND

BEGIN = "<!-- generated: python -m upheld.faces.cli.reference docs/reference/cli.md -->"
END = "<!-- end of what is generated -->"


def reference() -> str:
    """Give a section a command: what it does, its arguments and options, and examples."""
    return "\n".join(line for each in EVERY_COMMAND for line in _section(each))


def with_reference(page: str) -> str:
    """Give a page with what stands between its marks replaced."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{reference()}\n{END}{after}"


def _section(each: Command) -> Iterator[str]:
    yield from (f"## `upheld {each.name}`", "")
    for paragraph in each.explanation:
        yield from (paragraph, "")
    yield from ("| argument or option | does |", "| --- | --- |")
    hints = get_type_hints(each.options, include_extras=True)
    for field in fields(each.options):
        kind, told = get_args(hints[field.name])
        yield f"| {_names(kind, told)} | {_meaning(field, kind, told)} |"
    yield from ("", "```console", *(f"$ {example}" for example in each.examples), "```", "")


def _names(kind: Any, told: Any) -> str:
    # Inside Annotated the first name lands where a default would stand; typer moves it over when it reads it.
    first: tuple[str, ...] = (told.default,) if isinstance(told.default, str) else ()
    names = (*first, *(told.param_decls or ()))
    if not names:
        return f"`{told.metavar}`"
    value = "" if kind is bool or isinstance(kind, EnumType) else f" {told.metavar or _placeholder(kind)}"
    return ", ".join(f"`{name}`" for name in names) + value.replace(" ", " `", 1) + ("`" if value else "")


def _placeholder(kind: Any) -> str:
    return "N" if kind is int else "WORD"


def _meaning(field: Field[Any], kind: Any, told: Any) -> str:
    listed = ""
    if isinstance(kind, EnumType):
        listed = f" One of {', '.join(f'`{each.value}`' for each in cast('Any', kind))}."
    has_default = field.default is not MISSING and field.default not in ("", None, False)
    default = f" Default: `{field.default}`." if has_default else ""
    return f"{told.help}{listed}{default}".replace("|", "\\|")


if __name__ == "__main__":
    PAGE = Path(sys.argv[1])
    PAGE.write_text(with_reference(PAGE.read_text("utf-8")), "utf-8")
