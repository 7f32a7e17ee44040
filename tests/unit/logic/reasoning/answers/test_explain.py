"""Why a claim stands, what would break it, and how a preferred extension takes a side."""

from __future__ import annotations

import pytest

from upheld import Conversation
from upheld.errors import UnknownReference
from upheld.logic.dependency.smallest import Budget
from upheld.logic.language.agents import Agent
from upheld.logic.language.identities import AgentId, PropositionId
from upheld.logic.reasoning.answers import explain as explaining
from upheld.logic.reasoning.answers.explain import what_breaks
from upheld.logic.reasoning.answers.extensions import preferred_extension


def talk() -> Conversation:
    """Ann may decide, Bob may not."""
    return Conversation([Agent(id=AgentId("ann"), authority=True), Agent(id=AgentId("bob"))], is_lenient=True)


def test_along_single_justifications_every_premise_breaks_a_claim() -> None:
    """Semantics, section 6, and the issue: what would break it."""
    said = talk()
    said.observe("ann", "o1", "The gauge reads 3 bar.")
    said.observe("ann", "o2", "The pump runs.", depends_on=["o1"])
    said.observe("ann", "o3", "The tank fills.", depends_on=["o2"])
    found = said.explain("o3")
    assert found.breaks_if == ("o2", "o1")
    assert found.is_complete
    assert [str(node.literal) for node in found.nodes] == ["o3", "o2", "o1"]
    assert found.held_by == ("ann",)


def test_behind_alternatives_only_what_all_of_them_need_breaks_a_claim() -> None:
    """Case C-02: either way holds the claim up, and the source that both rest on does not fall alone without it."""
    said = talk()
    said.observe("ann", "o1", "The log is there.")
    said.observe("ann", "o2", "The log names the job.", depends_on=["o1"])
    said.observe("ann", "o3", "The log names the hour.", depends_on=["o1"])
    said.observe("bob", "c", "The job ran at night.", depends_on_any=[["o2"], ["o3"]])
    said.observe("bob", "d", "Nobody watched it.", depends_on=["c"])
    for claim in ("o1", "o2", "o3", "c"):
        is_lost = "d" in {item.id for item in said.affected(claim).lost}
        assert is_lost is (claim in said.explain("d").breaks_if)
    assert set(said.explain("d").breaks_if) == {"c", "o1"}


def test_a_search_that_stops_at_its_budget_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: over a limit is said, never passed in silence."""
    said = talk()
    said.observe("ann", "o1", "One.")
    said.observe("ann", "o2", "Two.")
    said.observe("ann", "c", "Either.", depends_on_any=[["o1"], ["o2"]])
    found = what_breaks(said.state, PropositionId("c"))
    assert (found.alone, found.is_complete, found.together, found.is_complete_together) == (
        (),
        True,
        (("o1", "o2"),),
        True,
    )
    monkeypatch.setattr(explaining, "BREAKING_BUDGET", 1)
    monkeypatch.setattr(explaining, "TOGETHER", Budget(answers=0))
    found = what_breaks(said.state, PropositionId("c"))
    assert (found.alone, found.is_complete, found.together, found.is_complete_together) == ((), False, (), False)


def test_the_explanation_of_what_fell_shows_what_it_rested_on_and_who_spoke_against_it() -> None:
    """Semantics, section 11: who stands by it, and what stands against it."""
    said = talk()
    said.observe("ann", "o1", "The light is green.")
    said.hypothesize("bob", "h1", "The line is free.", depends_on=["o1"])
    said.observe("ann", "o2", "A train is on the line.")
    said.revise("bob", "h1", because=["o2"])
    found = said.explain("h1")
    assert [str(node.literal) for node in found.nodes] == ["h1", "o1"]
    assert [(attack.attacker, attack.kind) for attack in found.attacks] == [("T4#1", "revises")]
    assert "T3" not in said.explain("h1").tree()
    assert said.explain("h1").tree().splitlines()[0].startswith("✗ h1")
    with pytest.raises(UnknownReference):
        said.explain("h9")


def test_a_decision_names_its_dissenters_and_a_position_its_deciders_too() -> None:
    """Semantics, sections 4 and 9: dissent is kept on record."""
    said = talk()
    said.question("ann", "Which line?", id="I1")
    said.hypothesize("ann", "p1", "The north line.", kind="position", on="I1")
    said.resolve("ann", "p1", id="d1", text="Ann takes the north line.", mode="authoritative", issue="I1")
    said.observe("bob", "x1", "Bob would take the south line.", kind="dissent", against=["d1"])
    assert said.explain("d1").dissent == ("bob",)
    assert said.explain("p1").dissent == ("bob",)


def test_in_a_circle_grounded_takes_no_side_and_a_preferred_extension_does() -> None:
    """Dung 1995: two claims that contradict each other, with nothing else to tell them apart."""
    said = talk()
    said.observe("ann", "a", "The bell rang at nine.")
    said.observe("bob", "b", "The bell rang at ten.", contradicts=["a"])
    said.support("ann", "a", id="c", text="The bell is wired to the clock.", attacks=["b"], depends_on=["a"])
    assert [said.status(id).standing.value for id in ("a", "b", "c")] == ["undecided"] * 3
    found = preferred_extension(said.state)
    assert found.proved_maximal
    assert found.extension in ({"a", "c"}, {"b"})
