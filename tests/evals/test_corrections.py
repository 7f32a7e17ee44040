"""The suite ``corrections`` on invented dialogues of both shapes, and on some of the real ones where they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import MalformedInput
from upheld_evals.external.corrections.arms import is_cued
from upheld_evals.external.corrections.dialogues import read_dialogues, spoken_name
from upheld_evals.external.corrections.replies import (
    BY_SLOT,
    CURRENT,
    IN_THEIR_WORDS,
    STALE,
    UNTOUCHED,
    addressed,
    replies_after,
)
from upheld_evals.external.corrections.suite import CORRECTS, GOES_ON, corrections_suite, moment_items
from upheld_evals.external.hand import MULTIWOZ, hand_labels
from upheld_evals.external.wording import has_any
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.report.results import ArmFigures, report_of


def _turn(i: int, text: str, **more: Any) -> dict[str, Any]:
    return {"i": i, "speaker": "system" if i % 2 else "user", "text": text, **more}


TABLE: dict[str, Any] = {
    "dialogue_id": "A1",
    "turns": [
        _turn(0, "I need a cheap room . My budget is 40 pounds .",
              state_set={"hotel-pricerange": "cheap", "hotel-budget": "40 pounds"}),
        _turn(1, "For which day ?"),
        _turn(2, "For Tuesday , please .", state_set={"hotel-day": "tuesday"}),
        _turn(3, "Nothing is left ."),
        _turn(4, "My budget is 60 pounds , actually .", state_set={"hotel-budget": "60 pounds"}),
    ],
    "corrections": [
        {"user_turn": 4, "slot": "hotel-budget", "old": "40 pounds", "new": "60 pounds",
         "new_value_in_user_text": True}
    ],
}  # fmt: skip

RIDE: dict[str, Any] = {
    "dialogue_id": "B1",
    "services": ["Rides_9"],
    "turns": [
        _turn(0, "A ride for two to the harbour.", acts=["INFORM"],
              state_set={"Rides_9": {"number_of_riders": ["2", "two"], "destination": ["harbour"]}}),
        _turn(1, "A ride for 2 to the harbour?", acts=["CONFIRM"]),
        _turn(2, "No, we are three.", acts=["INFORM", "NEGATE"],
              state_set={"Rides_9": {"number_of_riders": ["3"]}}),
    ],
    "corrections": [
        {"user_turn": 2, "service": "Rides_9", "slot": "number_of_riders", "old": ["2", "two"], "new": ["3"],
         "user_negates": True}
    ],
}  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """One dialogue of each shape."""
    paths = [tmp_path / "table.jsonl", tmp_path / "ride.jsonl"]
    for path, tree in zip(paths, (TABLE, RIDE), strict=True):
        path.write_text(json.dumps(tree) + "\n", encoding="utf-8")
    return paths


def _figures(files: list[Path]) -> dict[str, ArmFigures]:
    report = report_of(run_suite(corrections_suite(files), Settings()), date="2026-01-02", upheld="0")
    return {each.run.arm: each for each in report.arms}


def test_both_shapes_are_read_and_a_literal_value_is_found_where_the_file_does_not_say(files: list[Path]) -> None:
    """Protocols, P3: the subset with the new value in the user's turn, and SGD's NEGATE subset."""
    table, ride = read_dialogues(files)
    (budget,), (riders,) = table.turns[4].corrections, ride.turns[2].corrections
    assert (table.origin, ride.origin) == ("multiwoz", "sgd")
    assert (budget.older, budget.is_literal, budget.is_negated) == (("40 pounds",), True, False)
    assert (riders.older, riders.is_literal, riders.is_negated) == (("2", "two"), True, True)


def test_a_value_is_found_in_other_forms_and_never_inside_another_word() -> None:
    """Our promise: case, endings, articles and number words are levelled, and no more."""
    assert has_any("Tables for TWO , please", ["2"])
    assert has_any("a moderately priced place", ["moderate"])
    assert not has_any("room 212", ["2"])
    assert not has_any("anything", [""])


def test_after_a_correction_there_are_replies_with_the_old_the_new_and_an_untouched_value(files: list[Path]) -> None:
    """Protocols, P3 (c): the first must be flagged, the other two must pass."""
    table, _ = read_dialogues(files)
    replies = {(each.kind, each.wording): each.text for each in replies_after(table, 4)}
    assert replies[STALE, BY_SLOT] == "The hotel budget is 40 pounds."
    assert replies[STALE, IN_THEIR_WORDS] == "your budget is 40 pounds ."
    assert replies[CURRENT, IN_THEIR_WORDS] == "your budget is 60 pounds , actually ."
    assert replies[UNTOUCHED, BY_SLOT] == "The hotel price range is cheap."
    assert spoken_name("train-leaveAt") == "train departure time"
    assert addressed("I'm sure I lost my hat") == "you're sure you lost your hat"


def test_a_slot_that_was_corrected_or_set_again_is_not_untouched(files: list[Path]) -> None:
    """Our promise: what must pass was never changed."""
    _, ride = read_dialogues(files)
    assert ride.untouched(2) == ("destination", ("harbour",))
    assert ride.untouched(0) is None


def test_the_suite_counts_turns_slots_and_replies_of_each_source_apart(files: list[Path]) -> None:
    """Protocols, P3 (a) to (c), beside the cue words in the same run."""
    figures = _figures(files)
    engine, cues = figures["upheld, cues interpreter, user turns, text matching"], figures["cue words, literal match"]
    by_cue = {(each.name, each.group): each for each in cues.measures}
    assert by_cue["correcting turns, recall", "multiwoz"].value == 1.0
    assert by_cue["old superseded and new current", "sgd, user negates"].value == 1.0
    assert by_cue["stale replies passed", "multiwoz, in the user's words"].value == 1.0
    found = {(each.name, each.group): each for each in engine.measures}
    assert found["old superseded and new current", "multiwoz"].value == 1.0
    assert found["stale replies passed", "multiwoz, in the user's words"].value == 0.0
    assert found["false retractions per 100 propositions", "multiwoz"].value == 0.0
    assert found["could not check", "multiwoz, by the slot's name"].n == 3
    assert engine.against_baseline is not None
    assert engine.against_baseline.n == 5


def test_a_label_by_hand_stands_in_the_place_of_the_files_in_figures_that_say_so(files: list[Path]) -> None:
    """Protocols, P3: a disagreement is read before it is called an error; both figures are reported."""
    suite = corrections_suite(files, labels={"multiwoz/A1/T4": GOES_ON, "multiwoz/A1/T2": GOES_ON})
    assert "the file is right on 1 of them (0.500" in " ".join(suite.notes)
    report = report_of(run_suite(suite, Settings()), date="2026-01-02", upheld="0")
    (cues,) = [arm for arm in report.arms if arm.run.arm.startswith("cue words")]
    found = {(each.name, each.group): each for each in cues.measures}
    assert found["correcting turns, precision", "multiwoz"].value == 1.0
    assert found["correcting turns, precision", "multiwoz, 2 labels by hand"].value == 0.0
    assert found["turns decided right", "multiwoz, 2 labels by hand"].n == 3
    assert found["turns decided right", "multiwoz, these 2 alone"].value == 0.5


def test_the_turns_labelled_by_hand_are_fifty_on_which_cue_words_and_file_disagree(shared: Path) -> None:
    """Protocols, P3: 50 disagreements, 25 of each side."""
    path = shared / "data" / "multiwoz_corrections" / "multiwoz21_test_dialogues_with_corrections.jsonl"
    if not path.exists():
        pytest.skip("the dialogues with corrections are not here")
    labels = hand_labels(MULTIWOZ)
    read = [item for item in moment_items(read_dialogues([path])) if item.id in labels]
    assert len(read) == len(labels) == 50
    assert sum(item.label == CORRECTS for item in read) == 25
    assert all(is_cued(item.content.said.text) != (item.label == CORRECTS) for item in read)


def test_a_dialogue_that_lacks_its_turns_or_comes_twice_is_named(tmp_path: Path, files: list[Path]) -> None:
    """Our promise: file and line."""
    path = tmp_path / "broken.jsonl"
    path.write_text(json.dumps({"dialogue_id": "x", "corrections": []}) + "\n", encoding="utf-8")
    with pytest.raises(MalformedInput, match=r"broken\.jsonl:1"):
        corrections_suite([path])
    with pytest.raises(MalformedInput, match="two dialogues are called"):
        corrections_suite([files[0], files[0]])


def test_the_first_real_dialogues_run(shared: Path) -> None:
    """Protocols, P3: 341 and 300 dialogues with 493 and 446 corrections, in 468 and 388 turns."""
    paths = [
        shared / "data" / "multiwoz_corrections" / "multiwoz21_test_dialogues_with_corrections.jsonl",
        shared / "data" / "sgd_corrections" / "sgd_dev_300_dialogues_with_corrections.jsonl",
    ]
    if not all(path.exists() for path in paths):
        pytest.skip("the dialogues with corrections are not here")
    suite = corrections_suite(paths)
    assert "641 dialogues, 5502 user turns, 939 corrections" in suite.data
    assert sum(item.label == CORRECTS for item in suite.items) == 468 + 388
    run = run_suite(suite, Settings(limit=12))
    assert all(len(arm.outcomes) == 12 for arm in run.arms)
