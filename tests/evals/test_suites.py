"""The suites on our own conversations: what is certain about their numbers without a language model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from upheld.errors import UnusableReply
from upheld.speech.models.request import Role
from upheld.testing.scripted_model import ScriptedModel
from upheld_evals.harness.corpus import Corpus
from upheld_evals.harness.running import Settings, SuiteRun, run_suite
from upheld_evals.harness.suite import Measure, Status, Suite
from upheld_evals.report.page import page_of
from upheld_evals.report.results import as_tree, report_of
from upheld_evals.suites.candidates import share_said
from upheld_evals.suites.dependencies import dependencies_suite
from upheld_evals.suites.operations import operations_suite
from upheld_evals.suites.prompted import RETRIEVED, bm25_turns, read_verdict
from upheld_evals.suites.questions import SAYS, SAYS_NOT, questions_suite
from upheld_evals.suites.retraction import retraction_suite
from upheld_evals.suites.verifying import long_suite, verify_suite


def measured(run: SuiteRun, arm: str) -> Mapping[tuple[str, str], Measure]:
    """Give the measures of the arm whose name has this in it."""
    report = report_of(run, date="2026-01-02", upheld="0")
    chosen = next(each for each in report.arms if arm in each.run.arm)
    return {(each.name, each.group): each for each in chosen.measures}


def test_given_labels_the_engine_judges_every_candidate_as_labelled(dev: Corpus) -> None:
    """Semantics, section 6: every label of the corpus is consistent with it; `beyond` is abstained on, never passed."""
    run = run_suite(verify_suite(dev), Settings())
    gold = measured(run, "gold operations, gold claims")
    beyond = sum(item.facets["scored"] == "text only" for item in run.items)
    assert gold["accuracy where answered", ""].value == 1.0
    assert gold["accuracy where answered", ""].n == len(run.items) - beyond
    assert gold["false grounded, of the ungrounded", ""].value == 0.0
    assert all(each.count(Status.FAILED) == 0 for each in run.arms)
    assert measured(run, "always abstain")["coverage", ""].value == 0.0
    assert measured(run, "majority")["balanced accuracy", ""].value == 0.5


def test_arms_that_ask_are_skipped_by_name_without_a_language_model(dev: Corpus) -> None:
    """The issue, section 5: LLM-only and transcript-RAG stand in the table, or are named as not run."""
    tree = as_tree(report_of(run_suite(verify_suite(dev), Settings(limit=2)), date="2026-01-02", upheld="0"))
    skipped = [each["arm"] for each in tree["arms"] if each["skipped"]]
    assert skipped == [
        "upheld, gold operations, llm matching",
        "upheld, gold operations, mixed matching",
        "LLM-only",
        "transcript-RAG (k=5, bm25)",
        "transcript-RAG (k=20, bm25)",
    ]


def test_a_scripted_language_model_is_asked_one_word_and_counted(dev: Corpus) -> None:
    """The issue, section 6: the path is proved with scripted replies, and no figure is taken from them."""
    suite = _only(verify_suite(dev), "LLM-only", "word overlap")
    script = ScriptedModel(["GROUNDED", "ungrounded, since it was given up", "maybe"])
    run = run_suite(suite, Settings(limit=3), llm=script)
    assert [outcome.value for _, outcome in run.arms[-1].outcomes] == ["grounded", "ungrounded", "abstain"]
    assert [outcome.status for _, outcome in run.arms[-1].outcomes][-1] is Status.ABSTAINED
    assert run.arms[-1].usage.calls == 3
    assert run.arms[-1].llm == "scripted:model"


def test_the_direct_arm_reads_up_to_the_turn_of_the_candidate_and_no_further(dev: Corpus) -> None:
    """The paper, section 4.2: the baseline sees the same transcript."""
    suite = verify_suite(dev)
    arm = next(each for each in suite.arms if each.name == "LLM-only")
    item = next(each for each in suite.items if each.content.item.at is not None)
    (request,) = suite.requests(arm, item)
    turns = item.content.transcript.turns
    place = next(number for number, turn in enumerate(turns) if turn.id == item.content.item.at)
    text = request.messages[1].text
    assert f"\n{turns[place].id} " in text
    assert f"\n{turns[place + 1].id} " not in text
    assert request.messages[0].role is Role.SYSTEM
    assert item.content.item.text not in request.messages[0].text


def test_the_retrieved_arm_reads_k_turns_in_the_order_in_which_they_were_said(dev: Corpus) -> None:
    """The paper, section 4.2: transcript-RAG at k = 5."""
    suite = verify_suite(dev)
    arm = next(each for each in suite.arms if "k=5" in each.name)
    item = next(each for each in suite.items if len(each.content.said_before()) > 10)
    (request,) = suite.requests(arm, item)
    assert request.prompt == f"evals/{RETRIEVED}"
    lines = request.messages[1].text.partition("</turns>")[0].splitlines()[1:-1]
    numbers = [int(line.split()[0].removeprefix("T")) for line in lines if line.startswith("T")]
    assert numbers == sorted(numbers)
    assert 0 < len(numbers) <= 5
    best = bm25_turns(item.content.item.text, item.content.said_before(), 1)[0]
    assert best.id in {f"T{number}" for number in numbers}


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("GROUNDED", "grounded"),
        ("Ungrounded.", "ungrounded"),
        ("UNGROUNDED: this is not directly grounded in the conversation", "ungrounded"),
        ("**GROUNDED**", "grounded"),
    ],
)
def test_a_verdict_is_the_first_word_that_is_one(reply: str, verdict: str) -> None:
    """The paper, Appendix L: the first parser turned four verdicts around."""
    assert read_verdict(reply) == verdict


def test_a_reply_without_a_verdict_is_unusable() -> None:
    """The issue: what could not be checked is never grounded."""
    with pytest.raises(UnusableReply):
        read_verdict("background")


def test_the_annotated_interpreter_has_all_operations_and_observe_alone_has_some(dev: Corpus) -> None:
    """Our promise: the ceiling is 1, and the baseline is neither 0 nor 1."""
    run = run_suite(operations_suite(dev, interpreters=("annotated", "cues")), Settings())
    assert measured(run, "annotated")["type F1, multisets", ""].value == 1.0
    baseline = measured(run, "every turn is one observe")["type F1, multisets", ""].value
    assert baseline is not None
    assert 0.2 < baseline < 0.7


def test_an_interpreter_that_asks_is_an_arm_that_asks_and_its_reading_is_counted(dev: Corpus) -> None:
    """The issue, section 5: the seam for arms with a language model; one is left out without, and counted with."""
    suite = operations_suite(dev, interpreters=("llm",))
    assert run_suite(suite, Settings()).arms[0].skipped
    script = ScriptedModel(lambda _: {"operations": []})
    run = run_suite(suite, Settings(limit=2), llm=script)
    assert run.arms[0].usage.calls == len(script.asked) > 0


def test_turns_that_the_second_annotator_did_not_label_are_left_out(dev: Corpus) -> None:
    """The corpus's agreement: ten of nineteen files were labelled twice."""
    first = dev.files[0].transcript
    second = {first.id: {str(turn.id): ("observe",) for turn in first.turns}}
    run = run_suite(operations_suite(dev, interpreters=(), second=second), Settings())
    assert measured(run, "second annotator")["type F1, multisets", ""].n == len(first.turns)


