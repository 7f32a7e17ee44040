"""What the ordered base answers, and what it costs to ask."""

from __future__ import annotations

import random

import pytest

from upheld.errors import CouldNotCheck, RepeatedIdentity, UnknownReference
from upheld.logic.epistemic import judges
from upheld.logic.epistemic.entries import Entry, Mode
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.language.formulas import And, Atom, Formula, Not
from upheld.logic.language.notation import parse_formula


def f(text: str) -> Formula:
    """Read a formula, shortly."""
    return parse_formula(text)


def base_of(*updates: tuple[Mode, str]) -> OrderedBase:
    """Give a base with updates under the keys e1, e2 and so on."""
    base = OrderedBase()
    for place, (mode, text) in enumerate(updates, start=1):
        base = base.upgrade(f"e{place}", f(text), mode)
    return base


HARD, RADICAL, CONSERVATIVE = Mode.HARD, Mode.RADICAL, Mode.CONSERVATIVE


def test_an_empty_base_knows_and_believes_only_what_always_holds() -> None:
    """Source: Definition E.1 with all worlds equally plausible."""
    base = OrderedBase()
    assert base.knows(f("p | ~p"))
    assert base.believes(f("true"))
    assert not base.believes(f("p"))
    assert not base.knows(f("false"))
    assert base.is_consistent_with(f("p & ~q"))


def test_a_fact_is_known_and_an_upgrade_only_believed() -> None:
    """Source: semantics, section 3."""
    base = base_of((HARD, "o"), (RADICAL, "h"))
    assert base.knows(f("o"))
    assert base.believes(f("o & h"))
    assert not base.knows(f("h"))
    assert base.is_consistent_with(f("~h"))


def test_the_newer_upgrade_wins() -> None:
    """Source: Liberatore 2023, lexicographic order."""
    base = base_of((RADICAL, "p"), (RADICAL, "q"), (RADICAL, "~p | ~q"))
    assert base.believes(f("q & ~p"))


def test_a_retracted_fact_takes_what_it_excluded_back_with_it() -> None:
    """Source: semantics, section 3: taking back an announcement drops it from the base."""
    base = base_of((RADICAL, "h"), (HARD, "~h"))
    assert base.knows(f("~h"))
    without = base.with_activity({"e2": False})
    assert without.believes(f("h"))
    assert base.knows(f("~h"))
    assert without.with_activity({"e2": True}).knows(f("~h"))


def test_an_upgrade_comes_back_in_its_old_place() -> None:
    """Our promise: positions are kept for ever, so restating is not the same as coming back."""
    base = base_of((RADICAL, "p"), (RADICAL, "~p"))
    back = base.with_activity({"e1": False}).with_activity({"e1": True})
    assert back.believes(f("~p"))
    assert base.without("e1").upgrade("e1", f("p"), RADICAL).believes(f("p"))


def test_a_refused_fact_waits_in_quarantine_until_what_excludes_it_is_gone() -> None:
    """Source: design notes, section 3: a refused announcement may be acceptable after a retraction; retry in order."""
    base = base_of((HARD, "p"), (HARD, "~p"), (HARD, "~p | q"), (HARD, "~q"), (HARD, "r"))
    assert base.quarantined() == ("e2", "e4")
    assert base.is_quarantined("e2")
    assert not base.is_quarantined("e5")
    without = base.with_activity({"e1": False})
    assert without.quarantined() == ()
    assert without.knows(f("~p & ~q"))
    assert not without.is_quarantined("e1")


def test_a_conservative_upgrade_lifts_only_the_best() -> None:
    """Source: Definition E.1: it promotes the best worlds of the formula and nothing else."""
    radical = base_of((RADICAL, "q"), (RADICAL, "p"), (HARD, "~q"))
    conservative = base_of((RADICAL, "q"), (CONSERVATIVE, "p"), (HARD, "~q"))
    assert radical.believes(f("p"))
    assert not conservative.believes(f("p"))


def test_a_conservative_upgrade_is_derived_again_when_something_before_it_is_taken_back() -> None:
    """Source: design notes, H3: stored as the formula and its position."""
    base = base_of((HARD, "p -> q"), (RADICAL, "~q"), (CONSERVATIVE, "p"), (RADICAL, "~p"), (RADICAL, "p"))
    assert base.believes(f("p & q"))
    assert base.with_activity({"e1": False}).believes(f("p & ~q"))


def test_a_conservative_upgrade_to_what_is_believed_changes_nothing() -> None:
    """Source: design notes, section 1, point 5: the best worlds are the best already."""
    base = base_of((RADICAL, "h"), (CONSERVATIVE, "h"), (RADICAL, "g"), (HARD, "~g"))
    assert base.believes(f("h"))


