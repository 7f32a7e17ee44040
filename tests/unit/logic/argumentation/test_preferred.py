"""One preferred extension: budgets, determinism, and large circles."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from upheld.logic.argumentation.framework import Framework, framework_of
from upheld.logic.argumentation.postulates import is_admissible
from upheld.logic.argumentation.preferred import Preferred, preferred
from upheld.logic.argumentation.reference import preferred_extensions


def random_framework(size: int, attacks: int, seed: int) -> Framework[int]:
    """Attacks between arguments drawn alike: circles everywhere, and hard to prove maximal when there are many."""
    draw = random.Random(seed)
    return framework_of(range(size), {(draw.randrange(size), draw.randrange(size)) for _ in range(attacks)})


def test_nothing_said_is_preferred_and_proved() -> None:
    """The empty framework has the empty extension."""
    assert preferred(framework_of("")) == Preferred(extension=frozenset[str](), proved_maximal=True)


def test_no_budget_is_needed_where_grounded_decides() -> None:
    """Our promise: the solver is asked only about circles that grounded leaves open."""
    chain = framework_of("abc", [("a", "b"), ("b", "c")])
    assert preferred(chain, conflict_budget=0) == Preferred(extension=frozenset("ac"), proved_maximal=True)
    hanging_on_a_self_attack = framework_of("abc", [("a", "a"), ("a", "b"), ("b", "c")])
    assert preferred(hanging_on_a_self_attack, conflict_budget=0).proved_maximal


def test_without_budget_an_open_circle_is_left_alone_and_not_called_maximal() -> None:
    """Our promise: what could not be checked is not passed off as checked."""
    circle = framework_of("gab", [("a", "b"), ("b", "a")])
    assert preferred(circle, conflict_budget=0) == Preferred(extension=frozenset("g"), proved_maximal=False)


def test_a_budget_is_for_all_circles_together() -> None:
    """Our promise: a hundred odd circles do not take a hundred budgets; what is enough for one is not for all."""
    attacks = [(3 * circle + place, 3 * circle + (place + 1) % 3) for circle in range(100) for place in range(3)]
    assert preferred(framework_of(range(3), attacks[:3]), conflict_budget=20).proved_maximal
    assert not preferred(framework_of(range(300), attacks), conflict_budget=20).proved_maximal
    assert preferred(framework_of(range(300), attacks), conflict_budget=2_000).proved_maximal


def test_a_spent_budget_gives_an_admissible_set_that_is_not_called_maximal() -> None:
    """Our promise: anytime. The proof of maximality is what explodes, not the finding."""
    hard = random_framework(600, 3_000, seed=2)
    found = preferred(hard, conflict_budget=300)
    assert not found.proved_maximal
    assert is_admissible(found.extension, hard)


def test_the_same_framework_gives_the_same_extension() -> None:
    """Our promise: deterministic, whatever the order in which attacks are given."""
    one = random_framework(300, 600, seed=3)
    other = framework_of(one.arguments, sorted(one.attacks, reverse=True))
    assert preferred(one) == preferred(other) == preferred(one)


def test_a_choice_upstream_decides_downstream() -> None:
    """Baroni and Giacomin (2007), directionality: each circle sees the labels of the circles before it."""
    attacks = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "d"), ("d", "c"), ("d", "e"), ("e", "e")]
    found = preferred(framework_of("abcde", attacks), conflict_budget=None)
    assert found.proved_maximal
    assert found.extension in ({"a", "d"}, {"b", "c"}, {"b", "d"})


def test_a_long_even_circle_is_settled() -> None:
    """Our promise: no recursion, and one circle is easy however long."""
    size = 5_000
    ring = framework_of(range(size), [*pairwise(range(size)), (size - 1, 0)])
    found = preferred(ring)
    assert found.proved_maximal
    assert found.extension in (frozenset(range(0, size, 2)), frozenset(range(1, size, 2)))


def test_many_small_circles_are_settled_one_by_one() -> None:
    """Our promise: conversations are nearly acyclic; two thousand pairs that exclude each other."""
    pairs = [(name, name ^ 1) for name in range(4_000)]
    found = preferred(framework_of(range(4_000), pairs))
    assert found.proved_maximal
    assert sorted(name // 2 for name in found.extension) == list(range(2_000))


def test_a_circle_of_support_beside_a_circle_of_attack_does_not_hold_itself_up() -> None:
    """Nouioua and Risch (2011): a and b need each other, so neither stands, though nothing standing attacks them."""
    framework = framework_of("abxy", [("x", "y"), ("y", "x"), ("x", "a"), ("b", "y")], {"a": [["b"]], "b": [["a"]]})
    found = preferred(framework, conflict_budget=None)
    assert found == Preferred(extension=frozenset("x"), proved_maximal=True)


@pytest.mark.parametrize(
    ("attacks", "needs", "extension"),
    [
        ("ac ae db ed", {"a": ["ce", "d"], "b": ["ac"], "c": ["b"]}, "ad"),
        ("ad bd ca cd da db dc", {"b": ["c"], "c": ["be"], "d": ["e"]}, "de"),
    ],
)
def test_what_was_out_in_a_circle_may_come_to_be_out_by_attack(
    attacks: str, needs: dict[str, list[str]], extension: str
) -> None:
    """Lin and Zhao (2004): a loop clause names every reason beyond the loop. Each has one preferred set."""
    framework = framework_of("abcde", [(pair[0], pair[1]) for pair in attacks.split()], needs)
    assert preferred_extensions(framework) == {frozenset(extension)}
    assert preferred(framework, conflict_budget=None).extension == frozenset(extension)
