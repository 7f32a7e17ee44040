"""Requests as batch files, and what comes back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import LimitExceeded, MalformedInput, NoRecording, RepeatedIdentity
from upheld.speech.models.batches import Problem, export_requests, read_responses, responses_as_recording
from upheld.speech.models.batches.exporting import is_strict
from upheld.speech.models.providers import language_model
from upheld.speech.models.recordings import Origin, Recorded, Recording, write_recording
from upheld.speech.models.reply import Finish, Level, Reply, Usage
from upheld.speech.models.request import Shape
from upheld.testing.language_model_contract import SCHEMA, asked
from upheld.testing.scripted_server import ScriptedServer

SHAPED = asked("with a shape", shape=Shape(name="answer", schema=SCHEMA))
NAMED = [("a", asked("one")), ("b", SHAPED), ("c", asked("three"))]


def trees(path: Path) -> list[Any]:
    """Read a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def came(custom_id: str, text: str | None, **more: Any) -> dict[str, Any]:
    """Give a line of a batch output, as OpenAI writes it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", **more}
    usage = {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}
    body = {"id": "c", "object": "chat.completion", "model": "x-1-dated", "choices": [choice], "usage": usage}
    return {"id": "r", "custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None}


def written(path: Path, *lines: object) -> Path:
    """Write lines; a text goes in as it is."""
    path.write_text("".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines), "utf-8")
    return path


def test_a_line_is_what_the_batch_api_takes(tmp_path: Path) -> None:
    """The issue, section 1: an OpenAI batch JSONL."""
    (path,) = export_requests(NAMED, tmp_path / "out.jsonl", "x-1")
    first, second, _ = trees(path)
    assert first == {
        "custom_id": "a",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {
            "model": "x-1",
            "messages": [{"role": "system", "content": "Answer briefly."}, {"role": "user", "content": "one"}],
            "temperature": 0.0,
            "max_completion_tokens": 4096,
        },
    }
    held = {"name": "answer", "schema": SCHEMA, "strict": True}
    assert second["body"]["response_format"] == {"type": "json_schema", "json_schema": held}


@pytest.mark.parametrize("level", list(Level))
def test_a_batch_asks_what_the_gateway_asks(tmp_path: Path, level: Level) -> None:
    """Our promise: a reply from a batch answers the same request as one over the wire."""
    refuses = {Level.SCHEMA: [], Level.JSON: ["json_schema"], Level.TEXT: ["json_schema", "json_object"]}[level]
    (path,) = export_requests(
        [("b", SHAPED)], tmp_path / "out.jsonl", "scripted", level=level, limit_field="max_tokens"
    )
    with ScriptedServer(["{}"], refuses=refuses) as server:
        language_model("scripted", base_url=server.base_url).ask(SHAPED)
    sent = {key: value for key, value in server.bodies[-1].items() if key != "stream"}
    assert trees(path)[0]["body"] == sent


def test_a_large_batch_becomes_several_files(tmp_path: Path) -> None:
    """Our promise: the limits of a provider are met without losing or breaking a line."""
    many = [(f"r{place}", asked("word " * place)) for place in range(25)]
    by_lines = export_requests(many, tmp_path / "lines.jsonl", "x", most_lines=10)
    assert [path.name for path in by_lines] == ["lines.jsonl", "lines-2.jsonl", "lines-3.jsonl"]
    by_bytes = export_requests(many, tmp_path / "bytes.jsonl", "x", most_bytes=1_000)
    assert all(path.stat().st_size <= 1_000 for path in by_bytes)
    for parts in (by_lines, by_bytes):
        assert [tree["custom_id"] for path in parts for tree in trees(path)] == [name for name, _ in many]
    assert not list(tmp_path.glob("*.unfinished"))


@pytest.mark.parametrize(
    ("requests", "error"),
    [
        ([*NAMED, ("a", asked("again"))], RepeatedIdentity),
        ([*NAMED, ("d", asked("word " * 1_000))], LimitExceeded),
    ],
)
def test_an_export_that_is_refused_leaves_everything_as_before(
    tmp_path: Path, requests: list[Any], error: type[Exception]
) -> None:
    """Our promise: all files or none, and an old one is not touched."""
    (tmp_path / "out.jsonl").write_text("old", "utf-8")
    with pytest.raises(error):
        export_requests(requests, tmp_path / "out.jsonl", "x", most_lines=2, most_bytes=2_000)
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    assert (tmp_path / "out.jsonl").read_text("utf-8") == "old"


@pytest.mark.parametrize(
    ("change", "strict"),
    [
        ({}, True),
        ({"additionalProperties": True}, False),
        ({"required": []}, False),
        ({"properties": {"answer": {"type": "array", "items": {"type": "object", "properties": {}}}}}, False),
        ({"$defs": {"inner": {"type": "object", "properties": {"x": {}}, "required": ["x"]}}}, False),
    ],
)
def test_strictness_is_asked_for_where_the_schema_allows_it(change: dict[str, Any], strict: bool) -> None:
    """Source: OpenAI, *Structured outputs*: all fields required, no others, at every depth; else it is refused."""
    assert is_strict({**SCHEMA, **change}) is strict


def test_responses_are_replayed_for_the_requests_that_they_answer(tmp_path: Path) -> None:
    """The issue, section 1: import applies the replies; in any order, byte for byte."""
    read = read_responses(written(tmp_path / "in.jsonl", came("c", "3 \u2028"), came("a", "1"), came("b", "2")))
    imported = responses_as_recording(NAMED, read, origin=Origin(asked="openai:x-1", date="2026-11-30"))
    assert imported.problems == ()
    assert imported.replies.name == "openai:x-1"
    assert [imported.replies.ask(request).text for _, request in NAMED] == ["1", "2", "3 \u2028"]
    kept = imported.replies.recording.replies[NAMED[0][1].key]
    assert kept.reply.answered_by == "x-1-dated"
    assert kept.reply.usage == Usage(calls=1, input_tokens=11, output_tokens=5)


def test_a_bad_line_is_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    """The issue, section 1, and our promise: every problem has its line and its custom_id."""
    failed = {"custom_id": "b", "response": {"status_code": 429, "body": {"error": {"message": "too many"}}}}
    expired = {"custom_id": "c", "response": None, "error": {"code": "batch_expired", "message": "expired"}}
    lines = [came("a", "1"), failed, expired, "{not JSON", "[]", "", {"custom_id": "d"}, came("e", None), came("", "x")]
    read = read_responses(written(tmp_path / "in.jsonl", *lines))
    assert [response.custom_id for response in read.responses] == ["a", "e"]
    assert [(problem.line, problem.custom_id) for problem in read.problems] == [
        (2, "b"), (3, "c"), (4, ""), (5, ""), (7, "d"), (9, ""),
    ]  # fmt: skip
    told = [str(problem) for problem in read.problems]
    assert "too many" in told[0]
    assert "429" in told[0]
    assert "expired" in told[1]


def test_why_a_response_ended_is_kept(tmp_path: Path) -> None:
    """The issue, section 6.1: half an answer from a batch is no whole one either."""
    refused = came("c", None)
    refused["response"]["body"]["choices"][0]["message"]["refusal"] = "I will not."
    lines = [came("a", "so far", finish_reason="length"), came("b", "", finish_reason="content_filter"), refused]
    read = read_responses(written(tmp_path / "in.jsonl", *lines))
    found = [(response.reply.text, response.reply.finish) for response in read.responses]
    assert found == [("so far", Finish.LENGTH), ("", Finish.FILTERED), ("I will not.", Finish.FILTERED)]


def test_two_replies_to_one_request_are_reported_and_none_is_chosen(tmp_path: Path) -> None:
    """Our promise: the same reply twice is one; of two different ones neither is taken."""
    lines = [came("a", "1"), came("b", "2"), came("a", "1"), came("b", "other"), came("c", "3")]
    read = read_responses(written(tmp_path / "in.jsonl", *lines))
    assert [response.custom_id for response in read.responses] == ["a", "c"]
    assert read.problems == (Problem(message="another reply than line 2; neither is used", line=4, custom_id="b"),)


def test_strangers_and_silence_are_reported(tmp_path: Path) -> None:
    """The issue, section 1: a response that nobody asked for, and a request that nobody answered."""
    read = read_responses(written(tmp_path / "in.jsonl", came("a", "1"), came("z", "?")))
    imported = responses_as_recording(NAMED, read)
    assert {(problem.custom_id, problem.line) for problem in imported.problems} == {("b", 0), ("c", 0), ("z", 2)}
    assert imported.replies.name == "x-1-dated"
    with pytest.raises(NoRecording):
        imported.replies.ask(SHAPED)


def test_one_request_under_two_names_keeps_its_first_reply(tmp_path: Path) -> None:
    """Our promise: a key has one reply; that there was another is said."""
    read = read_responses(written(tmp_path / "in.jsonl", came("a", "1"), came("b", "2")))
    imported = responses_as_recording([("a", SHAPED), ("b", SHAPED)], read)
    assert imported.replies.ask(SHAPED).text == "1"
    (problem,) = imported.problems
    assert (problem.line, problem.custom_id) == (2, "b")


def test_a_recording_can_be_imported_by_key_or_by_custom_id(tmp_path: Path) -> None:
    """Our promise: our own lines are read as well, with their origin; a key that no longer fits is reported."""
    origin = Origin(asked="x:large", known="k", date="2026-11-30")
    entries = {
        request.key: Recorded(key=request.key, reply=Reply(text=name, answered_by="y"), custom_id=name)
        for name, request in NAMED
    }
    write_recording(tmp_path / "r.jsonl", Recording(origin=origin, replies=entries))
    read = read_responses(tmp_path / "r.jsonl")
    imported = responses_as_recording(NAMED, read)
    assert imported.problems == ()
    assert imported.replies.recording.origin == origin
    assert [imported.replies.ask(request).text for _, request in NAMED] == ["a", "b", "c"]
    changed = responses_as_recording([("a", asked("one, put differently")), *NAMED[1:]], read)
    (problem,) = changed.problems
    assert problem.custom_id == "a"
    assert "changed" in problem.message
    renamed = responses_as_recording([("other", NAMED[0][1]), *NAMED[1:]], read)
    assert renamed.problems == ()
    assert renamed.replies.ask(NAMED[0][1]).text == "a"


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """Our promise: a file that is no text at all is not a file of bad lines."""
    with pytest.raises(MalformedInput, match="absent"):
        read_responses(tmp_path / "absent.jsonl")
