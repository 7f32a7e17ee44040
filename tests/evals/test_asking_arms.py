"""Arms that ask a language model, with scripted replies: the path is proved, and no figure is taken from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import NoRecording
from upheld.speech.models.collecting import CollectingModel
from upheld.speech.models.request import Request
from upheld.testing.scripted_model import ScriptedModel
from upheld_evals.harness.corpus import read_corpus
from upheld_evals.harness.exporting import requests_of
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.harness.suite import Status
from upheld_evals.harness.telling import BY_SESSION, told
from upheld_evals.paper.classification import table1_suite
from upheld_evals.paper.retrospect import RetrospectArm, retrospect_suite
from upheld_evals.paper.variants import variants_suite
from upheld_evals.suites.verifying import verify_suite

PAPER = Path("tests/conversations/paper")
NOTHING = '{"operations": []}'


@pytest.fixture(name="paper")
def paper_corpus(root: Path) -> Any:
    """The paper's conversations, told again."""
    return read_corpus([root / PAPER])


def scripted(answer: Callable[[Request], str]) -> ScriptedModel:
    """A language model that answers by a function."""
    return ScriptedModel(answer)


def test_the_look_back_recovers_the_edge_that_no_earlier_turn_could_and_adds_none_elsewhere(paper: Any) -> None:
    """The paper's Appendix J: h1 is explained by h4 when T13 settles it; Phase 3's resolve adds nothing."""

    def answer(request: Request) -> str:
        said = request.messages[-1].text
        explained = [{"by": "h4", "claim": "h1"}] if 'id="T13"' in said else []
        return json.dumps({"explained": explained, "grounds": []})

    suite = retrospect_suite(paper)
    assert [item.content.expected for item in suite.items if item.content.expected] == [("h1",)]
    run = run_suite(suite, Settings(), llm=scripted(answer))
    right = {each.arm: sum(outcome.score for _, outcome in each.outcomes) for each in run.arms}
    assert right == {"with the look back": len(suite.items), "without": len(suite.items) - 1}


def test_each_condition_asks_about_each_turn_alone(paper: Any) -> None:
    """Tables 1 and 7: three conditions, the turn and the labels before it; the requests are known beforehand."""
    suite = table1_suite(paper)
    waiting = list(requests_of(suite))
    assert len(waiting) == 3 * 13
    run = run_suite(suite, Settings(), llm=scripted(lambda _: NOTHING))
    asked = [each for each in run.arms if each.arm.startswith("language model, ")]
    assert len(asked) == 3
    assert all(each.count(Status.FAILED) == 0 for each in asked)
    assert [each.usage.calls for each in asked] == [13, 13, 13]


def test_each_way_of_asking_for_grounds_goes_through_the_whole_path(paper: Any) -> None:
    """The paper's Appendix I: four ways, the same hypotheses; the first round of requests is known beforehand."""
    suite = variants_suite(paper)
    assert {item.content.id for item in suite.items} == {"h1", "h2", "h3", "h4"}
    run = run_suite(suite, Settings(), llm=scripted(lambda _: NOTHING))
    asked = {each.arm: each for each in run.arms if each.arm.startswith("llm interpreter, ")}
    assert len(asked) == 4
    assert all(each.count(Status.FAILED) == 0 for each in asked.values())
    assert asked["llm interpreter, baseline"].usage.calls == 13
    assert asked["llm interpreter, self_consistency"].usage.calls == 5 * 13
    first = [name for name, _ in requests_of(suite)]
    assert len(first) >= 4


def test_a_matcher_that_finds_nothing_grounds_nothing(paper: Any) -> None:
    """Issue, section 2: without links nothing passes; the arm's verdicts are abstentions, never grounded."""
    reply = '{"claims": [], "no_claim": []}'
    suite = verify_suite(paper, interpreters=())
    run = run_suite(suite, Settings(limit=20), llm=scripted(lambda _: reply))
    (arm,) = [each for each in run.arms if each.arm == "upheld, gold operations, llm matching"]
    assert {outcome.value for _, outcome in arm.outcomes} <= {"abstain", "ungrounded"}


def test_a_session_whose_reply_is_not_recorded_is_no_measurement(paper: Any) -> None:
    """Our promise: a conversation that was read in part is failed by name, neither right nor wrong."""
    transcript = paper.files[0].transcript
    with pytest.raises(NoRecording):
        told(transcript, BY_SESSION, CollectingModel("any"))


def test_the_arm_of_the_look_back_names_its_source() -> None:
    """Our promise: another source starts another journal."""
    assert RetrospectArm().identity.startswith("retrospect ")
