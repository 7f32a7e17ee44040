"""What the proxy asks of an interface, and what the three have in common: how words are found in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from upheld.faces.proxy.events import Event, Piece, Tree
from upheld.speech.formats.exports.dialogue import ASSISTANT, SYSTEM, TOOL, USER, Dialogue, Said
from upheld.speech.formats.exports.messages import INPUTS, hear_reply, hear_request
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import mapping
from upheld.speech.formats.plain.calls import tool_call_of

_TOLD = frozenset((USER, ASSISTANT, TOOL))
"""Roles whose words are turns; instructions are none."""

_INSTRUCTING = frozenset((SYSTEM, "developer"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why an answer does not leave: in a sentence or two, and as the tree that the client gets beside it."""

    notice: str
    mark: Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What was said, in order, and whether there was something that could not be read."""

    said: tuple[Said, ...]
    is_whole: bool = True


class StreamReader(Protocol):
    """Reads one stream of an interface, and writes one that may differ from it."""

    @property
    def lanes(self) -> int:
        """How many answers the stream has."""
        ...

    def read(self, event: Event) -> Sequence[Piece]:
        """Say what an event is made of."""
        ...

    def words(self, lane: int, text: str) -> Event:
        """Give a text as an event, in the frame of the last one that had words."""
        ...

    def sent(self, event: Event) -> Event:
        """Take note of an event that is about to leave, and give it with its number in the stream."""
        ...

    def marked(self, event: Event, mark: Tree) -> Event:
        """Give the last event of an answer with what was found beside it."""
        ...

    def stopped(self, lane: int, refusal: Refusal) -> Sequence[Event]:
        """Give the events that end an answer which goes no further."""
        ...

    def ending(self) -> Sequence[Event]:
        """Give what comes at the end of a stream that was ended early."""
        ...

    def failure(self, status: int, message: str) -> Event:
        """Give a failure as an event."""
        ...

    def reply(self, lane: int) -> Tree:
        """Give what has left of an answer, as a whole answer would have it."""
        ...


class Dialect(Protocol):
    """One interface: where words stand in its requests and answers, and where others may be put."""

    @property
    def vendor(self) -> str:
        """Whose upstream it is: ``openai`` or ``anthropic``."""
        ...

    def with_standing(self, body: Tree, text: str) -> Tree:
        """Give a request with further instructions, after its own."""
        ...

    def with_reason(self, body: Tree, text: str) -> Tree:
        """Give a request with a further message at its end."""
        ...

    def candidates(self, tree: Tree) -> Sequence[Tree]:
        """Give each of the answers in a reply as a reply of its own."""
        ...

    def marked(self, tree: Tree, mark: Tree) -> Tree:
        """Give a reply with what was found beside it."""
        ...

    def refused(self, tree: Tree, refusals: Sequence[Refusal | None]) -> Tree:
        """Give a reply without the answers that may not leave: a refusal in the place of each."""
        ...

    def error(self, status: int, message: str) -> Tree:
        """Give an error as the interface words its own."""
        ...

    def reader(self, body: Tree) -> StreamReader:
        """Give a reader for the stream that answers a request."""
        ...


def heard_in_request(body: Tree) -> Heard:
    """Give what people, tools and the assistant said in a request. Cost: linear in the request."""
    dialogue = Dialogue(Tally())
    hear_request(dialogue, {name: body[name] for name in INPUTS if name in body}, "")
    turns = tuple(each for each in dialogue.said if each.role in _TOLD)
    others = [each for each in dialogue.said if each.role not in _TOLD | _INSTRUCTING]
    return Heard(said=turns, is_whole=not (dialogue.tally.damaged or others))


def heard_in_reply(tree: Tree) -> tuple[Said, ...]:
    """Give what was said and called in one answer."""
    dialogue = Dialogue(Tally())
    hear_reply(dialogue, tree, "")
    return tuple(dialogue.said)


def words_of(said: Sequence[Said]) -> str:
    """Give the text of an answer; calls of tools are none of it."""
    return "\n".join(each.text for each in said if each.role == ASSISTANT and tool_call_of(each.text) is None)


def place_in(content: object, name: str) -> int:
    """Give the place that an event says it is about; the first one, if it says nothing that is a place."""
    place = mapping(content).get(name)
    return place if isinstance(place, int) and not isinstance(place, bool) and place >= 0 else 0
