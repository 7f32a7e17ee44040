"""A picture as GraphML, for graph tools and for networkx."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from upheld.speech.rendering.lines import xml_text
from upheld.speech.rendering.picture import Picture, PictureNode

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NODE_KEYS = ("text", "kind", "label", "lifecycle", "speaker", "turn")


def graphml(picture: Picture) -> str:
    """Write a picture as a GraphML document; node ids are proposition ids, parallel edges are kept.

    The schema asks for ids without punctuation such as ``~`` or ``/``; readers do not, and a graph whose nodes are
    called ``n0`` and ``n1`` is no use to the person who loads it.
    """
    root = Xml.Element("graphml", xmlns=NAMESPACE)
    for name in _NODE_KEYS:
        _key(root, name, "node")
    _key(root, "relation", "edge")
    _key(root, "title", "graph")
    graph = Xml.SubElement(root, "graph", id="upheld", edgedefault="directed")
    _value(graph, "title", picture.title)
    for node in picture.nodes:
        _node(graph, node)
    for index, edge in enumerate(picture.edges):
        ends = {"id": f"e{index}", "source": xml_text(edge.source), "target": xml_text(edge.target)}
        _value(Xml.SubElement(graph, "edge", ends), "relation", edge.kind)
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _key(root: Xml.Element, name: str, subject: str) -> None:
    Xml.SubElement(root, "key", {"id": name, "for": subject, "attr.name": name, "attr.type": "string"})


def _node(graph: Xml.Element, node: PictureNode) -> None:
    element = Xml.SubElement(graph, "node", id=xml_text(node.id))
    for name in _NODE_KEYS:
        _value(element, name, str(getattr(node, name)))


def _value(parent: Xml.Element, key: str, text: str) -> None:
    Xml.SubElement(parent, "data", key=key).text = xml_text(text)
