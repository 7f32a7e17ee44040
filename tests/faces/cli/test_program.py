"""The program as others see it: its help, its page, a pipe, and a browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from upheld.faces.cli.program import COMMANDS, EVERY_COMMAND
from upheld.faces.cli.reference import reference, with_reference

Program = Callable[..., Any]
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def test_the_reference_page_is_the_help(root: Path) -> None:
    """Our promise: after a change of the help run ``python -m upheld.faces.cli.reference docs/reference/cli.md``."""
    page = (root / "docs" / "reference" / "cli.md").read_text("utf-8")
    assert with_reference(page) == page


@pytest.mark.parametrize("command", EVERY_COMMAND, ids=lambda command: command.name)
def test_every_command_has_help_with_an_example(upheld: Program, command: Any) -> None:
    """The issue: every command has help and examples."""
    ended = upheld(*command.name.split(), "--help")
    assert ended.status == 0
    assert command.explanation[0] in " ".join(ended.out.split())
    assert f"$ upheld {command.name} " in ended.out


def test_every_example_names_options_that_exist(upheld: Program) -> None:
    """Our promise: an example can be typed."""
    sections = reference().split("## `upheld ")[1:]
    assert len(sections) == len(EVERY_COMMAND)
    for section in sections:
        table, _, examples = section.partition("```console")
        known = set(re.findall(r"^\| `(--[\w-]+)`", table, re.MULTILINE))
        used = set(re.findall(r"(?<=\s)--[\w-]+", examples.partition("|")[0]))
        assert used <= known


def test_without_a_command_the_help_is_shown(upheld: Program) -> None:
    """Our promise: the program introduces itself."""
    ended = upheld()
    assert ended.status == 2
    for command in COMMANDS:
        assert re.search(rf"^  {command.name} +{re.escape(command.summary)}$", ended.out + ended.err, re.MULTILINE)
    assert upheld("--version").out.startswith("upheld ")


def run(arguments: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own, its output in pipes."""
    kept = {key: value for key, value in os.environ.items() if key not in {"COLUMNS", "FORCE_COLOR", "NO_COLOR"}}
    return subprocess.run(
        [sys.executable, "-m", "upheld.faces.cli", *arguments],
        cwd=folder,
        env={**kept, **environment},
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def source(root: Path) -> dict[str, str]:
    """Environment in which the package of this checkout is found."""
    return {"PYTHONPATH": str(root / "src")}


def test_a_pipe_gets_words_and_nothing_more(root: Path, source: dict[str, str]) -> None:
    """The issue: silent when piped; no colours, no progress, no blanks at the end of lines."""
    ended = run(["check", "examples/checkout-outage.json"], root, **source)
    assert ended.returncode == 1
    assert ended.stderr == b""
    assert b"\x1b" not in ended.stdout
    assert b"\r" not in ended.stdout
    assert all(line == line.rstrip() for line in ended.stdout.decode("utf-8").splitlines())


def test_an_output_that_cannot_show_a_mark_still_gets_the_verdict(root: Path, source: dict[str, str]) -> None:
    """Our promise: an old terminal is no crash."""
    ended = run(["check", "examples/checkout-outage.json"], root, **source, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert ended.returncode == 1
    assert b"ungrounded: abandoned" in ended.stdout


def test_a_reader_who_leaves_early_is_no_fault(root: Path, source: dict[str, str]) -> None:
    """Our promise (docs/reference/cli.md): ``upheld status … | head`` complains of nothing."""
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, **source}
    with os.fdopen(writing, "w") as closed:
        ended = subprocess.run(
            [sys.executable, "-m", "upheld.faces.cli", "status", "examples/checkout-outage.json"],
            cwd=root,
            env=environment,
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert ended.returncode not in {1, 2, 3}
    assert ended.stderr == b""


def test_the_report_of_a_check_opens_in_a_browser(upheld: Program, outage: Path) -> None:
    """The issue: the HTML report is one file that needs no network; the verdicts are in it."""
    browser = next((path for path in map(shutil.which, NAMES) if path), None)
    if browser is None:
        pytest.skip("no Chromium is installed")
    upheld("check", outage, "--html", "report.html")
    page = Path("report.html").resolve()
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    document = subprocess.run(
        [
            browser,
            *flags,
            "--virtual-time-budget=3000",
            f"--user-data-dir={page.parent / 'profile'}",
            "--dump-dom",
            f"{page.as_uri()}#turn=T14&claim=h2",
        ],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    ).stdout
    assert "✗ ungrounded: abandoned" in document
    assert "Why it does not stand" in document
    assert "Alice gives h2 up" in document
    assert not re.search(r'(?:src|href)="(?!#)', document)
