"""Replies from several files, the same items several times, and what is known before anybody is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import MalformedInput, NoRecording
from upheld.speech.models.recordings import Origin, Recorded, Recording, write_recording
from upheld.speech.models.reply import Reply
from upheld.speech.models.request import Message, Request, Role
from upheld.testing.scripted_model import ScriptedModel
from upheld_evals.harness.corpus import Corpus
from upheld_evals.harness.exporting import requests_of
from upheld_evals.harness.recorded import recorded_replies
from upheld_evals.harness.repeating import conversation_of, repeated
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.harness.suite import Status
from upheld_evals.paper.classification import table1_suite
from upheld_evals.report.results import as_tree, report_of
from upheld_evals.report.tables import remarks_of
from upheld_evals.suites.lengths import tokens_asked
from upheld_evals.suites.prompted import DirectArm, RetrievedArm
from upheld_evals.suites.verifying import verify_suite


def request(text: str) -> Request:
    """A request like no other."""
    return Request(prompt="test@1", messages=(Message(role=Role.USER, text=text),))


def recording(path: Path, replies: Mapping[str, str], *, asked: str = "scripted:model") -> Path:
    """Write a file of replies."""
    keyed = {request(text).key: answer for text, answer in replies.items()}
    lines = {key: Recorded(key=key, reply=Reply(text=text, answered_by=asked)) for key, text in keyed.items()}
    write_recording(path, Recording(origin=Origin(asked=asked), replies=lines))
    return path


def test_files_and_folders_answer_as_one(tmp_path: Path) -> None:
    """The issue, section 1: replies come in rounds, each in a file of its own."""
    (tmp_path / "rounds").mkdir()
    first = recording(tmp_path / "first.jsonl", {"one": "1"})
    recording(tmp_path / "rounds" / "second.jsonl", {"two": "2"})
    llm = recorded_replies([first, tmp_path / "rounds"])
    assert llm.name == "scripted:model"
    assert [llm.ask(request(text)).text for text in ("one", "two")] == ["1", "2"]
    with pytest.raises(NoRecording):
        llm.ask(request("three"))


def test_recordings_of_two_language_models_are_never_one_figure(tmp_path: Path) -> None:
    """The issue, section 5: never a number without the language model's name."""
    first = recording(tmp_path / "first.jsonl", {"one": "1"})
    other = recording(tmp_path / "other.jsonl", {"two": "2"}, asked="scripted:other")
    with pytest.raises(MalformedInput, match=r"other\.jsonl"):
        recorded_replies([first, other])
    (tmp_path / "empty").mkdir()
    with pytest.raises(MalformedInput, match="no recordings"):
        recorded_replies([tmp_path / "empty"])


def test_a_reply_that_is_not_recorded_is_counted_and_in_no_figure(dev: Corpus) -> None:
    """Our promise: what was not measured is neither right nor wrong; the table says how many there are."""
    suite = replace(verify_suite(dev, interpreters=()), items=verify_suite(dev, interpreters=()).items[:4])
    known = {each.key for _, each in requests_of(replace(suite, items=suite.items[:3]))}

    def answer(asked: Request) -> Any:
        return "GROUNDED" if asked.key in known else NoRecording(asked.key, prompt=asked.prompt)

    report = report_of(run_suite(suite, Settings(), llm=ScriptedModel(answer)), date="2026-01-02", upheld="0")
    (tree,) = [each for each in as_tree(report)["arms"] if each["arm"] == "LLM-only"]
    assert (tree["answered"], tree["missing"], tree["failed"]) == (3, 1, 0)
    assert {each["n"] for each in tree["measures"] if each["name"] == "accuracy" and not each["group"]} == {3}
    assert any("LLM-only: 1 of 4 items" in line for line in remarks_of(report))


def test_every_arm_is_compared_with_the_papers_baselines_item_by_item(dev: Corpus) -> None:
    """The issue, section 5: discordant pairs against LLM-only and transcript-RAG."""
    suite = verify_suite(dev, interpreters=())
    script = ScriptedModel(lambda _: "UNGROUNDED")
    one_word = [each for each in suite.arms if " llm " not in each.name and " mixed " not in each.name]
    chosen = replace(suite, arms=tuple(one_word))
    report = report_of(run_suite(chosen, Settings(limit=8), llm=script), date="2026-01-02", upheld="0")
    gold = report.arms[0]
    assert set(gold.against) == {DirectArm().name, RetrievedArm(k=5).name, RetrievedArm(k=20).name}
    grounded = sum(item.label == "grounded" for item in suite.items[:8])
    paired = gold.against["LLM-only"]
    assert (paired.only_first, paired.only_second, paired.n) == (grounded, 0, 8)
    assert "LLM-only" not in next(each for each in report.arms if each.run.arm == "LLM-only").against
    assert any(line.startswith("upheld, gold operations, gold claims against LLM-only") for line in remarks_of(report))


def test_a_further_run_draws_anew_and_the_first_asks_as_ever(paper: Corpus) -> None:
    """The paper, section 4.2: five runs a cell, temperature 0, then 1.0."""
    once, twice = table1_suite(paper, interpreters=()), repeated(table1_suite(paper, interpreters=()), 2)
    assert repeated(once, 1) is once
    assert len(twice.items) == 2 * len(once.items)
    first = {each.key for _, each in requests_of(once)}
    both = [each for _, each in requests_of(twice)]
    assert len(both) == 2 * len(first)
    again = [each for each in both if each.key not in first]
    assert {(each.temperature, each.sample) for each in again} == {(1.0, 1000)}
    assert {conversation_of(item) for item in twice.items} == {"phase2-debugging"}
    run = run_suite(twice, Settings(), llm=ScriptedModel(lambda _: '{"operations": []}'))
    asked = [each for each in run.arms if each.arm == "language model, minimal"]
    assert [each.usage.calls for each in asked] == [26]


def test_tokens_to_send_are_known_before_anybody_is_asked_and_retrieval_sends_fewer(dev: Corpus) -> None:
    """The issue, section 5: tokens against length."""
    items = verify_suite(dev, interpreters=()).items[:6]
    everything = [tokens for _, tokens in tokens_asked(DirectArm(), items)]
    found = [tokens for _, tokens in tokens_asked(RetrievedArm(k=5), items)]
    assert len(everything) == len(found) == 6
    assert sum(found) < sum(everything)
    assert all(tokens > 0 for tokens in found)


def test_the_committed_recordings_are_of_one_language_model_each_line_a_reply(root: Path) -> None:
    """The issue, section 6.3: the file says what is known of the language model, and the date."""
    files = sorted((root / "evals" / "recordings").glob("*.jsonl"))
    for path in files:
        head = json.loads(path.read_text("utf-8").splitlines()[0])
        assert head["model"]
        assert head["date"]
        assert head["known"]
    if files:
        assert recorded_replies(files).name


def test_an_unrecorded_item_is_tried_again_from_a_journal(tmp_path: Path, dev: Corpus) -> None:
    """Our promise: a missing reply says nothing of the arm, and the next run asks again."""
    suite = verify_suite(dev, interpreters=())
    direct = replace(suite, arms=tuple(each for each in suite.arms if each.name in ("LLM-only", suite.baseline)))
    silent = ScriptedModel(lambda asked: NoRecording(asked.key, prompt=asked.prompt))
    settings = Settings(limit=2, folder=tmp_path)
    first = run_suite(direct, settings, llm=silent)
    assert first.arms[-1].count(Status.MISSING) == 2
    second = run_suite(direct, settings, llm=ScriptedModel(lambda _: "GROUNDED"))
    assert second.arms[-1].count(Status.ANSWERED) == 2
