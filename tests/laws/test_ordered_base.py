"""The ordered base says what explicit worlds say, whatever was said, taken back and said again."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.logic.epistemic.entanglement import ComponentsAt
from upheld.logic.epistemic.entries import Core, Mode
from upheld.logic.epistemic.lifts import Lift
from upheld.logic.epistemic.ordered_base import OrderedBase
from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.language.formulas import And, Atom, Bottom, Formula, Iff, Implies, Not, Or, Top

MULTIPLIER = float(os.environ.get("UPHELD_EXAMPLES", "1"))
SEQUENCES = max(1, round(1000 * MULTIPLIER))


@dataclass(frozen=True, slots=True)
class Said:
    """One update of a history; the key is its place."""

    mode: Mode
    formula: Formula
    counts: bool = True


History = tuple[Said, ...]
Build = Callable[[History], OrderedBase]


def any_formula(chance: random.Random, atoms: list[str], depth: int) -> Formula:
    """Any formula over the atoms; seldom a constant."""
    if depth == 0 or chance.random() < 0.35:
        atom = Atom(chance.choice(atoms))
        return atom if chance.random() < 0.5 else Not(atom)
    one, other = any_formula(chance, atoms, depth - 1), any_formula(chance, atoms, depth - 1)
    constant = chance.choice([Top(), Bottom()])
    shapes = [And((one, other)), Or((one, other)), Implies(one, other), Iff(one, other), Not(one), constant]
    return chance.choices(shapes, weights=[30, 30, 15, 10, 10, 5])[0]


@dataclass(frozen=True, slots=True)
class World:
    """How a sequence is drawn: the fewer atoms a formula may mix, the more components there are."""

    chance: random.Random
    atoms: list[str]
    mixing: int

    @staticmethod
    def of(seed: int) -> World:
        """Up to seven atoms; in a third of the worlds each formula has one atom, in a third two neighbours."""
        chance = random.Random(seed)
        return World(
            chance, [f"a{index}" for index in range(chance.choice([2, 3, 3, 4, 4, 5, 7]))], chance.randrange(3)
        )

    def said(self) -> Said:
        """One update, of any mode."""
        mode = self.chance.choices(list(Mode), weights=[2, 4, 4])[0]
        return Said(mode, self.formula())

    def formula(self) -> Formula:
        """A formula over the atoms that one update may mix."""
        start = self.chance.randrange(len(self.atoms))
        near = [self.atoms[start : start + 1], self.atoms[start : start + 2], self.atoms][self.mixing]
        return any_formula(self.chance, near, 2)

    def question(self) -> Formula:
        """A formula over any of the atoms."""
        return any_formula(self.chance, self.atoms, 2)


def replayed(world: World, history: History) -> tuple[PlausibilityModel, tuple[str, ...]]:
    """Give the explicit model after the updates that count, in order, and the keys of the facts that it refused."""
    explicit = PlausibilityModel.over(world.atoms)
    refused: list[str] = []
    for place, said in enumerate(history):
        if said.counts:
            if said.mode is Mode.HARD and not explicit.is_consistent_with(said.formula):
                refused.append(str(place))
            explicit = explicit.updated(said.formula, said.mode)
    return explicit, tuple(refused)


def recorded(history: History) -> OrderedBase:
    """Give a fresh base with a history."""
    base = OrderedBase()
    for place, said in enumerate(history):
        base = base.upgrade(str(place), said.formula, said.mode).with_activity({str(place): said.counts})
    return base


def mismatches(world: World, base: OrderedBase, history: History) -> list[str]:
    """Give the questions that the base and the explicit model answer differently."""
    explicit, refused = replayed(world, history)
    wrong = [] if base.quarantined() == refused else ["quarantined"]
    for _ in range(2):
        asked, condition = world.question(), world.formula()
        answers = {
            "consistent": (base.is_consistent_with(asked), explicit.is_consistent_with(asked)),
            "knows": (base.knows(asked), explicit.knows(asked)),
            "believes": (base.believes(asked), explicit.believes(asked)),
            "given": (base.believes_given(condition, asked), explicit.believes_given(condition, asked)),
        }
        wrong += [f"{name} {asked}" for name, (fast, slow) in answers.items() if fast is not slow]
    return wrong


@settings(max_examples=SEQUENCES)
@given(st.integers(0, 2**32))
def test_the_base_says_what_explicit_worlds_say(seed: int) -> None:
    """Source: Definition E.1; Liberatore 2023. Replay is the oracle; values of one lineage are asked in any order."""
    world = World.of(seed)
    base = OrderedBase()
    history: History = ()
    lineage: list[tuple[OrderedBase, History]] = []
    for _ in range(world.chance.randint(4, 11)):
        if not history or world.chance.random() < 0.7:
            said = world.said()
            base = base.upgrade(str(len(history)), said.formula, said.mode)
            history = (*history, said)
        else:
            flipped = set(world.chance.choices(range(len(history)), k=2))
            base = base.with_activity({str(place): not history[place].counts for place in flipped})
            history = tuple(
                replace(said, counts=said.counts is not (place in flipped)) for place, said in enumerate(history)
            )
        lineage.append((base, history))
        if world.chance.random() < 0.2:
            assert mismatches(world, *world.chance.choice(lineage)) == []
    assert mismatches(world, *lineage[-1]) == []


def _histories() -> Iterator[tuple[World, History]]:
    for seed in range(SEQUENCES):
        world = World.of(seed)
        yield world, tuple(world.said() for _ in range(world.chance.randint(4, 12)))


def _is_caught(build: Build) -> bool:
    return any(mismatches(world, build(history), history) for world, history in _histories())


def conservative_as_radical(history: History) -> OrderedBase:
    """A base that takes ``↑`` for ``⇑``."""
    radical = {Mode.CONSERVATIVE: Mode.RADICAL}
    return recorded(tuple(replace(said, mode=radical.get(said.mode, said.mode)) for said in history))


def oldest_first(history: History) -> OrderedBase:
    """A base in which the older of two upgrades outranks the newer."""
    base = OrderedBase()
    facts = [(place, said) for place, said in enumerate(history) if said.mode is Mode.HARD]
    upgrades = [(place, said) for place, said in enumerate(history) if said.mode is not Mode.HARD]
    for place, said in (*facts, *reversed(upgrades)):
        base = base.upgrade(str(place), said.formula, said.mode)
    return base


@pytest.mark.parametrize("mutant", [conservative_as_radical, oldest_first])
def test_a_base_that_orders_upgrades_otherwise_is_caught(mutant: Build) -> None:
    """Our promise: the comparison above is able to fail."""
    assert _is_caught(mutant)


def test_a_base_that_lifts_in_one_component_alone_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our promise: the comparison sees that a conservative upgrade lifts whole worlds."""
    misfit = ComponentsAt.misfit

    def untied(self: ComponentsAt, root: str, lift: Lift) -> Core | None:
        return misfit(self, root, lift) if root == lift.root else None

    monkeypatch.setattr(ComponentsAt, "misfit", untied)
    assert _is_caught(recorded)


@settings(max_examples=max(1, round(150 * MULTIPLIER)))
@given(st.integers(0, 2**32))
def test_an_explanation_suffices_and_nothing_of_it_can_be_left_out(seed: int) -> None:
    """Our promise: ``explain_disbelief`` names just the entries that keep something from being believed."""
    world = World.of(seed)
    history = tuple(replace(world.said(), mode=world.chance.choice([Mode.HARD, Mode.RADICAL])) for _ in range(8))
    base, asked = recorded(history), world.question()
    reasons = base.explain_disbelief(asked)
    quarantined = base.quarantined()
    assert not set(reasons) & set(quarantined)
    if not OrderedBase().is_consistent_with(asked) or not base.believes(Not(asked)):
        assert reasons == ()
        return
    together = [history[int(key)].formula for key in reasons]
    assert OrderedBase().knows(Implies(And(tuple(together)), Not(asked)))
    for left_out in range(len(together)):
        rest = And(tuple(together[:left_out] + together[left_out + 1 :]))
        assert not OrderedBase().knows(Implies(rest, Not(asked)))
