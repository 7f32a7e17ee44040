"""At which line of its file each turn stands, for tools that show a finding beside the line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from upheld.logic.language.identities import TurnId
from upheld.speech.formats.documents import line_of
from upheld.speech.formats.reading import is_export
from upheld.speech.formats.transcript import Transcript

LARGEST = 2 * 1024 * 1024
"""Bytes of a file up to which lines are looked for: each look-up reads the file from its beginning."""


def lines_of(path: Path, transcript: Transcript, turns: set[TurnId]) -> Mapping[TurnId, int]:
    """Give the line (from 1) of each of these turns; what is not found is left out, as are those of exports.

    Cost: the file, once for each turn in the tree forms, once in all for text and JSON lines.
    """
    if not turns or not path.is_file() or path.stat().st_size > LARGEST or is_export(path):
        return {}
    text = path.read_text("utf-8", errors="replace")
    places = {turn.id: place for place, turn in enumerate(transcript.turns)}
    wanted = {turn: places[turn] for turn in turns if turn in places}
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if path.suffix in {".jsonl", ".ndjson"}:
        filled = [count for count, line in enumerate(text.split("\n"), start=1) if line.strip()]
        return {turn: filled[place] for turn, place in wanted.items() if place < len(filled)}
    is_json = start in {"{", "["}
    if not is_json and path.suffix not in {".yaml", ".yml"}:
        return _spoken_lines(text, transcript, turns)
    found = {turn: _line(text, place, is_json=is_json) for turn, place in wanted.items()}
    return {turn: line for turn, line in found.items() if line}


def _line(text: str, place: int, *, is_json: bool) -> int:
    """Look for the turn under each key that a form has for it; the deepest hit is the turn itself."""
    keys = (f"turns[{place}]", f"messages[{place}]", f"[{place}]")
    return max(line_of(text, key, is_json=is_json) for key in keys)


def _spoken_lines(text: str, transcript: Transcript, turns: set[TurnId]) -> dict[TurnId, int]:
    lines = text.replace("\r\n", "\n").split("\n")
    found: dict[TurnId, int] = {}
    at = 0
    for turn in transcript.turns:
        first = turn.text.split("\n")[0].strip()
        while at < len(lines) and not (":" in lines[at] and lines[at].rstrip().endswith(first)):
            at += 1
        if at == len(lines):
            break
        if turn.id in turns:
            found[turn.id] = at + 1
        at += 1
    return found
