"""The suite ``corrections-dependants`` on invented dialogues, and on the real ones where they are."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import MalformedInput
from upheld_evals.external.corrections.bookings import DONE, FALLS, STANDS, resting_items, slots_said
from upheld_evals.external.corrections.dependants import dependants_suite
from upheld_evals.external.corrections.dialogues import read_dialogues
from upheld_evals.external.corrections.holding import LABELS, HoldingArm
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.report.results import report_of


def _turn(i: int, text: str, **values: str) -> dict[str, Any]:
    said = {f"{name.replace('_', '-')}": value for name, value in values.items()}
    return {"i": i, "speaker": "system" if i % 2 else "user", "text": text, "state_set": said}


def _fixed(i: int, slot: str, old: str, new: str) -> dict[str, Any]:
    return {"user_turn": i, "slot": slot, "old": old, "new": new, "new_value_in_user_text": True}


TRIP: dict[str, Any] = {
    "dialogue_id": "C1",
    "turns": [
        _turn(0, "A table for 4 at Rosa's , please .", restaurant_people="4", restaurant_name="rosa's"),
        _turn(1, "I have booked a table for 4 . Your reference number is QQ12 ."),
        _turn(2, "And a train to Narvik on Monday .", train_destination="narvik", train_day="monday"),
        _turn(3, "Shall I book the train to Narvik on Monday ?"),
        _turn(4, "Make that Tuesday .", train_day="tuesday"),
        _turn(5, "Booked for Tuesday ."),
        _turn(6, "No , we are 5 at the table .", restaurant_people="5"),
    ],
    "corrections": [_fixed(4, "train-day", "monday", "tuesday"), _fixed(6, "restaurant-people", "4", "5")],
}


@pytest.fixture
def trips(tmp_path: Path) -> list[Path]:
    """One dialogue with two bookings and two corrections."""
    path = tmp_path / "trips.jsonl"
    path.write_text(json.dumps(TRIP) + "\n", encoding="utf-8")
    return [path]


def test_a_booking_falls_with_the_value_that_it_says_and_stands_where_another_domain_was_corrected(
    trips: list[Path],
) -> None:
    """Protocols, P3 (d): a system booking turn derived from the old value."""
    items = resting_items(read_dialogues(trips))
    assert {(item.content.booked.id, item.content.corrected.id, item.label) for item in items} == {
        ("T1", "T4", STANDS),
        ("T3", "T4", FALLS),
        ("T1", "T6", FALLS),
        ("T5", "T6", STANDS),
    }
    assert {item.content.booked.id for item in items if item.facets["stage"] == DONE} == {"T1"}


def test_a_turn_rests_on_the_values_of_its_own_moment(trips: list[Path]) -> None:
    """Our promise: a value that was set later is not in an earlier turn."""
    (trip,) = read_dialogues(trips)
    assert slots_said(trip, 1) == ("restaurant-people",)
    assert slots_said(trip, 5) == ("train-day",)


def test_the_engine_given_the_labels_takes_support_from_each_booking_that_must_fall_and_from_no_other(
    trips: list[Path],
) -> None:
    """Protocols, P3 (d): beside the cue words, under which the last booking falls, whichever it is."""
    report = report_of(run_suite(dependants_suite(trips), Settings()), date="2026-01-02", upheld="0")
    figures = {(arm.run.arm, each.name, each.group): each.value for arm in report.arms for each in arm.measures}
    given, cues = HoldingArm(reading=LABELS).name, "cue words, the last booking"
    assert figures[given, "resting on the old value, fell", "multiwoz"] == 1.0
    assert figures[given, "resting on other values, fell", "multiwoz"] == 0.0
    assert figures[cues, "resting on the old value, fell", "multiwoz"] == 0.5
    assert figures[cues, "resting on other values, fell", "multiwoz"] == 0.5


def test_a_turn_of_which_nothing_was_read_could_not_be_checked(trips: list[Path]) -> None:
    """Our promise: what was not read is no support that was kept."""
    items = [item for item in resting_items(read_dialogues(trips)) if item.content.booked.id == "T3"]
    (item,) = items
    answer = HoldingArm(reading="annotated").begun(items, None)(item)
    assert answer.abstained
    assert answer.value == {"falls": False}


def test_dialogues_without_a_booking_are_named(tmp_path: Path) -> None:
    """Our promise: a measurement over nothing is an error."""
    path = tmp_path / "none.jsonl"
    path.write_text(json.dumps({**TRIP, "turns": TRIP["turns"][:1], "corrections": []}) + "\n", encoding="utf-8")
    with pytest.raises(MalformedInput, match=r"none\.jsonl"):
        dependants_suite([path])


def test_the_real_bookings_are_counted_and_every_fifth_dialogue_is_right_by_its_labels(
    shared: Path,
) -> None:
    """Protocols, P3 (d): 119 bookings that rest on a replaced value and 86 that do not."""
    paths = [
        shared / "data" / "multiwoz_corrections" / "multiwoz21_test_dialogues_with_corrections.jsonl",
        shared / "data" / "sgd_corrections" / "sgd_dev_300_dialogues_with_corrections.jsonl",
    ]
    if not all(path.exists() for path in paths):
        pytest.skip("the dialogues with corrections are not here")
    items = resting_items(read_dialogues(paths))
    assert Counter(item.label for item in items) == {FALLS: 119, STANDS: 86}
    arm = HoldingArm(reading=LABELS)
    for conversation in sorted({item.conversation for item in items})[::5]:
        own = [item for item in items if item.conversation == conversation]
        answered = arm.begun(own, None)
        assert [answered(item).value["falls"] for item in own] == [item.label == FALLS for item in own]
