"""Stacks of upgrades: what is kept of them."""

from __future__ import annotations

import pytest
from rpds import HashTrieMap

from upheld.logic.epistemic.structures.diagrams import Diagram, Diagrams
from upheld.logic.epistemic.structures.frames import Frame, Sight
from upheld.logic.epistemic.structures.readings import Readings

pytest.importorskip("oxidd", reason="decision diagrams are not installed: pip install 'upheld[epistemic]'")


def blank() -> Frame:
    """One agent that sees nothing, three atoms."""
    diagrams = Diagrams(expected=3)
    atoms: HashTrieMap[str, Diagram] = HashTrieMap({name: diagrams.variable(name) for name in "pqr"})
    sight = Sight(diagrams=diagrams, variables=("p", "q", "r"), seen={"ann": frozenset()})
    return Frame(sight=sight, law=diagrams.top, atoms=atoms, stacks={"ann": None}, aware={}, readings=Readings())


def upgraded(frame: Frame, *entries: Diagram) -> Frame:
    """The frame after upgrades, in order."""
    for entry in entries:
        frame = frame.with_entries({"ann": entry})
    return frame


def entries_of(frame: Frame) -> list[Diagram]:
    """What is kept, newest first."""
    stack = frame.stacks["ann"]
    return [each.entry for each in stack.newest_first()] if stack else []


def test_an_entry_is_kept_once_however_often_it_comes_back_or_is_denied() -> None:
    """Liberatore 2023: an older entry that a newer one decides is redundant; general redundancy is coNP-hard."""
    frame = blank()
    p, q, r = (frame.atoms[name] for name in "pqr")
    assert entries_of(upgraded(frame, p, q, r, q)) == [q, r, p]
    assert entries_of(upgraded(frame, p, q, r, ~p)) == [~p, r, q]
    assert entries_of(upgraded(frame, *[p, q, ~p, ~q] * 25)) == [~q, ~p]


def test_an_entry_that_decides_nothing_leaves_the_frame_as_it_is() -> None:
    """Our promise (with_entries)."""
    frame = blank()
    assert upgraded(frame, frame.diagrams.top) is frame
    p = frame.atoms["p"]
    once = upgraded(frame, p)
    assert upgraded(once, p) is once
    assert upgraded(once, frame.diagrams.bottom) is once


def test_the_relation_goes_with_the_newest_entry_on_which_worlds_differ() -> None:
    """Baltag and Smets 2008: a lexicographic order; the primed world is at least as plausible as the plain one."""
    frame = blank()
    diagrams = frame.diagrams
    p, q = frame.atoms["p"], frame.atoms["q"]
    stack = upgraded(frame, p, q).stacks["ann"]
    assert stack is not None
    relation = stack.relation(frame, "ann")
    there = diagrams.cube(["p"], primed=True)
    # From "p and not q": what has q is better whatever else, what has none must have p.
    q_there = diagrams.cube(["q"], primed=True)
    assert diagrams.some(relation, p & ~q, diagrams.cube("pq")) == q_there | there
    assert stack.relation(frame, "ann") is relation
