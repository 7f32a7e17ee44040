"""Pictures written in each format and read back by somebody else's reader."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any, cast
from urllib.parse import unquote
from xml.etree import ElementTree as Xml

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import RepeatedIdentity, UnknownReference
from upheld.logic.language.identities import AgentId, PropositionId, TurnId
from upheld.logic.language.propositions import Kind
from upheld.logic.language.standing import Label, Lifecycle
from upheld.speech.rendering.dot import dot
from upheld.speech.rendering.graphml import NAMESPACE, graphml
from upheld.speech.rendering.mermaid import mermaid
from upheld.speech.rendering.picture import EdgeKind, Look, Picture, PictureEdge, PictureNode, look_of
from upheld.speech.rendering.prov import prov
from upheld.speech.rendering.writers import PICTURE_WRITERS

NASTY = 'say "no" | [x] <b>&amp; `tick` {y}; #35; \\n C:\\dir ] end\nnext -- ünïcode 🔥\u2028tail'


def node(
    id: str,
    text: str = "",
    *,
    kind: Kind = Kind.OBSERVATION,
    label: Label = Label.IN,
    lifecycle: Lifecycle = Lifecycle.STANDING,
    turn: str = "T1",
) -> PictureNode:
    """Give a node with a text of its own unless told otherwise."""
    return PictureNode(
        id=PropositionId(id),
        text=text or f"text of {id}",
        kind=kind,
        label=label,
        lifecycle=lifecycle,
        speaker=AgentId("alice: ops"),
        turn=TurnId(turn),
    )


def edge(source: str, target: str, kind: EdgeKind = EdgeKind.PREMISE) -> PictureEdge:
    """Give an edge between two ids."""
    return PictureEdge(source=PropositionId(source), target=PropositionId(target), kind=kind)


def incident() -> Picture:
    """Give a small graph with every kind of edge, a nasty text and ids that notations stumble over."""
    return Picture(
        title='The "cascade" <1>',
        nodes=(
            node("o.8:a", NASTY),
            node("o9", turn="T7"),
            node("h2", kind=Kind.HYPOTHESIS, label=Label.OUT, lifecycle=Lifecycle.ABANDONED, turn="T6"),
            node("end", kind=Kind.HYPOTHESIS, lifecycle=Lifecycle.ACTIVE, turn="T12"),
            node("revise@T9", label=Label.IN, turn="T9"),
        ),
        edges=(
            edge("o.8:a", "h2"),
            edge("o9", "revise@T9"),
            edge("revise@T9", "h2", EdgeKind.ATTACK),
            edge("end", "h2", EdgeKind.SUPERSESSION),
            edge("o9", "end", EdgeKind.CORROBORATION),
            edge("end", "o.8:a", EdgeKind.EXPLANATION),
            edge("o9", "end", EdgeKind.ATTACK),
        ),
    )


ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=30)


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    """Give small pictures with any text and any edges, circles and self-edges included."""
    texts = draw(st.lists(ANY_TEXT, min_size=1, max_size=5))
    nodes = tuple(node(f"p{index}", text) for index, text in enumerate(texts))
    ends = st.sampled_from([item.id for item in nodes])
    edges = draw(st.lists(st.tuples(ends, ends, st.sampled_from(list(EdgeKind))), max_size=6))
    return Picture(title=draw(ANY_TEXT), nodes=nodes, edges=tuple(edge(*ends) for ends in edges))


def test_a_picture_refuses_a_node_named_twice() -> None:
    """Our promise: two arguments under one id would be drawn as one."""
    with pytest.raises(RepeatedIdentity):
        Picture(title="", nodes=(node("a"), node("a")))


def test_a_picture_refuses_an_edge_to_nowhere() -> None:
    """Our promise: a format that invents the missing node would show a claim that nobody made."""
    with pytest.raises(UnknownReference):
        Picture(title="", nodes=(node("a"),), edges=(edge("a", "b"),))


@pytest.mark.parametrize(
    ("label", "lifecycle", "kind", "look"),
    [
        (Label.IN, Lifecycle.STANDING, Kind.OBSERVATION, Look.STANDS),
        (Label.IN, Lifecycle.ACTIVE, Kind.HYPOTHESIS, Look.LIVE),
        (Label.IN, Lifecycle.RESOLVED, Kind.HYPOTHESIS, Look.STANDS),
        (Label.OUT, Lifecycle.WEAKENED, Kind.HYPOTHESIS, Look.WEAKENED),
        (Label.OUT, Lifecycle.RESOLVED, Kind.HYPOTHESIS, Look.FELL),
        (Label.UNDECIDED, Lifecycle.ABANDONED, Kind.HYPOTHESIS, Look.GIVEN_UP),
        (Label.OUT, Lifecycle.SUPERSEDED, Kind.FACT, Look.GIVEN_UP),
    ],
)
def test_a_node_looks_as_its_lifecycle_then_its_standing_say(
    label: Label, lifecycle: Lifecycle, kind: Kind, look: Look
) -> None:
    """The semantics, section 5: what the speakers did and what holds are not the same, and both are seen."""
    assert look_of(node("a", kind=kind, label=label, lifecycle=lifecycle)) is look


@pytest.mark.parametrize("name", sorted(PICTURE_WRITERS))
def test_equal_pictures_give_equal_text(name: str) -> None:
    """Our promise: an export under version control changes only when the record does."""
    assert PICTURE_WRITERS[name](incident()) == PICTURE_WRITERS[name](incident())


def mermaid_parts(text: str) -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    """Read a flowchart's nodes and edges with a grammar that allows nothing else on a line."""
    body = text.split("---\n", 2)[2].splitlines()
    assert body[0] == "flowchart BT"
    nodes: dict[str, str] = {}
    edges: list[tuple[str, str, str]] = []
    for line in body[1:]:
        if match := re.fullmatch(r'    (n\d+)[\[(]"([^"`<>&\[\]{}|]*<br/>[^"`<>&\[\]{}|]*)"[\])]:::\w+', line):
            nodes[match[1]] = re.sub(r"#(\d+);", lambda code: chr(int(code[1])), match[2])
        elif match := re.fullmatch(r'    (n\d+) (-->|-\.->|--x|==>)(?:\|"\w+"\|)? (n\d+)', line):
            edges.append((match[1], match[2], match[3]))
        else:
            assert re.fullmatch(r"    classDef \w+ [\w:#,. -]+", line), line
    return nodes, edges


