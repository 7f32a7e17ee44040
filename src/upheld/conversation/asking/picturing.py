"""A state as a picture to draw and export, as a bare argumentation framework, and what one event changed in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from upheld.conversation.events import Event
from upheld.conversation.searching.filing import reached
from upheld.conversation.timeline import Timeline, applied
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.literals import Literal
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.logic.language.turns import Turn
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.logic.reasoning.nodes import Attack, AttackKind, Node, Origin, Role
from upheld.logic.reasoning.state import State
from upheld.speech.rendering.picture import EdgeKind, Picture, PictureEdge, PictureNode

KEEPER = AgentId("keeper")
"""Who falsified what nobody in the conversation denied: whoever keeps the record."""

OPENING = "opening"
"""Stands for speaker and turn of what was in view before anybody spoke."""

_FALSIFIED = "#falsified"

_DEEDS = {
    Role.REVISION: "{who} gives {what} up",
    Role.UNDERMINE: "{who} speaks against {what}",
    Role.SUPPORT: "{who} supports {what}",
    Role.RESOLUTION: "{who} settles {what}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedEdge:
    """An edge of the picture, with the turn that drew it."""

    edge: PictureEdge
    turn: TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnEdge:
    """An edge of the picture with what drew it, whether or not its source was withdrawn since.

    The premises of one justification share a ``group``, which counts from 1 for each target; 0 is none: it goes with
    every justification of its target, or is no ground.
    """

    edge: PictureEdge
    origin: Origin
    group: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Whether a node holds, and what its speakers did with it."""

    label: Label
    lifecycle: Lifecycle


def picture_of(state: State, *, title: str = "") -> Picture:
    """Give the dependency graph of a state. Cost: all of its nodes and edges.

    Claims are drawn, and of the acts without an id those that carry an attack. A premise ``~a`` is drawn as a speaking
    against: what rests on it is out while a is in.
    """
    edges = edges_of(state)
    return Picture(title=title, nodes=nodes_of(state, edges), edges=tuple(dated.edge for dated in edges))


def nodes_of(state: State, edges: Iterable[DatedEdge]) -> tuple[PictureNode, ...]:
    """Give the nodes of the picture with these edges, in the order of the record."""
    ends = {end for dated in edges for end in (dated.edge.source, dated.edge.target)}
    nodes = sorted(state.nodes.values(), key=lambda node: node.moment)
    drawn = [_pictured(state, node) for node in nodes if node.id in state.propositions or node.id in ends]
    keepers = [id for id in ends if id not in state.nodes]
    return (*drawn, *(falsification(id) for id in sorted(keepers)))


def edges_of(state: State) -> tuple[DatedEdge, ...]:
    """Give the edges of the picture in the order of their targets, those of withdrawn sources left out."""
    nodes = sorted(state.nodes.values(), key=lambda node: node.moment)
    found: dict[PictureEdge, TurnId] = {}
    carriers: set[PropositionId] = set()
    for node in nodes:
        for each in edges_into(state, node):
            if state.is_withdrawn(each.origin):
                continue
            found.setdefault(each.edge, each.origin.turn)
            if each.edge.kind is EdgeKind.ATTACK:
                carriers.add(each.edge.source)
    drawn = carriers | set(state.propositions)
    return tuple(DatedEdge(edge=edge, turn=turn) for edge, turn in found.items() if edge.target in drawn)


def changes(before: State, after: State, event: Event) -> Mapping[PropositionId, Standing]:
    """Give the nodes whose standing or lifecycle one event changed, new ones included, in the order of the record.

    Cost: what the event touched, and the labels that it changed.
    """
    found = [id for id in reached(before, after, event) if standing_in(before, id) != standing_in(after, id)]
    return {id: _standing(after, id) for id in found}


def steps(timeline: Timeline) -> Iterator[tuple[Event, State, State]]:
    """Give each event from the first turn on, with the state before and after it. Cost: a replay."""
    turns = timeline.turns
    if not turns:
        return
    state = timeline.before(turns[0])
    has_begun = False
    for event in timeline.events:
        has_begun = has_begun or isinstance(event, Turn)
        if has_begun:
            after, _ = applied(state, event, is_lenient=True)
            yield event, state, after
            state = after


def standing_in(state: State, id: PropositionId) -> Standing | None:
    """Give a node's standing and lifecycle, or ``None`` where it is not known."""
    return _standing(state, id) if id in state.nodes else None


