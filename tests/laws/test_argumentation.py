"""Laws of argumentation: fast functions against enumeration and other solvers; theorems of ``postulates.py``."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.logic.argumentation import reference
from upheld.logic.argumentation.components import condensation
from upheld.logic.argumentation.formats.apx import read_apx, write_apx
from upheld.logic.argumentation.formats.flattening import flattened
from upheld.logic.argumentation.framework import Framework, framework_of, without
from upheld.logic.argumentation.grounded import grounded
from upheld.logic.argumentation.postulates import (
    defence,
    forward_cone,
    is_admissible,
    is_complete_labelling,
    is_conflict_free,
    is_supported,
    rejected,
    self_defending_core,
)
from upheld.logic.argumentation.preferred import Preferred, preferred
from upheld.logic.argumentation.semantics.clauses import Encoding
from upheld.logic.argumentation.semantics.oracle import Oracle
from upheld.logic.language.standing import Label

MULTIPLIER = float(os.environ.get("UPHELD_EXAMPLES", "1"))
Sets = frozenset[frozenset[str]]


@st.composite
def frameworks(draw: st.DrawFn, *, supports: bool = True, most: int = 6) -> Framework[str]:
    """Any framework of up to ``most`` arguments, with self-attacks, circles, and justifications of every shape."""
    names = "abcdefgh"[: draw(st.integers(1, most))]
    attacks = draw(st.frozensets(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=2 * len(names)))
    justifications: dict[str, list[frozenset[str]]] = {}
    for name in draw(st.frozensets(st.sampled_from(names))) if supports and len(names) > 1 else ():
        others = st.sampled_from([other for other in names if other != name])
        justifications[name] = draw(st.lists(st.frozensets(others, max_size=3), max_size=3))
    return framework_of(names, attacks, justifications)


def drawn_frameworks(count: int, *, seed: int = 1, size: int = 6) -> Iterator[Framework[str]]:
    """The same ``count`` frameworks on every run, most of them with circles of attack and of support."""
    draw = random.Random(seed)
    for _ in range(round(count * MULTIPLIER)):
        names = "abcdefgh"[: draw.randint(2, size)]
        density, need = draw.choice((0.1, 0.2, 0.3)), draw.choice((0.0, 0.4, 0.8))
        attacks = [pair for pair in product(names, names) if draw.random() < density]
        ways = {
            name: [
                draw.sample([other for other in names if other != name], draw.randint(1, min(2, len(names) - 1)))
                for _ in range(draw.randint(1, 2))
            ]
            for name in names
            if draw.random() < need
        }
        yield framework_of(names, attacks, ways)


def all_of_three() -> Iterator[Framework[str]]:
    """The 512 frameworks over three arguments without supports."""
    return all_over("abc")


def all_over(names: str) -> Iterator[Framework[str]]:
    """Every framework over ``names`` without supports."""
    return (framework_of(names, attacks) for attacks in subsets(product(names, names)))


def subsets(items: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Every subset, smaller ones first."""
    listed = list(items)
    return chain.from_iterable(combinations(listed, size) for size in range(len(listed) + 1))


# Fast = reference


@given(frameworks())
def test_grounded_labels_are_those_of_the_least_fixpoint(framework: Framework[str]) -> None:
    """Semantics, section 2, Labelling; Dung (1995), section 2."""
    assert grounded(framework) == reference.grounded_labelling(framework)


def test_grounded_agrees_with_enumeration_on_every_framework_of_three_arguments() -> None:
    """Semantics, section 2: exhaustive without supports, every 197th framework with them."""
    ways = [None, [], ["1"], ["2"], ["12"], ["1", "2"]]
    with_supports = (
        framework_of("012", attacks, {name: way for name, way in zip("012", chosen, strict=True) if way is not None})
        for attacks in subsets(product("012", "012"))
        for chosen in product(
            ways, [_renamed(way, "1", "0") for way in ways], [_renamed(way, "2", "0") for way in ways]
        )
    )
    for framework in chain(all_of_three(), islice(with_supports, 0, None, max(1, round(197 / MULTIPLIER)))):
        assert grounded(framework) == reference.grounded_labelling(framework), framework


def test_grounded_agrees_with_enumeration_on_frameworks_full_of_circles() -> None:
    """Semantics, section 2: more premises and alternatives than three arguments have room for."""
    for framework in drawn_frameworks(500, seed=2, size=7):
        assert grounded(framework) == reference.grounded_labelling(framework), framework


