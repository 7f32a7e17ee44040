"""Knowledge puzzles against explicit worlds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from upheld.conversation.scoring.worlds import score_worlds
from upheld.logic.language.identities import AgentId, TurnId
from upheld.logic.language.notation import parse_formula
from upheld.speech.formats.gold import Worlds, WorldsLeft
from upheld.speech.formats.reading import read_transcript


@pytest.fixture
def coin() -> Worlds:
    """One coin: Ann looks, Ben is told that she has looked, then what she saw."""
    return Worlds(
        atoms=("heads",),
        actual="M",
        order_of_letters=("heads",),
        observables={AgentId("ann"): ("heads",), AgentId("ben"): ()},
        initial=WorldsLeft(count=2, live=("M", "C")),
        after={
            TurnId("T1"): WorldsLeft(count=2, live=("C", "M")),
            TurnId("T2"): WorldsLeft(count=1, live=("M",), formula=parse_formula("heads")),
        },
        holds={
            TurnId("T1"): (parse_formula("Kw_ann heads"), parse_formula("~Kw_ben heads")),
            TurnId("T2"): (parse_formula("K_ben heads"),),
        },
    )


def answers(worlds: Worlds) -> Mapping[str, bool]:
    """Give the answers by question."""
    return dict(score_worlds(worlds))


def test_right_labels_are_all_right(coin: Worlds) -> None:
    """Demanded by semantics, section 3: announcements remove worlds; what holds is evaluated in the actual one."""
    found = answers(coin)
    assert all(found.values()), found
    assert len(found) == 2 + 2 + 2 + 2 + 1


@pytest.mark.parametrize(
    ("change", "question"),
    [
        ({"initial": WorldsLeft(count=3, live=("M", "C"))}, "number of worlds at the start"),
        ({"initial": WorldsLeft(count=2, live=("M",))}, "worlds at the start"),
        ({"holds": {TurnId("T1"): (parse_formula("K_ben heads"),)}}, "formula 1 at T1"),
        ({"actual": "C"}, "formula 1 at T2"),
    ],
)
def test_a_wrong_label_is_noticed(coin: Worlds, change: dict[str, object], question: str) -> None:
    """A scorer that nothing fails proves nothing."""
    found = answers(replace(coin, **change))  # pyright: ignore[reportArgumentType]
    assert not found[question]
    assert any(found.values())


def test_a_puzzle_without_a_start_is_asked_from_its_first_turn_on(coin: Worlds) -> None:
    """Our promise: what the labels do not state is not counted."""
    assert "worlds at the start" not in answers(replace(coin, initial=None))


def test_turns_of_one_round_are_evaluated_in_the_same_worlds(root: Path) -> None:
    """Demanded by semantics, section 3: muddy children go 8, 7, 4, 1; one after the other the actual world dies."""
    transcript = read_transcript(root / "tests/conversations/paper/phase1-muddy-children.yaml")
    assert transcript.gold is not None
    worlds = transcript.gold.worlds
    assert worlds is not None
    found = answers(worlds)
    assert all(found.values()), found
    assert found
    one_by_one = {turn: replace(left, evaluated_in=None) for turn, left in worlds.after.items()}
    assert not all(answers(replace(worlds, after=one_by_one)).values())
