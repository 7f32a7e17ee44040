"""Environments, breaking sets, nogoods and streams on maps that a person can follow."""

from __future__ import annotations

from itertools import islice

import pytest

from upheld.errors import LimitExceeded
from upheld.logic.dependency import reference
from upheld.logic.dependency.breaking import breaking_sets, essentials
from upheld.logic.dependency.cone import cone_of
from upheld.logic.dependency.environments import environments, iter_environments
from upheld.logic.dependency.justifications import DependencyMap, with_justifications
from upheld.logic.dependency.nogoods import culprits
from upheld.logic.dependency.smallest import Budget
from upheld.logic.dependency.streaming import iter_losses
from upheld.logic.language.identities import PropositionId
from upheld.logic.language.literals import Literal, literals
from upheld.logic.language.verdicts import Effect

RUNGS = 20


def rests(**alternatives: str) -> DependencyMap:
    """A map from notation such as ``c="a b|d"``: both a and b, or d; nothing for what needs nothing."""
    found = DependencyMap()
    for node, text in alternatives.items():
        groups = tuple(literals(group.split()) for group in text.split("|"))
        found = with_justifications(found, PropositionId(node), groups)
    return found


def ladder() -> DependencyMap:
    """Twenty rungs, each held by either of two claims: 2**20 environments for t."""
    rungs = {f"r{place}": f"a{place}|b{place}" for place in range(RUNGS)}
    return rests(**rungs, t=" ".join(rungs))


def shown(sets: tuple[frozenset[Literal], ...]) -> list[str]:
    """Sets as words, in the order in which they came."""
    return [" ".join(sorted(map(str, each))) for each in sets]


def test_environments_are_given_smallest_first() -> None:
    """De Kleer 1986, section 3: the label of a node, supersets left out."""
    found = environments(rests(t="a b|c|a c", c="d|e f g"), PropositionId("t"))
    assert shown(found.found) == ["d", "a b", "e f g"]
    assert found.is_complete


def test_a_ladder_neither_explodes_nor_hides() -> None:
    """Our promise: a million environments cost what was taken of them, and a budget that ends the search is named."""
    map_of_rungs = ladder()
    first = list(islice(iter_environments(map_of_rungs, PropositionId("t")), 5))
    assert {len(each) for each in first} == {RUNGS}
    assert len(set(first)) == len(first)
    found = environments(map_of_rungs, PropositionId("t"), budget=Budget(answers=50))
    assert (len(found.found), found.is_complete) == (50, False)
    cuts = breaking_sets(map_of_rungs, PropositionId("t"))
    assert set(shown(cuts.found)) == {f"a{place} b{place}" for place in range(RUNGS)}
    assert cuts.is_complete


def test_a_search_without_conflicts_to_spend_is_not_complete() -> None:
    """Our promise (`Budget`): what was not decided is not called decided."""
    found = environments(ladder(), PropositionId("t"), budget=Budget(conflicts=0))
    assert not found.is_complete


def test_a_denial_is_an_assumption_that_excludes_what_it_denies() -> None:
    """Formal.md, section 5: ~p holds only if p is established false; p and ~p are a nogood."""
    found = environments(rests(t="~p a|p c", p="a|b"), PropositionId("t"))
    assert set(shown(found.found)) == {"a c", "b c"}
    found = environments(rests(t="~p d|p c", p="a|b"), PropositionId("t"))
    assert set(shown(found.found)) == {"a c", "b c", "d ~p"}


def test_given_assumptions_are_these_and_no_more() -> None:
    """De Kleer 1986, section 3: a premise has the empty environment, what is neither has none."""
    given = {Literal(PropositionId("a"))}
    assert shown(environments(rests(t="a p", p=""), PropositionId("t"), assumptions=given).found) == ["a"]
    assert shown(environments(rests(t="p", p=""), PropositionId("t"), assumptions=given).found) == [""]
    assert environments(rests(t="a q"), PropositionId("t"), assumptions=given).found == ()


def test_nested_circles_do_not_hold_themselves_up() -> None:
    """Doyle 1979: well-founded support only."""
    circles = rests(a="b|x", b="a|c", c="d|b", d="c|y")
    assert set(shown(environments(circles, PropositionId("b")).found)) == {"x", "y"}
    assert shown(breaking_sets(circles, PropositionId("b")).found) == ["x y"]


def test_a_long_chain_is_broken_by_each_of_its_links() -> None:
    """Case C-55: no recursion, and no work for each pair."""
    length = 5_000
    chain = rests(**{f"n{place + 1}": f"n{place}" for place in range(length)})
    cone = cone_of(chain, (Literal(PropositionId(f"n{length}")),))
    numbers, is_complete = essentials(cone, 10_000)
    assert (len(numbers), is_complete) == (length + 1, True)


def test_culprits_are_ranked_and_the_smallest_retraction_comes_first() -> None:
    """De Kleer 1986, section 3; case C-06: a premise of both sides comes before one of either."""
    found = culprits(rests(c="p q", d="p r|p s"), PropositionId("c"), PropositionId("d"))
    assert set(shown(found.nogoods)) == {"p q r", "p q s"}
    assert [(str(each.assumption), each.nogoods, each.is_shared) for each in found.ranked] == [
        ("p", 2, True),
        ("q", 2, False),
        ("r", 1, False),
        ("s", 1, False),
    ]
    assert sorted(shown(found.retractions[:2])) == ["p", "q"]
    assert shown(found.retractions[2:]) == ["r s"]


def test_claims_that_cannot_stand_together_have_no_culprits() -> None:
    """Our promise (`culprits`): nothing to take back where nothing clashes."""
    found = culprits(rests(c="~p", d="p"), PropositionId("c"), PropositionId("d"))
    assert (found.nogoods, found.ranked, found.retractions, found.is_complete) == ((), (), (), True)


def test_a_stream_holds_a_near_claim_back_until_its_far_way_is_settled() -> None:
    """Our promise (`iter_losses`): b is next to a, but whether it is lost shows only at the end of c, d."""
    far = rests(b="a|d", c="a", d="c")
    ranks = {"a": 0, "c": 1, "d": 2, "b": 3}
    found = iter_losses(far, (PropositionId("a"),), lambda _: True, lambda id: ranks[id])
    assert [(item.id, item.effect) for item in found] == [
        ("c", Effect.LOST),
        ("d", Effect.LOST),
        ("b", Effect.LOST),
    ]


def test_the_reference_refuses_what_it_cannot_enumerate() -> None:
    """Our promise: over a limit is refused, never passed in silence."""
    with pytest.raises(LimitExceeded):
        list(reference.subsets([Literal(PropositionId(f"a{place}")) for place in range(13)]))
