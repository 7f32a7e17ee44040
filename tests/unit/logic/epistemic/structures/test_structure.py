"""Knowledge structures: what a person can check by hand; the laws compare the rest with explicit worlds."""

from __future__ import annotations

import sys

import pytest

from upheld.errors import CouldNotCheck, MalformedInput, RepeatedIdentity, UnknownReference
from upheld.logic.epistemic.entries import Mode
from upheld.logic.epistemic.structures.events import TOLD, EventModel, former, occurrence
from upheld.logic.epistemic.structures.structure import KnowledgeStructure
from upheld.logic.language.formulas import (
    And,
    Atom,
    Aware,
    Believes,
    Bottom,
    CommonKnowledge,
    DistributedKnowledge,
    ExplicitlyKnows,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    Or,
    SafelyBelieves,
    Top,
)

pytest.importorskip("oxidd", reason="decision diagrams are not installed: pip install 'upheld[epistemic]'")

P, Q = Atom("p"), Atom("q")
TWO = {"ann": ["p"], "bob": list[str]()}


def of_two() -> KnowledgeStructure:
    """Ann sees p, Bob sees nothing, neither sees q."""
    return KnowledgeStructure.over(["p", "q"], observes=TWO)


# --- muddy children --------------------------------------------------------------------------------------------------


def children(count: int) -> KnowledgeStructure:
    """Everybody sees the foreheads of the others."""
    mud = [f"m{number}" for number in range(count)]
    return KnowledgeStructure.over(
        mud, observes={f"child{number}": [each for each in mud if each != f"m{number}"] for number in range(count)}
    )


def does_not_know(number: int) -> Formula:
    """One child cannot tell."""
    return Not(KnowsWhether(f"child{number}", Atom(f"m{number}")))


def some_mud(count: int) -> Formula:
    """What the father says."""
    return Or(tuple(Atom(f"m{number}") for number in range(count)))


def test_three_children_of_whom_two_are_muddy_leave_8_7_4_and_1_world() -> None:
    """The paper, Figure 3; Fagin, Halpern, Moses and Vardi 1995, section 1.1. One round is one announcement."""
    start = children(3)
    told = start.announced(some_mud(3))
    first = told.announced_together([does_not_know(number) for number in range(3)])
    second = first.announced_together([Not(does_not_know(0)), Not(does_not_know(1)), does_not_know(2)])
    assert [each.count_worlds() for each in (start, told, first, second)] == [8, 7, 4, 1]
    assert list(second.worlds()) == [{"m0", "m1"}]


def test_three_children_who_speak_in_turn_leave_nothing_to_doubt_for_the_last() -> None:
    """Our pinned reading (formal.md, section 0): 8, 7, 6, 4, and then "I do not know" is refused."""
    counts = [(now := children(3)).count_worlds()]
    for said in (some_mud(3), does_not_know(0), does_not_know(1)):
        now = now.announced(said)
        counts.append(now.count_worlds())
    assert counts == [8, 7, 6, 4]
    assert not now.is_consistent_with(does_not_know(2))
    assert now.announced(does_not_know(2)) is now


def test_forty_muddy_children_need_thirty_nine_rounds() -> None:
    """The classic: k muddy children know after k - 1 rounds; explicit worlds would be 2^40."""
    count = 40
    everybody = {f"m{number}" for number in range(count)}
    nobody_knows = And(tuple(does_not_know(number) for number in range(count)))
    now, rounds = children(count).announced(some_mud(count)), 0
    assert now.count_worlds() == 2**count - 1
    while now.holds_at(everybody, nobody_knows):
        now, rounds = now.announced(nobody_knows), rounds + 1
    assert rounds == count - 1
    assert list(now.worlds()) == [everybody]


# --- start -----------------------------------------------------------------------------------------------------------


def test_a_structure_says_who_and_what_it_is_about() -> None:
    """Our promise (KnowledgeStructure)."""
    structure = KnowledgeStructure.over(["q", "p"], observes=TWO, aware={"bob": frozenset({"p"})})
    assert structure.vocabulary == ("q", "p")
    assert structure.agents == ("ann", "bob")
    assert structure.observes == {"ann": {"p"}, "bob": frozenset()}
    assert structure.aware == {"bob": {"p"}}
    assert repr(structure) == "<KnowledgeStructure: 2 atoms, agents ann, bob>"


