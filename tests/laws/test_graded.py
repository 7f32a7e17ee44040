"""Laws of the graded variants: they are the plain labels at their extremes, and grow where they should."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from upheld.logic.argumentation import reference
from upheld.logic.argumentation.framework import Framework, framework_of
from upheld.logic.argumentation.graded.confidence import Along, calibrated
from upheld.logic.argumentation.graded.partial import partially_grounded
from upheld.logic.argumentation.graded.weighted import (
    above_threshold,
    grounded_within,
    least_budget,
    relaxations,
)
from upheld.logic.argumentation.grounded import grounded
from upheld.logic.language.standing import Label

ALONG = st.sampled_from(Along)
UNIT = st.integers(0, 100).map(lambda hundredths: hundredths / 100)


@st.composite
def frameworks(draw: st.DrawFn, *, attacks: bool = True, most: int = 6) -> Framework[str]:
    """Any framework of up to ``most`` arguments, with circles of attack and of support."""
    names = "abcdefgh"[: draw(st.integers(1, most))]
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names))
    drawn = draw(st.frozensets(pairs, max_size=2 * len(names))) if attacks else frozenset[tuple[str, str]]()
    justifications: dict[str, list[frozenset[str]]] = {}
    for name in draw(st.frozensets(st.sampled_from(names))) if len(names) > 1 else ():
        others = st.sampled_from([other for other in names if other != name])
        justifications[name] = draw(st.lists(st.frozensets(others, max_size=3), max_size=3))
    return framework_of(names, drawn, justifications)


def confidences(framework: Framework[str]) -> st.SearchStrategy[dict[str, float]]:
    """A confidence for each argument."""
    return st.fixed_dictionaries(dict.fromkeys(framework.arguments, UNIT))


def weights(framework: Framework[str]) -> st.SearchStrategy[dict[tuple[str, str], float]]:
    """A weight for each attack, in tenths so that sums tie."""
    tenths = st.integers(1, 20).map(lambda number: number / 10)
    return st.fixed_dictionaries(dict.fromkeys(sorted(framework.attacks), tenths))


@given(st.data(), frameworks(), ALONG)
def test_confidences_of_zero_and_one_give_the_plain_labels(
    data: st.DataObject, framework: Framework[str], along: Along
) -> None:
    """``graded/confidence.py``: [1, 1] is in, [0, 0] out, [0, 1] undecided; an argument nobody trusts has no ground."""
    trusted = data.draw(st.fixed_dictionaries(dict.fromkeys(framework.arguments, st.booleans())))
    found = calibrated(framework, {name: float(is_trusted) for name, is_trusted in trusted.items()}, along=along)
    distrusted: dict[str, list[frozenset[str]]] = {name: [] for name, is_trusted in trusted.items() if not is_trusted}
    crisp = framework_of(framework.arguments, framework.attacks, {**framework.justifications, **distrusted})
    meant = {(1.0, 1.0): Label.IN, (0.0, 0.0): Label.OUT, (0.0, 1.0): Label.UNDECIDED}
    labels = {name: meant[strength.low, strength.high] for name, strength in found.strengths.items()}
    assert labels == reference.grounded_labelling(crisp)


@given(st.data(), frameworks(), ALONG)
def test_a_strength_is_an_interval_below_its_confidence_that_solves_the_equation(
    data: st.DataObject, framework: Framework[str], along: Along
) -> None:
    """``graded/confidence.py``, the equation, read aloud on the ends of the intervals."""
    confidence = data.draw(confidences(framework))
    strengths = calibrated(framework, confidence, along=along).strengths
    low = {name: strength.low for name, strength in strengths.items()}
    high = {name: strength.high for name, strength in strengths.items()}
    for name in framework.arguments:
        assert 0 <= low[name] <= high[name] <= confidence[name]
        assert abs(low[name] - equation(framework, confidence, along, name, (low, high))) < 1e-6
        assert abs(high[name] - equation(framework, confidence, along, name, (high, low))) < 1e-6


def equation(
    framework: Framework[str],
    confidence: Mapping[str, float],
    along: Along,
    name: str,
    ends: tuple[Mapping[str, float], Mapping[str, float]],
) -> float:
    """The right-hand side, with grounds from the first end and attackers from the second."""
    grounds, attackers = ends
    ground = 0.0
    for way in framework.justifications.get(name, (frozenset[str](),)):
        strength = 1.0
        for premise in way:
            strength = min(strength, grounds[premise]) if along is Along.MINIMUM else strength * grounds[premise]
        ground = max(ground, strength)
    pressure = max((attackers[by] for by, target in framework.attacks if target == name), default=0.0)
    return confidence[name] * ground * (1 - pressure)


@given(st.data(), frameworks(attacks=False), ALONG)
def test_more_confidence_never_weakens_where_nothing_attacks(
    data: st.DataObject, framework: Framework[str], along: Along
) -> None:
    """``graded/confidence.py``: without attacks the equation is monotone in every confidence."""
    less = data.draw(confidences(framework))
    more = {name: max(value, data.draw(UNIT)) for name, value in less.items()}
    weaker, stronger = calibrated(framework, less, along=along), calibrated(framework, more, along=along)
    for name in framework.arguments:
        assert weaker.strengths[name].low <= stronger.strengths[name].low + 1e-9
        assert weaker.strengths[name].high <= stronger.strengths[name].high + 1e-9


@given(st.data(), frameworks(attacks=False))
def test_grounds_that_fail_independently_are_never_stronger_than_their_weakest(
    data: st.DataObject, framework: Framework[str]
) -> None:
    """``graded/confidence.py``: a product of numbers in [0, 1] is at most their minimum."""
    confidence = data.draw(confidences(framework))
    product = calibrated(framework, confidence, along=Along.PRODUCT).strengths
    minimum = calibrated(framework, confidence, along=Along.MINIMUM).strengths
    for name in framework.arguments:
        assert product[name].low <= minimum[name].low + 1e-9
        assert product[name].high <= minimum[name].high + 1e-9


@given(st.data(), frameworks(attacks=False), ALONG)
def test_more_confidence_in_an_attack_never_strengthens_its_target(
    data: st.DataObject, framework: Framework[str], along: Along
) -> None:
    """``graded/confidence.py``: strength falls with the strongest attacker, here one that nothing attacks."""
    names = (*framework.arguments, "z")
    attacked = framework_of(names, {("z", framework.arguments[0])}, framework.justifications)
    less, more = sorted((data.draw(UNIT), data.draw(UNIT)))
    confidence = data.draw(confidences(framework))
    weaker = calibrated(attacked, {**confidence, "z": less}, along=along).strengths["a"]
    stronger = calibrated(attacked, {**confidence, "z": more}, along=along).strengths["a"]
    assert stronger.low <= weaker.low + 1e-9
    assert stronger.high <= weaker.high + 1e-9


@given(frameworks())
def test_no_tolerance_gives_the_plain_labels(framework: Framework[str]) -> None:
    """``graded/partial.py``: the definition at t = 0 is that of the grounded labelling."""
    assert partially_grounded(framework, tolerance=0).labels == reference.grounded_labelling(framework)


@given(st.data(), frameworks(), st.sampled_from((0, 20, 25, 33, 34, 50, 60, 75, 99)))
def test_partial_labels_are_the_least_fixpoint_of_the_definition(
    data: st.DataObject, framework: Framework[str], hundredths: int
) -> None:
    """``graded/partial.py``: by rounds from undecided upwards, in whole numbers."""
    pairs = sorted({(name, p) for name, ways in framework.justifications.items() for way in ways for p in way})
    heavy = data.draw(st.fixed_dictionaries(dict.fromkeys(pairs, st.integers(1, 3))))
    found = partially_grounded(framework, tolerance=hundredths / 100, weights=heavy)
    assert found.labels == slow_partial(framework, hundredths, heavy)


def slow_partial(framework: Framework[str], hundredths: int, heavy: Mapping[tuple[str, str], int]) -> dict[str, Label]:
    """Round after round over all arguments, shares in hundredths."""
    labels = dict.fromkeys(framework.arguments, Label.UNDECIDED)
    while True:
        after = {name: slow_label(framework, hundredths, heavy, labels, name) for name in framework.arguments}
        if after == labels:
            return labels
        labels = after


def slow_label(
    framework: Framework[str],
    hundredths: int,
    heavy: Mapping[tuple[str, str], int],
    labels: Mapping[str, Label],
    name: str,
) -> Label:
    """The definition read aloud."""

    def is_over(way: frozenset[str], lost: tuple[Label, ...]) -> bool:
        weight = sum(heavy[name, premise] for premise in way if labels[premise] in lost)
        return 100 * weight > hundredths * sum(heavy[name, premise] for premise in way)

    ways = framework.justifications.get(name, (frozenset[str](),))
    attackers = [labels[by] for by, target in framework.attacks if target == name]
    if Label.IN in attackers or all(is_over(way, (Label.OUT,)) for way in ways):
        return Label.OUT
    is_held = any(not is_over(way, (Label.OUT, Label.UNDECIDED)) for way in ways)
    return Label.IN if is_held and all(label is Label.OUT for label in attackers) else Label.UNDECIDED


@given(frameworks(attacks=False), UNIT, UNIT)
def test_more_tolerance_never_fells_where_nothing_attacks(
    framework: Framework[str], first: float, second: float
) -> None:
    """``graded/partial.py``: more may be lost before a justification breaks, and less is needed for one to hold."""
    less, more = sorted((min(first, 0.99), min(second, 0.99)))
    stricter = partially_grounded(framework, tolerance=less).labels
    laxer = partially_grounded(framework, tolerance=more).labels
    order = {Label.OUT: 0, Label.UNDECIDED: 1, Label.IN: 2}
    assert all(order[stricter[name]] <= order[laxer[name]] for name in framework.arguments)


@given(st.data(), frameworks(most=4), st.integers(0, 30))
def test_the_extensions_within_a_budget_are_those_of_all_sets_of_attacks(
    data: st.DataObject, framework: Framework[str], tenths: int
) -> None:
    """Dunne et al. (2011): the definition by enumeration, and the cheapest set for each extension."""
    attacks = sorted(framework.attacks)[:6]
    framework = framework_of(framework.arguments, attacks, framework.justifications)
    heavy = data.draw(weights(framework))
    cheapest: dict[frozenset[str], int] = {}
    sets = list(chain.from_iterable(combinations(attacks, size) for size in range(len(attacks) + 1)))
    for overlooked in sets:
        weight = sum(round(10 * heavy[pair]) for pair in overlooked)
        left = framework_of(framework.arguments, set(attacks) - set(overlooked), framework.justifications)
        extension = reference.grounded_extension(left)
        if weight <= tenths:
            cheapest[extension] = min(weight, cheapest.get(extension, weight))
    found = grounded_within(framework, heavy, tenths / 10)
    assert {each.extension: round(10 * each.weight) for each in found} == cheapest
    assert [each.weight for each in found] == sorted(each.weight for each in found)
    within = sum(1 for chosen in sets if sum(round(10 * heavy[pair]) for pair in chosen) <= tenths)
    assert sum(1 for _ in relaxations(framework, heavy, tenths / 10)) == within
    everything = grounded_within(framework, heavy, 100)
    for name in framework.arguments:
        least = least_budget(framework, heavy, name)
        holding = [each.weight for each in everything if name in each.extension]
        assert (None if least is None else least.weight) == min(holding, default=None)


@given(frameworks())
def test_without_a_budget_or_below_every_weight_nothing_is_overlooked(framework: Framework[str]) -> None:
    """Dunne et al. (2011): at a budget of 0 there is one extension, the plain one; so below the least weight."""
    plain = frozenset(name for name, label in grounded(framework).items() if label is Label.IN)
    assert [each.extension for each in grounded_within(framework, {}, 0)] == [plain]
    assert above_threshold(framework, {}, 1).framework == framework
    assert above_threshold(framework, {}, 1.5).overlooked == framework.attacks
