"""Statistics against values that can be worked out by hand, or that a textbook prints."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.conversation.scoring.tallies import Tally
from upheld_evals.statistics import (
    auroc,
    balanced_accuracy,
    best_f1,
    bootstrap,
    kappa,
    mcnemar,
    mean,
    mean_f1,
    overlap,
    pooled,
    selective,
    ties,
    wilson,
)


def test_wilsons_interval_of_three_of_three_is_what_the_paper_prints() -> None:
    """The paper, Appendix J: 3/3 has the Wilson 95 % interval [0.44, 1.00]."""
    found = wilson(3, 3)
    assert found is not None
    assert (round(found.low, 2), found.high) == (0.44, 1.0)


def test_wilsons_interval_of_half_is_symmetric_and_of_nothing_is_none() -> None:
    """Wilson 1927: 50 of 100 has [0.404, 0.596]."""
    found = wilson(50, 100)
    assert found is not None
    assert (round(found.low, 3), round(found.high, 3)) == (0.404, 0.596)
    assert wilson(0, 0) is None


def test_mcnemar_of_three_against_one_is_what_the_paper_prints() -> None:
    """The paper, section 4.2: 3 vs. 1 discordant pairs have p = 0.625, and 5 vs. 6 about 1."""
    first = mcnemar([(True, False)] * 3 + [(False, True)] + [(True, True)] * 74)
    assert (first.only_first, first.only_second, first.n, first.p) == (3, 1, 78, 0.625)
    assert mcnemar([(True, False)] * 5 + [(False, True)] * 6).p == 1.0
    assert mcnemar([(True, True)]).p == 1.0


def test_kappa_of_cohens_worked_table() -> None:
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, expected 0.5, kappa 0.4."""
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert kappa(pairs) == pytest.approx(0.4)
    assert kappa([]) is None
    assert kappa([("y", "y")]) is None


def test_f1_counts_repeats_and_pools_over_items() -> None:
    """Our promise: micro F1 pools counts, macro averages F1, and two empty sides agree."""
    first, second = overlap("aab", "abb"), overlap("", "")
    assert (first.precision, first.recall, first.f1) == (2 / 3, 2 / 3, pytest.approx(2 / 3))
    assert second.f1 is None
    assert pooled([first, Tally(expected=1)]).f1 == pytest.approx(4 / 7)
    assert mean_f1([first, second]) == pytest.approx((2 / 3 + 1) / 2)


def test_balanced_accuracy_counts_each_label_alike_and_abstaining_as_wrong() -> None:
    """Our promise: nine of ten of one label and none of the other are 0.45."""
    counts = Counter({("g", "g"): 9, ("g", "abstain"): 1, ("u", "g"): 2})
    assert balanced_accuracy(counts) == pytest.approx(0.45)


def test_the_curve_of_selective_accuracy_takes_equal_certainties_together() -> None:
    """Our promise: coverage is of all items, those abstained on included."""
    points = selective([(0.9, True), (0.5, False), (0.5, True)], of=4)
    assert [(each.coverage, each.accuracy) for each in points] == [(0.25, 1.0), (0.75, pytest.approx(2 / 3))]


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=20))
def test_the_area_under_the_curve_is_the_share_of_pairs_in_order(scored: list[tuple[int, bool]]) -> None:
    """Hanley and McNeil 1982: ranks give the same as comparing every pair."""
    positives = [score for score, is_positive in scored if is_positive]
    negatives = [score for score, is_positive in scored if not is_positive]
    expected = mean((one > other) + (one == other) / 2 for one in positives for other in negatives)
    assert auroc(scored) == (pytest.approx(expected) if expected is not None else None)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.booleans()), max_size=20))
def test_ties_and_the_best_f1_are_what_trying_every_pair_and_every_threshold_gives(
    scored: list[tuple[float, bool]],
) -> None:
    """Our promise: equal scores are counted, and none of them is parted by a threshold."""
    positives = [score for score, is_positive in scored if is_positive]
    negatives = [score for score, is_positive in scored if not is_positive]
    tied = mean(float(one == other) for one in positives for other in negatives)
    assert ties(scored) == (pytest.approx(tied) if tied is not None else None)
    f1s = [
        2 * sum(is_positive for score, is_positive in scored if score >= bar)
        / (sum(score >= bar for score, _ in scored) + len(positives))
        for bar, _ in scored
    ] if positives else []  # fmt: skip
    assert best_f1(scored) == (pytest.approx(max(f1s)) if f1s else None)


def test_the_bootstrap_draws_whole_conversations_and_repeats_itself() -> None:
    """Efron and Tibshirani 1993: same seed, same interval; one conversation gives none."""
    clusters = [[1.0] * 5, [0.0] * 5, [1.0] * 5, [0.0] * 5]
    one, other = bootstrap(clusters, mean, seed=7), bootstrap(clusters, mean, seed=7)
    assert one is not None
    assert one == other
    assert 0 <= one.low < 0.5 < one.high <= 1
    alone = bootstrap([[value] for cluster in clusters for value in cluster], mean, seed=7)
    assert alone is not None
    assert alone.high - alone.low < one.high - one.low
    assert bootstrap([[1.0, 0.0]], mean, seed=7) is None
