"""Tables 2, 4 and 5 with scripted replies: the path is proved, and no figure is taken from them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import UnusableReply
from upheld.speech.models.collecting import CollectingModel
from upheld.speech.models.request import Request, Role
from upheld.speech.rendering.context.renderer import Mode
from upheld.testing.scripted_model import ScriptedModel
from upheld_evals.external.locomo import locomo_suite
from upheld_evals.external.reading import RecordArm
from upheld_evals.external.updates import has_answer, is_silent, update_answers_suite
from upheld_evals.harness.corpus import Corpus, only
from upheld_evals.harness.exporting import requests_of
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.harness.suite import Status, Suite
from upheld_evals.paper.decisions import PHASE2
from upheld_evals.paper.direct import SAMPLES, DirectGroundsArm, Way, direct_suite, elected, read_grounds
from upheld_evals.paper.variants import variants_suite
from upheld_evals.report.results import report_of

LABELLED = {"h1": ["o8", "h4"], "h2": ["o8"], "h3": ["o5"], "h4": ["h3", "o6", "o9"]}


def reply(grounds: dict[str, list[str]], **further: str) -> str:
    """What a language model would answer to the direct question."""
    listed = [{"hypothesis": id, "depends_on": on} for id, on in grounds.items()]
    return json.dumps({**further, "dependencies": listed})


def figures(suite: Suite, script: ScriptedModel, arm: str) -> dict[tuple[str, str], tuple[float | None, int]]:
    """Run a suite, and give the figures of one arm."""
    report = report_of(run_suite(suite, Settings(), llm=script), date="2026-01-02", upheld="0")
    chosen = next(each for each in report.arms if each.run.arm == arm)
    return {(each.name, each.group): (each.value, each.n) for each in chosen.measures}


def only_arm(suite: Suite, name: str) -> Suite:
    """Leave one arm and the baseline."""
    return replace(suite, arms=tuple(each for each in suite.arms if each.name in (name, suite.baseline)))


def test_labelled_operations_have_all_edges_and_all_three_retractions(paper: Corpus) -> None:
    """The paper, Table 2, row GT deps: precision, recall and F1 of 1, at creation (5 edges) and after T13 (7)."""
    values = figures(direct_suite(paper, interpreters=()), ScriptedModel(lambda _: reply({})), "gold operations")
    assert values["precision of edges", "creation"] == (1.0, 5)
    assert values["recall of edges", "end"] == (1.0, 7)
    assert values["edge recovered", "h1 to h4"] == (1.0, 1)
    assert values["affected, retractions with just the labelled", ""] == (1.0, 3)


def test_a_direct_reply_is_scored_against_both_moments_and_asked_for_once(paper: Corpus) -> None:
    """The issue, section 5, E1: the whole transcript, the hypotheses and observations, and back come the edges."""
    script = ScriptedModel(lambda _: reply(LABELLED))
    suite = only_arm(direct_suite(paper, interpreters=()), "direct, zero-shot")
    values = figures(suite, script, "direct, zero-shot")
    assert values["F1 of edges", "end"][0] == 1.0
    assert values["precision of edges", "creation"] == (5 / 7, 7)
    assert len(script.asked) == 1
    system, user = script.asked[0].messages
    assert (system.role, user.role) == (Role.SYSTEM, Role.USER)
    assert "h4 (hypothesis): " in user.text
    assert "T13 alice: " in user.text
    assert "h4" not in system.text


def test_the_vote_keeps_what_most_replies_name_and_a_lost_reply_votes_for_nothing(paper: Corpus) -> None:
    """The paper's Appendix I: five warm samples; here ids are given, so that a vote over them is one over content."""
    transcript = only(paper, PHASE2).transcript
    requests = DirectGroundsArm(way=Way.SELF_CONSISTENCY).requests_about(transcript)
    assert (len(requests), len({each.key for each in requests})) == (SAMPLES, SAMPLES)
    assert all(each.temperature > 0 for each in requests)
    votes = [{"h1": ("o8", "h4")}, {"h1": ("o8",)}, {"h1": ("o8",)}]
    assert elected(votes, of=5) == {"h1": ("o8",)}
    assert elected(votes[:2], of=5) == {}


BROKEN: list[Any] = [
    {},
    {"dependencies": "none"},
    {"dependencies": [{"hypothesis": "h1"}]},
    {"dependencies": ["h1"]},
    {"dependencies": [{"hypothesis": "h9", "depends_on": []}]},
    {"dependencies": [{"hypothesis": "h1", "depends_on": ["o77"]}]},
]
"""Replies without the form that was asked for, or about what is not in the list."""


@pytest.mark.parametrize("tree", BROKEN)
def test_a_reply_without_the_form_or_with_a_strange_id_is_unusable(paper: Corpus, tree: Any) -> None:
    """The issue, section 1: an unknown id or a missing field is a typed failure."""
    with pytest.raises(UnusableReply):
        read_grounds(tree, only(paper, PHASE2).transcript)


