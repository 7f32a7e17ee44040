"""Files that cannot mean anything are refused, with file, line and key."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import LimitExceeded, MalformedInput
from upheld.speech.formats.documents import MAX_DEPTH, yaml_tree
from upheld.speech.formats.reading import MAX_FILE, MAX_LINE, parse_transcript, read_transcript

HEAD = """format: upheld/annotated-transcript@1
id: small
agents:
  - {id: ann, name: "Ann", kind: person}
turns:
  - id: T1
    speaker: ann
    text: "It rains."
    operations:
      - {op: observe, id: o1, text: "It rains."}
"""


def second(operation: str) -> str:
    """Give a file whose second turn, at line 14, performs one operation."""
    return HEAD + f"  - id: T2\n    speaker: ann\n    operations:\n      - {operation}\n"


FULL = (
    HEAD
    + """gold:
  status: {o1: standing}
  verify:
    - {id: v1, at: T1, label: grounded, rests_on: [o1], text: "It rains."}
"""
)
FULL_JSON = json.dumps(yaml_tree(FULL))

BAD = {
    "wrong_format": ("format: upheld/annotated-transcript@2\nid: x\nturns: []\n", 1, "format"),
    "no_format": ("id: x\nagents: []\nturns: []\n", 1, "format"),
    "top_key": (HEAD + "gald: {}\n", 11, "gald"),
    "agent_key": (HEAD.replace("kind:", "knd:"), 4, "agents[0].knd"),
    "agent_kind": (HEAD.replace("kind: person", "kind: robot"), 4, "agents[0].kind"),
    "agent_twice": (HEAD.replace("turns:", "  - {id: ann}\nturns:"), 5, "agents[1].id"),
    "turn_key": (HEAD.replace("    text:", "    txet:"), 8, "turns[0].txet"),
    "speaker": (HEAD.replace("speaker: ann", "speaker: bob"), 7, "turns[0].speaker"),
    "audience": (HEAD.replace("    text:", "    audience: [bob]\n    text:"), 8, "turns[0].audience"),
    "turn_order": (HEAD.replace("id: T1", "id: T2") + "  - {id: T1, speaker: ann}\n", 11, "turns[1].id"),
    "turn_twice": (HEAD + "  - {id: T1, speaker: ann}\n", 11, "turns[1].id"),
    "turn_name": (HEAD.replace("id: T1", "id: first"), 6, "turns[0].id"),
    "operation": (second("{op: remember, id: o2, text: x}"), 14, "turns[1].operations[0].op"),
    "operation_key": (
        second("{op: observe, id: o2, text: x, depend_on: [o1]}"),
        14,
        "turns[1].operations[0].depend_on",
    ),
    "missing": (second("{op: observe, id: o2}"), 14, "turns[1].operations[0].text"),
    "wrong_type": (second("{op: observe, id: o2, text: x, depends_on: o1}"), 14, "turns[1].operations[0].depends_on"),
    "number_for_text": (second("{op: observe, id: o2, text: 12}"), 14, "turns[1].operations[0].text"),
    "dangling": (second("{op: revise, target: o9}"), 14, "turns[1].operations[0].target"),
    "dangling_negation": (
        second('{op: hypothesize, id: h1, text: x, depends_on: ["~o9"]}'),
        14,
        "turns[1].operations[0].depends_on",
    ),
    "dangling_against": (
        second("{op: observe, id: o2, text: x, kind: dissent, against: [D1]}"),
        14,
        "turns[1].operations[0].against",
    ),
    "repeated": (second("{op: observe, id: o1, text: It snows.}"), 14, "turns[1].operations[0].id"),
    "own_ground": (
        second("{op: hypothesize, id: h1, text: x, depends_on: [h1]}"),
        14,
        "turns[1].operations[0].depends_on",
    ),
    "evidence_is_target": (second("{op: support, target: o1, evidence: [o1]}"), 14, "turns[1].operations[0].evidence"),
    "dissenter": (second("{op: resolve, target: o1, dissent: [bob]}"), 14, "turns[1].operations[0].dissent"),
    "formula": (second("{op: observe, id: o2, text: x, formula: 'p &'}"), 14, "turns[1].operations[0].formula"),
    "gold_turn": (HEAD + "gold:\n  verify:\n  - {id: v, label: grounded, at: T9}\n", 13, "gold.verify[0].at"),
    "gold_label": (HEAD + "gold:\n  verify:\n  - {id: v, label: fine}\n", 13, "gold.verify[0].label"),
    "gold_status": (HEAD + "gold:\n  status: {o1: gone}\n", 12, "gold.status.o1"),
    "no_change": (HEAD + "gold:\n  affected:\n  - {affected: [o1]}\n", 13, "gold.affected[0]"),
    "key_twice": (HEAD.replace("id: small", "id: small\nid: other"), 3, ""),
    "two_documents": (HEAD + "---\nid: x\n", 11, ""),
    "alias": (HEAD.replace("id: small", "id: &a small\ntitle: *a"), 3, ""),
    "tag": (HEAD.replace("id: small", "id: !!python/name:os.system small"), 2, ""),
    "cut_short": (HEAD[:-20], 10, ""),
    "agents_no_list": (HEAD.replace('  - {id: ann, name: "Ann", kind: person}', "  ann"), 3, "agents"),
    "agent_no_mapping": (HEAD.replace('{id: ann, name: "Ann", kind: person}', "ann"), 4, "agents[0]"),
    "agent_no_id": (HEAD.replace("id: ann, ", ""), 4, "agents[0]"),
    "yes_is_text": (HEAD.replace("kind: person", "authority: yes"), 4, "agents[0].authority"),
    "id_with_blank": (HEAD.replace("{id: ann,", '{id: "a nn",'), 4, "agents[0].id"),
    "bare_tilde": (
        second("{op: hypothesize, id: h1, text: x, depends_on: [~]}"),
        14,
        "turns[1].operations[0].depends_on[0]",
    ),
    "doubly_negated": (
        HEAD + 'gold:\n  verify: [{id: v, label: grounded, rests_on: ["~~o1"]}]\n',
        12,
        "gold.verify[0].rests_on[0]",
    ),
    "initial_twice": (HEAD + "initial_propositions: [{id: a}, {id: a}]\n", 11, "initial_propositions[1].id"),
    "formula_and_atom": (
        HEAD + "initial_propositions: [{id: a, atom: b, formula: b}]\n",
        11,
        "initial_propositions[0].atom",
    ),
    "roots_no_number": (HEAD + "gold:\n  roots: {o1: one}\n", 12, "gold.roots.o1"),
    "belief_formula": (HEAD + "gold:\n  beliefs: [{formula: 'o1 &', holds: true}]\n", 12, "gold.beliefs[0].formula"),
    "supersede_half": (HEAD + "gold:\n  affected: [{supersede: {older: o1}}]\n", 12, "gold.affected[0].supersede"),
    "two_changes": (HEAD + "gold:\n  affected: [{retract: o1, falsify: o1}]\n", 12, "gold.affected[0]"),
    "after_key": (
        HEAD + "gold:\n  verify: [{id: v, label: grounded, after: {retract: o1, at: T1}}]\n",
        12,
        "gold.verify[0].after.at",
    ),
    "failure_turn": (
        HEAD + "gold:\n  failures: [{turn: T2, operation: 1, failure: x}]\n",
        12,
        "gold.failures[0].turn",
    ),
    "no_agents": (HEAD.replace('agents:\n  - {id: ann, name: "Ann", kind: person}\n', ""), 1, ""),
}


@pytest.mark.parametrize(("text", "line", "key"), BAD.values(), ids=BAD)
def test_a_file_that_cannot_mean_anything_is_refused_with_its_line_and_key(text: str, line: int, key: str) -> None:
    """Our promise: the error names file, line and dotted key."""
    with pytest.raises(MalformedInput) as caught:
        parse_transcript(text, source="small.yaml")
    assert (caught.value.source, caught.value.line, caught.value.key) == ("small.yaml", line, key)


@pytest.mark.parametrize("name", ["dangling", "speaker", "repeated", "gold_label", "turn_key"])
def test_the_same_file_as_json_is_refused_at_the_line_of_its_key(name: str) -> None:
    """Our promise: JSON errors name the line too."""
    from_yaml = BAD[name]
    text = json.dumps(yaml_tree(from_yaml[0]), indent=1)
    with pytest.raises(MalformedInput) as caught:
        parse_transcript(text, source="small.json")
    last = from_yaml[2].rsplit(".", 1)[-1]
    assert caught.value.key == from_yaml[2]
    assert f'"{last}"' in text.split("\n")[caught.value.line - 1]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"format": ', 1),
        ('{"format": "upheld/annotated-transcript@1",\n "id": "x",\n "id": "y", "turns": []}', 3),
        ('[{"role": "user", "content": NaN}]', 1),
        ('[{"role": "user", "content": "\\ud800"}]', 1),
        ('[\n{"role": "user"}]', 2),
        ('[\n{"content": "who?"}]', 2),
        ("[]", 1),
        ('{"messages": "none"}', 1),
        ('[{"role": "user", "content": ' + "9" * 5000 + "}]", 1),
    ],
)
def test_damaged_json_is_refused_with_its_line(text: str, line: int) -> None:
    """Our promise: truncated and impossible JSON is a typed error."""
    with pytest.raises(MalformedInput) as caught:
        parse_transcript(text, source="a.json")
    assert caught.value.line == line


def test_a_broken_line_of_jsonl_is_named_by_its_number() -> None:
    """Our promise: one line, one message, one place to mend."""
    with pytest.raises(MalformedInput) as caught:
        parse_transcript('{"role": "user", "content": "a"}\n\n{"role": \n', source="a.jsonl")
    assert caught.value.line == 3


@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff"])
def test_an_empty_file_is_refused(text: str) -> None:
    """Our promise: nothing said is no transcript."""
    with pytest.raises(MalformedInput, match="empty"):
        parse_transcript(text, source="a.yaml")


def test_text_that_names_no_speaker_is_refused_with_advice() -> None:
    """Our promise: a plain text needs its speakers, and the error says how to write them."""
    with pytest.raises(MalformedInput, match="Name: what was said"):
        parse_transcript("It rained all day.\nNobody came.\n", source="a.txt")


def test_a_file_that_is_not_utf8_is_refused_with_the_line(tmp_path: Path) -> None:
    """Our promise: bytes are never guessed at."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"Ann: hello\nBob: caf\xe9\n")
    with pytest.raises(MalformedInput, match="UTF-8") as caught:
        read_transcript(path)
    assert caught.value.line == 2