def test_gold_operations_give_the_labelled_grounds_at_the_end(dev: Corpus) -> None:
    """The corpus's README: dependencies follow from the operations."""
    run = run_suite(dependencies_suite(dev, interpreters=()), Settings())
    gold = measured(run, "gold operations")
    assert gold["F1 of edges", "end"].value == 1.0
    nearest = measured(run, "the proposition before it")["F1 of edges", "end"].value
    assert nearest is not None
    assert nearest < 0.8


def test_gold_operations_decide_every_retraction_and_reachability_nearly(dev: Corpus) -> None:
    """Semantics, section 7: `affected` names what was not given up; a graph alone does not know that."""
    run = run_suite(retraction_suite(dev, interpreters=()), Settings())
    assert measured(run, "gold operations")["accuracy", ""].value == 1.0
    assert measured(run, "reachability")["accuracy", "affected"].value == 1.0


def test_the_long_suite_draws_accuracy_and_time_against_length(dev: Corpus) -> None:
    """The issue, section 5: accuracy, tokens and latency against length; tokens are known before anybody is asked."""
    report = report_of(run_suite(long_suite(dev, interpreters=()), Settings()), date="2026-01-02", upheld="0")
    estimated = "Tokens to send against length, estimated"
    assert [plot.title for plot in report.plots] == ["Accuracy against length", "Time against length", estimated]
    assert [line.name for line in report.plots[2].lines] == [
        "upheld, gold operations, llm matching",
        "LLM-only",
        "transcript-RAG (k=5, bm25)",
        "transcript-RAG (k=20, bm25)",
    ]
    assert "Time against length" in page_of([report])
    assert {x for line in report.plots[0].lines for x, _ in line.points} == {
        float(len(file.transcript.turns)) for file in dev.files
    }


def test_the_share_of_words_said_ignores_case_and_counts_words_once() -> None:
    """The bar of protocols.md, P7: the share of the reply's words that occur in the evidence."""
    assert share_said("Red red fish", "a RED dog") == 0.5
    assert share_said("", "a") == 0.0


def _only(suite: Suite, *names: str) -> Suite:
    return replace(suite, arms=tuple(each for each in suite.arms if each.name in names))


def test_questions_are_answered_from_labelled_claims_and_left_alone_where_the_record_is_silent(dev: Corpus) -> None:
    """Our promise (``ask``): fewer answers than the nearest claim gives, more of them right, and few too many."""
    run = run_suite(questions_suite(dev), Settings())
    ours = measured(run, "upheld, gold operations, answered by words")
    nearest = measured(run, "nearest claim (bm25)")
    assert (ours["right", ""].value or 0) > (nearest["right", ""].value or 0)
    assert (ours["answered", SAYS].value or 0) < (nearest["answered", SAYS].value or 0)
    assert (ours["answered all the same", SAYS_NOT].value or 0) < (
        nearest["answered all the same", SAYS_NOT].value or 0
    )


def test_an_answer_of_a_language_model_that_cites_what_is_not_shown_is_not_right(dev: Corpus) -> None:
    """Our promise: an answer that could not be used, or is not grounded, is no answer, and no abstention either."""
    script = ScriptedModel(lambda _: {"answer": "Yes.", "cites": ["nothing-of-that-name"], "missing": ""})
    run = run_suite(questions_suite(dev, interpreters=()), Settings(), llm=script)
    asked = next(each for each in run.arms if "language model" in each.arm)
    assert script.asked
    assert all(outcome.status is Status.ABSTAINED and not outcome.score for _, outcome in asked.outcomes)
