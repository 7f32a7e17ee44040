"""A damaged record is lost and named; everything else is read as if it had never been there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.errors import UpheldError
from upheld.speech.formats.reading import read_transcripts

SAMPLES = Path(__file__).parent / "samples"

# Where the records of each sample stand: a path of keys and list positions, "*" for every item. Lines have none.
RECORDS: dict[str, list[str]] = {
    "openai.json": ["messages.*"],
    "responses.json": ["output.*"],
    "anthropic.json": ["messages.*"],
    "sharegpt.json": ["*.conversations.*"],
    "discord.json": ["messages.*"],
    "telegram.json": ["chats.list.*.messages.*"],
    "chatgpt.json": ["*"],
    "claude.json": ["*"],
    "gemini.json": ["contents.*"],
    "gemini-takeout.json": ["*"],
    "gemini-studio.json": ["chunkedPrompt.chunks.*"],
    "langfuse.json": ["data.*", "data.*.observations.*"],
    "otlp.json": ["resourceSpans.*.scopeSpans.*.spans.*"],
    "swe-agent.traj": ["history.*"],
    "tau-bench.json": ["*", "*.traj.*"],
    "openai.jsonl": [],
    "managed-agents.jsonl": [],
    "langsmith.jsonl": [],
    "ag-ui.jsonl": [],
    "who-and-when.jsonl": [],
}
BROKEN = st.sampled_from([7, 1.5, True, {}, {"x": {"y": 1}}])
NO_JSON = st.sampled_from(["{nope}", '{"a": [1, }', "[1, 2", '"open', "\x00", '{"a": "\\ud800"}', "1" * 5000])


def places(tree: Any, path: str) -> list[tuple[Any, Any]]:
    """Give each record as its container and its place in it."""
    found = [tree]
    steps = path.split(".")
    for step in steps[:-1]:
        found = [item for each in found for item in (each if step == "*" else [each[step]])]
    return [(each, place) for each in found for place in range(len(each))]


def said(text: str, folder: Path, name: str) -> tuple[list[list[tuple[str, str]]], int]:
    """Give what is said in a text, conversation by conversation, and how many records were damaged."""
    file = folder / name
    file.write_text(text, "utf-8")
    form = name.split(".")[0].removesuffix("-takeout").removesuffix("-studio")
    transcripts = read_transcripts(file, form=form)
    found = [[(str(turn.speaker), turn.text) for turn in each.turns] for each in transcripts]
    return found, len(transcripts.damaged)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for damaged files."""
    return tmp_path_factory.mktemp("damaged")


@pytest.mark.parametrize("name", [name for name, paths in RECORDS.items() if paths])
@settings(max_examples=25)
@given(data=st.data(), broken=BROKEN)
def test_a_record_that_means_nothing_is_lost_alone(folder: Path, name: str, data: st.DataObject, broken: Any) -> None:
    """Our promise: what is said is what is said without the record, and the damage is noted."""
    content = (SAMPLES / name).read_text("utf-8")
    path = data.draw(st.sampled_from(RECORDS[name]))
    damaged, without = json.loads(content), json.loads(content)
    all_places = places(damaged, path)
    chosen = data.draw(st.integers(0, len(all_places) - 1))
    container, place = all_places[chosen]
    container[place] = broken
    container, place = places(without, path)[chosen]
    del container[place]
    found, count = said(json.dumps(damaged), folder, name)
    expected, _ = said(json.dumps(without), folder, name)
    assert found == expected
    assert count == 1


@pytest.mark.parametrize("name", [name for name, paths in RECORDS.items() if not paths])
@settings(max_examples=25)
@given(data=st.data(), broken=NO_JSON | BROKEN.map(json.dumps))
def test_a_line_that_means_nothing_is_lost_alone(folder: Path, name: str, data: st.DataObject, broken: str) -> None:
    """Our promise: JSON lines go on after any line."""
    lines = (SAMPLES / name).read_text("utf-8").splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    found, count = said("\n".join([*lines[:place], broken, *lines[place + 1 :]]), folder, name)
    expected, _ = said("\n".join([*lines[:place], *lines[place + 1 :]]), folder, name)
    assert found == expected
    assert count == 1


@pytest.mark.parametrize("name", ["discord.json", "otlp.json", "tau-bench.json", "chatgpt.json"])
@settings(max_examples=25)
@given(data=st.data(), broken=st.sampled_from(['{"a": nope}', '{"a": 1,, "b": [{}]}', "[1 2]", "nul", "1" * 5000]))
def test_a_record_that_is_no_json_is_lost_alone(folder: Path, name: str, data: st.DataObject, broken: str) -> None:
    """Our promise: brackets are enough to find the next record of a list."""
    content = json.loads((SAMPLES / name).read_text("utf-8"))
    all_places = places(content, RECORDS[name][0])
    container, place = all_places[data.draw(st.integers(0, len(all_places) - 1))]
    container[place] = "@@"
    found, count = said(json.dumps(content).replace('"@@"', broken), folder, name)
    del container[place]
    expected, _ = said(json.dumps(content), folder, name)
    assert found == expected
    assert count == 1


@pytest.mark.parametrize("name", [name for name, paths in RECORDS.items() if paths])
@settings(max_examples=25)
@given(data=st.data())
def test_a_file_that_was_cut_off_is_read_up_to_there_or_refused(folder: Path, name: str, data: st.DataObject) -> None:
    """Our promise: nothing but a deliberate error, and what was read is a part of what is there."""
    content = (SAMPLES / name).read_text("utf-8")
    end = data.draw(st.integers(1, len(content) - 3))
    whole = {pair for each in said(content, folder, name)[0] for pair in each}
    try:
        found, count = said(content[:end], folder, name)
    except UpheldError:
        return
    assert count >= 1
    assert {text for each in found for _, text in each} <= {text for _, text in whole} | {"cancelled", "shut"}
