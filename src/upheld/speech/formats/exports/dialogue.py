"""A conversation while it is read: what was said by whom, in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from upheld.errors import MalformedInput
from upheld.logic.language.identities import TurnId
from upheld.logic.language.turns import Turn
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import is_mapping, json_or_text
from upheld.speech.formats.plain.calls import tool_call_text
from upheld.speech.formats.plain.speakers import Speakers
from upheld.speech.formats.transcript import Transcript

ASSISTANT, TOOL, USER, SYSTEM = "assistant", "tool", "user", "system"
"""Roles, and the names of those who have no other."""

REASONING = "reasoning"
"""What a language model thought: never a ground, so it is no turn and no text of one."""

_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Something said, before it is a turn. The same words of the same speaker are the same, whenever they were said."""

    speaker: str
    role: str
    text: str
    at: str = field(default="", compare=False)
    thread: str = field(default="", compare=False)


class Dialogue:
    """Collects what was said. Which tool a result came from is known by the id of the call before it."""

    def __init__(self, tally: Tally) -> None:
        """Start with nothing said; what is left out goes into the tally."""
        self.tally = tally
        self.said: list[Said] = []
        self._tools: dict[str, str] = {}

    def say(self, speaker: str, text: str, *, role: str = "", at: str = "", thread: str = "") -> None:
        """Add words; none at all are counted as an empty message.

        Raises:
            MalformedInput: half of a surrogate pair, or bytes that are no UTF-8: no text that could be written again.
        """
        if not text.isascii() and _SURROGATE.search(text):
            raise MalformedInput("half of a surrogate pair, or not in UTF-8")
        if not text.strip():
            self.tally.leave_out("empty message")
            return
        self.said.append(Said(speaker=speaker.strip() or role or "unnamed", role=role, text=text, at=at, thread=thread))

    def call(self, tool: str, arguments: object, *, speaker: str = ASSISTANT, id: str = "", at: str = "") -> None:
        """Add a tool call: an act of the assistant, written as :func:`tool_call_text` gives it.

        Arguments that are text are read as JSON; what is no object then stands under ``input``.
        """
        tool = tool or TOOL
        if id:
            self._tools[id] = tool
        read = json_or_text(arguments) or dict[str, object]()
        named: Mapping[str, object] = read if is_mapping(read) else {"input": read}
        try:
            self.say(speaker, tool_call_text(tool, named), role=ASSISTANT, at=at)
        except RecursionError:
            raise MalformedInput("arguments that are nested too deeply") from None

    def result(self, text: str, *, tool: str = "", id: str = "", at: str = "") -> None:
        """Add what a tool gave back, said by the tool."""
        self.say(tool or self._tools.get(id, "") or TOOL, text, role=TOOL, at=at)

    def date(self, at: str, *, since: int = 0) -> None:
        """Give a time to what was said without one, from some place on: when it was first seen."""
        self.said[since:] = [each if each.at else replace(each, at=at) for each in self.said[since:]]

    @contextmanager
    def record(self, place: str) -> Generator[None]:
        """Take a record whole or not at all: a damaged one is noted with its place, and nothing of it was said."""
        before = len(self.said)
        try:
            yield
        except MalformedInput as error:
            del self.said[before:]
            self.tally.damage(f"{place}{error.key}" if error.key else place, error.message)
        except RecursionError:
            del self.said[before:]
            self.tally.damage(place, "nested too deeply")

    def transcript(self, id: str, *, title: str = "") -> Iterator[Transcript]:
        """Give the conversation, if anything was said."""
        if self.said:
            yield transcript_of(self.said, id, title=title)


def transcript_of(said: Sequence[Said], id: str, *, title: str = "") -> Transcript:
    """Make turns of what was said; cost: linear."""
    speakers = Speakers()
    turns = tuple(
        Turn(
            id=TurnId(f"T{count}"),
            speaker=speakers.agent(each.speaker, role=each.role),
            text=each.text,
            at=each.at,
        )
        for count, each in enumerate(said, start=1)
    )
    threads = {turn.id: each.thread for turn, each in zip(turns, said, strict=True) if each.thread}
    return Transcript(id=id, title=title, agents=speakers.all(), turns=turns, threads=threads)
