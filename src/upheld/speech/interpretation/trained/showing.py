"""What a turn is read beside: the guesses and proposals that are open, and what is near in meaning.

Training and reading choose by this same function, so that the network meets what it has learned on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.language.propositions import TENTATIVE, Kind
from upheld.logic.language.standing import GIVEN_UP, Lifecycle
from upheld.logic.language.turns import Turn
from upheld.speech.matching.trained.features import Near
from upheld.speech.trained.inputs import TURNS
from upheld.speech.trained.moves import TurnInTalk
from upheld.speech.view import GrowingView, Known, Situation, View

SHOWN = 12
"""Propositions that a turn is read beside."""

OPEN = 6
"""How many of them are what was put up for test or decision last, near or not: "Do it." is near to nothing."""

SEARCHED, LOOKED_AT = 8, 200
"""Propositions found for each clause, and newest ones looked through for what is open."""

_WORDS: Mapping[Kind, str] = {
    Kind.HYPOTHESIS: "guess",
    Kind.POSITION: "proposal",
    Kind.ISSUE: "question",
    Kind.DECISION: "decision",
    Kind.CONSTRAINT: "rule",
    Kind.DISSENT: "dissent",
    Kind.ARGUMENT: "argument",
}


class Surroundings(Protocol):
    """Finds what is near in meaning, and tells how near."""

    def __call__(self, texts: Sequence[str], view: View, limit: int, /) -> Sequence[Sequence[Near]]:
        """Give, for each text, at most ``limit`` propositions, nearest first."""
        ...

    def cosines(self, texts: Sequence[str], others: Sequence[str], /) -> Sequence[Sequence[float]]:
        """Give a row a text, with its cosine to each of the others."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A turn as a reader of moves is given it, and the propositions in that order."""

    talk: TurnInTalk
    propositions: tuple[Known, ...]


def shown(turn: Turn, clauses: Sequence[str], view: View, surroundings: Surroundings) -> Shown:
    """Give a turn with what it is read beside. Cost: a search a clause."""
    names = {agent.id: agent.name for agent in view.agents()} if isinstance(view, Situation) else {}
    found = {known.proposition.id: known for known in islice(_open(view), OPEN)}
    near = [each for around in surroundings(clauses, view, SEARCHED) for each in around]
    near.sort(key=lambda each: -each.nearness)
    for each in near:
        if len(found) < SHOWN and each.known.lifecycle not in GIVEN_UP:
            found.setdefault(each.known.proposition.id, each.known)
    chosen = tuple(found.values())
    cosines = surroundings.cosines(clauses, [known.proposition.text for known in chosen]) if chosen else ()
    talk = TurnInTalk(
        speaker=_name(turn.speaker, names),
        clauses=tuple(clauses),
        earlier=tuple(f"{_name(each.speaker, names)}: {each.text}" for each in _earlier(view)),
        propositions=tuple(_told(known, names) for known in chosen),
        nearness=tuple(tuple(row) for row in cosines),
    )
    return Shown(talk=talk, propositions=chosen)


def _open(view: View) -> Iterator[Known]:
    """Give what waits for a test or a decision, newest first."""
    for known in islice(_newest(view), LOOKED_AT):
        kind = known.proposition.kind
        if (kind in TENTATIVE or kind is Kind.ISSUE) and known.lifecycle in (Lifecycle.ACTIVE, Lifecycle.WEAKENED):
            yield known


def _newest(view: View) -> Iterator[Known]:
    if not isinstance(view, GrowingView):
        yield from reversed(list(view.known()))
        return
    for proposition in view.newest():
        known = view.get(PropositionId(proposition.id))
        if known is not None:
            yield known


def _earlier(view: View) -> Sequence[Turn]:
    return view.earlier(TURNS) if isinstance(view, Situation) else ()


def _told(known: Known, names: Mapping[AgentId, str]) -> str:
    """Give a proposition with who put it forward as what, in words, since words are what the network reads."""
    word = "settled" if known.lifecycle is Lifecycle.RESOLVED else _WORDS.get(known.proposition.kind, "fact")
    by = f" of {_name(known.speaker, names)}" if known.speaker is not None else ""
    return f"{word}{by}: {known.proposition.text}"


def _name(agent: AgentId, names: Mapping[AgentId, str]) -> str:
    return names.get(agent) or agent
