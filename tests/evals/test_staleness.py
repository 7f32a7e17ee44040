"""The suite ``taubench-staleness`` on an invented change of a reservation, and on the real trajectories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import MalformedInput
from upheld.logic.language.identities import TurnId
from upheld_evals.external.trajectories.reading import Message, Role, read_trajectories
from upheld_evals.external.trajectories.records import (
    AS_READ,
    BY_FIELD,
    CURRENT,
    STALE,
    UNTOUCHED,
    changes_in,
    record_in,
    repeated_items,
)
from upheld_evals.external.trajectories.repeating import Facts, Readings
from upheld_evals.external.trajectories.staleness import staleness_suite
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.report.results import report_of


def _leg(number: str, price: int, origin: str = "OSL", destination: str = "BGO") -> dict[str, Any]:
    return {"flight_number": number, "price": price, "origin": origin, "destination": destination}


BEFORE: dict[str, Any] = {"reservation_id": "KL55MN", "cabin": "economy", "bags": 1, "flights": [_leg("HAT901", 145)]}
AFTER = {**BEFORE, "flights": [dict(reversed(_leg("HAT777", 90).items()))]}
CANCELLED = {**AFTER, "status": "cancelled"}


def _tool(name: str, output: Any) -> dict[str, Any]:
    content = output if isinstance(output, str) else json.dumps(output)
    return {"role": "tool", "name": name, "tool_call_id": "c", "content": content}


def _written(path: Path, *messages: dict[str, Any]) -> Path:
    tree = [{"task_id": 4, "trial": 0, "reward": 1.0, "traj": [{"role": "user", "content": "Hello."}, *messages]}]
    path.write_text(json.dumps(tree), encoding="utf-8")
    return path


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """A reservation read, a failed change, one that moves it to another flight, and a cancellation."""
    return _written(
        tmp_path / "changed.json",
        _tool("get_reservation_details", BEFORE),
        _tool("update_reservation_flights", "Error: not enough seats"),
        _tool("update_reservation_flights", AFTER),
        _tool("cancel_reservation", CANCELLED),
    )


def test_a_reply_repeats_what_a_call_replaced_what_it_gave_and_what_stayed(changed: Path) -> None:
    """Protocols, P6 (c): values read before the call, in two wordings; the order of fields is no change."""
    items = repeated_items(read_trajectories(changed))
    assert {item.content.changed.id for item in items} == {"T4"}
    told = {(each.wording, each.kind, each.text) for each in (item.content for item in items)}
    leg = "of the flight from OSL to BGO in reservation KL55MN is"
    assert {(kind, text) for wording, kind, text in told if wording == BY_FIELD and kind != UNTOUCHED} == {
        (STALE, f"The flight number {leg} HAT901."),
        (STALE, f"The price {leg} 145."),
        (CURRENT, f"The flight number {leg} HAT777."),
        (CURRENT, f"The price {leg} 90."),
    }
    assert {(kind, text) for wording, kind, text in told if wording == AS_READ} == {
        (STALE, "flight number HAT901, price 145, origin OSL, destination BGO"),
        (CURRENT, "destination BGO, origin OSL, price 90, flight number HAT777"),
        (UNTOUCHED, "reservation id KL55MN, cabin economy, bags 1"),
    }
    assert sum(kind == UNTOUCHED for wording, kind, _ in told if wording == BY_FIELD) == 2


def test_a_cancellation_adds_to_a_record_and_a_booking_was_never_read_before(tmp_path: Path) -> None:
    """Protocols, P6 (c): what replaces nothing has no reply to flag, and a file of such calls says so."""
    path = _written(
        tmp_path / "added.json",
        _tool("book_reservation", {**BEFORE, "reservation_id": "ZZ11AA"}),
        _tool("get_reservation_details", AFTER),
        _tool("cancel_reservation", CANCELLED),
    )
    (trajectory,) = read_trajectories(path)
    assert [before is None for _, _, before in changes_in(trajectory)] == [True, False]
    with pytest.raises(MalformedInput, match=r"added\.json"):
        staleness_suite(path)


@pytest.mark.parametrize("telling", [Readings, Facts])
def test_a_newer_reading_replaces_each_older_value_once_and_no_other(
    telling: type[Readings | Facts], changed: Path
) -> None:
    """Our promise: nothing that still holds is replaced, and a leg that is flown no more is."""
    (trajectory,) = read_trajectories(changed)
    read = telling()
    observed = [each for message in trajectory.messages if message.is_source for each in read(message)]
    texts = {each.id: each.text for each in observed}
    replaced = [texts[id] for each in observed for id in each.supersedes]
    assert sorted(replaced) == sorted(set(replaced))
    assert all("901" in text or "145" in text for text in replaced)
    assert any("HAT901" in text for text in replaced)
    gone = telling()
    elsewhere = json.dumps({**BEFORE, "flights": [_leg("HAT777", 90, "OSL", "TRD")]})
    first, second = trajectory.messages[1], trajectory.messages[3]
    older = {each.id: each.text for each in gone(first)}
    newer = gone(Message(id=second.id, role=second.role, tool=second.tool, text=elsewhere))
    fallen = {older[id] for each in newer for id in each.supersedes}
    assert fallen
    assert all("BGO" in text for text in fallen)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["origin", "x_y"]), inner, max_size=2),
    max_leaves=8,
)


@given(fields=st.dictionaries(st.sampled_from(["reservation_id", "flights", "cabin"]), JSON))
def test_any_output_is_a_record_or_none_and_a_record_says_all_that_it_says(fields: dict[str, Any]) -> None:
    """Our promise: strangers' data never stops a measurement, and nothing replaces itself."""
    message = Message(id=TurnId("T1"), role=Role.TOOL, tool="get", text=json.dumps(fields))
    record = record_in(message)
    assert (record is not None) == isinstance(fields.get("reservation_id"), str)
    if record is not None:
        assert all(record.says(each) for each in record.statements)
        read = Readings()
        first = list(read(message))
        again = Message(id=TurnId("T2"), role=Role.TOOL, tool="get", text=message.text)
        assert first
        assert not any(each.supersedes for each in read(again))