def test_belief_given_a_condition_asks_the_best_worlds_of_the_condition() -> None:
    """Source: semantics, section 3; anything is believed given what the facts exclude."""
    base = base_of((RADICAL, "p -> q"), (RADICAL, "~p"), (HARD, "r"))
    assert base.believes_given(f("p"), f("q"))
    assert not base.believes_given(f("p"), f("~p"))
    assert base.believes_given(f("~r"), f("false"))
    assert base.believes_given(f("p | s"), f("~p & s"))
    assert "\0given" not in base
    assert len(base) == 3


def test_an_explanation_names_the_newest_that_suffice() -> None:
    """Our promise: not believed "because of o9", with nothing that could be left out."""
    base = base_of((RADICAL, "h"), (RADICAL, "h -> x"), (HARD, "o"), (HARD, "o -> ~x"), (RADICAL, "~x"), (HARD, "z"))
    assert base.explain_disbelief(f("x")) == ("e3", "e4")
    assert base.explain_disbelief(f("h")) == ("e2", "e3", "e4")
    assert base.explain_disbelief(f("nothing")) == ()
    assert base.explain_disbelief(f("false")) == ()


def test_keys_are_checked() -> None:
    """Our promise: one key, one entry; an unknown key is an error and changes nothing."""
    base = base_of((HARD, "p"))
    with pytest.raises(RepeatedIdentity):
        base.announce("e1", f("q"))
    for ask in (base.is_active, base.without, base.is_quarantined):
        with pytest.raises(UnknownReference):
            ask("e9")
    with pytest.raises(UnknownReference):
        base.with_activity({"e1": False, "e9": False})
    assert base.is_active("e1")
    assert base.without_entries(["e1", "e9"]).is_active("e1") is False
    assert base.with_activity({"e1": True}) is base


def test_knowledge_about_knowledge_is_not_silently_misread() -> None:
    """Our promise: what cannot be checked is an error, never a verdict."""
    with pytest.raises(CouldNotCheck):
        OrderedBase().announce("e1", f("K_alice p"))
    for ask in (OrderedBase().knows, OrderedBase().believes, OrderedBase().is_consistent_with):
        with pytest.raises(CouldNotCheck):
            ask(f("p | K_alice p"))


def test_formulas_without_atoms_are_updates_like_others() -> None:
    """Our promise: constants need no special care of the caller."""
    base = base_of((HARD, "false"), (RADICAL, "false"), (CONSERVATIVE, "false"), (CONSERVATIVE, "true"), (HARD, "true"))
    assert base.quarantined() == ("e1",)
    assert base.is_consistent_with(f("true"))
    assert not base.believes(f("p"))


def test_a_turn_elsewhere_asks_nothing_of_a_component_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: cost follows what a turn touches."""
    base = base_of(*[(RADICAL, f"p{index} -> p{index + 1}") for index in range(20)], (HARD, "p0"))
    assert base.believes(f("p20"))
    base = base.announce("elsewhere", f("x | y"))
    asked: list[int] = []
    conflict = judges.SatJudge.conflict

    def counted(self: judges.SatJudge, held: list[Entry], added: list[Entry]) -> frozenset[int] | None:
        asked.append(len(held))
        return conflict(self, held, added)

    monkeypatch.setattr(judges.SatJudge, "conflict", counted)
    assert base.believes(f("p19"))
    assert asked == [21]
    assert base.with_activity({"elsewhere": False}).believes(f("p18"))
    assert len(asked) == 2


def test_a_question_over_two_components_leaves_them_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: a query that spans components conjoins, and never merges."""
    base = base_of((RADICAL, "p | q"), (RADICAL, "x | y"), (HARD, "~p"), (HARD, "~x"))
    assert base.believes(f("(q & y) | z"))
    assert base.believes_given(f("z -> ~q"), f("~z | ~q"))
    held: list[int] = []
    conflict = judges.SatJudge.conflict

    def counted(self: judges.SatJudge, entries: list[Entry], added: list[Entry]) -> frozenset[int] | None:
        held.append(len(entries))
        return conflict(self, entries, added)

    monkeypatch.setattr(judges.SatJudge, "conflict", counted)
    assert base.believes(f("q"))
    assert held == [2]


def test_values_of_one_lineage_answer_in_any_order() -> None:
    """Our promise: what one value learns never leaks into another."""
    first = base_of((RADICAL, "p -> q"), (RADICAL, "p"))
    with_fact, with_other = first.announce("x", f("~q")), first.announce("x", f("q & r"))
    for _ in range(3):
        assert with_fact.believes(f("p & ~q"))
        assert with_other.believes(f("p & r"))
        assert first.believes(f("q"))
        assert not first.believes(f("r"))


