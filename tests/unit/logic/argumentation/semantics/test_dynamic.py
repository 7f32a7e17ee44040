"""Edits: what they change, what they refuse, and what is not looked at again."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from upheld.errors import RepeatedIdentity, SelfSupport, UnknownReference
from upheld.logic.argumentation.framework import framework_of
from upheld.logic.argumentation.semantics.dynamic import Edit, edited, reach, solved
from upheld.logic.argumentation.semantics.names import Semantics
from upheld.logic.language.standing import Label


def pairs(text: str) -> list[tuple[str, str]]:
    """Attacks as ``ab bc``: a on b, and b on c."""
    return [(pair[0], pair[1]) for pair in text.split()]


CHAIN = framework_of("abc", pairs("ab bc"))


def test_an_edit_is_applied_first_what_goes_and_then_what_comes() -> None:
    """Our promise: an argument can be replaced in one edit."""
    edit = Edit(
        remove_arguments=frozenset("a"),
        remove_attacks=frozenset({("b", "c")}),
        add_arguments=("a", "d"),
        add_attacks=frozenset({("d", "a")}),
        justifications={"c": (frozenset("b"),)},
    )
    assert edited(CHAIN, edit) == framework_of("bcad", pairs("da"), {"c": ["b"]})


def test_justifications_are_replaced_or_taken_away() -> None:
    """Our promise: ``None`` says that an argument needs nothing any more, an empty list that nothing holds it up."""
    framework = framework_of("abc", (), {"a": ["b"], "c": ["b"]})
    edit: Edit[str] = Edit(justifications={"a": None, "c": ()})
    assert dict(edited(framework, edit).justifications) == {"c": ()}
    same: Edit[str] = Edit(justifications={"c": (), "a": None})
    assert (hash(edit), edit) == (hash(same), same)


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (Edit(remove_arguments=frozenset("z")), UnknownReference),
        (Edit(remove_attacks=frozenset({("c", "a")})), UnknownReference),
        (Edit(add_arguments=("a",)), RepeatedIdentity),
        (Edit(add_attacks=frozenset({("a", "z")})), UnknownReference),
        (Edit(justifications={"z": None}), UnknownReference),
        (Edit(justifications={"a": (frozenset("a"),)}), SelfSupport),
        (Edit(remove_arguments=frozenset("a"), justifications={"a": None}), UnknownReference),
    ],
)
def test_an_edit_that_cannot_mean_anything_is_refused(edit: Edit[str], error: type[Exception]) -> None:
    """Our promise: named errors, and the solved value is as before."""
    before = solved(CHAIN, Semantics.GROUNDED)
    with pytest.raises(error):
        before.after(edit)
    assert before.framework == CHAIN


def test_an_edit_reaches_what_follows_from_what_it_touches() -> None:
    """T4 of ``postulates.py``: the forward cone, over attacks and over premises."""
    framework = framework_of("abcdx", pairs("ab bc"), {"d": ["c"]})
    assert reach(framework, Edit(add_attacks=frozenset({("x", "b")}))) == frozenset("bcd")
    assert reach(framework, Edit(add_attacks=frozenset({("a", "b")}))) == frozenset()
    assert reach(framework, Edit(remove_arguments=frozenset("c"))) == frozenset("d")
    assert reach(framework, Edit(justifications={"d": (frozenset("c"),)})) == frozenset()
    assert reach(framework, Edit(add_arguments=("y",))) == frozenset("y")


def test_an_attack_that_comes_and_goes_leaves_the_labels_from_before() -> None:
    """Semantics, section 7: retracting and restating gives the labels from before."""
    before = solved(CHAIN, Semantics.GROUNDED)
    attack = frozenset({("x", "a")})
    during = before.after(Edit(add_arguments=("x",), add_attacks=attack))
    assert during.labels == {"a": Label.OUT, "b": Label.IN, "c": Label.OUT, "x": Label.IN}
    after = during.after(Edit(remove_arguments=frozenset("x")))
    assert after == before


def test_a_hard_part_that_an_edit_does_not_reach_costs_nothing() -> None:
    """T4 of ``postulates.py``: with the budget of one small circle, an edit beside a large one is settled."""
    draw = random.Random(3)
    large = {(draw.randrange(300), draw.randrange(300)) for _ in range(600)}
    framework = framework_of(range(302), large | {(300, 301), (301, 300)})
    first = solved(framework, Semantics.PREFERRED)
    assert first.is_proved
    # Made anew with a budget that does not go as far as the large circle.
    small = solved(framework, Semantics.PREFERRED, conflict_budget=1)
    assert not small.is_proved
    patient = replace(first, conflict_budget=1)
    after = patient.after(Edit(add_attacks=frozenset({(5, 300)})))
    assert after.is_proved
    assert after.extension is not None
    assert first.extension is not None
    assert {name for name in after.extension if name < 300} == {name for name in first.extension if name < 300}


def test_where_no_label_changes_nothing_further_is_looked_at() -> None:
    """Our promise: an edit reaches the circle downstream, but y stays out, so without any budget all is proved."""
    framework = framework_of("xyzab", pairs("xy ya ab ba"))
    first = solved(framework, Semantics.PREFERRED)
    edit: Edit[str] = Edit(add_attacks=frozenset({("z", "y")}))
    assert reach(framework, edit) == frozenset("yab")
    after = replace(first, conflict_budget=0).after(edit)
    assert (after.extension, after.is_proved) == (first.extension, True)
    woken = replace(first, conflict_budget=0).after(Edit(remove_attacks=frozenset({("x", "y")})))
    assert woken.labels == dict(zip("xyzab", map(Label, ["in", "in", "in", "out", "in"]), strict=True))


def test_what_was_not_proved_is_searched_for_again() -> None:
    """Our promise: an unproved set is not carried along as if it were the best."""
    circle = framework_of("abx", pairs("ab ba"))
    first = solved(circle, Semantics.PREFERRED, conflict_budget=0)
    assert (first.extension, first.is_proved) == (frozenset("x"), False)
    assert not first.after(Edit(remove_arguments=frozenset("x"))).is_proved
    assert first.after(Edit(remove_arguments=frozenset("b"))).extension == frozenset("ax")
    assert first.after(Edit(remove_arguments=frozenset("b"))).is_proved


def test_a_stable_extension_that_survives_is_kept_without_a_search() -> None:
    """Our promise: seen in linear time; an odd circle that comes is seen as well, and the whole is searched."""
    first = solved(framework_of("abx", pairs("ab ba")), Semantics.STABLE)
    quick = replace(first, labelling=(Label.OUT, Label.IN, Label.IN), conflict_budget=0)
    kept = quick.after(Edit(add_attacks=frozenset({("x", "a")})))
    assert (kept.extension, kept.is_proved) == (frozenset("bx"), True)
    killed = first.after(Edit(add_arguments=("z",), add_attacks=frozenset({("z", "z")})))
    assert (killed.extension, killed.is_proved) == (None, True)
    assert set(killed.labels.values()) == {Label.UNDECIDED}
    back = killed.after(Edit(remove_arguments=frozenset("z")))
    assert back.extension in (frozenset("ax"), frozenset("bx"))
