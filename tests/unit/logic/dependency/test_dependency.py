"""The dependency map, what a loss reaches, and who is to blame for a clash."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from upheld.logic.dependency.affected import direct, has_complete, losses
from upheld.logic.dependency.justifications import (
    DependencyMap,
    grounds_of,
    with_justifications,
    with_larger_stories,
)
from upheld.logic.dependency.nogoods import shared_culprits
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal, literals
from upheld.logic.language.verdicts import Effect


def ids(text: str) -> tuple[PropositionId, ...]:
    """Ids of one letter."""
    return tuple(map(PropositionId, text))


def rests(**alternatives: str) -> DependencyMap:
    """A map from notation such as ``c="a b|d"``: both a and b, or d; nothing for what needs nothing."""
    found = DependencyMap()
    for node, text in alternatives.items():
        groups = tuple(literals(group.split()) for group in text.split("|"))
        found = with_justifications(found, PropositionId(node), groups)
    return found


def stand(_: Literal) -> bool:
    """Everything stands."""
    return True


def lost(dependencies: DependencyMap, gone: str, ring: str = "") -> dict[str, str]:
    """Effects of a loss by id; the members of ``ring`` lie on one cycle."""
    members = frozenset(ids(ring))
    found = losses(dependencies, ids(gone), stand, lambda id: members if id in members else frozenset())
    return {item.id: item.effect.value for item in found}


def test_grounds_are_listed_once_each_in_order() -> None:
    """The paper's Dep is one set; alternatives are what it cannot tell apart (case C-02)."""
    assert [str(item) for item in grounds_of(rests(c="a b|~d a"), PropositionId("c"))] == ["a", "b", "~d"]
    assert grounds_of(DependencyMap(), PropositionId("c")) == ()


def test_the_reverse_index_follows_a_change_of_justifications() -> None:
    """Our promise: justifications and dependents are mirror images; an old map is unharmed."""
    before = rests(c="a b")
    after = with_justifications(before, PropositionId("c"), (literals(["b", "d"]),))
    assert direct(before, PropositionId("a")) == {"c"}
    assert [direct(after, id) for id in ids("abd")] == [frozenset(), {"c"}, {"c"}]


def test_the_direct_set_is_given_out_and_never_copied() -> None:
    """The paper, section 4: the question is one look-up, whatever the size of the map or of the answer."""
    many = [PropositionId(f"n{number}") for number in range(100)]
    few = rests(b="a", c="a")
    found = few
    for id in many:
        found = with_justifications(found, id, (literals(["a"]),))
    assert direct(found, PropositionId("a")) == {"b", "c", *many}
    assert direct(found, PropositionId("a")) is direct(found, PropositionId("a"))
    assert direct(few, PropositionId("a")) == {"b", "c"}
    assert [item.id for item in losses(found, ids("a"), stand)] == sorted({"b", "c", *many})
    for id in many:
        found = with_justifications(found, id, ())
    assert direct(found, PropositionId("a")) == {"b", "c"}
    assert found.dependents == few.dependents


def test_explanation_edges_are_kept_apart_and_can_be_replaced() -> None:
    """Semantics, section 2: explanation edges carry no standing."""
    before = with_larger_stories(rests(c="a"), PropositionId("c"), ids("xyx"))
    assert before.larger_stories[PropositionId("c")] == ("x", "y")
    assert with_larger_stories(before, PropositionId("c"), ids("xy")) is before
    after = with_larger_stories(before, PropositionId("c"), ids("z"))
    assert [set(after.explained_by(id)) for id in ids("xyz")] == [set(), set(), {"c"}]
    assert list(losses(after, ids("z"), stand)) == []


def test_a_loss_travels_to_the_end_and_names_the_way() -> None:
    """Semantics, section 7: transitively, each with its path and its effect, nearest first."""
    found = losses(rests(b="a", c="b", d="c x", e="~a"), ids("a"), stand)
    assert [(item.id, item.effect, item.path) for item in found] == [
        ("b", Effect.LOST, ids("ab")),
        ("c", Effect.LOST, ids("abc")),
        ("d", Effect.LOST, ids("abcd")),
    ]


def test_what_has_another_alternative_is_thinned_and_stops_the_loss() -> None:
    """Semantics, section 7; case C-01."""
    assert lost(rests(b="a|x", c="b"), "a") == {"b": "thinned"}
    assert lost(rests(b="a|x", c="b"), "ax") == {"b": "lost", "c": "lost"}


