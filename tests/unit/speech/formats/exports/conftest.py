"""Samples of every export, invented, and what is said in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from upheld.speech.formats.taking import Transcripts

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of the samples."""
    return HERE / "samples"


@pytest.fixture(scope="session")
def lines_of() -> Callable[[Transcripts], dict[str, list[str]]]:
    """Give the turns of all conversations as lines: speaker, kind, time and text."""

    def told(transcripts: Transcripts) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for each in transcripts:
            kinds = {agent.id: agent.kind.value for agent in each.agents}
            found[each.id] = [
                f"{turn.speaker} ({kinds[turn.speaker]}){f' {turn.at}' if turn.at else ''}: {turn.text}"
                for turn in each.turns
            ]
        return found

    return told
