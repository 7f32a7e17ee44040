"""Conservative upgrades lift whole worlds, so they tie components together."""

from __future__ import annotations

import pytest

from upheld.logic.epistemic.entanglement import ComponentsAt
from upheld.logic.epistemic.entries import Core, Mode
from upheld.logic.epistemic.lifts import Lift
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.notation import parse_formula

HARD, RADICAL, CONSERVATIVE = Mode.HARD, Mode.RADICAL, Mode.CONSERVATIVE


def base_of(*updates: tuple[Mode, str]) -> OrderedBase:
    """Give a base with updates under the keys e1, e2 and so on."""
    base = OrderedBase()
    for place, (mode, text) in enumerate(updates, start=1):
        base = base.upgrade(f"e{place}", parse_formula(text), mode)
    return base


def believes(base: OrderedBase, text: str) -> bool:
    """Ask shortly."""
    return base.believes(parse_formula(text))


def test_a_fact_elsewhere_can_undo_a_conservative_upgrade() -> None:
    """Source: Definition E.1: only the best p-worlds rose, and all of them had q."""
    base = base_of((RADICAL, "q"), (CONSERVATIVE, "p"), (HARD, "~q"))
    assert not believes(base, "p")
    assert believes(base.with_activity({"e3": False}), "p")
    assert believes(base.with_activity({"e1": False}), "p")


def test_the_best_worlds_may_return_and_the_upgrade_with_them() -> None:
    """Source: Definition E.1: order among worlds is never forgotten."""
    base = base_of((RADICAL, "q"), (CONSERVATIVE, "p"), (RADICAL, "~q"))
    assert not believes(base, "p")
    assert believes(base.upgrade("e4", parse_formula("q"), RADICAL), "p & q")


def test_one_undone_upgrade_undoes_another() -> None:
    """Source: Definition E.1: the worlds that ↑r lifted had p, which was there for the sake of ↑p alone."""
    base = base_of((RADICAL, "q"), (CONSERVATIVE, "p"), (CONSERVATIVE, "r"), (HARD, "~q"))
    assert not believes(base, "p")
    assert not believes(base, "r")
    assert base.explain_disbelief(parse_formula("p")) == ()


def test_a_component_tied_late_still_remembers_what_was_lifted_before() -> None:
    """Source: Definition E.1; the component of q is tied only by its own upgrade, after p was lifted beside q."""
    base = base_of((RADICAL, "q"), (CONSERVATIVE, "p"), (CONSERVATIVE, "~q"), (HARD, "z"))
    assert believes(base, "~q")
    assert not believes(base, "p")
    assert believes(base.announce("e5", parse_formula("q")), "q & p")


def test_components_that_join_after_they_were_asked_are_replayed() -> None:
    """Our promise: what a lineage remembers is used only where nothing differs."""
    base = base_of((RADICAL, "q"), (RADICAL, "s"), (CONSERVATIVE, "p"), (RADICAL, "~q"), (CONSERVATIVE, "r"))
    assert believes(base, "r & ~q & s")
    assert not believes(base, "p")
    joined = base.upgrade("e6", parse_formula("p <-> s"), RADICAL)
    assert believes(joined, "p & s & r")
    assert believes(base, "r & s")
    assert not believes(base, "p")


def test_a_turn_that_moves_no_best_world_doubts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: lifts are looked at again when a component loses its best worlds, and a refinement is no loss."""
    base = base_of((RADICAL, "q"), (CONSERVATIVE, "p"), (RADICAL, "~q"), (CONSERVATIVE, "r"))
    assert not believes(base, "p")
    looked_at: list[int] = []
    misfit = ComponentsAt.misfit

    def noted(self: ComponentsAt, root: str, lift: Lift) -> Core | None:
        looked_at.append(lift.position)
        return misfit(self, root, lift)

    monkeypatch.setattr(ComponentsAt, "misfit", noted)
    assert believes(base.announce("e5", parse_formula("x | y")), "r")
    assert believes(base.upgrade("e6", parse_formula("p"), RADICAL), "p & r")
    assert looked_at == []
    assert not believes(base.upgrade("e7", parse_formula("~r"), RADICAL), "r")
    assert looked_at != []


def test_a_lift_returns_after_many_that_fell_with_it() -> None:
    """Source: Definition E.1: two states of one topic, each with what was lifted beside it."""
    base = base_of((RADICAL, "q"))
    for place in range(40):
        base = base.upgrade(f"p{place}", parse_formula(f"p{place}"), CONSERVATIVE)
    fell = base.announce("not", parse_formula("x")).upgrade("flip", parse_formula("~q"), RADICAL)
    assert not believes(fell, "p0 | p39")
    other = fell.upgrade("s", parse_formula("s"), CONSERVATIVE)
    assert believes(other, "s & ~q")
    assert not believes(other, "p20")
    back = other.upgrade("flop", parse_formula("q"), RADICAL)
    assert believes(back, " & ".join(f"p{place}" for place in range(40)))
    assert not believes(back, "s")
    assert believes(back.with_activity({"flop": False}), "s")


def test_lifts_of_components_that_join_stand_each_in_its_part() -> None:
    """Source: Definition E.1; each lift covers what its component was at its moment."""
    base = base_of((CONSERVATIVE, "p | q"), (CONSERVATIVE, "a & ~b"), (RADICAL, "c & d"), (RADICAL, "a | c"))
    assert believes(base, "p | q")
    joined = base.upgrade("join", parse_formula("r & ~b & s"), RADICAL)
    assert believes(joined.upgrade("last", parse_formula("~q & s & (q | s)"), CONSERVATIVE), "p & a & c & r")


def test_a_long_line_of_lifts_neither_recurses_nor_is_walked() -> None:
    """Our promise: nothing recurses over what a user may make long, and a fall costs the logarithm of the line."""
    base = base_of((RADICAL, "q"))
    for place in range(3_000):
        base = base.upgrade(f"p{place}", parse_formula(f"p{place}"), CONSERVATIVE)
    assert believes(base, "p0 & p2999")
    fell = base.announce("not", parse_formula("~q"))
    assert not believes(fell, "p0 | p1500 | p2999")
    assert believes(fell.with_activity({"not": False}), "p1500")