def test_atoms_without_an_order_are_sorted() -> None:
    """Our promise: the same atoms give the same structure."""
    assert KnowledgeStructure.over({"q", "p", "r"}).vocabulary == ("p", "q", "r")


def test_a_structure_that_names_no_agent_is_somebodys() -> None:
    """Our promise: it can stand where an ordered base stands."""
    structure = KnowledgeStructure.over(["p", "q"]).announced(P).radical(Q)
    assert structure.knows(P)
    assert not structure.knows(Q)
    assert structure.believes(Q)
    assert structure.believes_given(Not(Q), And((P, Not(Q))))
    assert structure.is_valid(P)


def test_a_law_is_known_to_all() -> None:
    """Van Benthem and others 2018, section 2: the state law is common knowledge."""
    structure = KnowledgeStructure.over(["p", "q"], observes=TWO, law=Implies(P, Q))
    assert structure.count_worlds() == 3
    assert structure.is_valid(CommonKnowledge((), Implies(P, Q)))
    assert KnowledgeStructure.over(["p"], law=Top()).count_worlds() == 2


def test_a_law_that_no_world_satisfies_is_refused() -> None:
    """Our promise (over): a structure has a world."""
    with pytest.raises(MalformedInput, match="no world satisfies the law"):
        KnowledgeStructure.over(["p"], law=Bottom())


def test_an_atom_twice_and_an_observed_atom_that_is_not_there_are_refused() -> None:
    """Our promise (over)."""
    with pytest.raises(RepeatedIdentity, match="p, q, p"):
        KnowledgeStructure.over(["p", "q", "p"])
    with pytest.raises(UnknownReference, match="nobody introduced 'z'"):
        KnowledgeStructure.over(["p"], observes={"ann": ["z"]})


@pytest.mark.parametrize("count", [1, 52, 53, 54, 64, 100, 400])
def test_worlds_are_counted_exactly_beyond_what_a_float_can_hold(count: int) -> None:
    """Our promise (count_worlds)."""
    atoms = [f"a{number}" for number in range(count)]
    structure = KnowledgeStructure.over(atoms)
    assert structure.count_worlds() == 2**count
    assert structure.announced(Or(tuple(map(Atom, atoms)))).count_worlds() == 2**count - 1


def test_worlds_come_one_after_the_other_and_no_more_than_asked_for() -> None:
    """Our promise (worlds): a structure of 2^200 worlds can be looked into."""
    many = KnowledgeStructure.over([f"a{number}" for number in range(200)])
    assert len(set(many.worlds(5))) == 5
    assert list(many.worlds(0)) == []
    assert sorted(map(sorted, of_two().worlds())) == [[], ["p"], ["p", "q"], ["q"]]


# --- questions -------------------------------------------------------------------------------------------------------


def test_whoever_observes_an_atom_knows_whether_it_is_so_and_all_know_that() -> None:
    """Van Benthem and others 2018, section 2: observables are common knowledge."""
    structure = of_two()
    assert structure.knows(P, agent="ann", world={"p"})
    assert not structure.knows(P, agent="ann", world=())
    assert not structure.knows(P, agent="ann")
    assert structure.is_valid(CommonKnowledge(("ann", "bob"), KnowsWhether("ann", P)))
    assert not structure.is_consistent_with(KnowsWhether("bob", P))


def test_a_group_knows_together_what_each_sees() -> None:
    """Fagin, Halpern, Moses and Vardi 1995, section 2.2: distributed knowledge."""
    structure = KnowledgeStructure.over(["p", "q"], observes={"ann": ["p"], "bob": ["q"]})
    assert structure.is_valid(Implies(And((P, Q)), DistributedKnowledge((), And((P, Q)))))
    assert not structure.is_consistent_with(CommonKnowledge((), Or((P, Q))))
    assert structure.is_valid(Iff(DistributedKnowledge(("ann",), P), Knows("ann", P)))


