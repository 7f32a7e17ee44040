"""The suites ``dialfact``, ``mtrag`` and ``begin`` on invented replies, and on some real ones where they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.conversation.checking.claims import Checked, CheckedClaim
from upheld.errors import MalformedInput, UpheldError
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal
from upheld.logic.language.verdicts import Finding, Modality, Outcome, Reason, Stance
from upheld.speech.matching.matcher import Claim, Link, Relation
from upheld_evals.external.replies.begin import begin_suite, read_begin
from upheld_evals.external.replies.dialfact import dialfact_suite, read_dialfact
from upheld_evals.external.replies.evidence import Judged, Passage, conversation_with
from upheld_evals.external.replies.measures import FAITHFUL, UNFAITHFUL
from upheld_evals.external.replies.mtrag import mtrag_suite, read_mtrag
from upheld_evals.external.replies.scoring import NOT_ENOUGH, REFUTES, SUPPORTS, UNCHECKED, support_of, verdict_of
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.harness.suite import Suite
from upheld_evals.harness.telling import known_matchers
from upheld_evals.report.results import report_of

Figures = dict[tuple[str, str, str], float | None]


def _figures(suite: Suite) -> Figures:
    report = report_of(run_suite(suite, Settings()), date="2026-01-02", upheld="0")
    return {(arm.run.arm, each.name, each.group): each.value for arm in report.arms for each in arm.measures}


# --- invented files ------------------------------------------------------------------------------------------------


def _reply(number: int, response: str, label: str, evidence: str, *, title: str = "Lake Orrin") -> dict[str, Any]:
    return {
        "context_id": f"c{number}", "id": f"c{number}--0", "response": response, "response_label": label,
        "context": ["Have you been there?", "No, tell me."], "type_label": "factual",
        "evidence_list": [[title, "where it stood", evidence, "0"]],
    }  # fmt: skip


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    """Four replies of DialFact's shape."""
    path = tmp_path / "lake.jsonl"
    trees = [
        _reply(1, "The lake is 40 metres deep.", "SUPPORTS", "The lake is 40 metres deep.", title=""),
        _reply(2, "The lake is 90 metres deep.", "REFUTES", "The lake is 40 metres deep.", title=""),
        _reply(3, "People swim there all summer.", "NOT ENOUGH INFO", "The lake is 40 metres deep."),
        _reply(4, "Its shore is made of slate.", "SUPPORTS", "Slate covers the shore of it."),
    ]
    path.write_text("".join(json.dumps(tree) + "\n" for tree in trees), encoding="utf-8")
    return path


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """Two tasks of MTRAG's shape: a faithful answer, one that is not, and one without passages."""
    path = tmp_path / "answers.json"

    def scored(task: str, by: str, response: str, *scores: str) -> dict[str, Any]:
        told = {str(place): {"value": score} for place, score in enumerate(scores)}
        return {"task_id": task, "model_id": by, "model_response": response, "annotations": {"faithfulness": told}}

    tree: dict[str, Any] = {
        "documents": [{"document_id": "d", "title": None, "text": "Bins are emptied on Monday. Glass goes in green."}],
        "tasks": [
            {"task_id": "t", "contexts": [{"document_id": "d"}], "input": [{"speaker": "user", "text": "When?"}]},
            {"task_id": "u", "contexts": [], "input": []},
        ],
        "evaluations": [
            scored("t", "one", "Bins are emptied on Monday.", "4", "4", "3"),
            scored("t", "two", "Ask the mayor about holidays.", "1", "4"),
            scored("u", "one", "Nothing is known.", "4"),
        ],
    }
    path.write_text(json.dumps(tree), encoding="utf-8")
    return path


@pytest.fixture
def attributed(tmp_path: Path) -> Path:
    """Three replies of BEGIN's shape, two of them to the same knowledge."""
    path = tmp_path / "attributed.tsv"
    rows = [
        ("model_name", "data_source", "knowledge", "message", "response", "begin_label"),
        ("a", "x", "Kites fly best in steady wind.", "Hi", "Kites fly best in steady wind.", "Fully attributable"),
        ("b", "x", "Kites fly best in steady wind.", "Hi", "I own nine of those.", "Not fully attributable"),
        ("a", "x", "Chess has 64 squares.", "Hi", "That is nice!", "Generic"),
    ]
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