def _renamed(ways: list[str] | None, old: str, new: str) -> list[str] | None:
    return None if ways is None else [way.replace(old, new) for way in ways]


@given(frameworks())
def test_one_preferred_extension_is_found_and_proved(framework: Framework[str]) -> None:
    """Semantics, section 2: without a limit the answer is preferred, and says so."""
    found = preferred(framework, conflict_budget=None)
    assert found.proved_maximal
    assert found.extension in reference.preferred_extensions(framework)


def test_preferred_agrees_with_enumeration_on_frameworks_full_of_circles() -> None:
    """Nouioua and Risch (2011): support within an extension is well-founded; loop clauses are needed here."""
    assert not preferred_fails(drawn_frameworks(600, size=7))


@given(frameworks(), st.integers(0, 3))
def test_any_budget_gives_an_admissible_set_around_the_grounded_one(framework: Framework[str], budget: int) -> None:
    """Our promise: anytime. What is found can be relied on; only the claim to be maximal may be missing."""
    found = preferred(framework, conflict_budget=budget)
    assert reference.grounded_extension(framework) <= found.extension
    assert found.extension in reference.admissible_sets(framework)
    assert not found.proved_maximal or found.extension in reference.preferred_extensions(framework)


@given(frameworks(), st.data())
def test_predicates_on_sets_are_their_definitions(framework: Framework[str], data: st.DataObject) -> None:
    """Definitions of ``framework.py``, by enumeration."""
    chosen = data.draw(st.frozensets(st.sampled_from(framework.arguments)))
    assert is_conflict_free(chosen, framework) == (chosen in reference.conflict_free_sets(framework))
    assert is_supported(chosen, framework) == (reference.supported_part(framework, chosen) == chosen)
    assert is_admissible(chosen, framework) == (chosen in reference.admissible_sets(framework))
    assert rejected(chosen, framework) == reference.rejected_by(framework, chosen)
    labels = reference.labelling_of(framework, chosen)
    assert is_complete_labelling(labels, framework) == (chosen in reference.complete_extensions(framework))


@given(frameworks(most=4))
def test_complete_labellings_are_those_of_complete_extensions_and_no_others(framework: Framework[str]) -> None:
    """Caminada (2006): labellings and extensions correspond one to one. All 3^n labellings are tried."""
    complete = [
        frozenset(name for name, label in labels.items() if label is Label.IN)
        for chosen in product(Label, repeat=len(framework.arguments))
        if is_complete_labelling(labels := dict(zip(framework.arguments, chosen, strict=True)), framework)
    ]
    assert len(complete) == len(set(complete))
    assert set(complete) == reference.complete_extensions(framework)


@given(frameworks())
def test_semantics_contain_each_other_as_in_dung(framework: Framework[str]) -> None:
    """Dung (1995), theorem 25 and lemma 15, which supports leave true."""
    complete = reference.complete_extensions(framework)
    assert reference.stable_extensions(framework) <= reference.preferred_extensions(framework) <= complete
    assert reference.grounded_extension(framework) == frozenset[str].intersection(*complete)


@given(frameworks(supports=False))
def test_without_supports_defence_is_the_characteristic_function_of_dung(framework: Framework[str]) -> None:
    """Dung (1995), definition 16: S defends x iff S attacks every attacker of x."""
    for chosen in map(frozenset, subsets(framework.arguments)):
        struck = {target for attacker, target in framework.attacks if attacker in chosen}
        by_hand = {name for name in framework.arguments if {a for a, t in framework.attacks if t == name} <= struck}
        assert defence(chosen, framework) == by_hand


# What a retraction leaves: T1 to T4 of postulates.py


def retractions(framework: Framework[str]) -> Iterator[tuple[frozenset[str], frozenset[str], Framework[str]]]:
    """Each preferred S, each non-empty R within it, and the framework without R."""
    for standing in reference.preferred_extensions(framework):
        for removed in map(frozenset, subsets(standing)):
            if removed:
                yield standing, removed, without(framework, removed)


def check_the_four_theorems(framework: Framework[str]) -> None:
    """Assert T1 to T4 for every retraction from every preferred extension."""
    for standing, removed, rest in retractions(framework):
        kept, extensions = standing - removed, reference.preferred_extensions(rest)
        assert is_conflict_free(kept, rest), "T1"
        if is_admissible(kept, rest):
            assert any(kept <= extension for extension in extensions), "T2"
        core = self_defending_core(kept, rest)
        assert core == max((found for found in reference.admissible_sets(rest) if found <= kept), key=len)
        assert any(core <= extension for extension in extensions), "T3"
        untouched = frozenset(framework.arguments) - forward_cone(removed, framework)
        assert any(extension & untouched == standing & untouched for extension in extensions), "T4"
        before, after = grounded(framework), grounded(rest)
        assert all(before[name] is after[name] for name in untouched), "T4, grounded"


