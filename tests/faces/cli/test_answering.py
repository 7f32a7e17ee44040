"""``upheld ask``: the record's answer, a language model's where it is grounded, and what the status says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer", reason="the extra 'cli' is not installed")

import typer
from typer.testing import CliRunner

from upheld.faces.cli.commands.answering import ask_question
from upheld.testing.scripted_server import ScriptedServer

Asked = Callable[..., Any]
QUESTION = "When did the checkout rollback happen?"


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Run the command alone."""
    for name in ("UPHELD_MODEL", "UPHELD_BASE_URL", "UPHELD_API_KEY", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    app = typer.Typer(rich_markup_mode=None)
    app.command(ask_question.name, epilog=ask_question.epilog)(ask_question.callback)

    def run(*arguments: str | Path) -> Any:
        return CliRunner().invoke(app, [str(each) for each in arguments])

    return run


@pytest.fixture
def trip(tmp_path: Path) -> Path:
    """A file with a value that was replaced."""
    path = tmp_path / "trip.yaml"
    path.write_text(
        """format: upheld/annotated-transcript@1
id: trip
agents: [{id: ann, name: Ann}]
turns:
- {id: T1, speaker: ann, text: Two nights., operations: [{op: observe, id: o1, text: The hotel has two free nights.}]}
- id: T2
  speaker: ann
  text: Three now.
  operations:
  - {op: observe, id: o2, text: The hotel has three free nights., supersedes: [o1]}
  - {op: revise, target: o1, replacement: o2}
""",
        "utf-8",
    )
    return path


def test_the_answer_comes_with_where_it_comes_from(ask: Asked, trip: Path) -> None:
    """Issue 4, section 4: an answer with provenance."""
    ended = ask(trip, "How many free nights has the hotel?")
    assert ended.exit_code == 0
    assert ended.stdout == '"The hotel has three free nights." (o2, T2, Ann)\nrests on:\n  o2 (T2)\n'


def test_an_earlier_moment_is_asked_as_of_then(ask: Asked, trip: Path) -> None:
    """Our promise: --at means the same for every command."""
    ended = ask(trip, "How many free nights has the hotel?", "--at", "T1")
    assert "two free nights" in ended.stdout
    assert ask(trip, "What?", "--at", "T9").exit_code == 2


def test_that_the_record_does_not_say_is_an_answer_unless_it_must_not_be(ask: Asked, trip: Path) -> None:
    """Our promise: status 0 with a clear text, 1 with --must-answer."""
    ended = ask(trip, "Who owns the hotel ferry?")
    assert ended.exit_code == 0
    assert ended.stdout.startswith('the record does not say: nothing in the record mentions "owns", "ferry"')
    assert "nearest:" in ended.stdout
    assert ask(trip, "Who owns the hotel ferry?", "--must-answer").exit_code == 1


def test_the_json_has_every_field_of_the_answer(ask: Asked, trip: Path) -> None:
    """Our promise: programs read the same answer as people."""
    tree = json.loads(ask(trip, "How many free nights has the hotel?", "--json").stdout)
    assert tree["outcome"] == "grounded"
    assert tree["at"] == "T2"
    assert [ground["literal"] for ground in tree["grounds"]] == ["o2"]
    assert tree["usage"]["calls"] == 0
    assert tree["claims"][0]["findings"][0]["literal"] == "o2"


def test_an_address_without_a_name_is_refused(ask: Asked, trip: Path) -> None:
    """Our promise: bad usage ends with status 2 and says what to do."""
    ended = ask(trip, QUESTION, "--base-url", "http://localhost:1/v1")
    assert ended.exit_code == 2
    assert "--model" in ended.stderr


@pytest.mark.parametrize(
    ("cites", "says", "status", "told"),
    [
        (["o2"], "Three.", 0, "Three."),
        (["o1"], "Two.", 1, "not grounded; it is not to be relied on: superseded"),
        ([], "Three.", 1, "it cites nothing that it rests on"),
    ],
)
def test_a_language_models_answer_is_checked_before_it_is_given(
    ask: Asked, trip: Path, cites: list[str], says: str, status: int, told: str
) -> None:
    """Issue 4, section 4, over real HTTP on loopback: an answer that is not grounded ends with status 1."""
    pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")
    reply = {"answer": says, "rests_on": cites, "reports": [], "abstains": False, "missing": ""}
    with ScriptedServer([json.dumps(reply)]) as server:
        ended = ask(trip, "How many free nights?", "--model", "scripted", "--base-url", server.base_url)
    assert ended.exit_code == status, ended.stdout + ended.stderr
    assert told in ended.stdout
    assert len(server.received) == 1
    assert ended.stdout.startswith(says) == (status == 0)


def test_a_server_that_is_not_there_answers_nothing(ask: Asked, trip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: a language model's absence is never a pass."""
    pytest.importorskip("pydantic_ai", reason="the extra 'llm' is not installed")
    monkeypatch.setenv("UPHELD_MODEL_RETRIES", "0")
    with ScriptedServer() as server:
        address = server.base_url
    ended = ask(trip, "How many free nights?", "--model", "scripted", "--base-url", address)
    assert ended.exit_code == 2
    assert ended.stdout == ""
