"""ShareGPT: conversations of turns with ``from`` and ``value``, calls and results of tools included.

Source: lm-sys/FastChat, *data format for fine-tuning* (2023); the roles of tools as hiyouga/LLaMA-Factory,
``data/README.md`` (2025) has them: ``function_call`` and ``observation``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.logic.language.plain import kind_of
from upheld.speech.formats.exports.dialogue import ASSISTANT, SYSTEM, USER, Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import first_text, is_list, json_or_text, listed, mapping, required, text
from upheld.speech.formats.plain.calls import tool_call_of
from upheld.speech.formats.transcript import Transcript

_PLACES = ("conversations", "conversation", "items")
_SPEAKERS = {
    "human": USER, "user": USER, "gpt": ASSISTANT, "assistant": ASSISTANT, "chatgpt": ASSISTANT, "bard": ASSISTANT,
    "bing": ASSISTANT, "model": ASSISTANT, "system": SYSTEM,
}  # fmt: skip
_RESULTS = frozenset(("observation", "tool", "function", "tool_response"))
_CALLS = frozenset(("function_call", "tool_call"))


def is_sharegpt(head: Head) -> bool:
    """Tell whether the records have turns of ``from`` and ``value``."""
    turns = _turns(head.first) or head.items
    return any("from" in mapping(turn) and "value" in mapping(turn) for turn in turns)


def read_sharegpt(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read conversations, one a record; a file of bare turns is one conversation."""
    if not any(_turns(mapping(item)) for item in head.items) and any("from" in mapping(item) for item in head.items):
        dialogue = _Told(tally)
        for place, turn in entries(source, head, tally):
            dialogue.turn(turn, place)
        yield from dialogue.dialogue.transcript("")
        return
    for place, record in entries(source, head, tally):
        told = _Told(tally)
        with told.dialogue.record(place):
            tree = required(record, "a conversation")
            if instructions := text(tree.get("system")):
                told.dialogue.say(SYSTEM, instructions, role=SYSTEM)
            name = next((name for name in _PLACES if is_list(tree.get(name))), "")
            if not name:
                raise MalformedInput("a conversation needs a list of turns under conversations")
            for count, turn in enumerate(listed(tree[name])):
                told.turn(turn, f"{place}.{name}[{count}]".lstrip("."))
        yield from told.dialogue.transcript(first_text(mapping(record), "id", "conversation_id"))


class _Told:
    """A conversation in which a result does not say whose it is: it belongs to the first call that waits for one."""

    def __init__(self, tally: Tally) -> None:
        self.dialogue = Dialogue(tally)
        self._waiting: list[str] = []

    def turn(self, content: object, place: str) -> None:
        with self.dialogue.record(place):
            tree = required(content, "a turn")
            who, said = first_text(tree, "from", "role"), tree.get("value", tree.get("content"))
            if not who or not isinstance(said, str):
                raise MalformedInput(f"a turn needs from and value, found {kind_of(said)}")
            if who in _CALLS:
                self._call(said)
            elif who in _RESULTS:
                self.dialogue.result(said, tool=self._waiting.pop(0) if self._waiting else "")
            else:
                speaker = _SPEAKERS.get(who, who)
                self.dialogue.say(speaker, said, role=speaker)

    def _call(self, said: str) -> None:
        for call in _calls(json_or_text(said), said):
            self.dialogue.call(*call)
            self._waiting.append(call[0])


def _calls(read: object, said: str) -> list[tuple[str, object]]:
    written = tool_call_of(said)
    if written is not None:
        return [written]
    calls = [mapping(call) for call in (listed(read) or [read])]
    found = [(text(call.get("name")), call.get("arguments", call.get("parameters"))) for call in calls]
    return found if all(name for name, _ in found) else [("", said)]


def _turns(tree: Mapping[str, object]) -> list[object]:
    return listed(next((tree[name] for name in _PLACES if listed(tree.get(name))), None))
