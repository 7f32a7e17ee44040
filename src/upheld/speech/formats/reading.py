"""Files and texts as transcripts, whatever of the known forms they have."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Any, cast

from upheld.errors import LimitExceeded, MalformedInput
from upheld.speech.formats.annotated import read_annotated
from upheld.speech.formats.documents import json_tree, line_of, yaml_tree
from upheld.speech.formats.exports.head import head_of
from upheld.speech.formats.exports.sources import Archive, Source, source_of, source_of_bytes
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.plain.chat import read_chat
from upheld.speech.formats.plain.spoken import read_spoken
from upheld.speech.formats.registry import NAMES, export_named, export_of
from upheld.speech.formats.taking import HOW, Taken, Transcripts, export_in, take, transcripts_in
from upheld.speech.formats.transcript import Transcript

MAX_FILE = 64 * 1024 * 1024
"""Bytes of a file, and of a text given in UTF-8."""

MAX_LINE = 8 * 1024 * 1024
"""Bytes of one line."""


class Form(StrEnum):
    """Forms that are read whole; ``AUTO`` looks for an export first, then at the file's ending and beginning."""

    AUTO = "auto"
    YAML = "yaml"
    JSON = "json"
    JSONL = "jsonl"
    TEXT = "text"


FORMS = (*(form.value for form in Form), *NAMES)
"""Names of all forms, those that are read whole first, then the exports of other programs."""

_ENDINGS = {
    ".yaml": Form.YAML,
    ".yml": Form.YAML,
    ".json": Form.JSON,
    ".jsonl": Form.JSONL,
    ".ndjson": Form.JSONL,
    ".txt": Form.TEXT,
    ".md": Form.TEXT,
}


def read_transcript(path: Path, *, form: str = "auto", conversation: str = "") -> Transcript:
    """Read a transcript from a file, or from an export that is a zip or a folder.

    Of several conversations ``conversation`` names the one to take; :func:`taken_from` tells what was left out as well.

    Raises:
        MalformedInput: the file cannot be read or cannot mean anything; file, line and key are named. Or it has several
            conversations, and none was named; their ids are.
        LimitExceeded: over ``MAX_FILE`` or ``MAX_LINE``, or a record of an export over ``MAX_RECORD``.
    """
    return taken_from(path, form=form, conversation=conversation).transcript


def read_transcripts(path: Path, *, form: str = "auto") -> Transcripts:
    """Give all conversations of a file, one after the other, with what is damaged and left out as they are read.

    Exports are read a record at a time, so that memory follows the largest conversation. Raises as
    :func:`read_transcript` does, and while it goes on.
    """
    path = Path(path)
    return _transcripts(source_of(path), form)


def taken_from(path: Path, *, form: str = "auto", conversation: str = "") -> Taken:
    """Take one conversation of a file; raises as :func:`read_transcript` does."""
    path = Path(path)
    return take(read_transcripts(path, form=form), conversation, name=_slug(str(path)))


def taken_from_bytes(
    content: bytes, *, source: str, form: str = "auto", conversation: str = "", how: str = HOW
) -> Taken:
    """Take one conversation of bytes that are there already; raises as :func:`read_transcript` does.

    ``how`` tells in an error the way in which the caller's user names one of several.
    """
    found = _transcripts(source_of_bytes(content, source), form)
    return take(found, conversation, name=_slug(source), how=how)


def parse_transcript(text: str, *, source: str, form: str = "auto") -> Transcript:
    """Read a transcript from text; ``source`` names it in errors, and its ending tells the form when ``auto``.

    Annotated transcripts are YAML or JSON; plain chats are JSON, YAML or one JSON object a line; plain text is
    ``Name: utterance``; exports are found by their shape.

    Raises:
        MalformedInput: it cannot mean anything; source, line and key are named.
        LimitExceeded: over ``MAX_FILE`` or ``MAX_LINE``.
    """
    there = source_of_bytes(text.encode("utf-8", errors="surrogatepass"), source)
    if form in NAMES or (form == Form.AUTO and isinstance(there, Source) and export_of(head_of(there)) is not None):
        return take(_transcripts(there, form), "", name=_slug(source)).transcript
    return _parsed(text, source, form)


def is_export(path: Path) -> bool:
    """Tell whether a file is an export of another program, so that its turns are not its records one by one."""
    source = source_of(path)
    return isinstance(source, Archive) or export_of(head_of(source)) is not None


