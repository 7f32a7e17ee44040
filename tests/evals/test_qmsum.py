"""The suite ``qmsum`` on an invented meeting, and on some real queries where they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import MalformedInput
from upheld_evals.external.finding.material import BM25, DEPTHS, HYBRID, LEXICAL, finders, hit, ranked, recall
from upheld_evals.external.finding.qmsum import FinderArm, finding_measures, meetings, qmsum_suite
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.harness.suite import Suite
from upheld_evals.report.results import report_of

SAID = (
    "Good morning.", "The handle of the kettle gets too hot.", "We could wrap it in cork.", "Lunch is at noon.",
    "Cork is cheap this year.", "",
)  # fmt: skip

MEETING: dict[str, Any] = {
    "meeting_transcripts": [{"speaker": "A", "content": text} for text in SAID],
    "specific_query_list": [
        {"query": "What is wrong with the handle of the kettle?", "relevant_text_span": [["1", "2"]]},
        {"query": "What did they say about cork?", "relevant_text_span": [["2", "2"], ["4", "4"]]},
        {"query": "Who was late?", "relevant_text_span": []},
    ],
}


@pytest.fixture
def kettle(tmp_path: Path) -> Path:
    """One meeting of QMSum's shape, with a query that nothing bears on."""
    path = tmp_path / "kettle.jsonl"
    path.write_text(json.dumps(MEETING) + "\n", encoding="utf-8")
    return path


def test_spans_are_whole_and_a_query_without_one_is_not_asked(kettle: Path) -> None:
    """QMSum: relevant_text_span has first and last turn, both included."""
    (meeting,) = meetings(kettle)
    assert [question.gold for question in meeting.questions] == [{"1", "2"}, {"2", "4"}]
    assert len(meeting.documents) == 6


def test_recall_is_a_share_and_a_hit_is_any() -> None:
    """Protocols, P8: a hit within k turns, and the share of the span that is there."""
    assert recall(["1", "9", "2"], frozenset({"1", "2"}), 2) == 0.5
    assert hit(["9", "1"], frozenset({"1", "2"}), 1) == 0.0
    assert hit(["9", "1"], frozenset({"1", "2"}), 2) == 1.0


def test_without_an_embedder_there_are_only_finders_that_count_words() -> None:
    """Our promise: what is missing is left out, and BM25 is always there."""
    assert HYBRID not in finders(None)
    assert next(iter(finders(None))) == BM25


def test_the_suite_gives_hits_and_shares_at_every_depth_beside_bm25(kettle: Path) -> None:
    """Protocols, P8, with the baseline in the same run; the figures of the benchmark are the same ones."""
    suite = qmsum_suite(kettle)
    words: Suite = Suite(
        name=suite.name, version="1", purpose="", data="", digest="", items=suite.items, baseline=BM25,
        arms=tuple(FinderArm(name=name, finder=finders(None)[name]) for name in (LEXICAL, BM25)),
        score=suite.score, measures=finding_measures,
    )  # fmt: skip
    report = report_of(run_suite(words, Settings()), date="2026-01-02", upheld="0")
    (meeting,) = meetings(kettle)
    for arm in report.arms:
        values = {each.name: each.value for each in arm.measures}
        found = list(ranked(finders(None)[arm.run.arm], meeting))
        for depth in DEPTHS:
            expected = sum(recall(ids, question.gold, depth) for ids, question in found) / 2
            assert values[f"share of the span at {depth}"] == pytest.approx(expected)
        assert values["hit at 5"] == 1.0
    assert {arm.name for arm in suite.arms} >= {LEXICAL, BM25}


def test_a_line_that_is_no_meeting_is_named(tmp_path: Path) -> None:
    """Our promise: file and line."""
    path = tmp_path / "other.jsonl"
    path.write_text("[]\n", encoding="utf-8")
    with pytest.raises(MalformedInput, match=r"other\.jsonl:1"):
        qmsum_suite(path)


def test_the_first_real_queries_run_by_words(shared: Path) -> None:
    """Protocols, P8: the product meetings of test are 20, with 129 specific queries."""
    path = shared / "data" / "qmsum" / "product_test.jsonl"
    if not path.exists():
        pytest.skip("QMSum is not here")
    read = meetings(path)
    assert (len(read), sum(len(each.questions) for each in read)) == (20, 129)
    found = list(ranked(finders(None)[BM25], read[0]))
    assert all(ids for ids, _ in found)
