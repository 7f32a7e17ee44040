"""A chat of WhatsApp as text: a line a message, with date, time and name in front, in the ways of Android and iOS.

The date is in the order of the phone's language and does not say which: a number over twelve in any line decides for
the whole file; without one, the day comes first, unless times have AM or PM. Source: WhatsApp help, *How to export
your chat history* (2025), and exports of both systems.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from upheld.errors import LimitExceeded
from upheld.speech.formats.exports.dialogue import USER, Dialogue
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.streaming import MAX_RECORD
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.transcript import Transcript

Order = Literal["ymd", "dmy", "mdy"]

_LINE = re.compile(
    r"\[?(\d{1,4})[./-](\d{1,2})[./-](\d{2,4}),? (\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?: ?([AaPp])\.? ?[Mm]\.?)?"
    r"(?:\]| -) (.*)"
)
_NAMED = re.compile(r"([^:\n]{1,80}): ?(.*)", re.DOTALL)
_MARKS = re.compile("[\u200e\u200f\u202a-\u202c\ufeff]")
_SPACES = str.maketrans({"\u202f": " ", "\u00a0": " ", "\r": None})
_EDITED = re.compile(r"\s*<This message was edited>\s*$")
_DELETED = re.compile(r"(?:This message was deleted|You deleted this message|Message deleted)[.!]?")
_OMITTED = re.compile(
    r"<Media omitted>|(image|video|audio|sticker|GIF|document|Contact card) omitted|<attached: [^>]*>"
    r"|.+ \(file attached\)|null"
)
_WORDS = {"image": "picture", "audio": "sound", "video": "video", "sticker": "sticker"}
_LEAST = 2
_NOTICE = ("Messages and calls are end-to-end encrypted", "Messages to this chat and calls are now secured")


def is_whatsapp(head: Head) -> bool:
    """Tell whether the first lines are dated and mostly have a name behind the date."""
    dated = [found for line in head.text[:20_000].split("\n") if (found := _dated(line))]
    first = next((line for line in head.text.split("\n") if line.strip()), "")
    return bool(_dated(first)) and any(_NAMED.fullmatch(found.group(8)) for found in dated)


def read_whatsapp(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read a chat; the file is gone through twice, first for the order of its dates."""
    del head
    order = _order(source)
    dialogue, count, begun = Dialogue(tally), 0, 0
    stamp, words = "", list[str]()
    for count, line in enumerate(_text_lines(source, tally), start=1):
        found = _dated(line)
        if found is None:
            words.append(_MARKS.sub("", line))
            continue
        _hear(dialogue, stamp, words, f"line {begun}")
        begun, stamp, words = count, _time(found, order), [found.group(8)]
    _hear(dialogue, stamp, words, f"line {begun}")
    yield from dialogue.transcript("")


def _text_lines(source: Source, tally: Tally) -> Iterator[str]:
    with source.opened() as file:
        count = 0
        while line := file.readline(MAX_RECORD + 1):
            count += 1
            if len(line) > MAX_RECORD:
                raise LimitExceeded(f"{source.name}:{count}: a line of more than {MAX_RECORD} bytes")
            try:
                yield line.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                tally.damage(f"line {count}", "not in UTF-8")


def _dated(line: str) -> re.Match[str] | None:
    return _LINE.fullmatch(_MARKS.sub("", line).translate(_SPACES))


def _order(source: Source) -> Order:
    is_twelve_hours = False
    for line in _text_lines(source, Tally()):
        found = _dated(line)
        if found is None:
            continue
        first, second = int(found.group(1)), int(found.group(2))
        if len(found.group(1)) > _LEAST:
            return "ymd"
        if first > 12 or second > 12:
            return "dmy" if first > 12 else "mdy"
        is_twelve_hours = is_twelve_hours or found.group(7) is not None
    return "mdy" if is_twelve_hours else "dmy"


def _time(found: re.Match[str], order: Order) -> str:
    parts = dict(zip(order, found.group(1, 2, 3), strict=True))
    year = parts["y"] if len(parts["y"]) > _LEAST else f"20{parts['y']}"
    hour, half = int(found.group(4)), (found.group(7) or "").casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    seconds = f":{found.group(6)}" if found.group(6) else ""
    return f"{year}-{int(parts['m']):02}-{int(parts['d']):02}T{hour:02}:{found.group(5)}{seconds}"


def _hear(dialogue: Dialogue, stamp: str, words: list[str], place: str) -> None:
    if not stamp:
        if any(each.strip() for each in words):
            dialogue.tally.damage("line 1", "a line before the first that has a date")
        return
    named = _NAMED.fullmatch("\n".join(words).rstrip())
    if named is None or named.group(2).startswith(_NOTICE):
        dialogue.tally.leave_out("notice")
        return
    said = _EDITED.sub("", named.group(2)).strip()
    if _DELETED.fullmatch(said):
        dialogue.tally.leave_out("deleted message")
        return
    first, _, rest = said.partition("\n")
    omitted = _OMITTED.fullmatch(first)
    if omitted is not None:
        dialogue.tally.leave_out(_WORDS.get(omitted.group(1) or "", "attachment"))
        said = rest
        if not said.strip():
            return
    with dialogue.record(place):
        dialogue.say(named.group(1), said, role=USER, at=stamp)
