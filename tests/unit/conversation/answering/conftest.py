"""A conversation of five hundred turns, put together from the shared corpora."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from upheld.conversation.checking.replaying import loaded
from upheld.conversation.conversation import Conversation
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.plain import plain_operation, read_operation
from upheld.logic.language.turns import Turn
from upheld.speech.formats.gold import RecordQuestion
from upheld.speech.formats.reading import read_transcript
from upheld.speech.formats.transcript import Transcript

FILLERS = (
    "paper/phase2-debugging",
    "paper/phase3-deliberation",
    "dev/dev02-bottling-line",
    "dev/dev14-support-router",
    "dev/dev16-quarter-close",
)
"""Said after the sixteen conversations of ``long03``: 110 turns, three of the files for the second time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongTalk:
    """The conversation, told to its end, and what a person would ask of it."""

    conversation: Conversation
    turns: int
    questions: tuple[RecordQuestion, ...]

    @property
    def answerable(self) -> tuple[RecordQuestion, ...]:
        """The questions that the record answers."""
        return tuple(each for each in self.questions if not each.abstain)


@pytest.fixture(scope="session")
def long_talk() -> LongTalk:
    """Give the long conversation; skips where the corpora are not there."""
    root = Path(os.environ.get("UPHELD_SHARED", Path(__file__).parents[5] / "shared")) / "corpus"
    if not (root / "long" / "long03.yaml").is_file():
        pytest.skip(f"the shared corpora are not at {root} (set UPHELD_SHARED)")
    whole = read_transcript(root / "long" / "long03.yaml")
    for place, name in enumerate(FILLERS):
        other = renamed(read_transcript(root / f"{name}.yaml"), f"x{place}_", first=len(whole.turns) + 1)
        whole = replace(whole, agents=(*whole.agents, *other.agents), turns=(*whole.turns, *other.turns))
    assert whole.gold is not None
    return LongTalk(conversation=loaded(whole), turns=len(whole.turns), questions=tuple(whole.gold.questions))


def renamed(transcript: Transcript, prefix: str, *, first: int) -> Transcript:
    """Give a transcript with other ids and agents, its turns counted from ``first``."""
    names = {*(agent.id for agent in transcript.agents), *(each.id for each in transcript.initial)}
    for turn in transcript.turns:
        names.update(id for operation in turn.operations if (id := getattr(operation, "id", None)) is not None)
    return replace(
        transcript,
        agents=tuple(replace(each, id=AgentId(prefix + each.id)) for each in transcript.agents),
        turns=tuple(_renamed_turns(transcript, names, prefix, first)),
    )


def _renamed_turns(transcript: Transcript, names: set[Any], prefix: str, first: int) -> Iterator[Turn]:
    for place, turn in enumerate(transcript.turns):
        trees = (_renamed(plain_operation(each), names, prefix) for each in turn.operations)
        yield replace(
            turn,
            id=TurnId(f"T{first + place}"),
            speaker=AgentId(prefix + turn.speaker),
            operations=tuple(read_operation(tree) for tree in trees),
            audience=None,
            simultaneous="",
        )


def _renamed(tree: Any, names: set[Any], prefix: str) -> Any:
    if isinstance(tree, dict):
        fields = cast("dict[str, Any]", tree)
        kept = ("text", "op", "kind", "formula", "mode", "source")
        return {key: each if key in kept else _renamed(each, names, prefix) for key, each in fields.items()}
    if isinstance(tree, list):
        return [_renamed(each, names, prefix) for each in cast("list[Any]", tree)]
    if isinstance(tree, str) and tree.removeprefix("~") in names:
        return f"~{prefix}{tree[1:]}" if tree.startswith("~") else prefix + tree
    return tree
