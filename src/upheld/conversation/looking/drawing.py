"""What is drawn of a conversation: claims and edges, each from the place on at which it is there."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from upheld.conversation.asking.picturing import DrawnEdge, deed_of, edges_into, falsification
from upheld.conversation.looking.log import Log
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.propositions import Kind
from upheld.logic.reasoning.nodes import ActKind, Node, Origin
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.picture import EdgeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A claim, or an act that carries an attack. Place 0: it was on the table before anybody spoke."""

    id: PropositionId
    text: str
    kind: Kind
    speaker: AgentId | None
    turn: TurnId | None
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedEdge:
    """An edge from ``place`` on, until it ``ended``.

    It ends when its source is withdrawn, or when the claim that rests on it is retracted and would have to be put
    forward anew; that an attack is answered, or a premise out, is no end of it. The premises of one justification share
    a ``group``; an edge without one goes with every justification of its target, or is no ground. An edge is known by
    source, target, kind and group.
    """

    source: PropositionId
    target: PropositionId
    kind: EdgeKind
    group: str | None
    place: int
    ended: int | None


def edges_in(state: State, log: Log, ids: Collection[PropositionId]) -> Iterator[DatedEdge]:
    """Give the edges into these nodes, in the order of the record. Cost: the records of these nodes."""
    nodes = [state.node(id) for id in ids if log.is_drawn(id) and id in state.nodes]
    for node in sorted(nodes, key=lambda each: (each.moment, each.id)):
        found: dict[tuple[PropositionId, EdgeKind, int], DatedEdge] = {}
        for each in edges_into(state, node):
            edge = _dated(each, node, log, state)
            key = (edge.source, edge.kind, each.group)
            found[key] = _joined(found[key], edge) if key in found else edge
        yield from found.values()


def drawn_in(state: State, log: Log, ids: Collection[PropositionId]) -> Iterator[Drawn]:
    """Give these nodes as they are drawn, in the order of the record; those that are not drawn are left out."""
    there = [state.node(id) for id in ids if log.is_drawn(id) and id in state.nodes]
    for node in sorted(there, key=lambda each: (each.moment, each.id)):
        origin = node.first.origin
        yield Drawn(
            id=node.id,
            text=deed_of(state, node),
            kind=node.kind,
            speaker=origin.speaker,
            turn=origin.turn or None,
            place=log.place_of(node.moment),
        )


def keepers_in(edges: Collection[DatedEdge], state: State) -> Iterator[Drawn]:
    """Give the falsifications outside any turn from which edges are drawn."""
    for edge in edges:
        if edge.kind is EdgeKind.ATTACK and edge.source not in state.nodes:
            node = falsification(edge.source)
            yield Drawn(id=node.id, text=node.text, kind=node.kind, speaker=node.speaker, turn=None, place=edge.place)


def _dated(drawn: DrawnEdge, node: Node, log: Log, state: State) -> DatedEdge:
    edge = drawn.edge
    return DatedEdge(
        source=edge.source,
        target=edge.target,
        kind=edge.kind,
        group=f"{edge.target}/{drawn.group}" if drawn.group else None,
        place=log.place_of(drawn.origin.moment),
        ended=min(_ends(drawn, node, log, state), default=None),
    )


def _ends(drawn: DrawnEdge, node: Node, log: Log, state: State) -> Iterator[int]:
    origin: Origin = drawn.origin
    for source in (origin.turn, origin.uri):
        if source and source in log.withdrawn:
            yield max(log.withdrawn[source], log.place_of(origin.moment))
    if any(each.origin is origin for each in node.introductions):
        for act in node.acts:
            is_later = act.kind is ActKind.RETRACTED and act.origin.moment >= origin.moment
            if is_later and not state.is_withdrawn(act.origin):
                yield log.place_of(act.origin.moment)


def _joined(first: DatedEdge, second: DatedEdge) -> DatedEdge:
    """Give one edge for the same one drawn twice: it is there from the first on, until the last has ended."""
    ended = None if first.ended is None or second.ended is None else max(first.ended, second.ended)
    earlier = min(first, second, key=lambda each: each.place)
    return DatedEdge(
        source=first.source,
        target=first.target,
        kind=first.kind,
        group=first.group,
        place=earlier.place,
        ended=ended,
    )