def test_the_four_theorems_hold_on_every_framework_of_three_arguments() -> None:
    """T1 to T4; Dung (1995), theorem 11; Baroni and Giacomin (2007) on directionality."""
    for framework in all_of_three():
        check_the_four_theorems(framework)


@given(frameworks(most=5))
def test_the_four_theorems_hold_with_supports(framework: Framework[str]) -> None:
    """T1 to T4 where premises fall with what is retracted."""
    check_the_four_theorems(framework)


def test_proposition_two_point_one_fails_as_often_as_was_counted() -> None:
    """The second half of Prop. 2.1 of the paper is false: counts over all frameworks of two and three arguments."""

    def breaks(framework: Framework[str]) -> bool:
        return any(
            not any(standing - removed <= extension for extension in reference.preferred_extensions(rest))
            for standing, removed, rest in retractions(framework)
        )

    acyclic = [framework for framework in all_of_three() if _is_acyclic(framework)]
    assert sum(map(breaks, all_over("ab"))) == 0
    assert sum(map(breaks, all_of_three())) == 24
    assert (sum(map(breaks, acyclic)), len(acyclic)) == (6, 25)


def _is_acyclic(framework: Framework[str]) -> bool:
    is_single = all(len(component) == 1 for component in condensation(framework).components)
    return is_single and all(attacker != target for attacker, target in framework.attacks)


@given(frameworks(), st.data())
def test_the_core_is_the_greatest_admissible_subset(framework: Framework[str], data: st.DataObject) -> None:
    """T3: of any conflict-free set, not only of what a retraction leaves."""
    chosen = data.draw(st.sampled_from(sorted(reference.conflict_free_sets(framework), key=sorted)))
    core = self_defending_core(chosen, framework)
    within = [found for found in reference.admissible_sets(framework) if found <= chosen]
    assert core in within
    assert all(found <= core for found in within)


# Other solvers

ADMISSIBLE = """
{pick(X)} :- arg(X).
rejected(X) :- att(Y,X), pick(Y).
broken(J) :- premise(J,P), rejected(P).
rejected(X) :- needs(X), broken(J) : way(J,X).
held(X) :- pick(X), not needs(X).
held(X) :- pick(X), way(J,X), held(P) : premise(J,P).
:- pick(X), not held(X).
:- pick(X), att(Y,X), not rejected(Y).
:- pick(X), pick(Y), att(X,Y).
#show pick/1.
"""
"""Admissible sets; the least model of the solver is what makes support and rejection well-founded."""


def admissible_by_clingo(framework: Framework[str]) -> Sets:
    """Enumerate the admissible sets by answer set programming."""
    clingo: Any = pytest.importorskip("clingo")
    facts = [f"arg({name})." for name in framework.arguments] + [f"att({a},{b})." for a, b in framework.attacks]
    for name, ways in framework.justifications.items():
        facts.append(f"needs({name}).")
        for number, way in enumerate(ways):
            facts.append(f"way({name}{number},{name}).")
            facts.extend(f"premise({name}{number},{premise})." for premise in way)
    control = clingo.Control(["0"])
    control.add("base", [], ADMISSIBLE + "".join(facts))
    control.ground([("base", [])])
    found: list[frozenset[str]] = []

    def keep(answer: Any) -> None:
        found.append(frozenset(str(symbol.arguments[0]) for symbol in answer.symbols(shown=True)))

    control.solve(on_model=keep)
    return frozenset(found)


@given(frameworks(most=5))
def test_admissible_sets_are_those_of_an_answer_set_program(framework: Framework[str]) -> None:
    """An independent reading of the definitions, whose well-foundedness is the solver's own."""
    theirs = admissible_by_clingo(framework)
    assert reference.admissible_sets(framework) == theirs
    found = preferred(framework, conflict_budget=None).extension
    assert found in theirs
    assert not any(found < other for other in theirs)
    assert all(name in found for name, label in grounded(framework).items() if label is Label.IN)


