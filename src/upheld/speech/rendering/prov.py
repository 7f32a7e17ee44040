"""A picture as PROV-JSON, the provenance notation of the W3C.

Source: Moreau and Missier, *PROV-DM*, W3C Recommendation 2013; Huynh et al., *The PROV-JSON Serialization*, W3C Member
Submission 2013. Claims are entities, turns are activities, speakers are agents.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from urllib.parse import quote

from upheld.logic.language.identities import PropositionId
from upheld.logic.language.standing import GIVEN_UP
from upheld.speech.rendering.picture import EdgeKind, Picture, PictureEdge, PictureNode

Record = dict[str, str]
Records = dict[str, Record]

_PREFIXES = {
    "claim": "urn:upheld:claim:",
    "turn": "urn:upheld:turn:",
    "agent": "urn:upheld:agent:",
    "upheld": "urn:upheld:term:",
}
_ENDINGS = frozenset({EdgeKind.ATTACK, EdgeKind.SUPERSESSION})


def prov(picture: Picture) -> str:
    """Write a picture as PROV-JSON.

    Premises and corroborations are derivations, a replacing value is a revision of the older one, explanations and
    attacks are influences. What its holders gave up is invalidated, by the turn of the latest node that attacks or
    replaces it where there is one.
    """
    nodes = {node.id: node for node in picture.nodes}
    document: dict[str, Records | Record] = {"prefix": _PREFIXES, **_things(picture.nodes)}
    document["wasGeneratedBy"] = _numbered("g", ({**_entity(n), **_activity(n)} for n in picture.nodes))
    document["wasAttributedTo"] = _numbered("a", ({**_entity(n), **_agent(n)} for n in picture.nodes))
    document["wasAssociatedWith"] = _numbered("s", _associations(picture.nodes))
    document["wasDerivedFrom"] = _numbered("d", _derivations(picture.edges))
    document["wasInfluencedBy"] = _numbered("i", _influences(picture.edges))
    document["wasInvalidatedBy"] = _numbered("v", _invalidations(picture, nodes))
    return json.dumps({name: part for name, part in document.items() if part}, ensure_ascii=False, indent=2) + "\n"


def _name(prefix: str, id: str) -> str:
    # Prefix and local name join to a URN, so percent-encoding says the same thing and needs no escape of PROV's own.
    return f"{prefix}:{quote(id, safe='')}"


def _things(nodes: tuple[PictureNode, ...]) -> dict[str, Records]:
    entities = {
        _name("claim", node.id): {
            "prov:label": node.text,
            "upheld:id": node.id,
            "upheld:kind": str(node.kind),
            "upheld:standing": str(node.label),
            "upheld:lifecycle": str(node.lifecycle),
        }
        for node in nodes
    }
    activities = {_name("turn", node.turn): {"prov:label": str(node.turn)} for node in nodes}
    agents = {_name("agent", node.speaker): {"prov:label": str(node.speaker)} for node in nodes}
    return {"entity": entities, "activity": activities, "agent": agents}


def _numbered(letter: str, records: Iterable[Record]) -> Records:
    return {f"_:{letter}{index}": record for index, record in enumerate(records)}


def _entity(node: PictureNode) -> Record:
    return {"prov:entity": _name("claim", node.id)}


def _activity(node: PictureNode) -> Record:
    return {"prov:activity": _name("turn", node.turn)}


def _agent(node: PictureNode) -> Record:
    return {"prov:agent": _name("agent", node.speaker)}


def _associations(nodes: tuple[PictureNode, ...]) -> Iterable[Record]:
    pairs = dict.fromkeys((node.turn, node.speaker) for node in nodes)
    return ({"prov:activity": _name("turn", turn), "prov:agent": _name("agent", who)} for turn, who in pairs)


def _derivations(edges: tuple[PictureEdge, ...]) -> Iterable[Record]:
    for edge in edges:
        source, target = _name("claim", edge.source), _name("claim", edge.target)
        if edge.kind is EdgeKind.SUPERSESSION:
            yield {"prov:generatedEntity": source, "prov:usedEntity": target, "prov:type": "prov:Revision"}
        elif edge.kind in (EdgeKind.PREMISE, EdgeKind.CORROBORATION):
            yield {"prov:generatedEntity": target, "prov:usedEntity": source, "upheld:relation": str(edge.kind)}


def _influences(edges: tuple[PictureEdge, ...]) -> Iterable[Record]:
    for edge in edges:
        if edge.kind in (EdgeKind.EXPLANATION, EdgeKind.ATTACK):
            yield {
                "prov:influencee": _name("claim", edge.target),
                "prov:influencer": _name("claim", edge.source),
                "upheld:relation": str(edge.kind),
            }


def _invalidations(picture: Picture, nodes: dict[PropositionId, PictureNode]) -> Iterable[Record]:
    place = {node.id: index for index, node in enumerate(picture.nodes)}
    enders: dict[PropositionId, PropositionId] = {}
    for edge in picture.edges:
        if edge.kind in _ENDINGS and place[edge.source] >= place.get(enders.get(edge.target, edge.source), 0):
            enders[edge.target] = edge.source
    for node in picture.nodes:
        if node.lifecycle in GIVEN_UP:
            ending = _activity(nodes[enders[node.id]]) if node.id in enders else {}
            yield {**_entity(node), **ending, "upheld:lifecycle": str(node.lifecycle)}