def deed_of(state: State, node: Node) -> str:
    """Give a claim's own words, or for an act without an id what was done in words."""
    if node.id in state.propositions:
        return state.proposition(node.id).text
    target = node.decision.target if node.decision is not None else node.about
    agent = state.agents.get(node.first.origin.speaker or AgentId(""))
    who = (agent.name or agent.id) if agent is not None else "Somebody"
    return _DEEDS[node.role].format(who=who, what=target)


# --- edges -------------------------------------------------------------------------------------------------------


def edges_into(state: State, node: Node) -> Iterator[DrawnEdge]:
    """Give the edges into a node, those of withdrawn sources too. Cost: the node's records."""
    for origin, items, kind, group in _grounds(node):
        for item in items:
            drawn = EdgeKind.ATTACK if item.negated else kind
            yield DrawnEdge(edge=_edge(item.proposition, node.id, drawn), origin=origin, group=group)
    for item in node.replacements:
        yield DrawnEdge(edge=_edge(item.newer, node.id, EdgeKind.SUPERSESSION), origin=item.origin)
    for story in node.stories:
        yield DrawnEdge(edge=_edge(story.id, node.id, EdgeKind.EXPLANATION), origin=story.origin)
    for attack in node.attacks:
        attacker = _attacker(state, attack)
        if attacker is not None:
            yield DrawnEdge(edge=_edge(attacker, node.id, EdgeKind.ATTACK), origin=attack.origin)


def _grounds(node: Node) -> Iterator[tuple[Origin, tuple[Literal, ...], EdgeKind, int]]:
    group = 0
    for item in node.introductions:
        for alternative in item.alternatives or ((),):
            group += 1
            yield item.origin, (*item.premises, *alternative), EdgeKind.PREMISE, group
    for support in node.corroborations:
        group += 1
        yield support.origin, support.evidence, EdgeKind.CORROBORATION, group if support.is_sufficient else 0
    decision = node.decision
    if decision is not None and not decision.is_authoritative and not decision.target.negated:
        yield node.first.origin, (decision.target,), EdgeKind.PREMISE, 0


def _attacker(state: State, attack: Attack) -> PropositionId | None:
    """Give the node from which an attack is drawn; none where a supersession says the same."""
    if attack.kind is AttackKind.REPLACES:
        return None
    if attack.kind is AttackKind.FALSIFIES:
        return PropositionId(attack.attacker.replace(" ", "#"))
    attacker = PropositionId(attack.attacker.partition(" ")[0])
    node = state.nodes.get(attacker)
    if node is None:
        return None
    replacement = node.acts[0].replacement if node.role is Role.REVISION and node.acts else None
    is_told_already = replacement is not None and all(item.proposition == replacement for item in node.first.premises)
    return None if is_told_already else attacker


def _edge(source: PropositionId, target: PropositionId, kind: EdgeKind) -> PictureEdge:
    return PictureEdge(source=source, target=target, kind=kind)


# --- nodes -------------------------------------------------------------------------------------------------------


def _pictured(state: State, node: Node) -> PictureNode:
    origin = node.first.origin
    standing = _standing(state, node.id)
    return PictureNode(
        id=node.id,
        text=deed_of(state, node),
        kind=node.kind,
        label=standing.label,
        lifecycle=standing.lifecycle,
        speaker=origin.speaker or AgentId(OPENING),
        turn=origin.turn or TurnId(OPENING),
    )


def _standing(state: State, id: PropositionId) -> Standing:
    node = state.node(id)
    # An act without an id has no lifecycle of its own: what was done is done, unless its source is withdrawn.
    is_act = node.is_act and not state.is_withdrawn(node.first.origin)
    lifecycle = Lifecycle.STANDING if is_act else lifecycle_of(state, id)
    return Standing(label=state.label(id), lifecycle=lifecycle)


def falsification(id: PropositionId) -> PictureNode:
    """Give the node that stands for an act of the keeper of the record: it holds from then on."""
    return PictureNode(
        id=id,
        text=f"{id.removesuffix(_FALSIFIED)} is put on record as false",
        kind=Kind.ARGUMENT,
        label=Label.IN,
        lifecycle=Lifecycle.STANDING,
        speaker=KEEPER,
        turn=TurnId(KEEPER),
    )


def is_falsification(node: PictureNode) -> bool:
    """Tell whether a node stands for an act of the keeper of the record, outside any turn."""
    return node.id.endswith(_FALSIFIED)