def test_replaced_values_told_one_by_one_are_flagged_as_superseded_and_the_searches_stand_beside(changed: Path) -> None:
    """Protocols, P6 (c): flagged as superseded, with the newest reading as the baseline of the same run."""
    report = report_of(run_suite(staleness_suite(changed), Settings()), date="2026-01-02", upheld="0")
    figures = {(arm.run.arm, each.name, each.group): each.value for arm in report.arms for each in arm.measures}
    told = next(name for name, _, _ in figures if name.endswith("values told one by one"))
    assert figures[told, "stale replies flagged as superseded", BY_FIELD] == 1.0
    assert figures[told, "other replies flagged (FPR)", BY_FIELD] == 0.0
    assert figures[told, "other replies passed", BY_FIELD] == 1.0
    newest, anywhere = "literal match, newest reading", "literal match, any reading"
    assert figures[newest, "stale replies flagged (TPR)", AS_READ] == 1.0
    assert figures[anywhere, "stale replies passed", AS_READ] == 1.0
    assert figures[newest, "other replies flagged (FPR)", BY_FIELD] == 0.0


def test_the_real_changes_are_counted_and_the_first_run(shared: Path) -> None:
    """Protocols, P6 (c): in trial 0, 39 calls give a changed record back, 19 of which replaced a value."""
    path = shared / "data" / "tau_bench" / "gpt-4o-airline-trial0.json"
    if not path.exists():
        pytest.skip("tau-bench is not here")
    suite = staleness_suite(path)
    assert "39 calls that gave a changed record back, 19 of which" in suite.data
    assert {item.content.changed.tool for item in suite.items} == {
        "update_reservation_flights", "update_reservation_baggages", "update_reservation_passengers"
    }  # fmt: skip
    run = run_suite(suite, Settings(limit=6))
    assert all(len(arm.outcomes) == 6 for arm in run.arms)
