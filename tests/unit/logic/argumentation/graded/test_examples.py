"""The graded variants, by examples small enough to reckon by hand."""

from __future__ import annotations

from math import inf, nan

import pytest

from upheld.errors import LimitExceeded, MalformedInput, UnknownReference
from upheld.logic.argumentation.framework import framework_of
from upheld.logic.argumentation.graded import weighted
from upheld.logic.argumentation.graded.confidence import Along, Strength, calibrated
from upheld.logic.argumentation.graded.partial import partially_grounded
from upheld.logic.argumentation.graded.weighted import above_threshold, grounded_within, least_budget, relaxations
from upheld.logic.language.standing import Label

PAIR = framework_of("pqc", [], {"c": [["p", "q"]]})
ODD = framework_of("abc", [("a", "b"), ("b", "c"), ("c", "a")])


def test_a_claim_is_as_strong_as_its_weakest_ground_or_as_all_of_them_together() -> None:
    """``graded/confidence.py``, the definition, both ways to combine grounds."""
    confidence = {"p": 0.5, "q": 0.8, "c": 0.5}
    assert calibrated(PAIR, confidence).strengths["c"] == Strength(low=0.25, high=0.25)
    product = calibrated(PAIR, confidence, along=Along.PRODUCT)
    assert product.strengths["c"].low == pytest.approx(0.2)
    assert str(product.variant) == "calibrated confidence (grounds along the product)"


def test_the_strongest_attacker_counts() -> None:
    """``graded/confidence.py``, the definition: a crowd of weak attackers is no strong one."""
    framework = framework_of("xabc", [("a", "x"), ("b", "x"), ("c", "x")])
    found = calibrated(framework, {"a": 0.25, "b": 0.5, "c": 0.25}).strengths["x"]
    assert found == Strength(low=0.5, high=0.5)


def test_an_open_circle_at_full_confidence_is_open_and_below_it_is_a_point() -> None:
    """``graded/confidence.py``, circles: x = c (1 - x) has one solution, c / (1 + c); at c = 1 it is not forced."""
    duel = framework_of("ab", [("a", "b"), ("b", "a")])
    assert calibrated(duel, {}).strengths["a"] == Strength(low=0, high=1)
    found = calibrated(duel, {"a": 0.5, "b": 0.5}).strengths["a"]
    assert found.low == pytest.approx(1 / 3)
    assert found.high == pytest.approx(1 / 3)


@pytest.mark.parametrize("value", [-0.1, 1.1, nan])
def test_a_confidence_outside_its_range_is_refused(value: float) -> None:
    """Our promise: a mistake is no verdict."""
    with pytest.raises(MalformedInput, match="is no confidence in p"):
        calibrated(PAIR, {"p": value})
    with pytest.raises(MalformedInput, match="a confidence for z, which is no argument"):
        calibrated(PAIR, {"z": 0.5})


def test_a_claim_stands_while_the_share_lost_is_within_the_tolerance() -> None:
    """``graded/partial.py``, the definition; shares are exact, so that a tie is a tie."""
    framework = framework_of("xpqrc", [("x", "p")], {"c": [["p", "q", "r"]]})
    weights = {("c", "p"): 0.1, ("c", "q"): 0.1, ("c", "r"): 0.1}
    assert partially_grounded(framework, tolerance=0.33, weights=weights).labels["c"] is Label.OUT
    assert partially_grounded(framework, tolerance=0.34, weights=weights).labels["c"] is Label.IN
    heavy = {**weights, ("c", "p"): 0.2}
    found = partially_grounded(framework, tolerance=0.5, weights=heavy)
    assert found.labels["c"] is Label.IN
    assert str(found.variant) == "partial dependency (tolerance 0.5)"


def test_a_loss_of_just_the_tolerance_breaks_nothing_and_holds_nothing_that_is_open() -> None:
    """``graded/partial.py``, the definition: broken by more than the tolerance, held by no more than it."""
    framework = framework_of("xpqc", [("x", "p"), ("q", "q")], {"c": [["p", "q"]]})
    assert partially_grounded(framework, tolerance=0.5).labels["c"] is Label.UNDECIDED
    assert partially_grounded(framework, tolerance=0.49).labels["c"] is Label.OUT