# --- reading -------------------------------------------------------------------------------------------------------


def test_evidence_becomes_observations_that_stand_and_what_was_said_before_means_nothing() -> None:
    """Protocols, P7: evidence sentences as observations in a conversation."""
    judged = Judged(
        reply="-", passages=(Passage(text="It rained. It was cold.", title="June", is_titled=True),),
        before=((False, "How was it?"),),
    )  # fmt: skip
    talk = conversation_with(judged)
    assert [each.text for each in talk.propositions] == ["June: It rained.", "June: It was cold."]
    assert talk.verify("e1.2").passes
    assert talk.timeline.turns == ("E1", "T1")


def test_the_two_speakers_of_dialfact_take_turns_and_the_last_before_the_reply_is_the_other(lake: Path) -> None:
    """Our promise: the words before a reply are told as whose they are."""
    (first, *_) = read_dialfact(lake)
    assert first.content.before == ((True, "Have you been there?"), (False, "No, tell me."))
    assert [item.label for item in read_dialfact(lake)] == [SUPPORTS, REFUTES, NOT_ENOUGH, SUPPORTS]


def test_an_answer_is_faithful_from_a_mean_of_three_and_a_half_and_needs_passages(answers: Path) -> None:
    """Protocols, P7: faithfulness >= 3.5, replies with a score and passages."""
    assert [(item.id, item.label) for item in read_mtrag(answers)] == [("t/one", FAITHFUL), ("t/two", UNFAITHFUL)]


def test_replies_to_the_same_knowledge_are_drawn_together(attributed: Path) -> None:
    """Efron and Tibshirani 1993: what belongs together is drawn together."""
    one, other, third = read_begin(attributed)
    assert one.conversation == other.conversation != third.conversation
    assert [item.label for item in (one, other, third)] == [FAITHFUL, UNFAITHFUL, UNFAITHFUL]


# --- one number of verdicts ----------------------------------------------------------------------------------------


def _claim(outcome: Outcome, score: float, reason: Reason | None = None) -> tuple[Claim, CheckedClaim]:
    literal = Literal(PropositionId("p"))
    link = Link(literal=literal, relation=Relation.SUPPORTED_BY, score=score, rule="invented")
    findings = (Finding(literal=literal, outcome=outcome, reason=reason),) if reason is not None else ()
    judged = CheckedClaim(
        span=(0, 1), text="x", stance=Stance.ASSERTS, modality=Modality.FACT, outcome=outcome, findings=findings
    )
    return Claim(span=(0, 1), text="x", links=(link,) if score else ()), judged


WORST_FIRST: tuple[Callable[[float], tuple[Claim, CheckedClaim]], ...] = (
    lambda score: _claim(Outcome.UNGROUNDED, score, Reason.CONTRADICTED),
    lambda score: _claim(Outcome.UNGROUNDED, score),
    lambda score: _claim(Outcome.ABSTAIN, score),
    lambda score: _claim(Outcome.GROUNDED, score),
)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_better_verdict_never_scores_below_a_worse_one(one: float, other: float) -> None:
    """Our promise (scoring): four bands, in which the link's score moves a claim and never out of it."""
    for worse, better in pairwise(WORST_FIRST):
        low, high = (_support(made(score)) for made, score in ((worse, one), (better, other)))
        assert 0 <= low <= high <= 1


def _support(pair: tuple[Claim, CheckedClaim]) -> float:
    return support_of([pair[0]], Checked(outcome=pair[1].outcome, claims=(pair[1],)))


