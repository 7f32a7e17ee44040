"""``upheld eval``, run in process."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from upheld.faces.cli.commands.evaluating import evaluate
from upheld.speech.models.recordings import Origin, Recorded, Recording, write_recording
from upheld.speech.models.reply import Reply
from upheld_evals.catalogue import SUITES
from upheld_evals.external.public import PUBLIC
from upheld_evals.harness.exporting import requests_of
from upheld_evals.harness.gateway import Answering
from upheld_evals.plan import Plan
from upheld_evals.program import entries


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run in an empty folder, with no settings from outside."""
    monkeypatch.chdir(tmp_path)
    for name in ("UPHELD_SHARED", "UPHELD_MODEL", "UPHELD_BASE_URL", "UPHELD_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def upheld_eval(*arguments: str | Path) -> Result:
    """Run the command alone."""
    app = typer.Typer()
    app.command(evaluate.name)(evaluate.callback)
    return CliRunner().invoke(app, [str(each) for each in arguments])


def test_list_names_every_suite_and_what_it_reads() -> None:
    """Our promise: what can be asked for is told."""
    ended = upheld_eval("list")
    assert ended.exit_code == 0
    assert [line.split("  ")[0] for line in ended.stdout.splitlines()] == [each.name for each in SUITES]


def test_a_suite_prints_its_arms_its_baseline_the_date_and_every_n(root: Path) -> None:
    """The issue, section 5: a baseline in every table, never a number without date and n."""
    ended = upheld_eval("paper", "table2", "--data", root / "tests" / "conversations" / "paper")
    assert ended.exit_code == 0
    assert "1 n=12" in ended.stdout
    assert "= baseline" in ended.stdout
    assert "12/12" in ended.stdout


def test_json_and_the_page_hold_the_same_run(root: Path, tmp_path: Path) -> None:
    """The issue, section 5: --json and --html."""
    page = tmp_path / "out" / "page.html"
    data = root / "tests" / "conversations" / "paper"
    ended = upheld_eval("retraction", "--data", data, "--json", "--html", page)
    (tree,) = json.loads(ended.stdout)
    assert tree["suite"] == "retraction"
    assert tree["arms"][0]["llm"] == "no language model"
    assert "McNemar" in page.read_text("utf-8")


def test_an_unknown_suite_and_missing_data_are_bad_input() -> None:
    """Exit statuses as in the rest of the program: 2."""
    unknown, missing = upheld_eval("nothing"), upheld_eval("verify")
    assert (unknown.exit_code, missing.exit_code) == (2, 2)
    assert "paper e2" in unknown.stderr
    assert "--data" in missing.stderr


@pytest.mark.parametrize("name", [each.name for each in PUBLIC])
def test_a_public_file_that_is_missing_is_named_with_where_it_comes_from(name: str) -> None:
    """Our promise: an error says what to do."""
    ended = upheld_eval(name)
    assert ended.exit_code == 2
    told = "".join(ended.stderr.split())
    assert "--data" in told
    assert "github.com/" in told


def test_the_paper_alone_is_the_whole_group() -> None:
    """Our promise: `upheld eval paper` runs every table, `paper e2 e5` two."""
    assert len(entries(["paper"])) == 10
    assert [each.name for each in entries(["paper", "e2", "e5"])] == ["paper e2", "paper e5"]


def test_requests_are_exported_and_recorded_replies_are_read_back(root: Path, tmp_path: Path) -> None:
    """The issue, section 6.3: requests are written where no language model can be reached; recordings replay them."""
    data = root / "tests" / "conversations" / "paper"
    out = tmp_path / "requests.jsonl"
    ended = upheld_eval(
        "paper", "e2", "--data", data, "--limit", "2", "--model", "openai:any", "--export-requests", out
    )
    assert ended.exit_code == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len({line["custom_id"] for line in lines}) == len(lines)
    assert lines[0]["body"]["model"] == "any"

    (entry,) = entries(["paper", "e2"])
    suite = entry.made(Plan(suites=("paper", "e2"), data=(data,)))
    replies = {
        request.key: Recorded(key=request.key, reply=Reply(text="UNGROUNDED", answered_by="scripted:model"))
        for _, request in requests_of(suite, limit=2)
    }
    recorded = tmp_path / "recorded.jsonl"
    write_recording(recorded, Recording(origin=Origin(asked="scripted:model"), replies=replies))
    ended = upheld_eval("paper", "e2", "--data", data, "--limit", "2", "--recordings", recorded, "--json")
    (tree,) = json.loads(ended.stdout)
    direct = next(each for each in tree["arms"] if each["arm"] == "LLM-only")
    assert (direct["answered"], direct["failed"], direct["usage"]["calls"]) == (2, 0, 0)


def test_an_export_without_the_name_of_a_language_model_is_refused(tmp_path: Path) -> None:
    """Our promise: a batch names who shall answer."""
    with pytest.raises(Exception, match="--model"):
        Answering().write([], tmp_path / "x.jsonl")


def test_without_the_harness_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The issue, section 5: `upheld eval` without the package of the harness."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "upheld_evals"]:
        monkeypatch.delitem(sys.modules, name)

    class Absent:
        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name.partition(".")[0] == "upheld_evals":
                raise ModuleNotFoundError(name=name)

    monkeypatch.setattr(sys, "meta_path", [Absent(), *sys.meta_path])
    ended = upheld_eval("list")
    assert ended.exit_code == 2
    assert "pip install -e evals" in ended.stderr
