"""The grounded labelling: order, alternatives, and sizes at which recursion would end the process."""

from __future__ import annotations

import random

from upheld.logic.argumentation.framework import framework_of, indexed
from upheld.logic.argumentation.grounded import Propagation, grounded
from upheld.logic.language.standing import Label

LARGE = 100_000


def test_labels_come_in_the_order_of_the_arguments() -> None:
    """Our promise: a labelling reads like its framework."""
    labels = grounded(framework_of("cab", [("c", "a"), ("a", "b")]))
    assert list(labels.items()) == [("c", Label.IN), ("a", Label.OUT), ("b", Label.IN)]


def test_nobody_says_nothing() -> None:
    """The empty framework has the empty labelling."""
    assert grounded(framework_of("")) == {}


def test_an_argument_without_any_justification_is_out_and_what_it_attacked_is_back() -> None:
    """Semantics, section 2: out iff every justification has a premise out, and of none that is true."""
    labels = grounded(framework_of("ab", [("a", "b")], {"a": []}))
    assert labels == {"a": Label.OUT, "b": Label.IN}


def test_one_open_alternative_keeps_an_argument_undecided() -> None:
    """Semantics, section 2: in needs a whole justification, out needs every one broken."""
    attacks = [("u", "u"), ("x", "p")]
    labels = grounded(framework_of("upxcd", attacks, {"c": [["p"], ["u"]], "d": [["p", "u"]]}))
    assert (labels["c"], labels["d"]) == (Label.UNDECIDED, Label.OUT)


def test_a_justification_that_is_broken_twice_breaks_only_once() -> None:
    """Semantics, section 2: c has two ways; the first loses both premises, the second stands."""
    labels = grounded(framework_of("pqrxc", [("x", "p"), ("x", "q")], {"c": [["p", "q"], ["r"]]}))
    assert labels["c"] is Label.IN
    waiting = grounded(framework_of("pquxc", [("x", "p"), ("x", "q"), ("u", "u")], {"c": [["p", "q"], ["u"]]}))
    assert waiting["c"] is Label.UNDECIDED


def test_a_chain_of_attacks_of_any_length_is_labelled() -> None:
    """Our promise: no recursion over what a user can make long."""
    labels = grounded(framework_of(range(LARGE), ((name + 1, name) for name in range(LARGE - 1))))
    assert list(labels.values()) == [Label.OUT, Label.IN] * (LARGE // 2)


def test_a_chain_of_supports_of_any_length_falls_with_its_ground() -> None:
    """Our promise: as above, for premises; the last argument attacks the ground of the chain."""
    size = LARGE // 4
    needs = {name: [[name - 1]] for name in range(1, size - 1)}
    standing = grounded(framework_of(range(size), (), needs))
    fallen = grounded(framework_of(range(size), [(size - 1, 0)], needs))
    assert set(standing.values()) == {Label.IN}
    assert list(fallen.values()) == [Label.OUT] * (size - 1) + [Label.IN]


def test_a_large_acyclic_framework_is_labelled_as_one_pass_from_its_top_would() -> None:
    """Dung (1995), theorem 30: acyclic frameworks have one extension; here newer arguments attack older ones."""
    draw = random.Random(7)
    attacks = {(newer, draw.randrange(newer)) for newer in range(1, LARGE) for _ in range(2)}
    attackers: list[list[int]] = [[] for _ in range(LARGE)]
    for newer, older in attacks:
        attackers[older].append(newer)
    by_one_pass = [True] * LARGE
    for name in reversed(range(LARGE)):
        by_one_pass[name] = not any(by_one_pass[newer] for newer in attackers[name])
    labels = grounded(framework_of(range(LARGE), attacks))
    assert [label is Label.IN for label in labels.values()] == by_one_pass
    assert Label.UNDECIDED not in set(labels.values())


def test_what_is_settled_on_top_forces_what_follows_from_it_and_changes_nothing_else() -> None:
    """Our promise: x decides its pair, what needs x, and what that attacks; what has a label keeps it."""
    attacks = [("x", "y"), ("y", "x"), ("n", "z"), ("g", "o")]
    framework = framework_of("xynzgo", attacks, {"n": [["x"]]})
    search = Propagation(indexed(framework))
    before = [Label.UNDECIDED] * 4 + [Label.IN, Label.OUT]
    assert search.labels == before
    search.settle([0, 5], Label.IN)
    assert search.labels == [Label.IN, Label.OUT, Label.IN, Label.OUT, Label.IN, Label.OUT]
    assert search.settled == [4, 5, 0, 1, 2, 3]
