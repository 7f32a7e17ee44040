"""A record of somebody else's file with any one part of it changed: it is read, or the file is named."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import MalformedInput
from upheld_evals.external.corrections.dialogues import read_dialogues
from upheld_evals.external.finding.qmsum import meetings
from upheld_evals.external.proofs.trees import read_trees
from upheld_evals.external.replies.dialfact import read_dialfact
from upheld_evals.external.replies.mtrag import read_mtrag
from upheld_evals.external.trajectories.reading import read_trajectories

Place = tuple[str | int, ...]

TABLE: dict[str, Any] = {
    "dialogue_id": "A",
    "turns": [
        {"i": 0, "speaker": "user", "text": "a red one", "state_set": {"x-colour": "red"}},
        {"i": 1, "speaker": "system", "text": "sure"},
        {"i": 2, "speaker": "user", "text": "no, blue", "state_set": {"x-colour": "blue"}},
    ],
    "corrections": [{"user_turn": 2, "slot": "x-colour", "old": "red", "new": "blue", "new_value_in_user_text": True}],
}
RIDE: dict[str, Any] = {
    "dialogue_id": "B",
    "services": ["s"],
    "turns": [{"i": 0, "speaker": "user", "text": "two", "state_set": {"s": {"n": ["2"]}}}],
    "corrections": [{"user_turn": 0, "service": "s", "slot": "n", "old": ["1"], "new": ["2"], "user_negates": False}],
}
REPLY: dict[str, Any] = {
    "context_id": "c", "id": "c-0", "context": ["hi"], "response": "yes", "response_label": "SUPPORTS",
    "type_label": "factual", "evidence_list": [["title", "where", "words", "0"]],
}  # fmt: skip
ANSWERS: dict[str, Any] = {
    "documents": [{"document_id": "d", "text": "words", "title": None}],
    "tasks": [{"task_id": "t", "contexts": [{"document_id": "d"}], "input": [{"speaker": "user", "text": "hi"}]}],
    "evaluations": [
        {
            "task_id": "t",
            "model_id": "m",
            "model_response": "yes",
            "annotations": {"faithfulness": {"1": {"value": "4"}}},
        }
    ],
}

PROOF: dict[str, Any] = {
    "id": "p", "hypothesis": "c", "proof": "s1 & s2 -> i: x; i -> hypothesis; ",
    "meta": {"triples": {"s1": "a", "s2": "b"}, "intermediate_conclusions": {"i": "x"}},
}  # fmt: skip
FLIGHTS: list[dict[str, Any]] = [
    {"task_id": 1, "trial": 0, "reward": 1.0, "traj": [{"role": "user", "content": "hi"}]},
]
MEETING: dict[str, Any] = {
    "meeting_transcripts": [{"speaker": "A", "content": "words"}],
    "specific_query_list": [{"query": "what?", "relevant_text_span": [["0", "0"]]}],
}

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 3), st.text(max_size=3), st.just([]), st.just([1]), st.just({"a": 1})
)


def _places(tree: object, so_far: Place = ()) -> Iterator[Place]:
    parts: list[tuple[str | int, object]] = []
    if isinstance(tree, dict):
        parts = list(cast("dict[str | int, object]", tree).items())
    elif isinstance(tree, list):
        parts = list(enumerate(cast("list[object]", tree)))
    for key, part in parts:
        yield (*so_far, key)
        yield from _places(part, (*so_far, key))


@st.composite
def damaged(draw: st.DrawFn, record: Any) -> Any:
    """A record in which one part is something else, or gone."""
    tree = copy.deepcopy(record)
    *way, last = draw(st.sampled_from(list(_places(record))))
    part: Any = tree
    for key in way:
        part = part[key]
    if draw(st.booleans()):
        part[last] = draw(LEAVES)
    else:
        del part[last]
    return tree


def _outcome(read: Callable[[Path], object], tree: object) -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "told.jsonl"
        path.write_text(json.dumps(tree) + "\n", encoding="utf-8")
        try:
            return "read" if read(path) else "nothing"
        except MalformedInput as error:
            return str(error)


def _dialogues(path: Path) -> object:
    return read_dialogues([path])


def _flights(path: Path) -> object:
    return read_trajectories(path.rename(path.with_suffix(".json")))


@pytest.mark.parametrize(
    ("record", "read"),
    [
        (TABLE, _dialogues),
        (RIDE, _dialogues),
        (REPLY, read_dialfact),
        (ANSWERS, read_mtrag),
        (PROOF, read_trees),
        (FLIGHTS, _flights),
        (MEETING, meetings),
    ],
    ids=["multiwoz", "sgd", "dialfact", "mtrag", "entailmentbank", "taubench", "qmsum"],
)
@given(data=st.data())
def test_a_damaged_record_is_read_or_its_file_is_named(
    record: Any, read: Callable[[Path], object], data: st.DataObject
) -> None:
    """Our promise: bad input is a typed error that names the file."""
    assert _outcome(read, record) == "read"
    found = _outcome(read, data.draw(damaged(record)))
    assert found == "read" or "told.json" in found
