"""Exports of other programs on the command line: found, chosen, noted, and written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]


@pytest.fixture
def seeds(root: Path) -> Path:
    """Two conversations of ChatGPT."""
    return root / "tests" / "unit" / "speech" / "formats" / "exports" / "samples" / "chatgpt.json"


def test_one_of_several_conversations_is_chosen_by_its_id(upheld: Program, seeds: Path) -> None:
    """The issue: ``#id`` or ``--conversation``; how many there are and which one was taken is said."""
    by_sign = upheld("convert", f"{seeds}#g2", "--to", "text")
    by_option = upheld("convert", seeds, "--conversation", "g2", "--to", "text")
    assert (by_sign.status, by_sign.out) == (0, "# Short\n\nuser: Hello.\n")
    assert by_option.out == by_sign.out
    assert "2 conversations; this is g2 (chatgpt)" in by_sign.err


def test_without_a_choice_the_ids_are_listed(upheld: Program, seeds: Path) -> None:
    """The issue: a clear error when a choice is needed."""
    ended = upheld("check", seeds)
    assert ended.status == 2
    assert "2 conversations: name one after # or by --conversation; they are g1, g2" in ended.err
    assert upheld("check", f"{seeds}#g1", "--conversation", "g2").status == 2
    assert upheld("check", f"{seeds}#g3").status == 2


def test_what_was_left_out_is_noted_and_changes_no_status(upheld: Program, tmp_path: Path) -> None:
    """The issue: damage and what is no turn are notes; the exit status is as without."""
    file = tmp_path / "chat.jsonl"
    file.write_text(
        '{"role": "user", "content": [{"type": "text", "text": "Two nights."}, {"type": "image_url"}]}\n'
        "nope\n"
        '{"role": "tool", "tool_call_id": "1", "content": "ok"}\n',
        "utf-8",
    )
    ended = upheld("convert", file, "--to", "chat")
    assert ended.status == 0
    assert [message["content"] for message in json.loads(ended.out)] == ["Two nights.", "ok"]
    assert "no turns were made of 1 picture" in ended.err
    assert "line 2: no JSON: Expecting value; left out" in ended.err


def test_a_form_can_be_named_and_must_be_one(upheld: Program, tmp_path: Path) -> None:
    """The issue: ``--form NAME`` where a command reads a file."""
    file = tmp_path / "chat.json"
    file.write_text('[{"role": "user", "content": "Hi."}]', "utf-8")
    assert upheld("convert", file, "--form", "openai", "--to", "text").out == "user: Hi.\n"
    ended = upheld("convert", file, "--form", "morse", "--to", "text")
    assert ended.status == 2
    assert "'morse' is no form; one of auto, yaml, json, jsonl, text, slack" in ended.err


@pytest.mark.parametrize("form", ["openai", "responses", "anthropic", "sharegpt", "ag-ui", "otlp"])
def test_a_conversation_is_written_in_the_forms_of_others(upheld: Program, seeds: Path, form: str) -> None:
    """The issue: ``convert --to``; what is written is read again as the same words, calls and results."""
    target = Path(f"{form}.json")
    assert upheld("convert", f"{seeds}#g1", "--to", form, "--out", target).status == 0
    once, again = (upheld("convert", name, "--to", "text").out for name in (f"{seeds}#g1", target))
    assert once.removeprefix("# Seeds\n\n") == again
    assert '"python"' in target.read_text("utf-8").replace('\\"', '"') or form == "sharegpt"


def test_lines_of_an_export_are_not_guessed(upheld: Program, tmp_path: Path) -> None:
    """Our promise (SARIF): a line that would be wrong is not given, since turns of an export are not its records."""
    file = tmp_path / "chat.json"
    messages = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "I ordered three lamps to 14 Quay Street."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}],
        },
        {"role": "user", "content": "Actually, make it 5 lamps."},
        {"role": "assistant", "content": "Three lamps to 14 Quay Street."},
    ]
    file.write_text(json.dumps({"model": "m", "messages": messages}, indent=1), "utf-8")
    upheld("check", file, "--sarif", "out.sarif")
    found = json.loads(Path("out.sarif").read_text("utf-8"))
    assert "startLine" not in json.dumps(found)