def test_mermaid_carries_any_text_inside_its_quotes() -> None:
    """Mermaid's flowchart syntax: quotes, brackets and pipes in a label end it unless given as entity codes."""
    nodes, edges = mermaid_parts(mermaid(incident()))
    assert nodes["n0"] == "o.8:a<br/>" + re.sub(r"\s+", " ", NASTY)
    assert ("n4", "--x", "n2") in edges
    assert ("n3", "==>", "n2") in edges
    assert len(edges) == 7


@given(pictures())
def test_mermaid_keeps_to_its_grammar_whatever_is_said(picture: Picture) -> None:
    """Our promise: a stranger's text never draws an edge."""
    nodes, edges = mermaid_parts(mermaid(picture))
    assert (len(nodes), len(edges)) == (len(picture.nodes), len(picture.edges))


def dot_tokens(text: str) -> list[str]:
    """Split DOT into quoted strings, names and punctuation; anything else fails."""
    token = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|->|[\w]+|[{}\[\]=;,]')
    tokens: list[str] = []
    place = 0
    while place < len(text):
        match = token.match(text, place)
        assert match, text[place : place + 20]
        tokens.append(match.group())
        place = match.end()
    return [one for one in tokens if not one.isspace()]


def test_dot_tokens_are_well_formed() -> None:
    """The DOT grammar: a label is a quoted string in which only an escaped quote may stand."""
    tokens = dot_tokens(dot(incident()))
    assert tokens[:3] == ["digraph", "upheld", "{"]
    assert tokens[-1] == "}"
    assert tokens.count("->") == 7
    assert any(token.startswith('"o.8:a\\nsay \\"no\\" | [x] <b>&amp;amp;') for token in tokens)


@given(pictures())
def test_dot_keeps_to_its_tokens_whatever_is_said(picture: Picture) -> None:
    """Our promise: a stranger's text never draws an edge."""
    assert dot_tokens(dot(picture)).count("->") == len(picture.edges)