@pytest.mark.parametrize("tolerance", [-0.1, 1.0, nan])
def test_a_tolerance_that_nothing_could_exceed_is_refused(tolerance: float) -> None:
    """``graded/partial.py``: at 1 no justification could break."""
    with pytest.raises(MalformedInput, match="is no tolerance"):
        partially_grounded(PAIR, tolerance=tolerance)


@pytest.mark.parametrize("weight", [0.0, -1.0, inf, nan])
def test_a_weight_that_is_not_positive_is_refused(weight: float) -> None:
    """Our promise: a premise or an attack of no weight would be none."""
    with pytest.raises(MalformedInput, match="is no weight of a premise"):
        partially_grounded(PAIR, tolerance=0.1, weights={("c", "p"): weight})
    with pytest.raises(MalformedInput, match="is no weight of an attack"):
        grounded_within(ODD, {("a", "b"): weight}, 1)
    with pytest.raises(MalformedInput, match="a weight for b against a, which is no attack"):
        grounded_within(ODD, {("b", "a"): 1}, 1)


def test_overlooking_the_weakest_attack_of_an_odd_circle_opens_it() -> None:
    """Dunne et al. (2011): the reason for budgets is a framework that accepts nothing."""
    weights = {("a", "b"): 2, ("b", "c"): 1, ("c", "a"): 3}
    found = grounded_within(ODD, weights, 2)
    assert [(each.extension, each.weight) for each in found] == [(set(), 0), ({"b", "c"}, 1), ({"a", "b"}, 2)]
    assert str(found[0].variant) == "weighted attacks (budget 2)"


def test_the_least_budget_says_what_has_to_be_overlooked() -> None:
    """Dunne et al. (2011), the optimisation problem: the cheapest set, not the smallest."""
    framework = framework_of("abcx", [("a", "x"), ("b", "a"), ("c", "b")])
    weights = {("a", "x"): 5, ("b", "a"): 1, ("c", "b"): 2}
    found = least_budget(framework, weights, "x")
    assert found is not None
    assert (found.overlooked, found.weight) == (frozenset({("c", "b")}), 2)
    assert least_budget(PAIR, {}, "c") is not None
    assert least_budget(framework_of("ab", [], {"a": [["b"]], "b": [["a"]]}), {}, "a") is None
    with pytest.raises(UnknownReference):
        least_budget(PAIR, {}, "z")


def test_attacks_as_heavy_as_the_threshold_count() -> None:
    """``graded/weighted.py``: below, and a tie is a tie."""
    found = above_threshold(ODD, {("a", "b"): 0.1, ("b", "c"): 0.2, ("c", "a"): 0.3}, 0.2)
    assert found.overlooked == {("a", "b")}
    assert str(found.variant) == "weighted attacks (attacks below 0.2 ignored)"


def test_a_search_without_an_end_in_sight_is_given_up_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dunne et al. (2011): the question is NP-complete; never passed silently."""
    monkeypatch.setattr(weighted, "MOST_RELAXATIONS", 1_000)
    names = [str(number) for number in range(5)]
    ring = framework_of(names, [(name, other) for name in names for other in names if name != other])
    with pytest.raises(LimitExceeded, match="more than 1000 sets of attacks"):
        list(relaxations(ring, {}, 1000))
    with pytest.raises(MalformedInput, match="is no budget"):
        grounded_within(ring, {}, nan)


def test_a_chain_of_any_length_is_walked() -> None:
    """Our promise: nothing recurses over what a user gives."""
    count = 5_000
    names = [str(number) for number in range(count)]
    chain = framework_of(names, [], {names[place]: [[names[place - 1]]] for place in range(1, count)})
    assert partially_grounded(chain, tolerance=0.5).labels[names[-1]] is Label.IN
    assert calibrated(chain, {"0": 0.5}).strengths[names[-1]] == Strength(low=0.5, high=0.5)
