"""Predicates on sets, the core of a retraction, and the cone that it can reach."""

from __future__ import annotations

import pytest

from upheld.errors import MalformedInput, UnknownReference
from upheld.logic.argumentation.framework import Indexed, framework_of, without
from upheld.logic.argumentation.postulates import (
    defence,
    forward_cone,
    is_admissible,
    is_complete_labelling,
    is_conflict_free,
    is_supported,
    rejected,
    self_defending_core,
    supported_in,
)
from upheld.logic.language.standing import Label

LARGE = 20_000


def test_a_set_that_names_a_stranger_is_refused() -> None:
    """Our promise: a dangling id is an error in every function, not an empty answer."""
    framework = framework_of("ab", [("a", "b")])
    with pytest.raises(UnknownReference):
        is_conflict_free("ax", framework)
    with pytest.raises(UnknownReference):
        defence("x", framework)
    with pytest.raises(UnknownReference):
        forward_cone("x", framework)


def test_a_set_is_admissible_only_with_the_ground_that_it_needs() -> None:
    """Nouioua and Risch (2011): support lies within the extension."""
    framework = framework_of("pcx", [("c", "x"), ("x", "c")], {"c": [["p"]]})
    assert is_admissible("pc", framework)
    assert not is_admissible("c", framework)
    assert not is_supported("c", framework)


def test_losing_a_premise_is_an_answer_to_an_attack() -> None:
    """Definition of ``rejected``: y attacks the ground of x, so x no longer counts against z."""
    framework = framework_of("gxyz", [("y", "g"), ("x", "z")], {"x": [["g"]]})
    assert rejected("y", framework) == frozenset("gx")
    assert defence("y", framework) == frozenset("yz")


def test_a_labelling_that_leaves_somebody_out_is_not_complete() -> None:
    """Caminada (2006): a labelling is total."""
    framework = framework_of("ab", [("a", "b")])
    assert is_complete_labelling({"a": Label.IN, "b": Label.OUT}, framework)
    assert not is_complete_labelling({"a": Label.IN}, framework)
    assert not is_complete_labelling({"a": Label.IN, "b": Label.UNDECIDED}, framework)


@pytest.mark.parametrize("label", [Label.IN, Label.OUT])
def test_a_circle_of_support_is_neither_in_nor_out_by_itself(label: Label) -> None:
    """Semantics, section 2: its members are undecided unless one has ground outside."""
    circle = framework_of("ab", [], {"a": [["b"]], "b": [["a"]]})
    assert not is_complete_labelling({"a": label, "b": label}, circle)
    assert is_complete_labelling({"a": Label.UNDECIDED, "b": Label.UNDECIDED}, circle)


def test_a_set_with_a_conflict_has_no_single_core() -> None:
    """T3 is about conflict-free sets: of {a, b} that exclude each other, both {a} and {b} are admissible."""
    with pytest.raises(MalformedInput, match="not conflict-free"):
        self_defending_core("ab", framework_of("ab", [("a", "b"), ("b", "a")]))


def test_the_core_drops_what_lost_its_defender_and_keeps_the_rest() -> None:
    """T3: e defends d; nobody defends a any more."""
    framework = framework_of("abcde", [("b", "a"), ("c", "d"), ("e", "c")])
    assert self_defending_core("ade", framework) == frozenset("de")


def test_the_core_sees_through_a_circle_that_only_rejects_itself() -> None:
    """T3 with supports: u and v need each other and fall with t's attack; when t drops, they must not stay down."""
    attacks = [("t", "u"), ("b", "t"), ("v", "s")]
    framework = framework_of("bstuv", attacks, {"u": [["v"]], "v": [["u"]]})
    assert self_defending_core("st", framework) == frozenset()


def test_the_core_sees_through_a_circle_that_only_holds_itself() -> None:
    """T3 with supports: r and s stood on g as well as on each other; without g they are no ground."""
    framework = framework_of("grs", [], {"g": [], "r": [["s"], ["g"]], "s": [["r"]]})
    assert self_defending_core("grs", framework) == frozenset()


def test_a_core_that_unravels_over_a_long_chain_takes_no_recursion() -> None:
    """Our promise: each argument that drops undefends the next."""
    chain = framework_of(range(LARGE), ((name, name + 1) for name in range(LARGE - 1)))
    assert self_defending_core(range(0, LARGE, 2), chain) == frozenset(range(0, LARGE, 2))
    assert self_defending_core(range(1, LARGE, 2), chain) == frozenset()


def test_the_core_keeps_what_a_fallen_premise_still_shields() -> None:
    """T3 with supports: x is answered twice, by t and by the loss of its premise; t drops, s stays."""
    framework = framework_of("bkpstx", [("b", "t"), ("t", "x"), ("x", "s"), ("k", "p")], {"x": [["p"]]})
    assert self_defending_core("kst", framework) == frozenset("ks")


def test_a_core_unravels_through_supports_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: linear. Each a answers the b that its c needs, and c attacks the next a; z takes away the first."""
    passes: list[int] = []

    def counted(index: Indexed, inside: set[int]) -> set[int]:
        passes.append(len(inside))
        return supported_in(index, inside)

    monkeypatch.setattr("upheld.logic.argumentation.postulates.supported_in", counted)
    arguments = ["z", *(f"{letter}{number}" for number in range(50) for letter in "abc")]
    attacks = [("z", "a0"), *((f"a{number}", f"b{number}") for number in range(50))]
    attacks += [(f"c{number}", f"a{number + 1}") for number in range(49)]
    chain = framework_of(arguments, attacks, {f"c{number}": [[f"b{number}"]] for number in range(50)})
    assert self_defending_core((f"a{number}" for number in range(50)), chain) == frozenset()
    assert passes == [0]
    assert len(self_defending_core((f"a{number}" for number in range(50)), without(chain, ["z"]))) == 50
    assert passes == [0, 50]


def test_the_cone_follows_attacks_and_premises_and_stops_elsewhere() -> None:
    """T4: what the cone does not hold cannot change."""
    framework = framework_of("abcdxy", [("a", "b"), ("c", "d"), ("x", "a")], {"c": [["b"]], "y": [["x"]]})
    assert forward_cone("a", framework) == frozenset("abcd")
    assert forward_cone("", framework) == frozenset()
