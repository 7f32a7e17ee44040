"""The program run in process, in a folder of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
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


@pytest.fixture
def nothing_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the machine decides; and nobody waits between two attempts."""
    for name in ("UPHELD_MODEL", "UPHELD_BASE_URL", "UPHELD_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UPHELD_MODEL_RETRIES", "0")


Answered = Callable[[Any], Any]
CameBack = Callable[..., list[str]]


def _come_back(batch: Path, output: Path, answered: Answered, *, without: Sequence[int] = ()) -> list[str]:
    lines = [json.loads(line) for line in batch.read_text("utf-8").splitlines()]
    replies: list[Any] = []
    for place, line in enumerate(lines):
        assert (line["method"], line["url"]) == ("POST", "/v1/chat/completions")
        message = {"role": "assistant", "content": json.dumps(answered(line["body"]))}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {"choices": [choice], "model": "scripted", "usage": {"prompt_tokens": 9, "completion_tokens": 3}}
        failed = {"status_code": 500, "body": {"error": {"message": "overloaded"}}}
        response = failed if place in without else {"status_code": 200, "body": body}
        replies.append({"custom_id": line["custom_id"], "response": response, "error": None})
    output.write_text("".join(f"{json.dumps(each)}\n" for each in reversed(replies)), "utf-8")
    return [line["custom_id"] for line in lines]


@pytest.fixture
def come_back() -> CameBack:
    """Answer a batch as a provider would, in another order; some lines fail. Gives the names of the requests."""
    return _come_back
