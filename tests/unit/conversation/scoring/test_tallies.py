"""Counts, and shares only at the end."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from upheld.conversation.scoring.tallies import Ratio, Tally

bags = st.lists(st.sampled_from("abcd"), max_size=6).map(Counter)


def test_a_ratio_of_nothing_is_nothing() -> None:
    """C-45: never NaN, and no zero where nothing was asked."""
    assert Ratio().share is None
    assert Ratio().as_tree() == {"right": 0, "of": 0}


def test_a_ratio_counts_right_answers() -> None:
    """Our promise: right of how many."""
    ratio = Ratio()
    for is_right in (True, False, True, True):
        ratio.count(is_right=is_right)
    assert (ratio.right, ratio.of, ratio.share) == (3, 4, 0.75)


def test_a_tally_of_nothing_is_nothing() -> None:
    """C-45, for precision and recall: each is undefined where its own denominator is empty."""
    assert Tally().as_tree() == {"precision": None, "recall": None, "f1": None}
    missing = Tally()
    missing.count(Counter("a"), Counter())
    assert missing.as_tree() == {"precision": None, "recall": 0.0, "f1": 0.0}
    superfluous = Tally()
    superfluous.count(Counter(), Counter("a"))
    assert superfluous.as_tree() == {"precision": 0.0, "recall": None, "f1": 0.0}


def test_what_occurs_twice_counts_twice() -> None:
    """Our promise: multisets, pooled over all that was counted (micro average)."""
    tally = Tally()
    tally.count(Counter("aab"), Counter("abb"))
    tally.count(Counter("c"), Counter("c"))
    assert (tally.expected, tally.found, tally.both) == (4, 4, 3)
    assert tally.as_tree() == {"precision": 0.75, "recall": 0.75, "f1": 0.75}


@given(st.lists(st.tuples(bags, bags), max_size=4))
def test_f1_is_the_harmonic_mean(pairs: list[tuple[Counter[str], Counter[str]]]) -> None:
    """Van Rijsbergen 1979, chapter 7; compared with the definition by precision and recall."""
    tally = Tally()
    for expected, found in pairs:
        tally.count(expected, found)
    precision, recall, f1 = tally.precision, tally.recall, tally.f1
    if precision and recall:
        assert f1 is not None
        assert abs(f1 - 2 * precision * recall / (precision + recall)) < 1e-12
    else:
        assert not f1
