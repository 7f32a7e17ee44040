"""Which claims a turn puts forward or acts on, and where it says so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from upheld.conversation.looking.log import Log
from upheld.conversation.looking.spans import span_of
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.operations import Operation, Question, Resolve, Revise, Support, Undermine, name_of
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.nodes import act_id
from upheld.logic.reasoning.state import State

DEEDS = {
    "supersedes": "supersede",
    "contradicts": "contradict",
    "attacks": "attack",
    "against": "dissent",
    "subsumes": "subsume",
    "reinterprets": "reinterpret",
}
"""What an operation does to the claims of a field of it; what it does to its target has the operation's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A claim that a turn puts forward or acts on, and where its words are in the turn's text, if that is sure."""

    id: PropositionId
    span: tuple[int, int] | None
    act: str


def mentions_in(turn: Turn, state: State, log: Log) -> Iterator[Mention]:
    """Give the claims that a turn puts forward or acts on, in the order of its operations."""
    for index, operation in enumerate(turn.operations):
        own = getattr(operation, "id", None) or act_id(turn.id, index)
        if log.is_drawn(own):
            text = getattr(operation, "text", "")
            yield Mention(id=own, span=span_of(text, turn.text), act=name_of(operation))
        for id, act in _acted_on(operation):
            if log.is_drawn(id):
                words = state.propositions[id].text if id in state.propositions else ""
                yield Mention(id=id, span=span_of(words, turn.text), act=act)


def _acted_on(operation: Operation) -> Iterator[tuple[PropositionId, str]]:
    match operation:
        case Support(target=target) | Undermine(target=target) | Revise(target=target):
            yield target, name_of(operation)
        case Resolve(target=target):
            yield target.proposition, name_of(operation)
        case Question(about=about):
            yield from ((id, name_of(operation)) for id in about)
        case _:
            pass
    for field, act in DEEDS.items():
        yield from ((id, act) for id in getattr(operation, field, ()))
