"""Plain text of the form ``Name: utterance``, read and written."""

from __future__ import annotations

import re

from upheld.errors import MalformedInput
from upheld.logic.language.identities import TurnId
from upheld.logic.language.turns import Turn
from upheld.speech.formats.plain.speakers import Speakers
from upheld.speech.formats.transcript import Transcript

INDENT = "  "
"""A continuation line may be indented by two blanks, which are no part of what was said."""

_SPEAKER = re.compile(
    r"(?:\*\*)?([^\W\d_][\w.'\u2019-]{0,39}(?: [\w.'\u2019()-]{1,39}){0,3})(?:\*\*)?:(?:\*\*)?(?:\s+(.*))?"
)
_NO_SPEAKERS = frozenset(
    (
        "note",
        "ps",
        "nb",
        "re",
        "fw",
        "subject",
        "todo",
        "fyi",
        "edit",
        "update",
        "error",
        "warning",
        "info",
        "debug",
        "http",
        "https",
        "mailto",
        "ftp",
        "file",
        "example",
    )
)
_ADVICE = "no speaker: write each turn as 'Name: what was said'; lines that follow belong to the turn"


def read_spoken(text: str, *, default_id: str = "text") -> Transcript:
    """Read turns from text. A line ``Name: …`` at the left edge opens one; the lines after it belong to it.

    Blank lines are kept inside a turn only. A heading (``# …``) above the first turn is the title. Lines inside a
    fence of three backquotes open no turn, nor do labels that are no names, such as ``Note:``.

    Raises:
        MalformedInput: no line names a speaker, or something stands before the first that does.
    """
    speakers = Speakers()
    heads: list[tuple[str, list[str]]] = []
    title = ""
    is_fenced = False
    for count, raw in enumerate(text.split("\n"), start=1):
        line = raw.rstrip()
        spoken = None if is_fenced else _opening(line)
        if spoken is not None:
            heads.append((speakers.agent(spoken[0]), [spoken[1]]))
        elif heads:
            heads[-1][1].append(line.removeprefix(INDENT))
        elif line.startswith("#"):
            title = title or line.lstrip("# ")
        elif line:
            raise MalformedInput(_ADVICE, line=count)
        is_fenced ^= "```" in (spoken[1] if spoken else line)
    if not heads:
        raise MalformedInput(_ADVICE)
    turns = tuple(
        Turn(id=TurnId(f"T{count}"), speaker=speakers.agent(name), text="\n".join(lines).strip("\n"))
        for count, (name, lines) in enumerate(heads, start=1)
    )
    return Transcript(id=default_id, title=title, agents=speakers.all(), turns=turns)


def plain_spoken(transcript: Transcript) -> str:
    """Give a transcript as text, one turn a paragraph; operations and answers are left out."""
    names = {agent.id: agent.name or agent.id for agent in transcript.agents}
    lines = [f"# {transcript.title}", ""] if transcript.title else []
    for turn in transcript.turns:
        first, *rest = turn.text.split("\n")
        lines.append(f"{names[turn.speaker]}: {first}".rstrip())
        lines.extend(f"{INDENT}{line}".rstrip() for line in rest)
    return "\n".join(lines) + "\n"


def _opening(line: str) -> tuple[str, str] | None:
    found = _SPEAKER.fullmatch(line)
    if found is None or found.group(1).casefold() in _NO_SPEAKERS:
        return None
    return found.group(1), found.group(2) or ""
