"""Gemini: ``contents`` of its interface with or without the reply, prompts saved by AI Studio, and Takeout.

Takeout (``MyActivity.json`` of *Gemini Apps*) keeps prompts and answers, newest first, and does not say which belong
together: they are one conversation, oldest first. Source: Gemini API reference, *generateContent* (v1beta, January
2026); prompts in Google Drive (``chunkedPrompt``, 2025); Google, *Data portability schema: My Activity* (2025).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping

from upheld.errors import MalformedInput
from upheld.speech.formats.exports.dialogue import ASSISTANT, REASONING, USER, Dialogue
from upheld.speech.formats.exports.entries import entries
from upheld.speech.formats.exports.head import Head
from upheld.speech.formats.exports.messages import hear_message, hear_reply, hear_request
from upheld.speech.formats.exports.parts import Voice, hear_part
from upheld.speech.formats.exports.sources import Source
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import is_list, listed, mapping, required, text, time_of
from upheld.speech.formats.transcript import Transcript

_PRODUCTS = ("Gemini Apps", "Bard")
_PROMPTED = "Prompted "
_FILES = ("driveDocument", "driveImage", "driveAudio", "driveVideo", "inlineFile", "inlineImage", "inlineAudio")
_UNSEEN = re.compile(r"<(script|style)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_BLOCK = re.compile(r"</?(?:p|br|li|ul|ol|div|tr|h[1-6]|pre|hr)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def is_gemini(head: Head) -> bool:
    """Tell whether a file has contents, candidates, a chunked prompt, or activities of Gemini."""
    first = head.first
    inner = mapping(first.get("request")) or first
    return _is_activity(first) or "chunkedPrompt" in first or "contents" in inner or "candidates" in _reply(first) or (
        "role" in first and is_list(first.get("parts")) and not head.tree.get("type")
        and not any("type" in mapping(part) for part in listed(first["parts"]))
    )  # fmt: skip


def read_gemini(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    """Read conversations, one a record; Takeout and a file of contents are one conversation."""
    if any(_is_activity(mapping(item)) for item in head.items):
        yield from _activities(source, head, tally)
    elif any("parts" in mapping(item) for item in head.items):
        dialogue = Dialogue(tally)
        for place, content in entries(source, head, tally):
            with dialogue.record(place):
                hear_message(dialogue, content)
        yield from dialogue.transcript("")
    else:
        for place, content in entries(source, head, tally):
            dialogue = Dialogue(tally)
            with dialogue.record(place):
                _hear(dialogue, required(content, "contents or a chunked prompt"), place)
            yield from dialogue.transcript(text(mapping(content).get("id")))


def _hear(dialogue: Dialogue, tree: Mapping[str, object], place: str) -> None:
    request, reply = mapping(tree.get("request")) or tree, _reply(tree)
    if "chunkedPrompt" not in tree and "contents" not in request and "candidates" not in reply:
        raise MalformedInput("neither contents nor candidates nor a chunked prompt")
    hear_request(dialogue, request, place)
    for count, chunk in enumerate(listed(mapping(tree.get("chunkedPrompt")).get("chunks"))):
        with dialogue.record(f"{place}.chunkedPrompt.chunks[{count}]".lstrip(".")):
            _hear_chunk(dialogue, required(chunk, "a chunk"))
    if "candidates" in reply:
        hear_reply(dialogue, reply, place)


def _reply(tree: Mapping[str, object]) -> Mapping[str, object]:
    return mapping(tree.get("response")) or tree


def _hear_chunk(dialogue: Dialogue, chunk: Mapping[str, object]) -> None:
    role = text(chunk.get("role"))
    if role not in {"user", "model"}:
        raise MalformedInput("a chunk needs a role")
    if chunk.get("isThought") is True:
        dialogue.tally.leave_out(REASONING)
        return
    files = sum(name in chunk for name in _FILES)
    dialogue.tally.leave_out("attachment", files)
    if files and not text(chunk.get("text")):
        return
    speaker = USER if role == "user" else ASSISTANT
    voice = Voice(dialogue=dialogue, speaker=speaker, role=speaker, at=time_of(chunk.get("createTime")))
    hear_part(voice, {name: value for name, value in chunk.items() if name != "type"})
    voice.pause()


def _is_activity(tree: Mapping[str, object]) -> bool:
    return text(tree.get("header")) in _PRODUCTS and "time" in tree


def _activities(source: Source, head: Head, tally: Tally) -> Iterator[Transcript]:
    dialogue = Dialogue(tally)
    for place, content in reversed(list(entries(source, head, tally))):
        with dialogue.record(place):
            activity = required(content, "an activity")
            title, at = text(activity.get("title")), time_of(activity.get("time"))
            if not title or not at:
                raise MalformedInput("an activity needs a title and a time")
            answers = [_words(text(mapping(each).get("html"))) for each in listed(activity.get("safeHtmlItem"))]
            dialogue.tally.leave_out("attachment", len(listed(activity.get("attachedFiles"))))
            if not title.startswith(_PROMPTED) and not answers:
                dialogue.tally.leave_out("activity")
                continue
            dialogue.say(USER, title.removeprefix(_PROMPTED), role=USER, at=at)
            if answers:
                dialogue.say(ASSISTANT, "\n".join(answers), role=ASSISTANT, at=at)
    yield from dialogue.transcript("gemini-apps", title="Gemini Apps")


def _words(content: str) -> str:
    """Give the text of a page, a line for each block; what only a browser reads is dropped."""
    plain = html.unescape(_TAG.sub("", _BLOCK.sub("\n", _UNSEEN.sub("", content))))
    lines = (" ".join(line.split()) for line in plain.split("\n"))
    return "\n".join(filter(None, lines))