def test_an_alternative_that_does_not_stand_saves_nothing() -> None:
    """Semantics, section 7: lost when no justification is complete any more."""
    found = losses(rests(b="a|x"), ids("a"), lambda item: item.proposition != "x")
    assert [item.effect for item in found] == [Effect.LOST]


def test_what_is_thinned_first_and_lost_later_is_lost() -> None:
    """Our promise: the order in which premises fall does not show in the answer."""
    assert lost(rests(b="a|c", c="a"), "a") == {"b": "lost", "c": "lost"}
    found = {item.id: item.path for item in losses(rests(b="a|c", c="a"), ids("a"), stand)}
    assert found == {"b": ids("acb"), "c": ids("ac")}


def test_a_circle_without_ground_outside_falls_whole() -> None:
    """Gupta, Mumick and Subrahmanian 1993: counting references would let the circle hold itself up."""
    assert lost(rests(b="a|c", c="b"), "a", ring="bc") == {"b": "lost", "c": "lost"}


def test_a_circle_with_ground_outside_is_derived_again() -> None:
    """Delete and rederive: b falls with a, stands again through x, and c with it as if nothing had been."""
    assert lost(rests(b="a|c|x", c="b"), "a", ring="bc") == {"b": "thinned"}
    assert lost(rests(b="a|c", c="b|x"), "a", ring="bc") == {"b": "thinned"}
    assert lost(rests(b="a", c="b|x", d="c|b"), "a", ring="cd") == {"b": "lost", "c": "thinned", "d": "thinned"}


def test_what_rests_on_a_denial_falls_with_the_denial_alone() -> None:
    """Formal.md, section 5: deactivated when the falsification is undone; the way begins with the denial."""
    dependencies = rests(b="~a", c="b|x", a="c")
    assert list(losses(dependencies, ids("a"), stand)) == []
    found = losses(dependencies, (), lambda item: item.proposition != "x", unsettled=ids("a"))
    assert [(item.id, item.effect.value) for item in found] == [("b", "lost"), ("c", "lost"), ("a", "lost")]
    assert [item.path for item in found][-1] == ("~a", *ids("bca"))


def test_the_justifications_left_after_a_change_decide() -> None:
    """Semantics, section 2: a withdrawn source takes its corroborations with it, and they are missed by nobody."""
    before, left = rests(b="x a", c="b"), rests(b="x", c="b")
    found = losses(before, ids("a"), stand, left=left)
    assert [(item.id, item.effect) for item in found] == [("b", Effect.THINNED)]
    assert len(losses(before, ids("a"), stand)) == 2


@pytest.mark.parametrize(
    ("groups", "is_complete"), [("a", False), ("b", True), ("a|b", True), ("b c", False), ("~a", True), ("", True)]
)
def test_a_justification_survives_when_none_of_it_is_lost_or_doubtful(groups: str, is_complete: bool) -> None:
    """Our promise: negated premises do not fall with their proposition."""
    kept = rests(z=groups).justifications_of(PropositionId("z"))
    assert has_complete(kept, set(ids("a")), stand, set(ids("c"))) is is_complete


def clash(first: str, second: str, **alternatives: str) -> tuple[PropositionId, ...]:
    """Culprits of two claims."""
    return shared_culprits(rests(**alternatives), PropositionId(first), PropositionId(second))


CLASHES: Iterable[tuple[dict[str, str], str]] = [
    ({"c": "p", "d": "p"}, "p"),
    ({"c": "p q", "d": "q p"}, "pq"),
    ({"c": "p", "d": "q"}, ""),
    ({"c": "p", "d": "p", "p": "r"}, "p"),
    ({"c": "e", "d": "f", "e": "p", "f": "p", "p": "r"}, "p"),
    ({"c": "p d", "d": "p c"}, "p"),
]


@pytest.mark.parametrize(("alternatives", "culprits"), CLASHES)
def test_the_nearest_shared_premises_are_to_blame(alternatives: dict[str, str], culprits: str) -> None:
    """De Kleer 1986, section 3; case C-06: what lies behind a shared premise is left out."""
    assert clash("c", "d", **alternatives) == ids(culprits)
