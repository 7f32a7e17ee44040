"""Trajectories of SWE-agent (``.traj``): a task, then actions and what the environment answered.

The ``history`` is read where there is one, the ``trajectory`` otherwise. A thought is reasoning, so it is left out; an
action is a call, of the function that it names or of ``shell``; an observation is what that tool said. Demonstrations
are counted. Source: SWE-agent/SWE-agent, *Trajectories* and ``sweagent/types.py`` (1.1, 2025).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.speech.formats.exports.dialogue import REASONING, SYSTEM, USER, Dialogue
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.messages import hear_message
from upheld.speech.formats.exports.parts import Voice, hear_content, hear_part, words_of
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.streaming import records
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import first_text, listed, mapping, required, text
from upheld.speech.formats.transcript import Transcript

SHELL = "shell"


def is_swe_agent(head: Head) -> bool:
    """Tell whether a file has a trajectory of actions and observations, or a history with thoughts and actions."""
    steps = [mapping(each) for each in listed(head.tree.get("trajectory"))]
    history = [mapping(each) for each in listed(head.tree.get("history"))]
    return any("action" in each and "observation" in each for each in steps) or any(
        "message_type" in each and "agent" in each for each in history
    )


def read_swe_agent(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read a trajectory, one step at a time."""
    dialogue, waiting = Dialogue(tally), list[str]()
    # Where the beginning of the file does not reach the history, the file is asked for it.
    if "history" in head.tree or next(records(source, "history", Tally()), None) is not None:
        for place, message in records(source, "history.item", tally):
            with dialogue.record(place):
                _hear(dialogue, required(message, "a message"), waiting)
    else:
        for place, step in records(source, "trajectory.item", tally):
            with dialogue.record(place):
                tree = required(step, "a step")
                if not isinstance(tree.get("action"), str):
                    raise MalformedInput("a step needs an action")
                tally.leave_out(REASONING, int(bool(text(tree.get("thought")).strip())))
                _act(dialogue, text(tree["action"]))
                dialogue.result(text(tree.get("observation")), tool=SHELL)
    yield from dialogue.transcript(text(head.tree.get("instance_id")))


def _hear(dialogue: Dialogue, message: Mapping[str, object], waiting: list[str]) -> None:
    role, kind = text(message.get("role")), text(message.get("message_type"))
    if not role:
        raise MalformedInput("a message needs a role")
    if message.get("is_demo") is True or kind == "demonstration":
        dialogue.tally.leave_out("demonstration")
    elif role == "assistant":
        waiting[:] = _acted(dialogue, message)
    elif role == USER and kind in {"", "observation"} and waiting:
        dialogue.result(words_of(message.get("content"), dialogue), tool=waiting.pop(0))
    elif role == "tool":
        ids = listed(message.get("tool_call_ids"))
        id = first_text(message, "tool_call_id") or text(ids[0] if ids else None)
        tool = "" if id else (waiting.pop(0) if waiting else "")
        dialogue.result(words_of(message.get("content"), dialogue), tool=tool, id=id)
    else:
        speaker = SYSTEM if role == SYSTEM else role
        voice = Voice(dialogue=dialogue, speaker=speaker, role=speaker)
        hear_content(voice, message.get("content"))
        voice.pause()


def _acted(dialogue: Dialogue, message: Mapping[str, object]) -> list[str]:
    """Take what the agent did, and give the tools whose answers are awaited."""
    calls, action = listed(message.get("tool_calls")), text(message.get("action"))
    if not calls and not action.strip():
        hear_message(dialogue, message)
        return []
    thought = text(message.get("thought")) or text(message.get("content"))
    dialogue.tally.leave_out(REASONING, int(bool(thought.strip())))
    if not calls:
        _act(dialogue, action)
        return [SHELL]
    voice = Voice(dialogue=dialogue)
    for call in calls:
        hear_part(voice, {**required(call, "a tool call"), "type": "tool_call"})
    return [text(mapping(mapping(call).get("function")).get("name")) for call in calls]


def _act(dialogue: Dialogue, action: str) -> None:
    dialogue.call(SHELL, {"command": action.rstrip("\n")})
