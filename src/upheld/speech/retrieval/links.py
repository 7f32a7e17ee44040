"""Ways from one engine item to the next, for questions whose answer is a step or two from the words of the question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from upheld.logic.dependency.justifications import grounds_of
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.reasoning.answers.findings import current_value, reasons_of
from upheld.logic.reasoning.state import State


class Relation(StrEnum):
    """What the item at the other end is to this one."""

    GROUND = "ground"
    REASON_AGAINST = "reason against"
    CURRENT_VALUE = "current value"
    DEPENDANT = "dependant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One step: the id of the document at its end."""

    id: str
    relation: Relation


Neighbours = Callable[[str], Iterable[Link]]
"""Gives the links from a document; none from one that it does not know."""

CARRIED = {
    Relation.GROUND: 0.5,
    Relation.REASON_AGAINST: 0.7,
    Relation.CURRENT_VALUE: 1.0,
    Relation.DEPENDANT: 0.2,
}
"""Share of a score that a step carries. Chosen among 288 settings on dev; neighbouring ones do about as well.

Whoever asks about a value that was replaced wants the present one, so it comes with all of the score.
"""

SEEDS = 30
"""Documents from which hops start, the best ones."""

DECAY = 0.5
"""What a further hop is worth beside the one before."""


def neighbours_of(state: State) -> Neighbours:
    """Give the links of a state, as it is now: grounds, dependants, reasons against, and the value that holds now.

    Ids are those of propositions. A turn is no node of a state, and has no links.
    """

    def links(id: str) -> Iterable[Link]:
        node = state.nodes.get(PropositionId(id))
        if node is None:
            return
        for ground in grounds_of(state.dependencies, node.id):
            yield Link(id=ground.proposition, relation=Relation.GROUND)
        for attack in state.live_attacks(node):
            for reason in reasons_of(state, attack):
                yield Link(id=reason, relation=Relation.REASON_AGAINST)
        if (current := current_value(state, node.id)) is not None:
            yield Link(id=current, relation=Relation.CURRENT_VALUE)
        for dependant in sorted(state.dependencies.dependents_of(Literal(node.id))):
            yield Link(id=dependant, relation=Relation.DEPENDANT)

    return links


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """What hops added to a document, and the strongest step that led there: from which one, as what."""

    score: float
    relation: Relation
    source: str


def reached(scores: Mapping[str, float], neighbours: Neighbours, *, hops: int) -> dict[str, Reached]:
    """Give what each document gains from those that link to it, within so many hops.

    Spreading activation (Crestani 1997) with the strongest path in place of a sum, so that an item on which everything
    rests is not the answer to every question. Cost: the links of what is
    given, and of what that reaches.
    """
    gained: dict[str, Reached] = {}
    current = dict(scores)
    worth = 1.0
    for _ in range(hops):
        arriving: dict[str, Reached] = {}
        for id, score in current.items():
            for link in neighbours(id):
                carried = score * CARRIED[link.relation]
                if link.id != id and (link.id not in arriving or carried > arriving[link.id].score):
                    arriving[link.id] = Reached(score=carried, relation=link.relation, source=id)
        for id, arrived in arriving.items():
            before = gained.get(id)
            added = arrived.score * worth
            if before is None:
                gained[id] = Reached(score=added, relation=arrived.relation, source=arrived.source)
            else:
                gained[id] = Reached(score=before.score + added, relation=before.relation, source=before.source)
        current = {id: arrived.score for id, arrived in arriving.items()}
        worth *= DECAY
    return gained
