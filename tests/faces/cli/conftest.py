"""The program run in process, in a folder of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer", reason="the extra 'cli' is not installed")

from typer.testing import CliRunner

from upheld.faces.cli import app


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def tree(self) -> Any:
        """What it printed, read as JSON."""
        return json.loads(self.out)


Program = Callable[..., Ended]


@pytest.fixture
def upheld(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Program:
    """Run ``upheld`` with these arguments in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TERMINAL_WIDTH"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Ended:
        ended = CliRunner().invoke(app, [str(each) for each in arguments], input=stdin)
        return Ended(status=ended.exit_code, out=ended.stdout, err=ended.stderr)

    return run


@pytest.fixture
def outage(root: Path) -> Path:
    """The annotated example: one reply is ungrounded, one is grounded."""
    return root / "examples" / "checkout-outage.json"
