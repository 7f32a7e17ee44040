"""Replies that were really obtained, played back byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import MalformedInput, ModelUnreachable, NoRecording
from upheld.speech.models.plain import plain_request, read_request
from upheld.speech.models.recordings import (
    Origin,
    Recorded,
    RecordedModel,
    Recording,
    read_recording,
    recording,
    write_recording,
)
from upheld.speech.models.reply import Finish, Level, Reply, Usage
from upheld.speech.models.request import Message, Request, Role, Shape
from upheld.testing.language_model_contract import REQUESTS, SCHEMA, asked
from upheld.testing.scripted_model import ScriptedModel

ORIGIN = Origin(asked="x:large", known="seen through its maker's own tool", date="2026-11-30", note="one at a time")
HEAD = {"format": "upheld/recorded-replies@1", "model": "x:large", "known": "", "date": "2026-11-30", "note": ""}


def written(path: Path, *trees: object) -> Path:
    """Write lines."""
    path.write_text("".join(json.dumps(tree) + "\n" for tree in trees), "utf-8")
    return path


def line(of: Request, text: str, /, **more: object) -> dict[str, Any]:
    """Give the line of one reply, with as little as a line may have."""
    return {"key": of.key, "prompt": of.prompt, "text": text, **more}


TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)


@given(st.lists(st.tuples(TEXTS, TEXTS, st.sampled_from(Finish), st.sampled_from([None, *Level])), max_size=5))
def test_what_is_written_is_read_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, str, Finish, Level | None]]
) -> None:
    """The issue, section 1: recorded replies replay byte for byte, whatever characters they hold."""
    path = tmp_path_factory.mktemp("recordings") / "replies.jsonl"
    replies: dict[str, Recorded] = {}
    for place, (words, text, finish, level) in enumerate(drawn):
        request = asked(words, sample=place, shape=Shape(name="answer", schema=SCHEMA) if place % 2 else None)
        usage = Usage(calls=place + 1, input_tokens=place, output_tokens=2)
        reply = Reply(text=text, answered_by="x-1", finish=finish, usage=usage, level=level)
        replies[request.key] = Recorded(key=request.key, reply=reply, prompt=request.prompt, request=request)
    write_recording(path, Recording(origin=ORIGIN, replies=replies))
    read = read_recording(path)
    assert read == Recording(origin=ORIGIN, replies=replies)
    llm = RecordedModel(read)
    for entry in replies.values():
        assert entry.request is not None
        assert llm.ask(entry.request) == replace(entry.reply, usage=Usage(reused=1))


@given(
    st.lists(st.tuples(st.sampled_from(Role), TEXTS), min_size=1, max_size=3), st.floats(0, 2), st.integers(1, 10**6)
)
def test_a_request_survives_being_written(messages: list[tuple[Role, str]], temperature: float, limit: int) -> None:
    """Our promise: the key of a request that was read from a file is the key that it had."""
    request = Request(
        prompt="t@1",
        messages=tuple(Message(role=role, text=text) for role, text in messages),
        temperature=temperature,
        limit=limit,
    )
    again = read_request(json.loads(json.dumps(plain_request(request))))
    assert (again, again.key) == (request, request.key)


def test_a_request_that_was_not_recorded_is_refused() -> None:
    """Our promise: nothing is made up, and nothing is sent; the error names the request."""
    with pytest.raises(NoRecording, match=REQUESTS[0].key[:16]):
        RecordedModel(Recording(origin=ORIGIN, replies={})).ask(REQUESTS[0])


def test_a_line_needs_a_key_and_a_text_and_no_more(tmp_path: Path) -> None:
    """Our promise: a recording can be written by hand, or by another program."""
    trees = [
        line(REQUESTS[0], "a"),
        {"request": plain_request(REQUESTS[1]), "text": "b", "usage": {"prompt_tokens": 3}},
    ]
    llm = RecordedModel(read_recording(written(tmp_path / "r.jsonl", HEAD, *trees)))
    assert [llm.ask(request).text for request in REQUESTS[:2]] == ["a", "b"]
    assert llm.ask(REQUESTS[0]).answered_by == llm.name == "x:large"


@pytest.mark.parametrize(
    ("trees", "place"),
    [
        ([], "r.jsonl:1"),
        ([{**HEAD, "format": "upheld/recorded-replies@2"}], "r.jsonl:1: format"),
        ([{"format": HEAD["format"]}], "r.jsonl:1: model"),
        ([HEAD, {"text": "a"}], "r.jsonl:2: key"),
        ([HEAD, line(REQUESTS[0], "a"), {"key": "k"}], "r.jsonl:3: text"),
        ([HEAD, line(REQUESTS[0], "a", finish="tired")], "r.jsonl:2: finish"),
        ([HEAD, line(REQUESTS[0], "a", usage=3)], "r.jsonl:2"),
        ([HEAD, line(REQUESTS[0], "a", request=plain_request(REQUESTS[1]))], "r.jsonl:2: key"),
        ([HEAD, line(REQUESTS[0], "a"), line(REQUESTS[0], "a"), line(REQUESTS[0], "b")], "r.jsonl:4: key"),
        ([HEAD, line(REQUESTS[0], "a", request={"prompt": "x", "messages": [{"role": "x"}]})], "r.jsonl:2: role"),
    ],
)
def test_a_line_that_means_nothing_is_named(tmp_path: Path, trees: list[object], place: str) -> None:
    """Our promise: file, line and key; and of two different replies to one request none is chosen."""
    with pytest.raises(MalformedInput) as caught:
        read_recording(written(tmp_path / "r.jsonl", *trees))
    assert place in str(caught.value)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    """Our promise: a stranger's file is a stranger's file."""
    (tmp_path / "r.jsonl").write_bytes(b"\xff\xfe{")
    with pytest.raises(MalformedInput, match=r"r\.jsonl"):
        read_recording(tmp_path / "r.jsonl")
    with pytest.raises(MalformedInput, match="absent"):
        read_recording(tmp_path / "absent.jsonl")


def test_recording_writes_each_reply_before_giving_it_and_goes_on_later(tmp_path: Path) -> None:
    """The issue, section 1: resuming; what is in the file is not asked again, and the file says where it comes from."""
    path = tmp_path / "r.jsonl"
    inner = ScriptedModel(["a", ModelUnreachable("gone"), "b"], name="x:large")
    llm = recording(inner, path, known="k", date="2026-11-30", note="n", custom_ids={REQUESTS[0].key: "first"})
    assert llm.ask(REQUESTS[0]).usage.calls == 1
    with pytest.raises(ModelUnreachable):
        llm.ask(REQUESTS[1])
    assert len(path.read_text("utf-8").splitlines()) == 2
    again = recording(inner, path)
    assert again.ask(REQUESTS[0]).usage == Usage(reused=1)
    again.ask(REQUESTS[1])
    read = read_recording(path)
    assert read.origin == Origin(asked="x:large", known="k", date="2026-11-30", note="n")
    assert [entry.reply.text for entry in read.replies.values()] == ["a", "b"]
    assert [entry.custom_id for entry in read.replies.values()] == ["first", ""]
    assert [entry.request for entry in read.replies.values()] == list(REQUESTS[:2])


def test_a_line_that_was_cut_while_writing_is_dropped(tmp_path: Path) -> None:
    """Our promise: a run that was killed can go on; its last reply is asked for again."""
    path = written(tmp_path / "r.jsonl", HEAD, line(REQUESTS[0], "a"))
    path.write_bytes(path.read_bytes() + b'{"key": "9f", "te')
    llm = recording(ScriptedModel(["b"], name="x:large"), path)
    assert [llm.ask(request).text for request in REQUESTS[:2]] == ["a", "b"]
    assert len(read_recording(path).replies) == 2


def test_a_recording_of_another_language_model_is_not_gone_on_with(tmp_path: Path) -> None:
    """Our promise: one file, one language model; the file is left as it was."""
    path = written(tmp_path / "r.jsonl", HEAD)
    before = path.read_bytes()
    with pytest.raises(MalformedInput, match="x:large"):
        recording(ScriptedModel([], name="x:small"), path)
    assert path.read_bytes() == before


def test_threads_write_whole_lines_and_each_request_once(tmp_path: Path) -> None:
    """Our promise: several conversations are recorded into one file."""
    llm = recording(ScriptedModel(lambda request: request.messages[-1].text * 200), tmp_path / "r.jsonl")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(llm.ask, [asked(str(place % 20)) for place in range(80)]))
    assert len(read_recording(tmp_path / "r.jsonl").replies) == 20


def test_a_recording_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: a failed operation leaves everything as before."""
    path = written(tmp_path / "r.jsonl", HEAD)
    before = path.read_bytes()

    def full(*_: object, **__: object) -> Callable[..., None]:
        raise OSError("no space")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="no space"):
        write_recording(path, Recording(origin=ORIGIN, replies={}))
    assert path.read_bytes() == before
