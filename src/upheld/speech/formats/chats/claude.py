"""Conversations as Claude exports them: ``conversations.json``, each with its ``chat_messages``.

Content blocks count where there are any (text, tool_use, tool_result; thinking is left out), the plain ``text``
otherwise. With ``current_leaf_message_uuid`` the branch that ends there is taken. Source: Anthropic help, *Export your
Claude data* (2025), and the fields that Sinity/polylogue describes (``docs/providers/claude-ai.md``, 2025).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.speech.formats.exports.dialogue import ASSISTANT, USER, Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.parts import Voice, hear_content
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import first_text, is_list, listed, mapping, required, text, time_of
from upheld.speech.formats.transcript import Transcript

_SENDERS = {"human": USER, "user": USER, "assistant": ASSISTANT}


def is_claude(head: Head) -> bool:
    """Tell whether the records have chat messages."""
    first = (
        head.first
        if "conversations" not in head.tree
        else mapping(next(iter(listed(head.tree["conversations"])), None))
    )
    return "chat_messages" in first


def read_claude(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read conversations, one at a time."""
    for place, content in entries(source, head, tally, "conversations.item"):
        dialogue, tree = Dialogue(tally), mapping(content)
        with dialogue.record(place):
            messages = required(content, "a conversation").get("chat_messages")
            if not is_list(messages):
                raise MalformedInput("a conversation needs a list of chat_messages")
            branch = _branch(listed(messages), text(tree.get("current_leaf_message_uuid")))
            tally.leave_out("message of another branch", len(listed(messages)) - len(branch))
            for count in branch:
                with dialogue.record(f"{place}.chat_messages[{count}]"):
                    _hear(dialogue, required(listed(messages)[count], "a message"))
        yield from dialogue.transcript(first_text(tree, "uuid", "id"), title=text(tree.get("name")))


def _branch(messages: list[object], leaf: str) -> list[int]:
    places = {text(mapping(each).get("uuid")): count for count, each in enumerate(messages)}
    if leaf not in places:
        return list(range(len(messages)))
    branch: dict[int, None] = {}
    while leaf in places and places[leaf] not in branch:
        branch[places[leaf]] = None
        leaf = text(mapping(messages[places[leaf]]).get("parent_message_uuid"))
    return list(reversed(branch))


def _hear(dialogue: Dialogue, message: Mapping[str, object]) -> None:
    sender = text(message.get("sender"))
    if sender not in _SENDERS:
        raise MalformedInput("a message needs a sender")
    if "content" not in message and "text" not in message:
        raise MalformedInput("a message needs a content or a text")
    for name in ("attachments", "files"):
        dialogue.tally.leave_out("attachment", len(listed(message.get(name))))
    speaker = _SENDERS[sender]
    voice = Voice(dialogue=dialogue, speaker=speaker, role=speaker, at=time_of(message.get("created_at")))
    hear_content(voice, message.get("content") or message.get("text"))
    voice.pause()
