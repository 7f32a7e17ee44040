"""Logs of Who&When: teams of agents that failed at a task; JSON, or JSON lines of them.

Only what was said is read: who is to blame, where and why, and the right answer stay out of the conversation. Each
agent speaks under its own name; what an orchestrator thought is reasoning, and a terminal is a tool. Source:
ag2ai/Agents_Failure_Attribution, ``Who&When`` (May 2025).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.logic.language.plain import kind_of
from upheld.speech.formats.exports.dialogue import ASSISTANT, REASONING, SYSTEM, USER, Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import first_text, is_list, listed, mapping, required, text
from upheld.speech.formats.transcript import Transcript

_ADDRESSED = re.compile(r"(.+?) \((?:->|to) .+\)|(.+?) \((thought|termination condition)\)")
_PEOPLE = frozenset(("user", "human"))
_TERMINALS = frozenset(("Computer_terminal", "ComputerTerminal"))


def is_who_and_when(head: Head) -> bool:
    """Tell whether the records are histories with a mistake."""
    return "history" in head.first and any(name.startswith("mistake_") for name in head.first)


def read_who_and_when(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read logs, one at a time; named by the question that was asked."""
    for place, content in entries(source, head, tally):
        dialogue, tree = Dialogue(tally), mapping(content)
        with dialogue.record(place):
            history = required(content, "a log").get("history")
            if not is_list(history):
                raise MalformedInput("a log needs a list under history")
            for count, message in enumerate(listed(history)):
                with dialogue.record(f"{place}.history[{count}]".lstrip(".")):
                    _hear(dialogue, required(message, "a message"))
        yield from dialogue.transcript(first_text(tree, "question_ID", "_file"))


def _hear(dialogue: Dialogue, message: Mapping[str, object]) -> None:
    role, name, said = text(message.get("role")), text(message.get("name")), message.get("content")
    if not (role or name) or not isinstance(said, str):
        raise MalformedInput(f"a message needs a role and a content, found {kind_of(said)}")
    addressed = _ADDRESSED.fullmatch(name or role)
    speaker = (addressed.group(1) or addressed.group(2)) if addressed is not None else name or role
    if addressed is not None and addressed.group(3) == "thought":
        dialogue.tally.leave_out(REASONING)
        return
    if speaker.casefold() in _PEOPLE:
        dialogue.say(USER, said, role=USER)
    elif speaker in _TERMINALS:
        dialogue.result(said, tool=speaker)
    else:
        dialogue.say(speaker, said, role=SYSTEM if speaker == SYSTEM else ASSISTANT)
