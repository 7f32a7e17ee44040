"""The paper's tables: what can be known without a language model."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from upheld.conversation.checking.replaying import loaded
from upheld.errors import MalformedInput, UpheldError
from upheld.logic.language.identities import PropositionId
from upheld.logic.reasoning.lifecycle import lifecycle_of
from upheld.speech.formats.transcript import Transcript
from upheld_evals.harness.corpus import Corpus, only, read_corpus
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.paper.agreement import kappa_suite, read_second_labels
from upheld_evals.paper.classification import PHASE3, table1_suite, table7_suite
from upheld_evals.paper.decisions import PHASE2, table2_suite
from upheld_evals.paper.grounding import e2_suite
from upheld_evals.paper.latency import figure2_suite
from upheld_evals.paper.noise import BY_KIND, PAPERS, e5_suite
from upheld_evals.report.plots import drawn
from upheld_evals.report.results import report_of
from upheld_evals.suites.dependencies import grounds_in


def _values(run_of: object, arm: str) -> dict[tuple[str, str], tuple[float | None, int]]:
    report = report_of(run_of, date="2026-01-02", upheld="0")  # type: ignore[arg-type]
    chosen = next(each for each in report.arms if arm in each.run.arm)
    return {(each.name, each.group): (each.value, each.n) for each in chosen.measures}


def test_the_row_of_given_dependencies_is_twelve_of_twelve(paper: Corpus) -> None:
    """The paper, Table 2, row GT deps: 12/12."""
    run = run_suite(table2_suite(paper), Settings())
    assert _values(run, "direct membership")["accuracy", ""] == (1.0, 12)
    engine = {item.id: outcome.score for item, outcome in run.arms[1].outcomes}
    assert [id for id, score in engine.items() if score == 0] == ["o8/h2"]


def test_the_verifier_decides_the_fifty_candidates_on_gold_claims(paper: Corpus) -> None:
    """The issue, section 6.4: E2 50/50."""
    values = _values(run_suite(e2_suite(paper, interpreters=()), Settings()), "gold claims")
    assert values["accuracy", ""] == (1.0, 50)
    assert values["accuracy", "stale + counterfactual"] == (1.0, 25)


def test_phase_three_is_scored_against_the_papers_own_label_sets(paper: Corpus) -> None:
    """The corpus's README: `gold.paper_operations` is what classification of Phase 3 is scored against."""
    suite = table7_suite(paper)
    assert len(suite.items) == 19
    assert suite.items[1].content.expected == ("observe",)
    assert len(only(paper, PHASE3).transcript.turns[1].operations) > 1
    assert sum(item.content.is_key_shift for item in suite.items) == 4
    annotated = _values(run_suite(table1_suite(paper, interpreters=("annotated",)), Settings()), "annotated")
    assert annotated["F1 a turn, sets, mean", "key shifts"] == (1.0, 4)


@pytest.mark.parametrize("noise", [*PAPERS, *BY_KIND])
def test_no_noise_changes_nothing_and_all_of_it_is_still_a_conversation(paper: Corpus, noise: str) -> None:
    """The paper, E5: epsilon 0 is the labelled state. What noise leaves must be tellable, whatever it hits."""
    transcript = only(paper, PHASE2).transcript
    change = {**PAPERS, **BY_KIND}[noise]
    assert change(transcript, random.Random(1), 0.0) == transcript
    for seed in range(3):
        loaded(change(transcript, random.Random(seed), 1.0), interpreter="annotated")


def test_dropped_edges_leave_no_dependency_and_wrong_statuses_are_never_the_right_ones(paper: Corpus) -> None:
    """The paper, E5: the models of noise do what their names say."""
    transcript = only(paper, PHASE2).transcript
    bare = loaded(PAPERS["edges dropped"](transcript, random.Random(1), 1.0), interpreter="annotated").state
    assert not any(grounds_in(bare, PropositionId(id)) for id in ("h1", "h2", "h3", "h4"))
    right, wrong = _statuses(transcript), _statuses(PAPERS["statuses corrupted"](transcript, random.Random(1), 1.0))
    assert [id for id in right if right[id] == wrong[id]] == []


def _statuses(transcript: Transcript) -> dict[str, str]:
    state = loaded(transcript, interpreter="annotated").state
    return {id: lifecycle_of(state, PropositionId(id)).value for id in ("h1", "h2", "h3", "h4")}


def test_the_noise_suite_reports_n_and_draws_the_papers_end_points(paper: Corpus) -> None:
    """The issue, section 5: E5 with plot, the paper's figures beside ours as the paper's."""
    whole = e5_suite(paper, seeds=1)
    chosen = tuple(
        item for item in whole.items if item.facets["epsilon"] in {"0.0", "0.8"} and item.facets["noise"] in PAPERS
    )
    run = run_suite(replace(whole, items=chosen), Settings())
    values = _values(run, "corrupted")
    assert values["accuracy", "statuses corrupted, epsilon 0.0"] == (1.0, 50)
    worst, n = values["accuracy", "statuses corrupted, epsilon 0.8"]
    assert n == 50
    assert worst is not None
    assert worst < 1.0
    assert _values(run, "always ungrounded")["accuracy", "edges added, epsilon 0.0"] == (0.7, 50)
    plot = report_of(run, date="2026-01-02", upheld="0").plots[0]
    assert {line.name for line in plot.lines if line.is_dashed} >= {"the paper: statuses", "the paper: edges"}
    assert drawn(plot).count("<polyline") == len(plot.lines)


def test_figure_two_comes_from_the_benchmark_of_the_checkout(root: Path, tmp_path: Path) -> None:
    """The issue, section 5: Figure 2; every answer is compared with the baseline's by the program itself."""
    pytest.importorskip("matplotlib")
    run = run_suite(figure2_suite(root / "benchmarks", sizes=(13, 100)), Settings())
    ratio, n = _values(run, "direct")["history replay takes times", "bounded, K=100"]
    assert n == 1000
    assert ratio is not None
    assert ratio > 1
    with pytest.raises(UpheldError, match=r"figure2\.py"):
        figure2_suite(tmp_path)


def test_second_labels_give_the_kappa_that_their_file_prints(shared: Path) -> None:
    """The corpus's agreement.md: kappa of the category 0.886 on 147 jointly ungrounded candidates."""
    corpus = read_corpus([shared / "corpus" / "dev", shared / "corpus" / "paper"])
    values = _values(run_suite(kappa_suite(corpus, shared / "corpus" / "agreement.md"), Settings()), "second")
    kappa, n = values["kappa, category of ungrounded candidates", ""]
    assert n == 147
    assert kappa == pytest.approx(0.886, abs=0.0005)


def test_a_file_without_second_labels_is_refused(tmp_path: Path, paper: Corpus) -> None:
    """Our promise: a stranger's data is named, not guessed at."""
    path = tmp_path / "agreement.md"
    path.write_text("# Nothing", encoding="utf-8")
    with pytest.raises(MalformedInput, match="second labels"):
        read_second_labels(path, paper)