def test_neither_a_deep_formula_nor_many_entries_recurse() -> None:
    """Our promise: nothing recurses over what a user may make long."""
    deep: Formula = Atom("p")
    for _ in range(100_001):
        deep = Not(deep)
    base = OrderedBase().announce("deep", deep)
    for index in range(10_000):
        base = base.upgrade(f"e{index}", Atom("q"), RADICAL)
    assert base.knows(f("~p"))
    assert repr(base) == "<OrderedBase: 10001 entries, 0 inactive>"
    assert base.without_entries(f"e{index}" for index in range(1, 10_000)).believes(f("q"))
    wide = And(tuple(Atom(f"w{index}") for index in range(5_000)))
    assert base.announce("wide", wide).knows(wide)


@pytest.mark.parametrize("seed", range(40))
def test_a_claim_under_its_own_name_is_believed_as_under_any_other(seed: int) -> None:
    """Our promise: an entry named after its atom makes no component, and no answer shows it."""
    draw = random.Random(seed)
    plain, other = OrderedBase(), OrderedBase()
    keys: list[str] = []
    for number in range(14):
        atom, mode = draw.choice("pqrs"), draw.choice((HARD, RADICAL, CONSERVATIVE))
        is_own = atom not in keys and draw.random() < 0.6
        key = atom if is_own else f"e{number}"
        text = atom if is_own else draw.choice((f"~{atom}", f"{atom} -> p", f"{atom} | ~q"))
        plain = plain.upgrade(key, f(text), mode)
        other = other.upgrade(f"{key} by another name", f(text), mode)
        keys.append(key)
        if draw.random() < 0.4:
            key, is_active = draw.choice(keys), draw.random() < 0.5
            plain = plain.with_activity({key: is_active})
            other = other.with_activity({f"{key} by another name": is_active})
        for asked in ("p", "~p", "q", "~q", "r & s", "p -> r", "s"):
            assert plain.believes(f(asked)) is other.believes(f(asked))
            assert plain.knows(f(asked)) is other.knows(f(asked))
        names = [entry.key.removesuffix(" by another name") for entry in other.counted()]
        assert [entry.key for entry in plain.counted()] == names
        assert plain.quarantined() == tuple(key.removesuffix(" by another name") for key in other.quarantined())
    assert plain.without_entries(keys).counted() == ()


def test_a_claim_that_is_forgotten_may_be_entered_again() -> None:
    """Our promise: a key that was forgotten is free, also one that had its atom to itself."""
    base = OrderedBase().announce("p", f("p"))
    again = base.without("p").announce("p", f("p"))
    assert "p" not in base.without("p")
    assert not base.without("p").knows(f("p"))
    assert again.knows(f("p"))
    assert len(again) == 1


def test_the_same_said_hundreds_of_times_is_one_assumption_to_the_solver() -> None:
    """Pinned gap: Glucose 4 writes outside its arrays when it is given more assumptions than it has variables."""
    base = base_of((RADICAL, "p | q"), (HARD, "p -> q"))
    for number in range(500):
        base = base.upgrade(f"again{number}", f("p | q" if number % 2 else "q"), RADICAL)
    assert base.believes(f("q"))
    assert base.upgrade("no", f("~q & (p | r)"), RADICAL).believes(f("~q & ~p & r"))
    assert base.explain_disbelief(f("~q")) == ("again498",)


def test_a_question_over_components_is_put_to_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: a disjunction follows from components apart if one of them entails its share."""
    base = base_of((RADICAL, "p -> q"), (RADICAL, "p"), (RADICAL, "x | y"))
    monkeypatch.setattr("upheld.logic.epistemic.ordered_base.SatJudge", None)
    assert base.believes(f("q | x"))
    assert not base.believes(f("x | ~q"))
    assert base.believes(f("(p -> (x | q)) & (q | z)"))
    assert not base.knows(f("q | x"))


def test_many_components_that_join_unasked_do_not_recurse() -> None:
    """Our promise: nothing recurses over what a user may make long; joined components are not solved anew."""
    base = OrderedBase()
    for number in range(1_050):
        base = base.upgrade(f"lone{number}", f(f"p{number} | q{number}"), RADICAL)
        if number:
            base = base.announce(f"join{number}", f(f"p{number - 1} -> p{number}"))
    told = base.announce("start", f("p0"))
    assert told.knows(f("p1049"))
    assert not base.believes(f("p1049"))
    assert not told.with_activity({"join700": False}).knows(f("p1049"))