def test_a_belief_is_safe_when_no_truth_could_shake_it() -> None:
    """Baltag and Smets 2008, section 2: safe belief is belief, and is true."""
    structure = KnowledgeStructure.over(["p", "q"], observes={"ann": []}).radical(P)
    assert structure.is_valid(Believes("ann", P))
    assert structure.holds_at({"p"}, SafelyBelieves("ann", P))
    assert not structure.holds_at((), SafelyBelieves("ann", P))
    assert structure.is_valid(Iff(SafelyBelieves("ann", Or((P, Q))), Or((P, Q)))) is False
    unordered = KnowledgeStructure.over(["p"], observes={"ann": []})
    assert not unordered.is_consistent_with(SafelyBelieves("ann", P))


def test_awareness_is_of_atoms_and_explicit_knowledge_needs_both() -> None:
    """Fagin and Halpern 1988, section 4: awareness generated by primitive propositions."""
    structure = KnowledgeStructure.over(
        ["p", "q"], observes={"ann": ["p", "q"], "bob": []}, aware={"ann": frozenset("p")}
    )
    assert structure.holds_at({"p", "q"}, And((Knows("ann", Q), Not(ExplicitlyKnows("ann", Q)))))
    assert structure.holds_at({"p", "q"}, ExplicitlyKnows("ann", P))
    assert structure.is_valid(Aware("bob", Q))
    assert structure.is_valid(Not(Aware("ann", Or((P, Q)))))
    assert not structure.is_consistent_with(Aware("ann", Atom("never heard of")))
    grown = structure.with_aware("ann", ["q"])
    assert grown.is_valid(Aware("ann", Or((P, Q))))
    assert grown.with_aware("bob", ["p"]) is grown


@pytest.mark.parametrize(
    "formula",
    [Knows("eve", P), CommonKnowledge(("eve",), P), Believes("eve", P), SafelyBelieves("eve", P), Atom("z")],
)
def test_an_agent_or_an_atom_that_is_not_there_is_named(formula: Formula) -> None:
    """Our promise: what nobody introduced has no truth value."""
    with pytest.raises(UnknownReference, match=r"nobody introduced '(eve|z)'"):
        of_two().is_valid(formula)


def test_a_world_of_an_unknown_atom_is_refused_and_one_outside_the_law_satisfies_nothing() -> None:
    """Our promise (holds_at)."""
    structure = of_two().announced(P)
    assert not structure.holds_at({"q"}, Top())
    with pytest.raises(UnknownReference):
        structure.holds_at({"z"}, Top())


def test_depth_is_no_limit() -> None:
    """Our promise: no step recurses."""
    deep: Formula = P
    for number in range(sys.getrecursionlimit() * 5):
        deep = Knows("ann", deep) if number % 2 else Not(deep)
    assert of_two().holds_at({"p"}, deep) in {True, False}


def test_many_formulas_are_forgotten_and_read_again() -> None:
    """Our promise: what is remembered of formulas is bounded, and never mixed up."""
    structure = of_two()
    asked: list[Formula] = [Implies(And((P,)), P) if number % 2 else Not(P) for number in range(200)]
    assert [structure.is_valid(formula) for formula in asked * 2] == [bool(number % 2) for number in range(200)] * 2


# --- updates ---------------------------------------------------------------------------------------------------------


def test_a_formula_is_judged_before_the_update_so_moore_becomes_false() -> None:
    """Moore's "p, and you do not know it", van Ditmarsch, van der Hoek and Kooi 2007, section 4.7."""
    moore = And((P, Not(Knows("bob", P))))
    after = of_two().announced(moore)
    assert after.is_valid(And((P, Not(moore))))


def test_what_is_known_already_or_cannot_be_changes_nothing() -> None:
    """Our promise: refused updates leave the very same value."""
    structure = of_two().announced(P)
    assert structure.announced(P) is structure
    assert structure.announced(Not(P)) is structure
    assert structure.conservative(Not(P)).is_valid(P)


def test_an_upgrade_that_some_do_not_hear_leaves_their_beliefs() -> None:
    """Our promise (updated): listeners."""
    for upgrade in (of_two().radical, of_two().conservative):
        after = upgrade(Q, listeners=["bob"])
        assert after.is_valid(And((Believes("bob", Q), Not(Believes("ann", Q)))))
    with pytest.raises(UnknownReference):
        of_two().radical(Q, listeners=["eve"])


def test_upgrading_what_is_believed_already_or_cannot_be_changes_nothing() -> None:
    """Our promise: saying it again does not make the structure grow."""
    believed = of_two().radical(Q).conservative(Iff(P, Q))
    assert believed.conservative(Iff(P, Q)) is believed
    assert believed.radical(Q).radical(Q) is not believed
    once = of_two().radical(Q)
    assert once.radical(Q) is once
    assert once.radical(Bottom()) is once
    assert once.conservative(Top()) is once


