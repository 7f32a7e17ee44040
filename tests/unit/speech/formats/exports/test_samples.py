"""Each export: an invented sample says exactly what it should, found by its shape alone."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from upheld.errors import MalformedInput
from upheld.logic.language.agents import AgentKind
from upheld.speech.formats.exports.tally import Damaged
from upheld.speech.formats.plain.calls import tool_call_of
from upheld.speech.formats.reading import parse_transcript, read_transcript, read_transcripts, taken_from
from upheld.speech.formats.registry import NAMES
from upheld.speech.formats.taking import Transcripts

HERE = Path(__file__).parent
EXPECTED: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "expected.yaml").read_text("utf-8"))
Told = Callable[[Transcripts], dict[str, list[str]]]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_sample_says_what_it_should(samples: Path, lines_of: Told, name: str) -> None:
    """Our promise (docs/reference/formats.md): every turn, its speaker, its time; and what is no turn is counted."""
    expected = EXPECTED[name]
    transcripts = read_transcripts(samples / name)
    assert lines_of(transcripts) == expected["conversations"]
    assert (transcripts.form, dict(transcripts.left_out)) == (expected["form"], expected["left_out"])
    assert transcripts.damaged == []


@pytest.mark.parametrize("name", [name for name in EXPECTED if "." in name])
def test_a_sample_is_found_whatever_its_file_is_called(
    samples: Path, lines_of: Told, tmp_path: Path, name: str
) -> None:
    """Our promise: by shape, not by file name alone."""
    other = tmp_path / "export"
    shutil.copy(samples / name, other)
    transcripts = read_transcripts(other)
    assert lines_of(transcripts) == EXPECTED[name]["conversations"]
    assert transcripts.form == EXPECTED[name]["form"]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_form_that_is_named_is_the_form_that_is_read(samples: Path, lines_of: Told, name: str) -> None:
    """Our promise: ``--form`` names what the shape would have told."""
    assert lines_of(read_transcripts(samples / name, form=EXPECTED[name]["form"])) == EXPECTED[name]["conversations"]


def test_every_export_has_a_sample() -> None:
    """Our promise: no form without a test."""
    assert {expected["form"] for expected in EXPECTED.values()} == set(NAMES)


def test_a_zip_says_what_its_folder_says(samples: Path, lines_of: Told, tmp_path: Path) -> None:
    """Our promise: Slack exports zipped or not, and any other export in a zip of its own."""
    slack, chats = tmp_path / "slack.zip", tmp_path / "chats.zip"
    with zipfile.ZipFile(slack, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((samples / "slack").rglob("*.json")):
            archive.write(file, file.relative_to(samples / "slack"))
    with zipfile.ZipFile(chats, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("user.json", '{"id": "u"}')
        archive.write(samples / "chatgpt.json", "conversations.json")
    assert lines_of(read_transcripts(slack)) == EXPECTED["slack"]["conversations"]
    assert lines_of(read_transcripts(chats)) == EXPECTED["chatgpt.json"]["conversations"]


def test_replies_in_a_slack_thread_bear_its_beginning(samples: Path) -> None:
    """Our promise: a channel is one conversation, and threads stay visible."""
    lab = read_transcript(samples / "slack", conversation="lab")
    assert lab.threads == {"T4": "1767255600.000100"}


def test_a_changed_message_of_slack_has_its_last_text(samples: Path, tmp_path: Path) -> None:
    """Our promise: edited messages take the last text."""
    shutil.copytree(samples / "slack", tmp_path / "slack")
    day = tmp_path / "slack" / "random" / "2026-01-02.json"
    day.write_text(
        '[{"type": "message", "subtype": "message_changed", "ts": "1767350000.0", "message":'
        ' {"type": "message", "user": "U2", "text": "Cake at five.", "ts": "1767258000.000000"}}]',
        "utf-8",
    )
    random = read_transcript(tmp_path / "slack", conversation="random")
    assert [(turn.text, turn.at) for turn in random.turns] == [("Cake at five.", "2026-01-01T09:00:00Z")]


def test_a_call_is_the_assistants_and_a_result_the_tools(samples: Path) -> None:
    """Our promise: what was called with what can be read off the turn, and what came back was said by the tool."""
    transcript = read_transcript(samples / "openai.json")
    kinds = {agent.id: agent.kind for agent in transcript.agents}
    calls = [(kinds[turn.speaker], tool_call_of(turn.text)) for turn in transcript.turns if tool_call_of(turn.text)]
    assert calls == [(AgentKind.ASSISTANT, ("tide_table", {"port": "Roscoff"}))]
    assert [turn.text for turn in transcript.turns if turn.speaker == "tide_table"] == ["07:12 and 19:40"]
    assert kinds["tide_table" if "tide_table" in kinds else ""] is AgentKind.TOOL  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("name", ["openai.json", "anthropic.json", "responses.json", "gemini.json", "chatgpt.json"])
def test_what_was_thought_is_in_no_turn(samples: Path, name: str) -> None:
    """Our promise: thinking is never a ground; it is counted."""
    thoughts = ("The port is missing.", "check it", "search first", "thinking")
    transcripts = read_transcripts(samples / name)
    said = [turn.text for transcript in transcripts for turn in transcript.turns]
    assert not [text for text in said if any(thought in text for thought in thoughts)]
    assert transcripts.left_out["reasoning"] >= 1


def test_of_several_conversations_one_must_be_named(samples: Path) -> None:
    """Our promise: a clear error lists the ids when a choice is needed, and the one that was taken is told."""
    with pytest.raises(MalformedInput, match=r"2 conversations: name one .* g1, g2"):
        read_transcript(samples / "chatgpt.json")
    with pytest.raises(MalformedInput, match=r"no conversation 'g3'; they are g1, g2"):
        read_transcript(samples / "chatgpt.json", conversation="g3")
    taken = taken_from(samples / "chatgpt.json", conversation="g2")
    assert (taken.count, taken.form, taken.transcript.id, taken.transcript.title) == (2, "chatgpt", "g2", "Short")


def test_conversations_of_one_id_are_told_apart(tmp_path: Path) -> None:
    """Our promise: whatever an export names its conversations, each can be taken."""
    file = tmp_path / "twice.json"
    file.write_text('[{"id": "a b", "conversations": [{"from": "human", "value": "1"}]},'
                    ' {"id": "a b", "conversations": [{"from": "human", "value": "2"}]}]', "utf-8")  # fmt: skip
    assert [each.id for each in read_transcripts(file)] == ["a-b", "a-b.2"]


def test_a_file_of_which_nothing_can_be_read_is_an_error(tmp_path: Path) -> None:
    """Our promise: an error, not an empty conversation, and it says where the first damage is."""
    file = tmp_path / "bad.jsonl"
    file.write_text('{"custom_id": 1, "messages": 7}\n{"nothing": 1}\n', "utf-8")
    with pytest.raises(MalformedInput, match=r"nothing could be read: line 1.*read as openai"):
        read_transcript(file, form="openai")


def test_text_that_is_there_already_is_read_in_the_same_ways(samples: Path) -> None:
    """Our promise: ``parse_transcript`` reads what ``read_transcript`` does."""
    text = (samples / "anthropic.json").read_text("utf-8")
    assert parse_transcript(text, source="x").turns == read_transcript(samples / "anthropic.json").turns
    with pytest.raises(MalformedInput, match="no form; one of auto, yaml"):
        parse_transcript(text, source="x", form="morse")


def test_damage_is_named_with_its_place_and_the_rest_goes_on(samples: Path, tmp_path: Path) -> None:
    """Our promise: record number, line, or path inside the archive."""
    shutil.copytree(samples / "slack", tmp_path / "slack")
    day = tmp_path / "slack" / "random" / "2026-01-03.json"
    day.write_text('[{"type": "message"}, {"type": nope}, {"type": "message", "user": "U1", "text": "Good.", '
                   '"ts": "1767430800.0"}]', "utf-8")  # fmt: skip
    transcripts = read_transcripts(tmp_path / "slack")
    assert [[turn.text for turn in each.turns][-1] for each in transcripts] == ["Too late.", "Good."]
    assert transcripts.damaged == [
        Damaged(place="random/2026-01-03.json[0]", why="a message needs a type and a ts that is a time"),
        Damaged(place="random/2026-01-03.json[1]", why="no JSON: Expecting value"),
    ]
