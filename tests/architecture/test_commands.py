"""Every command and every option stands in the reference."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import Any

import pytest

PAGE = Path("docs") / "reference" / "cli.md"


def commands_of(application: Any) -> dict[str, list[str]]:
    """Full name of each command → its long options, of a click tree (which typer makes of its programs)."""
    found: dict[str, list[str]] = {}
    pending: list[tuple[str, Any]] = [("upheld", application)]
    while pending:
        name, command = pending.pop()
        children: dict[str, Any] = getattr(command, "commands", {})
        pending.extend((f"{name} {child}", children[child]) for child in sorted(children))
        if not children:
            options = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
            found[name] = [option for option in options if option != "--help"]
    return found


def unexplained(commands: dict[str, list[str]], page: str) -> list[str]:
    """Commands without a heading of their own, and options that their section does not name."""
    missing: list[str] = []
    for command, options in sorted(commands.items()):
        heading = f"## `{command}`\n"
        if heading not in page:
            missing.append(command)
            continue
        section = page.split(heading, 1)[1].split("\n## ", 1)[0]
        missing += [f"{command} {option}" for option in options if f"`{option}" not in section]
    return missing


def command_line() -> Any:
    """The click command behind ``upheld``; skips where the extra or the face is not installed."""
    if importlib.util.find_spec("upheld.faces") is None or importlib.util.find_spec("upheld.faces.cli") is None:
        pytest.skip("there is no command line yet")
    typer_main = pytest.importorskip("typer.main", reason="the extra 'cli' is not installed")
    cli = importlib.import_module("upheld.faces.cli")
    return typer_main.get_command(cli.app)


def test_every_command_and_option_is_in_the_reference(root: Path) -> None:
    """Our promise (docs/reference/cli.md): the page is complete, and names nothing that does not exist."""
    commands = commands_of(command_line())
    page = (root / PAGE).read_text("utf-8")
    assert unexplained(commands, page) == []
    headings = [line.removeprefix("## `").rstrip("`") for line in page.splitlines() if line.startswith("## `upheld")]
    assert sorted(set(headings) - set(commands)) == []


def test_a_command_or_option_that_the_page_forgot_is_reported() -> None:
    """The rule itself must be able to fail."""
    page = "## `upheld check`\n\n`--html FILE` writes the report.\n\n## Exit status\n\n`--json` is named elsewhere\n"
    commands = {"upheld check": ["--html", "--json"], "upheld serve": []}
    assert unexplained(commands, page) == ["upheld check --json", "upheld serve"]
