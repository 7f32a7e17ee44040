"""``convert``, ``export`` and ``amend``: what is written, and what is never overwritten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from upheld.conversation.checking.replaying import loaded
from upheld.logic.argumentation.formats.apx import read_apx
from upheld.logic.argumentation.grounded import grounded
from upheld.speech.formats.reading import parse_transcript, read_transcript

Program = Callable[..., Any]
STORE = "sqlite:///incident.db#night"


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_full_form_reads_back_as_the_same_transcript(upheld: Program, outage: Path, form: str) -> None:
    """The issue: ``convert`` between forms; yaml and json keep everything."""
    target = Path(f"talk.{form}")
    assert upheld("convert", outage, "--to", form, "--out", target).status == 0
    assert read_transcript(target) == read_transcript(outage)


@pytest.mark.parametrize(("form", "ending"), [("chat", "json"), ("jsonl", "jsonl"), ("text", "txt")])
def test_a_form_of_words_keeps_the_words(upheld: Program, outage: Path, form: str, ending: str) -> None:
    """The issue: ``convert`` between forms."""
    target = Path(f"words.{ending}")
    upheld("convert", outage, "--to", form, "--out", target)
    there = [turn.text for turn in read_transcript(target).turns]
    assert there == [turn.text for turn in read_transcript(outage).turns]


def test_nothing_is_overwritten_without_force(upheld: Program, outage: Path) -> None:
    """The issue's decision: never overwriting without ``--force``."""
    target = Path("talk.yaml")
    target.write_text("mine", "utf-8")
    ended = upheld("convert", outage, "--to", "yaml", "--out", target)
    assert (ended.status, target.read_text("utf-8")) == (2, "mine")
    assert "--force" in ended.err
    assert upheld("export", outage, "--out", target).status == 2
    assert upheld("amend", outage, "T9", "--operations", "[]", "--out", target).status == 2
    assert upheld("convert", outage, "--to", "yaml", "--out", target, "--force").status == 0
    assert target.read_text("utf-8") != "mine"


def test_a_store_is_written_and_asked_like_a_file(upheld: Program, outage: Path) -> None:
    """The issue: FILE may be ``sqlite:///x.db#conversation``."""
    ended = upheld("convert", outage, "--to", STORE)
    assert (ended.status, ended.out) == (0, "")
    for arguments in (["status"], ["affected", "o9"], ["explain", "h4"], ["verify", "h2"], ["replay"]):
        command, *rest = arguments
        of_store, of_file = upheld(command, STORE, *rest, "--json"), upheld(command, outage, *rest, "--json")
        assert (of_store.out, of_store.status) == (of_file.out, of_file.status)
    assert upheld("status", "sqlite:///incident.db", "h2").status == 0


def test_a_store_comes_back_as_a_transcript(upheld: Program, outage: Path) -> None:
    """Our promise (help of convert): the operations and the words survive the store."""
    upheld("convert", outage, "--to", STORE)
    upheld("convert", STORE, "--to", "yaml", "--out", "back.yaml")
    assert read_transcript(Path("back.yaml")).turns == read_transcript(outage).turns


def test_a_ledger_is_never_overwritten_even_with_force(upheld: Program, outage: Path) -> None:
    """Docs/decisions/0003: append only."""
    upheld("convert", outage, "--to", STORE)
    ended = upheld("convert", outage, "--to", STORE, "--force")
    assert ended.status == 2
    assert "never overwritten" in ended.err


def test_asking_a_store_that_is_not_there_makes_none(upheld: Program, outage: Path) -> None:
    """The issue: bad input, nothing written."""
    ended = upheld("status", "sqlite:///none.db#night")
    assert ended.status == 2
    assert list(Path().iterdir()) == []
    upheld("convert", outage, "--to", STORE)
    ended = upheld("status", "sqlite:///incident.db#day")
    assert ended.status == 2
    assert "it has night" in ended.err


def test_words_are_read_and_their_operations_written_down(upheld: Program, root: Path) -> None:
    """Our promise (help of convert): ``--interpreter cues``."""
    upheld("convert", root / "examples" / "standup.txt", "--to", "yaml", "--interpreter", "cues", "--out", "t.yaml")
    transcript = read_transcript(Path("t.yaml"))
    assert transcript.is_annotated
    assert sum(len(turn.operations) for turn in transcript.turns) > 5


def test_an_export_in_json_is_the_graph(upheld: Program, outage: Path) -> None:
    """The issue: ``export`` json. The kinds of edges are those of the semantics, section 2."""
    tree = upheld("export", outage).tree
    edges = {(edge["source"], edge["target"], edge["kind"]) for edge in tree["edges"]}
    assert {("o8", "h2", "premise"), ("o9", "h4", "corroboration"), ("h4", "h1", "explanation")} <= edges
    assert {("T9#1", "h2", "attack"), ("o9", "T9#1", "premise")} <= edges
    nodes = {node["id"]: node for node in tree["nodes"]}
    assert nodes["T9#1"]["text"] == "Alice gives h2 up"
    assert (nodes["h2"]["label"], nodes["h2"]["lifecycle"]) == ("out", "abandoned")
    assert "T13#1" not in nodes, "a resolve without an id carries no attack, so it is not drawn"