def test_a_file_that_is_not_there_is_a_typed_error(tmp_path: Path) -> None:
    """Our promise: only errors of upheld.errors."""
    with pytest.raises(MalformedInput, match="cannot be read"):
        read_transcript(tmp_path / "none.yaml")


def test_a_line_of_fifty_megabytes_is_refused() -> None:
    """Our promise: limits are stated, and over them nothing is taken."""
    with pytest.raises(LimitExceeded, match=str(MAX_LINE)):
        parse_transcript("Ann: hello\nBob: " + "x" * 50_000_000, source="a.txt")


def test_a_file_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    """Our promise: limits are stated, and over them nothing is taken."""
    path = tmp_path / "a.txt"
    with path.open("wb") as file:
        file.truncate(MAX_FILE + 1)
    with pytest.raises(LimitExceeded, match=str(MAX_FILE)):
        read_transcript(path)


@pytest.mark.parametrize(("opening", "source"), [("[", "a.yaml"), ("[", "a.json"), ('{"a":', "a.json")])
def test_deep_nesting_is_a_limit_and_no_crash(opening: str, source: str) -> None:
    """Our promise: no file of a stranger recurses us to death."""
    with pytest.raises(LimitExceeded, match="nested"):
        parse_transcript(opening * 100_000, source=source)


def test_nesting_within_the_limit_is_only_malformed() -> None:
    """Counterpart: the limit is not met by every list."""
    depth = MAX_DEPTH - 10
    with pytest.raises(MalformedInput):
        parse_transcript("[" * depth + "]" * depth, source="a.yaml")


@given(
    st.integers(0, len(FULL)),
    st.integers(0, 40),
    st.text(max_size=8),
    st.sampled_from(["a.yaml", "a.json", "a", "a.txt"]),
)
def test_a_damaged_file_is_read_or_refused_and_nothing_else(start: int, length: int, junk: str, source: str) -> None:
    """Our promise: only errors of upheld.errors, whatever the bytes."""
    for whole in (FULL, FULL_JSON):
        text = whole[:start] + junk + whole[start + length :]
        with contextlib.suppress(MalformedInput, LimitExceeded):
            parse_transcript(text, source=source)


def test_a_thousandfold_alias_is_not_expanded() -> None:
    """Source: the "billion laughs" file; aliases are refused at the first."""
    text = "a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(30))
    with pytest.raises(MalformedInput, match="aliases"):
        parse_transcript(text, source="a.yaml")