def test_a_surer_link_moves_a_contradiction_down_and_all_else_up() -> None:
    """Our promise (scoring): towards the end that it speaks for."""
    contradicted, *others = WORST_FIRST
    assert _support(contradicted(0.9)) < _support(contradicted(0.2))
    assert all(_support(made(0.9)) > _support(made(0.2)) for made in others)
    assert support_of([], Checked(outcome=Outcome.ABSTAIN)) == 0.5


def test_what_nobody_said_is_not_enough_info_and_any_other_fault_refutes() -> None:
    """DialFact's three labels; could not check is none of them."""
    verdicts = [verdict_of(Checked(outcome=each.outcome, claims=(each,)))
                for _, each in (made(0.5) for made in WORST_FIRST)]  # fmt: skip
    assert verdicts == [REFUTES, NOT_ENOUGH, UNCHECKED, SUPPORTS]


# --- the suites ----------------------------------------------------------------------------------------------------


def test_dialfact_shows_what_could_not_be_checked_apart_and_the_share_of_words_in_the_same_run(lake: Path) -> None:
    """Protocols, P7: area, three-way accuracy, the baseline beside them."""
    figures = _figures(dialfact_suite(lake))
    ours, words = "upheld, text matching", "share of words in the evidence"
    assert figures[ours, "accuracy where checked", ""] == 1.0
    assert figures[ours, "could not check", ""] == 0.5
    assert figures[ours, "accuracy, could not check is wrong", ""] == 0.5
    assert figures[ours, "accuracy, could not check read as not enough info", ""] == 0.75
    assert figures[ours, "area under the curve of support", ""] == 1.0
    assert figures[words, "said refutes", "refutes"] == 0.0
    assert figures[words, "could not check", ""] == 0.0


def test_mtrag_and_begin_give_the_area_the_best_f1_and_what_calling_all_supported_gives(
    answers: Path, attributed: Path
) -> None:
    """Protocols, P7: AUROC and best F1 against people's labels."""
    for suite, of in ((mtrag_suite(answers), 2), (begin_suite(attributed), 3)):
        figures = _figures(suite)
        assert figures["upheld, text matching", "area under the curve of support", ""] == 1.0
        assert figures["upheld, text matching", "best F1, threshold chosen on these items", ""] == 1.0
        assert figures["share of words in the evidence", "F1 when all are called supported", ""] == 2 / (1 + of)
        assert figures["upheld, text matching", "said supports", FAITHFUL] == 1.0


def test_an_unknown_matcher_is_refused_before_anything_runs() -> None:
    """Our promise: those that there are are listed."""
    with pytest.raises(UpheldError, match="text"):
        known_matchers(["nobody"])
    assert known_matchers(["text", "llm", "text"]) == ("text", "llm")


def test_files_of_another_shape_are_named(tmp_path: Path) -> None:
    """Our promise: bad input is an error that says which file."""
    path = tmp_path / "other.json"
    path.write_text("{}\n", encoding="utf-8")
    for read in (read_dialfact, read_mtrag, read_begin):
        with pytest.raises(MalformedInput, match=r"other\.json"):
            read(path)
    path.write_text("knowledge\tbegin_label\nk\tSomething else\n", encoding="utf-8")
    with pytest.raises(MalformedInput, match="BEGIN"):
        read_begin(path)


@pytest.mark.parametrize(
    ("made", "place", "told"),
    [
        (dialfact_suite, "dialfact/testsmall.jsonl", "300 replies, 99 supports, 103 refutes, 98 not enough info"),
        (mtrag_suite, "mtrag/reference_subset_every_third_task.json", "159 replies"),
        (begin_suite, "begin/begin_dev_wow.tsv", "430 replies, 180 fully attributable"),
    ],
)
def test_the_first_real_replies_run(made: Callable[[Path], Suite], place: str, told: str, shared: Path) -> None:
    """Protocols, P7: as many as the files are said to hold."""
    path = shared / "data" / place
    if not path.exists():
        pytest.skip(f"{place} is not here")
    suite = made(path)
    assert told in suite.data
    run = run_suite(suite, Settings(limit=6))
    assert all(len(arm.outcomes) == 6 for arm in run.arms)
