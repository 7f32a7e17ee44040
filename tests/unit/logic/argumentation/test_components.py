"""Components: circles over attack and support, and lengths at which recursion would end the process."""

from __future__ import annotations

from upheld.logic.argumentation.components import Condensation, condensation, strongly_connected
from upheld.logic.argumentation.framework import framework_of

LARGE = 100_000


def test_attacks_and_premises_close_a_circle_together() -> None:
    """Definition: a component is a circle of what may turn on what, whatever the kind of edge."""
    found = condensation(framework_of("zabcy", [("a", "b"), ("z", "a"), ("c", "y")], {"c": [["b"]], "a": [["c"]]}))
    assert found == Condensation(components=(("z",), ("a", "b", "c"), ("y",)), successors=((1,), (2,), ()))


def test_a_component_bears_on_another_only_once() -> None:
    """Definition: the condensation is a graph without parallel edges or loops."""
    found = condensation(framework_of("abcd", [("a", "b"), ("b", "a"), ("a", "c"), ("b", "c"), ("a", "d"), ("c", "d")]))
    assert found.components == (("a", "b"), ("c",), ("d",))
    assert found.successors == ((1, 2), (2,), ())


def test_a_path_of_any_length_is_walked_in_order() -> None:
    """Our promise: no recursion; each component after what leads to it."""
    path = [[name + 1] for name in range(LARGE - 1)] + [[]]
    assert strongly_connected(path) == tuple((name,) for name in range(LARGE))


def test_a_ring_of_any_length_is_one_component() -> None:
    """Tarjan (1972), without recursion."""
    ring = [[(name + 1) % LARGE] for name in range(LARGE)]
    assert strongly_connected(ring) == (tuple(range(LARGE)),)
