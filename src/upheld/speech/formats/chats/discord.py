"""A channel of Discord as DiscordChatExporter writes it in JSON.

Source: Tyrrrz/DiscordChatExporter, ``JsonMessageWriter`` (2.46, 2025): edited messages have their last text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.logic.language.plain import kind_of
from upheld.speech.formats.chats.people import People
from upheld.speech.formats.exports.dialogue import USER, Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import first_text, is_mapping, listed, mapping, required, text, time_of
from upheld.speech.formats.transcript import Transcript

_SPOKEN = frozenset(("Default", "Reply", "0", "19", "ChatInputCommand", "ThreadStarterMessage", "20", "21"))


def is_discord(head: Head) -> bool:
    """Tell whether a file has a guild, a channel and messages."""
    return is_mapping(head.tree.get("guild")) and is_mapping(head.tree.get("channel"))


def read_discord(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read a channel, one message at a time."""
    dialogue, people = Dialogue(tally), People()
    for place, content in entries(source, head, tally, "messages.item"):
        with dialogue.record(place):
            _hear(dialogue, required(content, "a message"), people)
    channel = mapping(head.tree.get("channel"))
    name = text(channel.get("name"))
    yield from dialogue.transcript(first_text(channel, "id"), title=f"#{name}" if name else "")


def _hear(dialogue: Dialogue, message: Mapping[str, object], people: People) -> None:
    said, author = message.get("content"), mapping(message.get("author"))
    if not isinstance(said, str) or not author:
        raise MalformedInput(f"a message needs an author and a content, found {kind_of(said)}")
    kind = text(message.get("type"))
    if kind and kind not in _SPOKEN:
        dialogue.tally.leave_out(kind)
        return
    for name, counted in (("attachments", "attachment"), ("stickers", "sticker"), ("embeds", "preview")):
        dialogue.tally.leave_out(counted, len(listed(message.get(name))))
    dialogue.tally.leave_out("reaction", len(listed(message.get("reactions"))))
    if not said.strip() and (message.get("attachments") or message.get("stickers") or message.get("embeds")):
        return
    shown = first_text(author, "nickname", "name")
    role = "bot" if author.get("isBot") is True else USER
    dialogue.say(people.name(text(author.get("id")), shown), said, role=role, at=time_of(message.get("timestamp")))