def test_exports_speak_their_formats(upheld: Program, outage: Path) -> None:
    """The issue: mermaid, graphml, dot, PROV-JSON; an earlier state has what was said by then."""
    assert "flowchart BT" in upheld("export", outage, "--to", "mermaid").out
    assert upheld("export", outage, "--to", "dot").out.startswith("digraph upheld {")
    graph = Xml.fromstring(upheld("export", outage, "--to", "graphml").out)
    ids = {node.get("id") for node in graph.iter("{http://graphml.graphdrawing.org/xmlns}node")}
    assert {"o1", "h4", "T9#1"} <= ids
    prov = upheld("export", outage, "--to", "prov").tree
    assert {"entity", "activity", "agent", "wasDerivedFrom", "wasInvalidatedBy"} <= prov.keys()
    early = upheld("export", outage, "--at", "T3").tree
    assert {node["id"] for node in early["nodes"]} == {f"o{number}" for number in range(1, 9)}


def test_an_export_in_apx_has_the_labelling_of_the_conversation(upheld: Program, outage: Path) -> None:
    """The issue: apx, read back by the reader of the competition's format and labelled by Dung's rule alone."""
    labels = grounded(read_apx(upheld("export", outage, "--to", "apx").out))
    conversation = loaded(read_transcript(outage))
    for proposition in conversation.propositions:
        assert labels[proposition.id] is conversation.state.label(proposition.id)


def test_an_amended_file_says_who_amended_what(upheld: Program, outage: Path) -> None:
    """The issue: ``amend``; the file itself stays as it was."""
    before = outage.read_bytes()
    Path("meaning.json").write_text('[{"op": "undermine", "target": "h2", "evidence": ["o9"]}]', "utf-8")
    ended = upheld(
        "amend",
        outage,
        "T9",
        "--operations",
        "@meaning.json",
        "--by",
        "ana",
        "--reason",
        "no denial",
        "--out",
        "a.json",
    )
    assert ended.status == 0
    assert outage.read_bytes() == before
    amended = read_transcript(Path("a.json"))
    assert amended.notes[-1] == "T9 amended by ana: no denial"
    assert upheld("status", "a.json", "h2", "--json").tree["claims"][0]["lifecycle"] == "weakened"
    original = read_transcript(outage)
    assert replace(amended.turns[8], operations=original.turns[8].operations) == original.turns[8]


def test_an_amendment_in_a_store_keeps_the_older_reading(upheld: Program, outage: Path) -> None:
    """The semantics, section 1: the newest interpretation counts, earlier ones stay readable."""
    upheld("convert", outage, "--to", STORE)
    assert upheld("amend", STORE, "T9", "--operations", "[]", "--by", "ana").status == 0
    assert upheld("status", STORE, "h2", "--json").tree["claims"][0]["lifecycle"] == "weakened"


@pytest.mark.parametrize(
    ("turn", "operations", "message"),
    [
        ("T99", "[]", "T99"),
        ("T7", "[]", "nobody introduced 'o9'"),
        ("T9", "{}", "expected a list"),
        ("T9", '[{"op": "shout"}]', "[0].op: unknown operation"),
        ("T9", '[{"op": "revise"}]', "[0].target"),
        ("T9", "[", "--operations:1"),
        ("T9", "@none.json", "none.json: cannot be read"),
    ],
)
def test_an_amendment_that_means_nothing_is_refused(
    upheld: Program, outage: Path, turn: str, operations: str, message: str
) -> None:
    """Our promise: status 2, the place is named, nothing is written: neither a file nor an entry."""
    ended = upheld("amend", outage, turn, "--operations", operations, "--out", "a.yaml")
    assert ended.status == 2
    assert message in ended.err
    assert list(Path().iterdir()) == []
    upheld("convert", outage, "--to", STORE)
    assert upheld("amend", STORE, turn, "--operations", operations).status == 2
    assert upheld("status", STORE, "--json").out == upheld("status", outage, "--json").out


def test_an_unknown_form_is_refused(upheld: Program, outage: Path) -> None:
    """Our promise: status 2, and what there is."""
    ended = upheld("convert", outage, "--to", "xml")
    assert (ended.status, ended.out) == (2, "")
    assert "yaml, json, chat, jsonl, text" in ended.err
    assert upheld("export", outage, "--to", "png").status == 2


def test_a_document_on_standard_output_is_nothing_but_the_document(upheld: Program, outage: Path) -> None:
    """The issue: silent when piped."""
    out = upheld("convert", outage, "--to", "json").out
    assert parse_transcript(out, source="checkout-outage.json") == read_transcript(outage)
