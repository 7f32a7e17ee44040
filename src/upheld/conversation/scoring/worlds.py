"""Knowledge puzzles scored against explicit worlds: how many are left after each turn, which, and what holds there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from upheld.logic.epistemic.reference import PlausibilityModel
from upheld.logic.language.formulas import Formula
from upheld.logic.language.identities import TurnId
from upheld.speech.formats.gold import Worlds, WorldsLeft

YES, NO = "M", "C"
"""Letters of a world's name: the atom is true (muddy), or false (clean)."""


def score_worlds(worlds: Worlds) -> Iterator[tuple[str, bool]]:
    """Replay the announcements of a puzzle; give each question of the labels, and whether the answer is right.

    Turns of one round are one announcement: each is evaluated in the model that its label names (``evaluated_in``), and
    the worlds that it leaves are intersected.
    """
    observes = {str(agent): frozenset(atoms) for agent, atoms in worlds.observables.items()}
    start = PlausibilityModel.over(worlds.atoms, observes=observes)
    yield from _questions("at the start", start, worlds, worlds.initial)
    seen: dict[TurnId, PlausibilityModel] = {}
    current = start
    for turn, left in worlds.after.items():
        current = _after(current, seen, left)
        seen[turn] = current
        yield from _questions(f"after {turn}", current, worlds, left)
        yield from _holding(turn, current, worlds)


def _after(current: PlausibilityModel, seen: Mapping[TurnId, PlausibilityModel], left: WorldsLeft) -> PlausibilityModel:
    if left.formula is None:
        return current
    judged_in = seen[left.evaluated_in] if left.evaluated_in is not None else current
    return replace(current, worlds=current.worlds & judged_in.extension(left.formula))


def _questions(
    when: str, current: PlausibilityModel, worlds: Worlds, expected: WorldsLeft | None
) -> Iterator[tuple[str, bool]]:
    if expected is None:
        return
    names = {_name(world, worlds) for world in current.worlds}
    yield f"number of worlds {when}", len(names) == expected.count
    yield f"worlds {when}", names == set(expected.live)


def _holding(turn: TurnId, current: PlausibilityModel, worlds: Worlds) -> Iterator[tuple[str, bool]]:
    formulas: tuple[Formula, ...] = worlds.holds.get(turn, ())
    actual = next((world for world in current.worlds if _name(world, worlds) == worlds.actual), None)
    for number, formula in enumerate(formulas, start=1):
        yield f"formula {number} at {turn}", actual is not None and current.holds_at(actual, formula)


def _name(world: frozenset[str], worlds: Worlds) -> str:
    return "".join(YES if atom in world else NO for atom in worlds.order_of_letters)