def _transcripts(source: Source | Archive, form: str) -> Transcripts:
    if form not in FORMS:
        raise MalformedInput(f"{form!r} is no form; one of {', '.join(FORMS)}", source=source.name)
    if isinstance(source, Archive):
        export = export_named(form) or export_in(source)
        if export is None:
            raise MalformedInput(f"no export in it that is known; they are {', '.join(NAMES)}", source=source.name)
        return transcripts_in(source, export, head_of(source))
    head = head_of(source)
    export = export_of(head) if form == Form.AUTO else export_named(form)
    if export is not None:
        return transcripts_in(source, export, head)
    with source.opened() as file:
        content = file.read(MAX_FILE + 1)
    if len(content) > MAX_FILE:
        raise LimitExceeded(f"{source.name}: larger than {MAX_FILE} bytes")
    whole = _parsed(_decoded(content, source.name), source.name, form)
    return Transcripts(form, iter((whole,)), Tally(), name=source.name)


def _parsed(text: str, source: str, form: str) -> Transcript:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    _check_limits(text, source)
    if not text.strip():
        raise MalformedInput("empty", source=source)
    if form not in FORMS:
        raise MalformedInput(f"{form!r} is no form; one of {', '.join(FORMS)}", source=source)
    chosen = _form_of(text, source) if form == Form.AUTO else Form(form)
    try:
        return _READERS[chosen](text, _slug(source))
    except MalformedInput as error:
        line = error.line or _line(text, error.key, chosen)
        raise MalformedInput(error.message, source=source, line=line, key=error.key) from error
    except LimitExceeded as error:
        raise LimitExceeded(f"{source}: {error}") from error


def _decoded(content: bytes, source: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise MalformedInput("not in UTF-8: save it as UTF-8 and try again", source=source, line=line) from error


def _check_limits(text: str, source: str) -> None:
    size = len(text) if text.isascii() else len(text.encode("utf-8", errors="replace"))
    if size > MAX_FILE:
        raise LimitExceeded(f"{source}: larger than {MAX_FILE} bytes")
    if size > MAX_LINE:
        for count, line in enumerate(text.split("\n"), start=1):
            if len(line) > MAX_LINE or len(line.encode("utf-8", errors="replace")) > MAX_LINE:
                raise LimitExceeded(f"{source}:{count}: a line of more than {MAX_LINE} bytes")


def _form_of(text: str, source: str) -> Form:
    ending = PurePath(source).suffix.casefold()
    if ending in _ENDINGS:
        return _ENDINGS[ending]
    start = text.lstrip()
    if start[0] in "{[":
        lines = start.split("\n", 8)[:8]
        is_one_a_line = len(lines) > 1 and all(line[0] == "{" and line.rstrip()[-1] == "}" for line in lines if line)
        return Form.JSONL if is_one_a_line else Form.JSON
    is_yaml = any(line.startswith(("format:", "turns:", "---")) for line in start.split("\n", 20)[:20])
    return Form.YAML if is_yaml else Form.TEXT


def _line(text: str, key: str, form: Form) -> int:
    if not key or form not in {Form.YAML, Form.JSON}:
        return 1 if form in {Form.YAML, Form.JSON} else 0
    return line_of(text, key, is_json=form is Form.JSON)


def _slug(source: str) -> str:
    return "-".join(PurePath(source).stem.split()).lstrip("~") or "transcript"


def _of_tree(tree: object, default_id: str) -> Transcript:
    names = set(cast("dict[str, object]", tree)) if isinstance(tree, dict) else set[str]()
    is_chat = isinstance(tree, list) or ("messages" in names and "format" not in names)
    tree = cast("object", tree)
    return read_chat(tree, default_id=default_id) if is_chat else read_annotated(tree, default_id=default_id)


def _of_lines(text: str, default_id: str) -> Transcript:
    messages: list[Any] = []
    lines: list[int] = []
    for count, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            messages.append(json_tree(line))
        except MalformedInput as error:
            raise MalformedInput(error.message, line=count) from None
        except LimitExceeded as error:
            raise LimitExceeded(f"line {count}: {error}") from None
        lines.append(count)
    try:
        return read_chat(messages, default_id=default_id)
    except MalformedInput as error:
        place = int(error.key[1 : error.key.index("]")])
        raise MalformedInput(error.message, line=lines[place], key=error.key) from None


_READERS: dict[Form, Callable[[str, str], Transcript]] = {
    Form.YAML: lambda text, default_id: _of_tree(yaml_tree(text), default_id),
    Form.JSON: lambda text, default_id: _of_tree(json_tree(text), default_id),
    Form.JSONL: _of_lines,
    Form.TEXT: lambda text, default_id: read_spoken(text, default_id=default_id),
}