def test_a_hard_announcement_to_some_only_is_refused() -> None:
    """Our promise (updated): the others would have to take it for something else."""
    assert of_two().updated(Q, Mode.HARD, listeners=["bob", "ann"]).is_valid(Q)
    with pytest.raises(MalformedInput, match="told or private_told"):
        of_two().updated(Q, Mode.HARD, listeners=["ann"])


def test_awareness_of_a_new_atom_costs_no_world_and_no_belief() -> None:
    """Our promise (with_atoms): "doubles the worlds" does not occur."""
    before = of_two().radical(Q).with_atoms({"s", "r"}, observes={"bob": ["r"]})
    assert before.vocabulary == ("p", "q", "r", "s")
    assert before.count_worlds() == 16
    assert before.is_valid(And((KnowsWhether("bob", Atom("r")), Believes("bob", Q))))
    assert not before.is_consistent_with(Or((Believes("bob", Atom("s")), KnowsWhether("ann", Atom("r")))))
    assert before.radical(Not(Atom("s"))).is_valid(Believes("ann", And((Q, Not(Atom("s"))))))


def test_two_structures_of_a_family_may_call_different_things_alike() -> None:
    """Our promise: branches do not disturb each other."""
    start = of_two()
    one = start.with_atoms(["r"]).announced(Atom("r"))
    other = start.with_atoms(["r"], observes={"ann": ["r"]}).announced(Not(Atom("r")))
    assert one.is_valid(Atom("r"))
    assert other.is_valid(Knows("ann", Not(Atom("r"))))
    assert start.count_worlds() == 4


def test_an_atom_that_is_there_cannot_come_again() -> None:
    """Our promise (with_atoms)."""
    with pytest.raises(RepeatedIdentity, match="'p'"):
        of_two().with_atoms(["p"])
    with pytest.raises(UnknownReference, match="'eve'"):
        of_two().with_atoms(["r"], observes={"eve": ["r"]})
    with pytest.raises(UnknownReference, match="'eve'"):
        of_two().with_aware("eve", ["p"])
    with pytest.raises(MalformedInput, match="kept for what is no atom"):
        of_two().with_atoms(["\0p"])


# --- events ----------------------------------------------------------------------------------------------------------


def test_who_is_told_learns_whether_and_the_others_notice_that() -> None:
    """Van Ditmarsch, van der Hoek and Kooi 2007, section 6.2: a semi-private announcement."""
    after = of_two().told(Q, to=["bob"])
    assert after.count_worlds() == 4
    assert after.is_valid(CommonKnowledge((), KnowsWhether("bob", Q)))
    assert not after.is_consistent_with(KnowsWhether("ann", Q))


def test_who_does_not_hear_a_whisper_believes_that_nothing_changed_but_does_not_know_it() -> None:
    """Baltag and Smets 2008, section 4."""
    after = of_two().private_told(Q, to=["bob"], name="aside")
    world = {"p", "q", occurrence("aside", TOLD)}
    assert after.holds_at(world, Knows("bob", Q))
    assert after.holds_at(world, Believes("ann", Not(Knows("bob", Q))))
    assert after.holds_at(world, Not(Knows("ann", Not(Knows("bob", Q)))))
    # The whisper is refuted to nobody, so it can be confirmed to all.
    assert after.announced(Atom(occurrence("aside", TOLD))).is_valid(CommonKnowledge((), Q))


def test_a_world_that_leaves_open_what_happened_has_no_answer_that_depends_on_it() -> None:
    """Our promise (holds_at)."""
    after = of_two().private_told(Q, to=["bob"])
    assert after.holds_at({"q"}, Q)
    with pytest.raises(CouldNotCheck, match="which events happened"):
        after.holds_at({"q"}, Knows("bob", Q))
    assert after.holds_at({"q", "1:told"}, Knows("bob", Q))


