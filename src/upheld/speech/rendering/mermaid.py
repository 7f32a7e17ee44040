"""A picture as a Mermaid flowchart, for Markdown pages and issue trackers."""

from __future__ import annotations

import json
import re

from upheld.speech.rendering.lines import one_line
from upheld.speech.rendering.picture import EdgeKind, Look, Picture, PictureEdge, PictureNode, look_of, numbered

_ARROWS = {
    EdgeKind.PREMISE: "-->",
    EdgeKind.CORROBORATION: '-->|"backs"|',
    EdgeKind.EXPLANATION: '-.->|"explains"|',
    EdgeKind.ATTACK: '--x|"against"|',
    EdgeKind.SUPERSESSION: '==>|"replaces"|',
}
_CLASSES = {
    Look.STANDS: "stroke:#0b5cad,stroke-width:2px",
    Look.LIVE: "stroke:#0b5cad,stroke-width:2px,stroke-dasharray:6 4",
    Look.WEAKENED: "stroke:#a34a00,stroke-width:2px,stroke-dasharray:2 3",
    Look.FELL: "stroke:#a34a00,stroke-width:3px",
    Look.GIVEN_UP: "stroke:#888,stroke-width:1px,color:#888",
}
# Entity codes are Mermaid's own escape inside a quoted label. A backtick would start a Markdown label, and "1. " or
# "- " at the start of a line a list, which Mermaid answers with "Unsupported markdown".
_SPECIAL = re.compile(r"[^\w\s.,:!?/=()'~]|(?<=\A\d)\.")


def mermaid(picture: Picture) -> str:
    """Write a picture as a flowchart with conclusions above their grounds."""
    names = numbered(picture.nodes)
    lines = ["---", f"title: {json.dumps(one_line(picture.title), ensure_ascii=False)}", "---", "flowchart BT"]
    lines += [_node(node, names[node.id]) for node in picture.nodes]
    lines += [_edge(edge, names[edge.source], names[edge.target]) for edge in picture.edges]
    lines += [f"    classDef {look} {style}" for look, style in _CLASSES.items()]
    return "\n".join(lines) + "\n"


def _node(node: PictureNode, name: str) -> str:
    caption = f"{_escaped(node.id)}<br/>{_escaped(node.text)}"
    opening, closing = ("(", ")") if look_of(node) is Look.LIVE else ("[", "]")
    return f'    {name}{opening}"{caption}"{closing}:::{look_of(node)}'


def _edge(edge: PictureEdge, source: str, target: str) -> str:
    return f"    {source} {_ARROWS[edge.kind]} {target}"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"#{ord(match.group())};", one_line(text))
