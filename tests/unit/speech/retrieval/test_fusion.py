"""Several rankings made one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.speech.retrieval.fusion import RANK_OFFSET, mean_of, reciprocal_ranks, scaled

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
