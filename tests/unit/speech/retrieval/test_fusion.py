"""Several rankings made one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.speech.retrieval.fusion import RANK_OFFSET, later_first, mean_of, reciprocal_ranks, scaled

scores = st.dictionaries(st.integers(0, 9), st.floats(0.01, 50), min_size=1)


@given(leg=scores, factor=st.floats(0.1, 10))
def test_scaling_forgets_the_unit_and_keeps_the_order(leg: dict[int, float], factor: float) -> None:
    """Our promise: BM25 and cosines can be added."""
    mine, theirs = scaled(leg), scaled({place: score * factor for place, score in leg.items()})
    assert mine == pytest.approx(theirs)
    assert max(mine.values()) == 1.0


def test_scores_of_nothing_and_below_are_no_scores() -> None:
    """Our promise: a cosine below zero is no nearness."""
    assert scaled({}) == scaled({1: 0.0, 2: -0.5}) == {}
    assert scaled({1: 0.4, 2: -0.2}) == {1: 1.0}


def test_the_mean_counts_a_missing_score_as_nothing() -> None:
    """Our promise: what both legs find goes before what one finds."""
    assert mean_of([{1: 1.0, 2: 0.8}, {2: 0.8}]) == pytest.approx({1: 0.5, 2: 0.8})


def test_reciprocal_ranks_are_those_of_the_definition() -> None:
    """Cormack, Clarke & Büttcher 2009, section 2."""
    fused = reciprocal_ranks([{7: 9.0, 8: 3.0}, {8: 0.1}])
    assert fused == pytest.approx({7: 1 / (RANK_OFFSET + 1), 8: 1 / (RANK_OFFSET + 2) + 1 / (RANK_OFFSET + 1)})


@given(leg=scores, nearly=st.floats(0.01, 1))
def test_of_what_is_nearly_the_best_the_latest_goes_first_and_nothing_else_moves(
    leg: dict[int, float], nearly: float
) -> None:
    """Demanded by P1: of two values for one thing the later is the current one."""
    ordered = later_first(leg, {place: place for place in leg}, nearly=nearly)
    best = max(leg.values())
    near = [place for place in ordered if leg[place] >= nearly * best]
    assert ordered[: len(near)] == sorted(near, reverse=True)
    assert [leg[place] for place in ordered[len(near) :]] == sorted(
        (leg[place] for place in ordered[len(near) :]), reverse=True
    )
    assert sorted(ordered) == sorted(leg)


def test_only_the_best_goes_first_where_nothing_is_nearly_as_good() -> None:
    """A clear answer is not pushed away by what was said last."""
    assert later_first({1: 1.0, 2: 0.5, 3: 0.4}, {1: 1, 2: 2, 3: 3}) == [1, 2, 3]
    assert later_first({1: 1.0, 2: 0.9, 3: 0.4}, {1: 1, 2: 2, 3: 3}) == [2, 1, 3]
    assert later_first({}, {}) == []
