"""Conservative upgrades lift whole worlds, so they tie components together."""

from __future__ import annotations

import pytest

from upheld.logic.epistemic import entanglement
from upheld.logic.epistemic.entries import Entry, Mode
from upheld.logic.epistemic.judges import Judge
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.epistemic.selection import Stage, stage_after
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


def test_a_turn_that_moves_no_best_world_replays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: the tied components are replayed from the first difference, and a refinement elsewhere is none."""
    base = base_of((RADICAL, "q"), (CONSERVATIVE, "p"), (RADICAL, "~q"), (CONSERVATIVE, "r"))
    assert not believes(base, "p")
    replayed: list[Entry] = []

    def noted(stage: Stage, entry: Entry, judge: Judge, barred: frozenset[int]) -> Stage:
        replayed.append(entry)
        return stage_after(stage, entry, judge, barred)

    monkeypatch.setattr(entanglement, "stage_after", noted)
    assert believes(base.announce("e5", parse_formula("x | y")), "r")
    assert replayed == []
    assert believes(base.upgrade("e6", parse_formula("p"), RADICAL), "p")
    assert replayed != []