@given(frameworks(supports=False))
def test_grounded_and_preferred_are_those_of_pygarg(framework: Framework[str]) -> None:
    """A peer for frameworks of Dung (1995)."""
    peer: Any = pytest.importorskip("pygarg.dung.solver")
    names, attacks = list(framework.arguments), [list(pair) for pair in sorted(framework.attacks)]
    mine = [name for name, label in grounded(framework).items() if label is Label.IN]
    assert sorted(peer.compute_grounded_extension(names, attacks)) == mine
    theirs = frozenset(map(frozenset, peer.extension_enumeration(names, attacks, "PR")))
    assert preferred(framework, conflict_budget=None).extension in theirs
    assert reference.preferred_extensions(framework) == theirs


@given(frameworks(most=8))
def test_components_are_those_of_networkx_in_topological_order(framework: Framework[str]) -> None:
    """Tarjan (1972): the partition by mutual reachability, and each component after what bears on it."""
    networkx: Any = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_nodes_from(framework.arguments)
    graph.add_edges_from(framework.attacks)
    # A justification beside an empty one never decides anything, so its premises bear on nothing.
    graph.add_edges_from(
        (premise, name)
        for name, ways in framework.justifications.items()
        if frozenset() not in ways
        for premise in frozenset[str]().union(*ways)
    )
    found = condensation(framework)
    assert set(map(frozenset, found.components)) == set(map(frozenset, networkx.strongly_connected_components(graph)))
    place = {name: number for number, component in enumerate(found.components) for name in component}
    links = {(place[a], place[b]) for a, b in graph.edges if place[a] != place[b]}
    assert all(before < after for before, after in links)
    assert {(a, b) for a, ahead in enumerate(found.successors) for b in ahead} == links


# Translation into attacks alone


@given(frameworks())
def test_flattening_keeps_the_grounded_labels(framework: Framework[str]) -> None:
    """``apx.py``: the least fixpoint is the same on the original names."""
    flat = flattened(framework)
    assert not flat.has_supports
    labels = grounded(read_apx(write_apx(flat)))
    assert {name: labels[name] for name in framework.arguments} == grounded(framework)


@given(frameworks(most=4))
def test_flattening_keeps_preferred_extensions_when_premises_form_no_circle(framework: Framework[str]) -> None:
    """``apx.py``: premises point to earlier names only, so nothing could hold itself up."""
    earlier = {
        name: [frozenset(premise for premise in way if premise < name) for way in ways][:1]
        for name, ways in framework.justifications.items()
    }
    ordered = framework_of(framework.arguments, framework.attacks, earlier)
    flat = flattened(ordered)
    if len(flat.arguments) <= reference.MOST_ARGUMENTS:
        names = frozenset(ordered.arguments)
        assert {found & names for found in reference.preferred_extensions(flat)} == reference.preferred_extensions(
            ordered
        )


# The laws can fail


def grounded_fails(compute: Callable[[Framework[str]], Mapping[str, Label]]) -> bool:
    """Tell whether the law of grounded refuses ``compute``."""
    return any(compute(framework) != reference.grounded_labelling(framework) for framework in drawn_frameworks(100))


def preferred_fails(
    drawn: Iterable[Framework[str]], compute: Callable[[Framework[str]], Preferred[str]] = preferred
) -> bool:
    """Tell whether the law of preferred refuses ``compute``."""
    return any(compute(framework).extension not in reference.preferred_extensions(framework) for framework in drawn)


def test_a_grounded_that_forgets_supports_is_caught() -> None:
    """Our promise: the law of grounded is about supports too."""
    assert not grounded_fails(grounded)
    assert grounded_fails(lambda framework: grounded(framework_of(framework.arguments, framework.attacks)))


def test_a_preferred_that_stops_before_maximal_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: the law of preferred is about maximality. The mutant takes the first labelling, phases at false."""
    asked: list[Oracle] = []
    find = Oracle.find

    def once(self: Oracle, assumptions: Sequence[int] = ()) -> list[Label] | None:
        if self in asked:
            return None
        asked.append(self)
        self.favour(range(-39, 0))
        return find(self, assumptions)

    monkeypatch.setattr(Oracle, "find", once)
    assert preferred_fails(drawn_frameworks(300))


@pytest.mark.parametrize("cut", ["_cuts_of_support", "_cuts_of_rejection"])
def test_a_preferred_that_lets_circles_stand_is_caught(monkeypatch: pytest.MonkeyPatch, cut: str) -> None:
    """Our promise: loop clauses are needed for ins that hold each other up and for outs that hold each other down."""

    def no_cuts(_encoding: object, _circle: set[int]) -> list[list[int]]:
        return []

    monkeypatch.setattr(Encoding, cut, no_cuts)
    assert preferred_fails(drawn_frameworks(600, size=7))