def test_classes_between_all_and_nothing_are_what_an_agent_notices() -> None:
    """Baltag, Moss and Solecki 1998: agents partition the events."""
    events = EventModel(
        events=("x", "y", "z"),
        preconditions={"x": P, "y": Q, "z": Not(Or((P, Q)))},
        partitions={
            "ann": (frozenset({"x", "y", "z"}),),
            "bob": (frozenset({"x", "y"}), frozenset({"z"})),
        },
    )
    after = of_two().after(events)
    assert after.is_valid(KnowsWhether("bob", Or((P, Q))))
    assert after.is_valid(Implies(P, Not(KnowsWhether("bob", P))))
    assert after.count_worlds() == 5
    assert set(after.worlds()) >= {frozenset({"p", "q", "1:x"}), frozenset({"p", "q", "1:y"}), frozenset({"1:z"})}


def test_events_that_cannot_happen_change_nothing() -> None:
    """Our promise (after): refused, so unchanged."""
    structure = of_two()
    assert structure.after(EventModel(events=("x",), preconditions={"x": Bottom()})) is structure


def test_events_of_unknown_agents_and_names_that_are_taken_are_refused() -> None:
    """Our promise (after, told, private_told)."""
    after = of_two().told(Q, to=["bob"], name="turn")
    with pytest.raises(RepeatedIdentity, match="already called 'turn'"):
        after.private_told(P, to=["bob"], name="turn")
    with pytest.raises(RepeatedIdentity, match="turn:told"):
        of_two().with_atoms(["turn:told"]).told(P, to=["bob"], name="turn")
    stranger = EventModel(events=("x",), preconditions={"x": P}, ranks={"eve": {"x": 0}})
    with pytest.raises(UnknownReference, match="'eve'"):
        after.after(stranger)
    for tell in (after.told, after.private_told):
        with pytest.raises(UnknownReference, match="'eve'"):
            tell(P, to=["eve"])


# --- events that change what is so -----------------------------------------------------------------------------------

MOVED = EventModel(
    events=("moves", "nothing"),
    preconditions={"moves": Top(), "nothing": Top()},
    partitions={"sally": (frozenset({"moves", "nothing"}),)},
    ranks={"sally": {"nothing": 0, "moves": 1}},
    changes={"moves": {"basket": Bottom()}},
)


def test_sally_looks_for_her_marble_where_she_left_it() -> None:
    """The false belief task, Baron-Cohen, Leslie and Frith 1985, and of the second order: what Anne makes of it."""
    basket = Atom("basket")
    before = KnowledgeStructure.over(["basket"], observes={"sally": [], "anne": []}, law=basket)
    after = before.after(MOVED, name="away")
    world = {former("away", "basket"), "away:moves"}
    assert set(after.worlds()) == {frozenset(world), frozenset({former("away", "basket"), "basket", "away:nothing"})}
    assert after.holds_at(world, And((Not(basket), Believes("sally", basket), Not(Knows("sally", basket)))))
    assert after.holds_at(world, Knows("anne", And((Not(basket), Believes("sally", basket)))))
    assert after.is_valid(CommonKnowledge((), Atom(former("away", "basket"))))


def test_who_observed_an_atom_remembers_it_and_sees_no_more_of_it_than_of_the_event() -> None:
    """Van Benthem, van Eijck and Kooi 2006: a change is known as the event is."""
    flip = EventModel(events=("flip",), preconditions={"flip": Top()}, changes={"flip": {"p": Not(P)}})
    start = of_two().radical(P)
    after = start.after(flip)
    assert after.count_worlds() == start.count_worlds()
    assert after.is_valid(Iff(P, Not(Atom("1<p"))))
    assert after.is_valid(And((KnowsWhether("ann", P), Believes("bob", Not(P)))))
    assert after.observes["ann"] == {"1<p"}
    assert after.after(flip).is_valid(And((Iff(P, Atom("1<p")), Believes("bob", P))))


def test_what_an_event_sets_may_depend_on_what_was_known() -> None:
    """Our promise (EventModel): changes are worth what a formula was worth before."""
    told = EventModel(events=("x",), preconditions={"x": P}, changes={"x": {"q": Knows("bob", P)}})
    assert of_two().after(told).is_valid(And((Knows("bob", P), Not(Atom("q")))))


def test_only_atoms_that_are_there_can_change() -> None:
    """Our promise (after)."""
    with pytest.raises(UnknownReference, match="'z'"):
        of_two().after(EventModel(events=("x",), preconditions={"x": P}, changes={"x": {"z": P}}))
