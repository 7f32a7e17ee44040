"""The programs that the pages show are run, and the outputs that they show are what was printed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted((ROOT / "docs_src").rglob("*.py"))


def output_of(program: Path, folder: Path) -> str:
    """What a program prints when it is run in a folder of its own, warnings being errors."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"}
    run = subprocess.run(
        [sys.executable, "-W", "error", str(program)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_program_prints_what_its_page_shows(program: Path, tmp_path: Path) -> None:
    """Our promise (docs/index.md): the output below a program is its output.

    To renew one after a change: ``PYTHONPATH=src python docs_src/x/tutorial001.py > docs_src/x/tutorial001.txt``.
    """
    assert output_of(program, tmp_path) == program.with_suffix(".txt").read_text("utf-8")


def test_there_are_programs_to_run() -> None:
    """Our promise (docs/index.md): a search that finds nothing would pass everything."""
    assert len(PROGRAMS) >= 10


def test_a_program_that_fails_is_noticed(tmp_path: Path) -> None:
    """The runner itself must be able to fail."""
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit('no')\n", "utf-8")
    with pytest.raises(AssertionError, match="no"):
        output_of(broken, tmp_path)
