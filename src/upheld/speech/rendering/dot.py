"""A picture in the DOT language of Graphviz."""

from __future__ import annotations

from upheld.speech.rendering.lines import one_line, xml_text
from upheld.speech.rendering.picture import EdgeKind, Look, Picture, PictureEdge, PictureNode, look_of, numbered

_EDGES = {
    EdgeKind.PREMISE: "",
    EdgeKind.CORROBORATION: 'style="bold"',
    EdgeKind.EXPLANATION: 'style="dotted", arrowhead="empty", constraint="false"',
    EdgeKind.ATTACK: 'style="dashed", arrowhead="tee", color="#a34a00", constraint="false"',
    EdgeKind.SUPERSESSION: 'arrowhead="vee", color="#888888", constraint="false"',
}
_NODES = {
    Look.STANDS: 'style="solid", color="#0b5cad"',
    Look.LIVE: 'style="rounded,dashed", color="#0b5cad"',
    Look.WEAKENED: 'style="dotted", color="#a34a00"',
    Look.FELL: 'style="bold", color="#a34a00"',
    Look.GIVEN_UP: 'style="solid", color="#888888", fontcolor="#888888"',
}


def dot(picture: Picture) -> str:
    """Write a picture as a directed graph with conclusions above their grounds."""
    names = numbered(picture.nodes)
    head = ["digraph upheld {", f"  label={_label(picture.title)};", '  rankdir="BT";', '  node [shape="box"];']
    nodes = [_node(node, names[node.id]) for node in picture.nodes]
    edges = [_edge(edge, names[edge.source], names[edge.target]) for edge in picture.edges]
    return "\n".join([*head, *nodes, *edges, "}"]) + "\n"


def _node(node: PictureNode, name: str) -> str:
    text = _label(node.id, node.text)
    return f"  {name} [label={text}, id={_label(node.id)}, {_NODES[look_of(node)]}];"


def _edge(edge: PictureEdge, source: str, target: str) -> str:
    style = _EDGES[edge.kind]
    return f"  {source} -> {target} [{f'{style}, ' if style else ''}comment={_label(edge.kind)}];"


def _label(*lines: str) -> str:
    # Labels are escStrings: a backslash is doubled, and an ampersand would begin an HTML entity even in plain labels.
    texts = (xml_text(one_line(line)).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;") for line in lines)
    return '"' + "\\n".join(texts) + '"'
