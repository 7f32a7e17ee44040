"""``--matching nli``: a network of one's own, wherever matchers are named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from upheld.conversation.checking.readers import has_local
from upheld.speech.matching.entailment.weights import PATH_VARIABLE

Program = Callable[..., Any]

FREE, PAID = "Visitors get in free of charge.", "Visitors buy a card before they get in."
needs_extra = pytest.mark.skipif(not has_local(), reason="the extra local is not installed")


@pytest.fixture
def museum() -> str:
    """Write a talk of which words alone see nothing."""
    said = "Nobody has to pay to enter the museum."
    turns = [
        {"id": "T1", "speaker": "ann", "text": said, "operations": [{"op": "observe", "id": "o1", "text": said}]},
        {"id": "T2", "speaker": "bot", "text": FREE},
    ]
    agents = [{"id": "ann", "name": "Ann", "kind": "person"}, {"id": "bot", "name": "Bot", "kind": "assistant"}]
    tree = {"format": "upheld/annotated-transcript@1", "id": "museum", "agents": agents, "turns": turns}
    Path("museum.json").write_text(json.dumps(tree), "utf-8")
    return "museum.json"


@pytest.fixture
def own(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Name the small network of the tests."""
    folder = root / "tests" / "networks" / "nli" / "learned"
    monkeypatch.setenv(PATH_VARIABLE, str(folder))
    return folder


@needs_extra
def test_a_text_is_verified_by_the_network_where_words_see_nothing(upheld: Program, museum: str, own: Path) -> None:
    """Demanded by the task; words alone abstain on both."""
    assert upheld("verify", museum, FREE, "--matching", "text", "--json").tree["outcome"] == "abstain"
    found = upheld("verify", museum, FREE, "--matching", "nli", "--json").tree
    assert found["outcome"] == "grounded"
    assert f"nli({own.name}@" in json.dumps(found)
    ended = upheld("verify", museum, PAID, "--matching", "nli", "--json")
    assert (ended.status, ended.tree["outcome"]) == (1, "ungrounded")


@needs_extra
@pytest.mark.parametrize("command", ["check", "score"])
def test_every_command_that_names_matchers_knows_it(upheld: Program, museum: str, own: Path, command: str) -> None:
    """The list of the conversation room and those of the commands are one."""
    ended = upheld(command, museum, "--matching", "nli", "--json")
    assert ended.status == 0, ended.err


def test_without_a_network_the_program_says_what_to_set(
    upheld: Program, museum: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bad usage, in one sentence, with status 2."""
    monkeypatch.delenv(PATH_VARIABLE, raising=False)
    ended = upheld("verify", museum, FREE, "--matching", "nli")
    assert ended.status == 2
    assert "set UPHELD_NLI_PATH to a folder" in " ".join(ended.err.split())


def test_a_folder_that_lacks_a_file_is_bad_input(
    upheld: Program, museum: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the folder."""
    monkeypatch.setenv(PATH_VARIABLE, str(tmp_path))
    ended = upheld("verify", museum, FREE, "--matching", "nli")
    assert ended.status == 2
    assert "has no network" in " ".join(ended.err.split())
