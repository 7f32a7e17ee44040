"""A Slack export: a zip, or its folder, with ``users.json``, ``channels.json`` and a file a channel and day.

Source: Slack help, *How to read Slack data exports* (2025), and Slack API, *message events and subtypes* (2025).
Exports keep the last text of an edited message. A channel is a conversation; replies in a thread bear its beginning
as their ``thread``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from upheld.errors import MalformedInput
from upheld.logic.language.plain import kind_of
from upheld.speech.formats.chats.people import People
from upheld.speech.formats.exports.dialogue import USER, Dialogue
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.sources import Archive
from upheld.speech.formats.exports.streaming import ITEM, records
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import first_text, listed, mapping, text, time_of
from upheld.speech.formats.transcript import Transcript

_LISTS = ("channels.json", "groups.json", "dms.json", "mpims.json")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\.json")
_SPOKEN = frozenset(
    ("", "bot_message", "thread_broadcast", "me_message", "file_share", "file_comment", "reply_broadcast")
)
_DELETED = frozenset(("message_deleted", "tombstone"))
_STAMP = re.compile(r"\d{1,12}(?:\.\d{1,9})?")
_MARK = re.compile(r"<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>")
BOT = "bot"


@dataclass(slots=True, kw_only=True)
class _Workspace:
    """Whom the messages name by ids."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    bots: set[str] = field(default_factory=set[str])
    channels: dict[str, str] = field(default_factory=dict[str, str])
    people: People = field(default_factory=People)


def is_slack(head: Head) -> bool:
    """Tell whether an archive has files of days in folders of channels."""
    days = [name for name in head.members if _DAY.fullmatch(PurePosixPath(name).name)]
    return bool(days) and all(len(PurePosixPath(name).parts) >= 2 for name in days)


def read_slack(archive: Archive, tally: Tally) -> Iterator[Transcript]:
    """Read the channels in the order of their names, a file at a time; a conversation is a channel."""
    workspace = _workspace(archive, tally)
    days: dict[str, list[str]] = {}
    for name in archive.members:
        if _DAY.fullmatch(PurePosixPath(name).name):
            days.setdefault(str(PurePosixPath(name).parent), []).append(name)
    for folder, names in days.items():
        found: list[tuple[float, str, Mapping[str, object]]] = []
        for name in names:
            for place, content in records(archive.members[name], ITEM, tally):
                _take(found, content, place, tally)
        dialogue = Dialogue(tally)
        for _, place, message in sorted(_last_texts(found), key=lambda each: each[0]):
            with dialogue.record(place):
                _hear(dialogue, message, workspace)
        channel = PurePosixPath(folder).name
        yield from dialogue.transcript(channel, title=f"#{channel}")


def _workspace(archive: Archive, tally: Tally) -> _Workspace:
    there = _Workspace()
    for name, source in archive.members.items():
        file = PurePosixPath(name).name
        if file in ("users.json", "org_users.json"):
            for place, content in records(source, ITEM, tally):
                user = mapping(content)
                profile = mapping(user.get("profile"))
                shown = first_text(profile, "display_name", "real_name") or first_text(user, "real_name", "name")
                if not text(user.get("id")):
                    tally.damage(place, "a user without an id")
                    continue
                there.names[text(user["id"])] = shown or text(user["id"])
                if user.get("is_bot") is True:
                    there.bots.add(text(user["id"]))
        elif file in _LISTS:
            for _, content in records(source, ITEM, tally):
                there.channels[text(mapping(content).get("id"))] = text(mapping(content).get("name"))
    return there


def _take(found: list[tuple[float, str, Mapping[str, object]]], content: object, place: str, tally: Tally) -> None:
    message = mapping(content)
    stamp = text(message.get("ts"))
    if text(message.get("type")) == "message" and _STAMP.fullmatch(stamp):
        found.append((float(stamp), place, message))
    else:
        tally.damage(place, "a message needs a type and a ts that is a time")


def _last_texts(
    found: list[tuple[float, str, Mapping[str, object]]],
) -> Iterator[tuple[float, str, Mapping[str, object]]]:
    """Put what a change left in the place of what was changed."""
    changed = {
        text(inner.get("ts")): inner
        for _, _, message in found
        if message.get("subtype") == "message_changed" and (inner := mapping(message.get("message")))
    }
    for at, place, message in found:
        if message.get("subtype") != "message_changed":
            yield at, place, changed.pop(text(message.get("ts")), message)
    for stamp, message in changed.items():
        yield float(stamp) if _STAMP.fullmatch(stamp) else 0.0, "", message


def _hear(dialogue: Dialogue, message: Mapping[str, object], workspace: _Workspace) -> None:
    kind = text(message.get("subtype"))
    if kind in _DELETED:
        dialogue.tally.leave_out("deleted message")
        return
    if kind not in _SPOKEN:
        dialogue.tally.leave_out(kind)
        return
    said = message.get("text")
    if said is not None and not isinstance(said, str):
        raise MalformedInput(f"expected text, found {kind_of(said)}")
    words = _plain(said or "", workspace)
    files, previews = listed(message.get("files")), listed(message.get("attachments"))
    dialogue.tally.leave_out("attachment", len(files) + ("file" in message))
    dialogue.tally.leave_out("reaction", len(listed(message.get("reactions"))))
    if words.strip():
        dialogue.tally.leave_out("preview", len(previews))
    else:
        # A bot says what it has to say in attachments, and leaves the text empty.
        words = "\n".join(filter(None, (_preview(mapping(each), workspace) for each in previews)))
    if not words.strip() and files:
        return
    speaker, role = _speaker(message, workspace)
    stamp, thread = text(message.get("ts")), text(message.get("thread_ts"))
    dialogue.say(speaker, words, role=role, at=time_of(stamp), thread=thread if thread != stamp else "")


def _speaker(message: Mapping[str, object], workspace: _Workspace) -> tuple[str, str]:
    user = text(message.get("user")) or text(mapping(message.get("comment")).get("user"))
    if user and message.get("subtype") != "bot_message":
        profile = mapping(message.get("user_profile"))
        known = workspace.names.get(user) or first_text(profile, "display_name", "real_name") or user
        return workspace.people.name(user, known), BOT if user in workspace.bots else USER
    bot = text(message.get("bot_id"))
    named = first_text(message, "username") or first_text(mapping(message.get("bot_profile")), "name")
    return named or workspace.names.get(bot, bot) or BOT, BOT


def _preview(preview: Mapping[str, object], workspace: _Workspace) -> str:
    said = [text(preview.get(name)) for name in ("pretext", "title", "text")]
    return _plain("\n".join(filter(None, said)) or text(preview.get("fallback")), workspace)


def _plain(said: str, workspace: _Workspace) -> str:
    """Give a text with its mentions by name, its links as they were shown, and its three escapes undone."""

    def shown(found: re.Match[str]) -> str:
        sign, target, label = found.group(1), found.group(2), found.group(3)
        if sign == "@":
            return f"@{workspace.names.get(target) or label or target}"
        if sign == "#":
            return f"#{label or workspace.channels.get(target) or target}"
        if sign == "!":
            return label or f"@{target.split('^')[0]}"
        return f"{label} ({target})" if label and label != target else target

    return html.unescape(_MARK.sub(shown, said))
