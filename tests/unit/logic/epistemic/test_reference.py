"""The explicit model, by cases small enough to check on paper."""

from __future__ import annotations

import pytest

from upheld.errors import CouldNotCheck, UnknownReference
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.language.formulas import Atom, Formula
from upheld.logic.language.notation import parse_formula


def f(text: str) -> Formula:
    """Read a formula, shortly."""
    return parse_formula(text)


def test_an_announcement_removes_worlds_and_an_impossible_one_is_refused() -> None:
    """Source: Definition E.1: W is never empty."""
    heard = PlausibilityModel.over("pq").announced(f("p"))
    assert heard.worlds == {frozenset("p"), frozenset("pq")}
    assert heard.knows(f("p"))
    assert heard.announced(f("~p")) is heard


def test_a_radical_upgrade_keeps_the_order_within() -> None:
    """Source: Definition E.1, lexicographic upgrade."""
    upgraded = PlausibilityModel.over("pq").radical(f("p")).radical(f("q"))
    ranks = upgraded.ranks[""]
    assert sorted(ranks, key=ranks.__getitem__) == [frozenset(atoms) for atoms in ("pq", "q", "p", "")]


def test_a_conservative_upgrade_lifts_all_the_best_and_nothing_else() -> None:
    """Source: Definition E.1, with ties: all of the most plausible worlds, not a single one."""
    upgraded = PlausibilityModel.over("pq").radical(f("p")).conservative(f("~p"))
    ranks = upgraded.ranks[""]
    assert {world for world, rank in ranks.items() if rank == 0} == {frozenset(), frozenset("q")}
    assert upgraded.conservative(f("p & q")).believes_given(f("p"), f("q"))


def test_each_agent_judges_within_its_own_cell() -> None:
    """Source: Definition E.1: knowledge and belief are of the worlds that the agent cannot tell apart."""
    two = PlausibilityModel.over("pq", observes={"a": "p", "b": "q"}, aware={"a": frozenset("p")}).radical(f("p & q"))
    here = frozenset("p")
    assert two.knows(f("p"), agent="a", world=here)
    assert not two.knows(f("p"), agent="b", world=here)
    assert two.believes(f("q"), agent="a", world=here)
    assert not two.believes(f("q"), agent="b", world=here)
    assert two.holds_at(here, f("B_a^(~q) ~q & ~K_a K_b p & Kw_b q & D (p & ~q) & ~C p & C_{a} Kw_a p"))
    assert two.holds_at(here, f("A_a p & ~A_a q & A_b q & (p <-> ~q) & (q -> false) & true"))
    assert two.conservative(f("~q")).believes(f("~q"), agent="a", world=frozenset("pq"))


def test_an_unknown_agent_is_an_error() -> None:
    """Our promise: a name that nobody has is no agent without knowledge."""
    with pytest.raises(UnknownReference):
        PlausibilityModel.over("p").knows(f("p"), agent="nobody")


def test_what_is_said_together_is_judged_before_any_of_it() -> None:
    """Fagin et al. 1995, chapter 1: what all say at once may be false of each when said after the others."""
    start = PlausibilityModel.over({"p", "q"}, observes={"a": {"p"}, "b": {"q"}}).announced(parse_formula("p | q"))
    said = [parse_formula("~Kw_a q"), parse_formula("~Kw_b p")]
    assert start.announced_together(said).worlds == {frozenset({"p", "q"})}
    assert not start.announced(said[0]).is_consistent_with(said[1])


def test_only_those_who_listen_are_moved() -> None:
    """Our promise: a soft update may reach some; a hard one that does so is an event, and refused here."""
    start = PlausibilityModel.over({"p"}, observes={"a": (), "b": ()})
    after = start.updated(Atom("p"), Mode.RADICAL, listeners=["a"])
    assert (after.believes(Atom("p"), agent="a"), after.believes(Atom("p"), agent="b")) == (True, False)
    assert start.updated(Atom("p"), Mode.HARD, listeners=["b", "a"]) == start.announced(Atom("p"))
    with pytest.raises(CouldNotCheck):
        start.updated(Atom("p"), Mode.HARD, listeners=["a"])
    with pytest.raises(UnknownReference):
        start.conservative(Atom("p"), listeners=["c"])


def test_worlds_can_be_listed_in_place_of_atoms() -> None:
    """Our promise: a puzzle over ten dates has ten worlds."""
    few = PlausibilityModel.among([frozenset({"p"}), frozenset({"q"})], observes={"a": ["p"]})
    assert few.knows(parse_formula("p <-> ~q"), agent="a")
    assert few.knows(parse_formula("q"), agent="a", world=frozenset({"q"}))
