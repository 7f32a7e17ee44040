"""Trajectories of tau-bench: messages of an agent, its user and its tools, and the reward at the end.

Source: Yao et al., tau-bench (2024). Two shapes are read: the file of trajectories (JSON, the chat format), and the
few-shot file (a line a conversation, as text), on which the suite was built. No text of theirs is kept here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

from upheld.errors import MalformedInput
from upheld.logic.language.identities import TurnId
from upheld.speech.matching.clauses import sentences
from upheld_evals.external.lines import read_lines


class Role(StrEnum):
    """Whose message it is."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message; an assistant's that only calls a tool has no text. ``tool`` names the tool whose output it is."""

    id: TurnId
    role: Role
    text: str
    tool: str = ""

    @property
    def is_source(self) -> bool:
        """Whether a value may come from it: the agent's own words are no source of themselves."""
        return self.role is not Role.ASSISTANT


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """One conversation; ``reward`` is 1 where the agent did what was asked."""

    id: str
    messages: tuple[Message, ...]
    reward: float


def read_trajectories(path: Path) -> tuple[Trajectory, ...]:
    """Read either shape.

    Raises:
        MalformedInput: neither of them.
    """
    if path.suffix == ".jsonl":
        lines = read_lines(path, lambda tree: str(tree["messages_display"]), "conversation of tau-bench")
        return tuple(
            Trajectory(id=f"few-shot {number}", messages=tuple(_displayed(text)), reward=1.0)
            for number, text in enumerate(lines, start=1)
        )
    try:
        found = tuple(_trajectory(each) for each in json.loads(path.read_text("utf-8")))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise MalformedInput("no trajectories of tau-bench", source=str(path)) from error
    if not found:
        raise MalformedInput("no trajectories of tau-bench in it", source=str(path))
    return found


def _trajectory(tree: dict[str, Any]) -> Trajectory:
    told = ((Role(str(each["role"])), each["content"], each.get("name")) for each in tree["traj"])
    messages = tuple(
        Message(id=TurnId(f"T{number}"), role=role, text=str(text or ""), tool=str(tool or ""))
        for number, (role, text, tool) in enumerate(told, start=1)
    )
    return Trajectory(id=f"{tree['task_id']}/{tree['trial']}", messages=messages, reward=float(tree["reward"]))


_SPOKEN = re.compile(r"^(user|assistant|tool): ", re.MULTILINE)


def _displayed(text: str) -> Iterator[Message]:
    _, *parts = _SPOKEN.split(text)
    for number, (role, words) in enumerate(zip(parts[::2], parts[1::2], strict=True), start=1):
        said = words.strip()
        yield Message(id=TurnId(f"T{number}"), role=Role(role), text="" if said == "None" else said)


def statements(text: str) -> Iterator[str]:
    """Give what a source says piece by piece: each object of a tool's output with its own fields, or each sentence."""
    try:
        tree = json.loads(text)
    except ValueError:
        yield from (text[start:end] for start, end in sentences(text))
        return
    yield from _objects(tree)


def _objects(tree: object) -> Iterator[str]:
    if isinstance(tree, dict):
        fields = cast("dict[str, object]", tree)
        own = [f"{key.replace('_', ' ')} {each}" for key, each in fields.items() if not isinstance(each, dict | list)]
        if own:
            yield ", ".join(own)
        for each in fields.values():
            yield from _objects(each)
    elif isinstance(tree, list):
        members = cast("list[object]", tree)
        plain = [str(each) for each in members if not isinstance(each, dict | list)]
        if plain:
            yield ", ".join(plain)
        for each in members:
            yield from _objects(each)
