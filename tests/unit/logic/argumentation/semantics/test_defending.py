"""Sets that defend themselves: grown in small circles, searched for in large ones, and what a budget leaves."""

from __future__ import annotations

import random
from itertools import product

import pytest

from upheld.logic.argumentation.framework import Framework, framework_of, indexed
from upheld.logic.argumentation.grounded import grounded_labels
from upheld.logic.argumentation.postulates import is_admissible, rejected
from upheld.logic.argumentation.preferred import preferred
from upheld.logic.argumentation.semantics import defending
from upheld.logic.argumentation.semantics.defending import preferred_labels, self_defending
from upheld.logic.argumentation.semantics.oracle import Budget, Solver
from upheld.logic.language.standing import Label


def crowded(size: int, probability: float, seed: int) -> Framework[int]:
    """Each attack drawn alike: where there are many, few sets defend themselves, and they are hard to find."""
    draw, names = random.Random(seed), range(size)
    return framework_of(names, [(one, other) for one, other in product(names, names) if draw.random() < probability])


def ring(size: int) -> Framework[int]:
    """Give a circle of attack."""
    return framework_of(range(size), [(name, (name + 1) % size) for name in range(size)])


def small_world(size: int, seed: int) -> Framework[int]:
    """A ring with three neighbours on each side, three in ten rewired, with directions drawn, one in five both."""
    draw = random.Random(seed)
    attacks: set[tuple[int, int]] = set()
    for one in range(size):
        for step in (1, 2, 3):
            other = draw.randrange(size) if draw.random() < 0.3 else (one + step) % size
            if one != other:
                attacks.add((one, other) if draw.random() < 0.5 else (other, one))
                attacks.update({(one, other), (other, one)} if draw.random() < 0.2 else ())
    return framework_of(range(size), attacks)


@pytest.mark.parametrize("size", [3, 4, 7, 8, 9, 10, 11])
def test_a_circle_has_a_set_that_defends_itself_iff_it_is_even(size: int) -> None:
    """Dung (1995): whether a circle is grown in or searched makes no difference."""
    index = indexed(ring(size))
    found = self_defending(index, tuple(range(size)), [Label.UNDECIDED] * size, Budget(None))
    assert len(list(found)) == (0 if size % 2 else size // 2)


def test_who_is_attacked_by_what_stays_open_cannot_join() -> None:
    """Our promise: x stays undecided before the circle, so b is not chosen, nor a, which only b could defend."""
    framework = framework_of("xabc", [("x", "x"), ("x", "b"), ("b", "c"), ("c", "a"), ("a", "b")])
    labels = grounded_labels(indexed(framework))
    assert self_defending(indexed(framework), (1, 2, 3), labels, Budget(None)) == []


def test_what_is_left_of_a_circle_is_settled_as_well() -> None:
    """Baumann, Brewka and Ulbricht (2020), modularization: a pair and an odd circle hang together and come apart."""
    attacks = [("a", "b"), ("b", "a"), ("b", "p"), ("p", "q"), ("q", "r"), ("r", "p"), ("r", "a")]
    found = preferred(framework_of("abpqr", attacks), conflict_budget=None)
    assert found.proved_maximal
    assert found.extension == {"b", "q"}


@pytest.mark.parametrize("first_try", [1_000, 0])
def test_a_crowded_circle_ends_with_a_set_that_decides_everything(
    first_try: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our promise: where the first question is hard, most of the budget goes to a set that decides everything."""
    monkeypatch.setattr(defending, "FIRST_TRY", first_try)
    monkeypatch.setattr(defending, "CLIMB", first_try)
    kept = range(8)
    attacks = [pair for pair in crowded(80, 0.2, seed=1).attacks if not set(pair) <= set(kept)]
    answered = [(kept[name % 8], name) for name in range(8, 80)]
    framework = framework_of(range(80), [*attacks, *answered])
    found = preferred(framework)
    assert found.proved_maximal
    assert is_admissible(found.extension, framework)
    assert found.extension | rejected(found.extension, framework) == set(range(80))


def test_a_spent_budget_is_not_called_proved() -> None:
    """Our promise: anytime, in hard circles too, whatever is spent in which stage."""
    framework = crowded(150, 0.1, seed=2)
    for conflicts in (1, 10, 100, 1_500):
        found = preferred(framework, conflict_budget=conflicts)
        assert is_admissible(found.extension, framework)
        assert found == preferred(framework, conflict_budget=conflicts)
        assert not found.proved_maximal or found.extension


def test_a_small_circle_costs_one_question() -> None:
    """Our promise: a budget ends in any case, so a set that is grown is counted too."""
    pairs = indexed(framework_of(range(6), [(name, name ^ 1) for name in range(6)]))
    enough, scarce = Budget(3), Budget(2)
    assert Label.UNDECIDED not in preferred_labels(pairs, enough)
    assert not enough.is_spent
    assert preferred_labels(pairs, scarce).count(Label.UNDECIDED) == 2
    assert scarce.is_spent


def test_a_question_within_some_conflicts_leaves_the_rest_of_the_budget() -> None:
    """Our promise: not known and spent are two things."""
    pigeons = [[pigeon * 8 + hole for hole in range(1, 9)] for pigeon in range(9)]
    clashes = [
        [-(one * 8 + hole), -(other * 8 + hole)] for hole in range(1, 9) for one in range(9) for other in range(one)
    ]
    budget = Budget(1_000)
    with Solver(budget) as solver:
        solver.add(pigeons + clashes)
        assert solver.is_satisfied(within=50) is None
        assert not budget.is_spent
        assert solver.is_satisfied() is None
        assert budget.is_spent


def test_only_what_stands_in_the_way_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: s and t can be neither in nor out, and the even circle that they hang on is decided all the same."""
    monkeypatch.setattr(defending, "FEW", 0)
    circle = [(str(name), str((name + 1) % 6)) for name in range(6)]
    framework = framework_of("012345st", [*circle, ("0", "t"), ("t", "t"), ("t", "s"), ("s", "s"), ("s", "0")])
    index = indexed(framework)
    found = self_defending(index, tuple(range(8)), grounded_labels(index), Budget(None))
    assert list(found) == [1, 3, 5]
    assert preferred(framework).extension == frozenset("135")


@pytest.mark.parametrize("seed", [1, 2])
def test_a_large_circle_that_is_not_decided_soon_is_climbed(seed: int) -> None:
    """Pinned: ten thousand arguments in a small world ended with the whole budget spent and next to nothing in."""
    framework = small_world(10_000, seed)
    found = preferred(framework)
    assert found.proved_maximal
    assert len(found.extension) > 2_000
    assert is_admissible(found.extension, framework)