def test_graphviz_draws_what_dot_writes() -> None:
    """The tool that people have."""
    program = shutil.which("dot")
    if program is None:
        pytest.skip("Graphviz is not installed")
    drawn = subprocess.run([program, "-Tsvg"], input=dot(incident()), capture_output=True, text=True, check=True).stdout
    root = Xml.fromstring(drawn)
    ids = {group.get("id") for group in root.iter("{http://www.w3.org/2000/svg}g")}
    assert {"o.8:a", "h2", "revise@T9"} <= ids
    texts = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
    # Graphviz writes the spaces of a label as no-break spaces.
    assert any(text.replace("\u00a0", " ").startswith('say "no" | [x] <b>&amp; `tick`') for text in texts)


def test_graphml_reads_back_in_networkx() -> None:
    """Networkx's own reader gets ids, attributes and parallel edges."""
    # networkx ships no types.
    parse_graphml = cast("Any", networkx).parse_graphml
    graph: Any = parse_graphml(graphml(incident()), force_multigraph=True)
    assert set(graph.nodes) == {"o.8:a", "o9", "h2", "end", "revise@T9"}
    assert graph.nodes["o.8:a"]["text"] == NASTY
    assert graph.nodes["h2"]["lifecycle"] == "abandoned"
    relations = sorted(relation for _, _, relation in graph.edges(("o9", "end"), data="relation"))
    assert relations == ["attack", "corroboration", "explanation", "premise", "supersession"]
    assert graph.number_of_edges("o9", "end") == 2


@given(pictures())
def test_graphml_is_xml_whatever_is_said(picture: Picture) -> None:
    """XML 1.0, section 2.2: control characters may not stand in a document, not even escaped."""
    root = Xml.fromstring(graphml(picture))
    assert len(root.findall(f".//{{{NAMESPACE}}}edge")) == len(picture.edges)


def test_prov_names_entities_activities_agents_and_their_relations() -> None:
    """PROV-DM: claims are entities, turns activities, speakers agents; a replacing value is a revision."""
    document = json.loads(prov(incident()))
    assert document["entity"]["claim:o.8%3Aa"]["prov:label"] == NASTY
    assert document["activity"] == {f"turn:{turn}": {"prov:label": turn} for turn in ("T1", "T7", "T6", "T12", "T9")}
    assert list(document["agent"]) == ["agent:alice%3A%20ops"]
    assert {"prov:entity": "claim:h2", "prov:activity": "turn:T6"} in document["wasGeneratedBy"].values()
    assert {"prov:entity": "claim:h2", "prov:agent": "agent:alice%3A%20ops"} in document["wasAttributedTo"].values()
    derivations = list(document["wasDerivedFrom"].values())
    assert {
        "prov:generatedEntity": "claim:h2",
        "prov:usedEntity": "claim:o.8%3Aa",
        "upheld:relation": "premise",
    } in derivations
    assert {
        "prov:generatedEntity": "claim:end",
        "prov:usedEntity": "claim:h2",
        "prov:type": "prov:Revision",
    } in derivations


def test_prov_invalidates_what_was_given_up_by_the_turn_that_ended_it() -> None:
    """PROV-DM 5.1.8: an entity ceases to be available by an activity; here the latest attacker's turn."""
    document = json.loads(prov(incident()))
    assert list(document["wasInvalidatedBy"].values()) == [
        {"prov:entity": "claim:h2", "prov:activity": "turn:T9", "upheld:lifecycle": "abandoned"}
    ]


def test_prov_names_no_turn_for_what_was_taken_back_by_none() -> None:
    """A retraction by the keeper of the record is no utterance: nothing is made up."""
    document = json.loads(prov(Picture(title="", nodes=(node("a", lifecycle=Lifecycle.RETRACTED),))))
    assert document["wasInvalidatedBy"] == {"_:v0": {"prov:entity": "claim:a", "upheld:lifecycle": "retracted"}}


@given(pictures())
def test_prov_refers_only_to_what_it_declares(picture: Picture) -> None:
    """PROV-DM: relations join entities, activities and agents of the document; names decode to the ids."""
    document = json.loads(prov(picture))
    declared = {name for part in ("entity", "activity", "agent") for name in document[part]}
    relations = [record for part, records in document.items() if part.startswith("was") for record in records.values()]
    named = {value for record in relations for key, value in record.items() if key.startswith("prov:")}
    assert named - {"prov:Revision"} <= declared
    assert {unquote(name.partition(":")[2]) for name in document["entity"]} == {item.id for item in picture.nodes}
