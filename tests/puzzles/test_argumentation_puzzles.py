"""The named cases of the literature on argumentation."""

from __future__ import annotations

import pytest

from upheld.logic.argumentation import reference
from upheld.logic.argumentation.framework import Framework, framework_of, without
from upheld.logic.argumentation.grounded import grounded
from upheld.logic.argumentation.postulates import is_conflict_free, self_defending_core
from upheld.logic.argumentation.preferred import preferred
from upheld.logic.language.standing import Label


def labels_of(framework: Framework[str]) -> str:
    """Grounded labels in the order of the arguments: ``+`` in, ``-`` out, ``?`` undecided."""
    signs = {Label.IN: "+", Label.OUT: "-", Label.UNDECIDED: "?"}
    return "".join(signs[label] for label in grounded(framework).values())


def preferred_sets(framework: Framework[str]) -> set[str]:
    """All preferred extensions, each as its members in alphabetical order; the solver's choice must be among them."""
    found = reference.preferred_extensions(framework)
    chosen = preferred(framework)
    assert chosen.proved_maximal
    assert chosen.extension in found
    return {" ".join(sorted(extension)) for extension in found}


def test_the_nixon_diamond_is_undecided_and_has_two_ways_out() -> None:
    """Reiter and Criscuolo (1981): a Quaker and a Republican; Dung (1995), section 2."""
    nixon = framework_of(["dove", "hawk"], [("dove", "hawk"), ("hawk", "dove")])
    assert labels_of(nixon) == "??"
    assert preferred_sets(nixon) == {"dove", "hawk"}
    assert reference.stable_extensions(nixon) == {frozenset({"dove"}), frozenset({"hawk"})}


def test_tweety_does_not_fly_once_we_hear_that_she_is_a_penguin() -> None:
    """The standing example of default reasoning (Reiter 1980): the more specific argument attacks, premises stay."""
    arguments = ["bird", "flies", "penguin", "grounded_bird"]
    needs = {"flies": [["bird"]], "grounded_bird": [["penguin"]]}
    tweety = framework_of(arguments, [("grounded_bird", "flies")], needs)
    assert labels_of(tweety) == "+-++"
    assert labels_of(without(tweety, ["penguin"])) == "++-"


@pytest.mark.parametrize("length", [1, 3, 5, 7])
def test_an_odd_circle_of_attack_accepts_nothing(length: int) -> None:
    """Dung (1995), section 2: no argument of the circle is in any admissible set, and no set is stable."""
    names = "abcdefg"[:length]
    circle = framework_of(names, [(name, names[(place + 1) % length]) for place, name in enumerate(names)])
    assert labels_of(circle) == "?" * length
    assert preferred_sets(circle) == {""}
    assert reference.stable_extensions(circle) == frozenset()


@pytest.mark.parametrize("length", [2, 4, 6])
def test_an_even_circle_of_attack_has_two_preferred_extensions(length: int) -> None:
    """Dung (1995), section 2: every second argument, one way or the other."""
    names = "abcdef"[:length]
    circle = framework_of(names, [(name, names[(place + 1) % length]) for place, name in enumerate(names)])
    assert labels_of(circle) == "?" * length
    assert preferred_sets(circle) == {" ".join(names[::2]), " ".join(names[1::2])}


def test_an_argument_that_attacks_itself_takes_its_targets_along() -> None:
    """Dung (1995), section 2: never accepted, and what it attacks is undecided until it is answered."""
    assert labels_of(framework_of("ab", [("a", "a"), ("a", "b")])) == "??"
    assert labels_of(framework_of("abc", [("a", "a"), ("a", "b"), ("c", "a")])) == "-++"


def test_floating_reinstatement_is_seen_by_preferred_and_not_by_grounded() -> None:
    """Makinson and Schlechta (1991): a and b exclude each other, both attack c, which attacks d; d floats."""
    floating = framework_of("abcd", [("a", "b"), ("b", "a"), ("a", "c"), ("b", "c"), ("c", "d")])
    assert labels_of(floating) == "????"
    assert preferred_sets(floating) == {"a d", "b d"}


def test_an_odd_circle_downstream_leaves_preferred_alone_and_kills_stable() -> None:
    """Baroni and Giacomin (2007): preferred is directional, stable is not."""
    names, attacks = "abcd", [("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")]
    assert preferred_sets(framework_of(names, attacks)) == {"a c"}
    with_self_attack = framework_of("abx", [("a", "b"), ("x", "x")])
    assert preferred_sets(with_self_attack) == {"a"}
    assert reference.stable_extensions(with_self_attack) == frozenset()


def test_reinstatement_runs_down_a_chain_of_attacks() -> None:
    """Dung (1995), section 1: the one who has the last word laughs best."""
    assert labels_of(framework_of("abcde", [("b", "a"), ("c", "b"), ("d", "c"), ("e", "d")])) == "+-+-+"


def test_a_circle_of_support_is_undecided_until_it_has_ground_outside() -> None:
    """Semantics, section 2: nothing holds itself up; one member with ground outside carries the others."""
    circle = {"a": [["b"]], "b": [["a"]]}
    hanging = framework_of("abx", [("a", "x")], circle)
    assert labels_of(hanging) == "???"
    assert preferred_sets(hanging) == {""}
    assert labels_of(framework_of("abe", [], {"a": [["b"], ["e"]], "b": [["a"]]})) == "+++"


def test_a_circle_of_support_falls_with_the_attack_on_one_member() -> None:
    """Semantics, section 2: out when every justification has a premise out, all the way round."""
    assert labels_of(framework_of("abe", [("e", "a")], {"a": [["b"]], "b": [["a"]]})) == "--+"


def test_a_lost_premise_takes_its_conclusion_unless_there_is_another_way() -> None:
    """Nouioua and Risch (2011): necessary support; semantics, section 2: alternatives."""
    joint = framework_of("pqcx", [("x", "p")], {"c": [["p", "q"]]})
    either = framework_of("pqcx", [("x", "p")], {"c": [["p"], ["q"]]})
    assert (labels_of(joint), labels_of(either)) == ("-+-+", "-+++")


def test_proposition_two_point_one_has_a_counterexample_of_three_arguments() -> None:
    """Semantics, section 7: c attacks b, b attacks a; without c, what is left of {a, c} is in no preferred set."""
    before = framework_of("abc", [("c", "b"), ("b", "a")])
    after = without(before, "c")
    assert preferred_sets(before) == {"a c"}
    assert preferred_sets(after) == {"b"}
    assert is_conflict_free("a", after)
    assert self_defending_core("a", after) == frozenset()