def test_a_reply_that_stays_unusable_fails_by_name_and_counts_for_nothing(paper: Corpus) -> None:
    """The issue, section 6: never half a reading."""
    suite = only_arm(direct_suite(paper, interpreters=()), "direct, few-shot")
    run = run_suite(suite, Settings(), llm=ScriptedModel(lambda _: "I cannot say"))
    assert {outcome.status for _, outcome in run.arms[0].outcomes} == {Status.FAILED}


def test_the_first_round_has_every_sample_of_the_first_turn_and_nothing_that_follows_from_it(paper: Corpus) -> None:
    """The issue, section 5: E1b in rounds; samples that are voted on do not follow from each other."""
    waiting = [request for _, request in requests_of(variants_suite(paper))]
    assert len(waiting) == 3 + 5
    assert len({request.sample for request in waiting}) == 5
    known = ScriptedModel(lambda _: '{"operations": []}')
    second = [request for _, request in requests_of(variants_suite(paper), known=_OnlyFirst(known, waiting))]
    assert len(second) == 3 + 5
    assert not {each.key for each in second} & {each.key for each in waiting}


class _OnlyFirst:
    """Answers the requests of the first round, and no others."""

    def __init__(self, inner: ScriptedModel, first: list[Request]) -> None:
        self.name = inner.name
        self._inner = inner
        self._keys = {each.key for each in first}

    def ask(self, request: Request, /) -> Any:
        return self._inner.ask(request) if request.key in self._keys else CollectingModel("none").ask(request)


def test_pages_of_the_state_answer_locomo_beside_the_turns(tmp_path: Path) -> None:
    """The paper, Table 4: three pages of the engine's state, and the page shows what was said, with its date."""
    path = tmp_path / "locomo10.json"
    talk = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a dog called Rex."}],
    }
    questions = [{"question": "What is the dog called?", "answer": "Rex", "category": 4, "evidence": ["D1:1"]}]
    names = ("conv-26", "conv-30", "conv-41")
    path.write_text(json.dumps([{"sample_id": name, "conversation": talk, "qa": questions} for name in names]))
    script = ScriptedModel(lambda request: "Rex" if "Rex" in request.messages[1].text else "No information available")
    run = run_suite(locomo_suite(path, interpreters=("cues",), name="paper table4"), Settings(), llm=script)
    scores = {each.arm: [outcome.score for _, outcome in each.outcomes] for each in run.arms}
    assert scores["upheld, cues interpreter, content"] == [1, 1, 1]
    assert scores["upheld, cues interpreter, content + retrieval"] == [1, 1, 1]
    assert scores["upheld, cues interpreter, dependency map"] == [0, 0, 0]
    assert any("2023-05-08" in each.messages[1].text for each in script.asked)


@pytest.mark.parametrize(
    ("told", "expected", "is_there"),
    [
        ("25:50", "25 minutes and 50 seconds (or 25:50)", True),
        ("25 minutes, 50 seconds", "25 minutes and 50 seconds (or 25:50)", True),
        ("27:12", "25 minutes and 50 seconds (or 25:50)", False),
        ("You tried 4 of them", "four", True),
        ("3 times a week", "Three times a week.", True),
        ("$400,000", "$400,000", True),
        ("14", "4", False),
        ("We met twice", "We've met up twice.", False),
        ("", "4", False),
    ],
)
def test_an_answer_is_there_when_its_words_are_in_one_form(told: str, expected: str, is_there: bool) -> None:
    """Our promise: a judge without a language model, and a lower bound: other words for the same are missed."""
    assert has_answer(told, expected) is is_there


def test_silence_is_right_where_nobody_said_and_wrong_where_somebody_did(tmp_path: Path) -> None:
    """The paper, Table 5: abstention counts on the six unanswerable items."""

    def line(id: str, question: str, answer: str, *said: str, abstention: bool = False) -> str:
        sessions = [{"date": "2023/05/01 (Mon) 10:00", "turns": [{"role": "user", "content": text}]} for text in said]
        tree = {"question_id": id, "question": question, "answer": answer, "abstention": abstention}
        return json.dumps({**tree, "evidence_sessions": sessions})

    path = tmp_path / "ku.jsonl"
    lines = [line("q1", "When is the gym?", "6 pm", "The gym is at 7 pm.", "The gym is at 6 pm now.")]
    lines.append(line("q1_abs", "When do I swim?", "not said", abstention=True))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    suite = update_answers_suite(path)
    silent = run_suite(suite, Settings(), llm=ScriptedModel(lambda _: "No information available."))
    assert [outcome.score for _, outcome in _of(silent, "LLM-only")] == [0, 1]
    told = run_suite(suite, Settings(), llm=ScriptedModel(lambda _: "6 pm"))
    assert [outcome.score for _, outcome in _of(told, "upheld, cues interpreter, content")] == [1, 0]
    assert is_silent("There is no information available")


def _of(run: Any, arm: str) -> Any:
    return next(each for each in run.arms if each.arm == arm).outcomes


def test_the_arm_of_a_page_names_the_page_and_the_reader() -> None:
    """Our promise: another page or interpreter starts another journal."""
    one, other = RecordArm(mode=Mode.CONTENT), RecordArm(mode=Mode.RETRIEVAL)
    assert one.identity != other.identity
    assert one.identity != RecordArm(mode=Mode.CONTENT, interpreter="llm-session").identity
