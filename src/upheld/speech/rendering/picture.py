"""The dependency graph as it is drawn: frozen, ordered as in the record, and free of any format."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from upheld.errors import RepeatedIdentity, UnknownReference
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.propositions import TENTATIVE, Kind
from upheld.logic.language.standing import GIVEN_UP, Label, Lifecycle


class EdgeKind(StrEnum):
    """What an edge means; the first two carry standing (semantics, section 2)."""

    PREMISE = "premise"
    CORROBORATION = "corroboration"
    EXPLANATION = "explanation"
    ATTACK = "attack"
    SUPERSESSION = "supersession"


class Look(StrEnum):
    """The five ways in which a node is drawn, derived from lifecycle, standing and kind together."""

    STANDS = "stands"
    LIVE = "live"
    WEAKENED = "weakened"
    FELL = "fell"
    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureNode:
    """One argument: its text, what the speakers did with it and whether it holds."""

    id: PropositionId
    text: str
    kind: Kind
    label: Label
    lifecycle: Lifecycle
    speaker: AgentId
    turn: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureEdge:
    """Ground → conclusion, explanation → explained, attacker → target, newer value → the older one."""

    source: PropositionId
    target: PropositionId
    kind: EdgeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A graph to draw. Writers keep the order of nodes and edges, so equal pictures give equal text."""

    title: str
    nodes: tuple[PictureNode, ...]
    edges: tuple[PictureEdge, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a node id given twice, and an edge to a node that is not in the picture."""
        ids: set[PropositionId] = set()
        for node in self.nodes:
            if node.id in ids:
                raise RepeatedIdentity(f"the picture has two nodes named {node.id!r}")
            ids.add(node.id)
        for edge in self.edges:
            for end in (edge.source, edge.target):
                if end not in ids:
                    raise UnknownReference(end, where="an edge of the picture")


def look_of(node: PictureNode) -> Look:
    """Tell how a node is drawn: what its holders did comes before what follows from it."""
    if node.lifecycle in GIVEN_UP:
        return Look.GIVEN_UP
    if node.lifecycle is Lifecycle.WEAKENED:
        return Look.WEAKENED
    if node.label is not Label.IN:
        return Look.FELL
    if node.kind in TENTATIVE and node.lifecycle is not Lifecycle.RESOLVED:
        return Look.LIVE
    return Look.STANDS


def numbered(nodes: Iterable[PictureNode]) -> dict[PropositionId, str]:
    """Give each node a name that every notation accepts: ``n0``, ``n1``, … in their order.

    Ids may carry dots, colons and anything but white space, and notations differ in what they let pass (Mermaid reads
    ``end`` as a keyword, DOT reads ``a:b`` as a port), so formats that allow it keep the id as an attribute instead.
    """
    return {node.id: f"n{index}" for index, node in enumerate(nodes)}
