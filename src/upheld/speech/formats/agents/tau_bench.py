"""Trajectories of tau-bench and tau2-bench: a list of tasks with their messages, or samples as lines of text.

The samples write ``role: text`` and nothing between the turns, so a text that itself has a line of that look is cut
there; ``None`` stands where only a call was made. Source: sierra-research/tau-bench, ``historical_trajectories`` and
``few_shot_data`` (2024); sierra-research/tau2-bench, ``Results`` (2025).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.speech.formats.exports.dialogue import Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.messages import hear_message, hear_messages
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import is_list, listed, mapping, required, text
from upheld.speech.formats.transcript import Transcript

_TURN = re.compile(r"^(system|user|assistant|tool): ?", re.MULTILINE)
_NOTHING = "None"
_DISPLAY = "messages_display"


def is_tau_bench(head: Head) -> bool:
    """Tell whether the records are tasks with a trajectory, simulations, or samples."""
    first, simulations = head.first, listed(head.tree.get("simulations"))
    return (
        ("traj" in first and "task_id" in first)
        or _DISPLAY in first
        or "messages" in mapping(next(iter(simulations), None))
    )


def read_tau_bench(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read trajectories, one at a time; a name is ``task-trial``."""
    for place, content in entries(source, head, tally, "simulations.item"):
        dialogue, tree = Dialogue(tally), mapping(content)
        with dialogue.record(place):
            _hear(dialogue, required(content, "a trajectory"), place)
        yield from dialogue.transcript(_id(tree))


def _hear(dialogue: Dialogue, tree: Mapping[str, object], place: str) -> None:
    for name in ("traj", "messages"):
        if is_list(tree.get(name)):
            hear_messages(dialogue, tree[name], f"{place}.{name}")
            return
    shown = tree.get(_DISPLAY)
    if not isinstance(shown, str):
        raise MalformedInput("a trajectory needs a list of messages under traj")
    turns = list(_TURN.finditer(shown))
    ends = [turn.start() for turn in turns[1:]] + [len(shown)]
    for turn, end in zip(turns, ends, strict=True):
        said = shown[turn.end() : end].rstrip("\n")
        hear_message(dialogue, {"role": turn.group(1), "content": "" if said.strip() == _NOTHING else said})


def _id(tree: Mapping[str, object]) -> str:
    task, trial = text(tree.get("task_id")), text(tree.get("trial"))
    return f"{task}-{trial}" if task and trial else task
