"""Frameworks: what is refused, what is kept, and what is left after arguments are taken out."""

from __future__ import annotations

import gc

import pytest

from upheld.errors import RepeatedIdentity, SelfSupport, UnknownReference
from upheld.logic.argumentation.framework import Framework, framework_of, indexed, members_of, without


def test_an_argument_that_is_listed_twice_is_refused() -> None:
    """Our promise: an identity names one thing."""
    with pytest.raises(RepeatedIdentity, match="b is listed 2 times"):
        framework_of("abcb")


@pytest.mark.parametrize("attack", [("a", "x"), ("x", "a")])
def test_an_attack_that_names_a_stranger_is_refused(attack: tuple[str, str]) -> None:
    """Our promise: a dangling id is an error, and the message says where it stands."""
    with pytest.raises(UnknownReference, match="'x' \\(in the attack of") as caught:
        framework_of("a", [attack])
    assert caught.value.reference == "x"


def test_a_justification_that_names_a_stranger_is_refused() -> None:
    """Our promise: on either side of the support."""
    with pytest.raises(UnknownReference, match="'x' \\(in a justification of a"):
        framework_of("ab", justifications={"a": [["b", "x"]]})
    with pytest.raises(UnknownReference, match="'x' \\(in the justifications"):
        framework_of("ab", justifications={"x": [["b"]]})


def test_an_argument_given_as_its_own_ground_is_refused() -> None:
    """Semantics, section 2: self-support is refused, a larger circle is accepted."""
    with pytest.raises(SelfSupport, match="a is given as its own ground"):
        framework_of("ab", justifications={"a": [["b", "a"]]})
    assert framework_of("ab", justifications={"a": [["b"]], "b": [["a"]]}).has_supports


def test_a_framework_is_a_value_that_nobody_can_change_afterwards() -> None:
    """Our promise: equal content is equal, hashes alike, and does not follow the dictionary that it was made from."""
    ways = {"a": (frozenset("b"),)}
    first = Framework(arguments=("a", "b"), justifications=ways)
    second = framework_of("ab", justifications={"a": ["b"]})
    ways.clear()
    assert first == second
    assert hash(first) == hash(second)
    assert first.justifications["a"] == (frozenset("b"),)


def test_needing_nothing_is_no_support() -> None:
    """Definition: absent, or the empty set among the alternatives, needs nothing; no alternative at all is a need."""
    assert not framework_of("ab").has_supports
    assert not framework_of("ab", justifications={"a": [[], ["b"]]}).has_supports
    assert framework_of("ab", justifications={"a": []}).has_supports
    assert Framework(arguments=("a",)) == framework_of("a")


def test_taking_out_an_argument_takes_its_attacks_and_the_justifications_that_need_it() -> None:
    """Definition of ``without``: what lost its last justification stays, to be seen out."""
    whole = framework_of("abcd", [("a", "b"), ("b", "c"), ("d", "d")], {"c": [["a", "d"], ["d"]], "d": [["a"]]})
    assert without(whole, "a") == framework_of("bcd", [("b", "c"), ("d", "d")], {"c": [["d"]], "d": []})
    with pytest.raises(UnknownReference, match="'z'"):
        without(whole, "z")


def test_a_set_of_arguments_may_only_name_arguments() -> None:
    """Our promise: the first stranger in alphabetical order is named."""
    assert members_of(framework_of("abc"), "ca") == frozenset("ac")
    with pytest.raises(UnknownReference, match="'x'"):
        members_of(framework_of("abc"), "ayx")


def test_the_index_is_sorted_whatever_the_order_of_sets() -> None:
    """Our promise: no result depends on the order of a set."""
    found = indexed(framework_of("dcba", [("a", "d"), ("b", "d"), ("c", "d")], {"c": [["d", "a"], ["b"]], "b": [[]]}))
    assert found.attackers == ((1, 2, 3), (), (), ())
    assert found.targets == ((), (0,), (0,), (0,))
    assert found.ways == (None, (0, 1), None, None)
    assert (found.owner, found.premises) == ((1, 1), ((0, 3), (2,)))
    assert found.serves == ((0,), (), (1,), (0,))
    assert found.dependents == ((1,), (0,), (0, 1), (0, 1))
    assert len(found) == 4


@pytest.mark.parametrize("is_collecting", [True, False])
def test_the_collector_of_garbage_is_left_as_it_was(is_collecting: bool) -> None:
    """Our promise: building adjacency keeps it away for a moment, and nobody notices."""
    (gc.enable if is_collecting else gc.disable)()
    try:
        indexed(framework_of("ab", [("a", "b")]))
        assert gc.isenabled() is is_collecting
    finally:
        gc.enable()
