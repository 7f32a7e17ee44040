"""A chat of Telegram, or all of them, as Telegram Desktop exports them in JSON (``result.json``).

Source: telegramdesktop/tdesktop, ``export_output_json.cpp`` (5.x, 2025). Edited messages have their last text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.logic.language.plain import kind_of
from upheld.speech.formats.chats.people import People
from upheld.speech.formats.exports.dialogue import USER, Dialogue
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.streaming import records
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import first_text, is_list, listed, mapping, required, text, time_of
from upheld.speech.formats.transcript import Transcript

_MEDIA = {"photo": "picture", "file": "attachment", "location_information": "place", "poll": "poll",
          "contact_information": "contact"}  # fmt: skip


def is_telegram(head: Head) -> bool:
    """Tell whether a file is a chat with dated messages, or the list of all chats."""
    if "list" in mapping(head.tree.get("chats")):
        return True
    messages = [mapping(each) for each in listed(head.tree.get("messages"))]
    return "type" in head.tree and any("date" in each and "type" in each and "id" in each for each in messages)


def read_telegram(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read one chat a message at a time, or all of them a chat at a time."""
    if "chats" not in head.tree:
        dialogue, people = Dialogue(tally), People()
        for place, content in records(source, "messages.item", tally):
            with dialogue.record(place):
                _hear(dialogue, required(content, "a message"), people)
        yield from dialogue.transcript(text(head.tree.get("id")), title=text(head.tree.get("name")))
        return
    for place, content in records(source, "chats.list.item", tally):
        dialogue, people, chat = Dialogue(tally), People(), mapping(content)
        if not is_list(chat.get("messages")):
            tally.damage(place, "a chat without a list of messages")
            continue
        for count, message in enumerate(listed(chat["messages"])):
            with dialogue.record(f"{place}.messages[{count}]"):
                _hear(dialogue, required(message, "a message"), people)
        yield from dialogue.transcript(text(chat.get("id")), title=text(chat.get("name")))


def _hear(dialogue: Dialogue, message: Mapping[str, object], people: People) -> None:
    kind = text(message.get("type"))
    if kind != "message":
        if not kind:
            raise MalformedInput("a message needs a type")
        dialogue.tally.leave_out(first_text(message, "action") or kind)
        return
    words = _words(message.get("text"))
    media = [counted for name, counted in _MEDIA.items() if name in message]
    for counted in media:
        dialogue.tally.leave_out(counted)
    dialogue.tally.leave_out("reaction", len(listed(message.get("reactions"))))
    if media and not words.strip():
        return
    speaker = people.name(text(message.get("from_id")), text(message.get("from")) or "Deleted account")
    dialogue.say(speaker, words, role=USER, at=time_of(message.get("date")))


def _words(content: object) -> str:
    if isinstance(content, str):
        return content
    if not is_list(content):
        raise MalformedInput(f"expected text, found {kind_of(content)}")
    return "".join(part if isinstance(part, str) else text(mapping(part).get("text")) for part in listed(content))
