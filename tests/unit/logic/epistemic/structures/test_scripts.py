"""Taking back what was said to many agents: as if it had never been said."""

from __future__ import annotations

import pytest

from upheld.errors import RepeatedIdentity, UnknownReference
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.structures.events import EventModel, telling_whether
from upheld.logic.epistemic.structures.scripts import CameIntoView, Happened, Introduced, Said, Script, replayed
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import And, Atom, Aware, Believes, Formula, Iff, Implies, Knows, KnowsWhether, Not

pytest.importorskip("oxidd", reason="decision diagrams are not installed: pip install 'upheld[epistemic]'")

P, Q, R = Atom("p"), Atom("q"), Atom("r")


def start() -> KnowledgeStructure:
    """Ann sees p; Bob sees nothing, and has only p in view."""
    return KnowledgeStructure.over(["p", "q"], observes={"ann": ["p"], "bob": []}, aware={"bob": frozenset({"p"})})


def fact(formula: Formula) -> Said:
    """An announcement."""
    return Said(formula=formula)


def test_a_fact_that_is_taken_back_leaves_no_trace() -> None:
    """Our promise (semantics.md, section 3): taking back an announcement drops it."""
    script = replayed(start(), [("1", fact(P)), ("2", fact(Implies(P, Q)))])
    assert script.structure.is_valid(Knows("bob", Q))
    without = script.without("1")
    assert without.keys == ("2",)
    assert not without.structure.is_consistent_with(Knows("bob", Q))
    assert script.keys == ("1", "2")


def test_steps_before_the_one_taken_back_are_shared() -> None:
    """Our promise (Script.without): the cost is that of the steps after it."""
    script = replayed(start(), [("1", fact(P)), ("2", fact(Q))])
    assert script.without("2").structure is replayed(script.without("2").structure, []).structure
    assert script.then("3", fact(Iff(P, Q))).without("2").without("3").structure is script.without("2").structure


def test_a_refused_announcement_is_tried_again_in_its_place() -> None:
    """Our promise (formal.md, section 3): quarantine, as in the ordered base."""
    script = replayed(start(), [("1", fact(P)), ("2", fact(Not(P))), ("3", fact(Q))])
    assert script.quarantined() == ("2",)
    assert script.structure.is_valid(And((P, Q)))
    later = script.without("1")
    assert later.quarantined() == ()
    assert later.structure.is_valid(And((Not(P), Q)))


def test_an_epistemic_announcement_means_something_else_after_an_earlier_one_is_taken_back() -> None:
    """Our promise: "I do not know" is judged where it is said, so what it taught goes with what made it so."""
    knows = fact(KnowsWhether("bob", Q))
    script = replayed(start(), [("1", fact(Q)), ("2", knows)])
    assert script.quarantined() == ()
    assert script.without("1").quarantined() == ("2",)


def test_what_is_known_already_is_not_refused() -> None:
    """Our promise: refused and learned nothing are two things."""
    assert replayed(start(), [("1", fact(P)), ("2", fact(P))]).quarantined() == ()


def test_every_kind_of_update_can_be_replayed() -> None:
    """Our promise (Update)."""
    script = replayed(
        start(),
        [
            ("soft", Said(formula=Q, mode=Mode.RADICAL, listeners=("bob",))),
            ("new", Introduced(atoms=("r",), observes={"ann": ["r"]})),
            ("view", CameIntoView(agent="bob", atoms=("r",))),
            ("aside", Happened(events=telling_whether(R, to=["bob"], agents=["ann", "bob"]))),
        ],
    )
    structure = script.structure
    assert structure.is_valid(And((Believes("bob", Q), Aware("bob", R), KnowsWhether("bob", R))))
    assert structure.is_consistent_with(Atom("aside:told"))
    assert not script.without("soft").structure.is_consistent_with(Believes("bob", Q))
    assert not script.without("view").structure.is_consistent_with(Aware("bob", R))
    assert not script.without("aside").structure.is_consistent_with(KnowsWhether("bob", R))
    assert (len(script), repr(script)) == (4, "<Script: 4 steps>")


def test_events_that_cannot_happen_are_kept_in_quarantine_too() -> None:
    """Our promise (Script)."""
    silent = Happened(events=telling_whether(P, to=["bob"], agents=["ann", "bob"]))
    impossible = Happened(events=EventModel(events=("x",), preconditions={"x": Not(P)}))
    script = replayed(start(), [("1", fact(P)), ("2", impossible), ("3", silent)])
    assert script.quarantined() == ("2",)
    assert script.without("1").quarantined() == ()


def test_a_step_that_later_ones_speak_of_cannot_be_taken_back_alone() -> None:
    """Our promise (Script.without): nothing is guessed, and nothing was changed."""
    script = replayed(start(), [("new", Introduced(atoms=("r",))), ("said", fact(R))])
    with pytest.raises(UnknownReference, match="'r'"):
        script.without("new")
    assert script.structure.is_valid(R)
    assert script.without("said").without("new").structure.vocabulary == ("p", "q")


def test_keys_name_one_step_each() -> None:
    """Our promise (Script.then, Script.without)."""
    script = Script(start=start()).then("1", fact(P))
    with pytest.raises(RepeatedIdentity, match="'1'"):
        script.then("1", fact(Q))
    with pytest.raises(UnknownReference, match="'2'"):
        script.without("2")
    assert script.without("1").then("1", fact(Q)).structure.is_valid(Q)
