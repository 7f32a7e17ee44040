"""The program ``upheld``: its commands, put together."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from typing import Annotated

import typer

from upheld.faces.cli.closing import closing
from upheld.faces.cli.commands.amending import amend
from upheld.faces.cli.commands.answering import ask_question
from upheld.faces.cli.commands.asking import explain, status, verify
from upheld.faces.cli.commands.believing import believe
from upheld.faces.cli.commands.check import check
from upheld.faces.cli.commands.converting import convert, export
from upheld.faces.cli.commands.evaluating import evaluate
from upheld.faces.cli.commands.interpreting import interpret
from upheld.faces.cli.commands.replay import replay
from upheld.faces.cli.commands.scoring import score_files
from upheld.faces.cli.commands.searching import search
from upheld.faces.cli.commands.supposing import affected, brief, review, what_if
from upheld.faces.cli.groups.frameworks import convert_framework, solve, why
from upheld.faces.cli.groups.keeping import drop_tenant, list_tenants, migrate, retain
from upheld.faces.cli.groups.ledger import copy, erase, ledger_head, refile, verify_ledger
from upheld.faces.cli.groups.protocol import mcp
from upheld.faces.cli.groups.reviewing import (
    add_flag,
    assign_flag,
    comment_on_flag,
    decide_flag,
    erase_flag,
    export_queue,
    list_queue,
    show_flag,
)
from upheld.faces.cli.groups.serving import keys_new, serve
from upheld.faces.cli.options import Command

COMMANDS = (
    check, verify, status, explain, replay, affected, review, what_if, brief, believe, ask_question,
    search, interpret, score_files, evaluate, convert, export, amend,
    serve, mcp, migrate,
)  # fmt: skip
"""In the order in which the help lists them."""

GROUPS: Mapping[str, tuple[str, tuple[Command, ...]]] = {
    "queue": (
        "Replies that wait for a person, and what was decided of them.",
        (list_queue, show_flag, add_flag, assign_flag, decide_flag, comment_on_flag, erase_flag, export_queue),
    ),
    "tenants": ("The tenants of a store.", (list_tenants, drop_tenant)),
    "keys": ("The keys of the HTTP service.", (keys_new,)),
    "ledger": (
        "The record itself: is it whole, where does it end, what must go.",
        (verify_ledger, ledger_head, erase, retain, copy, refile),
    ),
    "af": (
        "Bare argumentation frameworks, as in the competitions (ICCMA).",
        (solve, convert_framework, why),
    ),
}
"""Commands that are typed after the name of their group, and what the help says of it."""

EVERY_COMMAND = (*COMMANDS, *(each for _, commands in GROUPS.values() for each in commands))
"""In the order of the reference."""

app = typer.Typer(
    name="upheld",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _each in COMMANDS:
    app.command(_each.name, short_help=_each.summary, epilog=_each.epilog)(_each.callback)
for _name, (_help, _commands) in GROUPS.items():
    _group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    for _each in _commands:
        _called = _each.name.removeprefix(f"{_name} ")
        _group.command(_called, short_help=_each.summary, epilog=_each.epilog)(_each.callback)
    app.add_typer(_group, name=_name, help=_help)


def _say_version(is_wanted: bool) -> None:
    if is_wanted:
        try:
            typer.echo(f"upheld {version('upheld')}")
        except PackageNotFoundError:
            typer.echo("upheld (not installed)")
        raise typer.Exit


@app.callback()
def program(
    context: typer.Context,
    *,
    is_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_say_version, is_eager=True)
    ] = False,
) -> None:
    """Is what is said next still supported by what has been said and not taken back?

    Exit status: 0 all fine, 1 something is ungrounded, 2 bad input or usage, 3 a fault of upheld itself,
    4 not proved within the conflicts allowed (af).
    """
    context.with_resource(closing())


def main() -> None:
    """Run the program; a stream that cannot show a character shows a replacement."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    app(prog_name="upheld")
