"""The suite ``taubench`` on an invented trajectory of both shapes, and on some real ones where they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from upheld.errors import MalformedInput
from upheld_evals.external.hand import TAU_BENCH, hand_labels
from upheld_evals.external.trajectories.arms import SearchArm
from upheld_evals.external.trajectories.messages import AS_SAID, FROM_ELSEWHERE, FROM_HERE, SWAPPED, message_items
from upheld_evals.external.trajectories.reading import Role, read_trajectories, statements
from upheld_evals.external.trajectories.suite import FOLLOWS, INVENTED, WRONG, taubench_suite, value_name
from upheld_evals.external.trajectories.values import Kind, has_literally, normal_forms, values_in
from upheld_evals.harness.running import Settings, run_suite
from upheld_evals.report.results import report_of

FARE = {"reservation_id": "QX12ZY", "flights": [{"flight_number": "HAT901", "date": "2024-05-20", "price": 145}]}


def _said(role: str, content: str | None, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def _trajectory(task: int, reward: float, *messages: dict[str, Any]) -> dict[str, Any]:
    return {"task_id": task, "trial": 0, "reward": reward, "info": {}, "traj": list(messages)}


@pytest.fixture
def flights(tmp_path: Path) -> Path:
    """A trajectory that went well, and one in which the agent makes an amount up."""
    path = tmp_path / "flights.json"
    tree = [
        _trajectory(
            1, 1.0,
            _said("system", "Compensation is at most $50. Today is May 15 2024."),
            _said("user", "I am omar_lind_4021. What did QX12ZY cost, and what would HAT777 on 2024-05-22 cost?"),
            _said("assistant", None, tool_calls=[]),
            _said("tool", json.dumps(FARE), name="get", tool_call_id="c"),
            _said("assistant", "QX12ZY is flight HAT901 on May 20, 2024 for $145."),
            _said("assistant", "Anything else?"),
        ),
        _trajectory(
            2, 0.0,
            _said("user", "I am lena_ost_7788, and MM00PP was late. It cost me $300 on 2024-05-11."),
            _said("assistant", "I can pay you $900 for MM00PP."),
        ),
    ]  # fmt: skip
    path.write_text(json.dumps(tree), encoding="utf-8")
    return path


def _figures(path: Path) -> dict[tuple[str, str, str], float | None]:
    report = report_of(run_suite(taubench_suite(path), Settings()), date="2026-01-02", upheld="0")
    return {(arm.run.arm, each.name, each.group): each.value for arm in report.arms for each in arm.measures}


def test_values_of_five_kinds_are_read_with_one_normal_form_for_each_way_to_write_them() -> None:
    """Protocols, P6 (a): reservation ids, flight numbers, amounts and dates."""
    found = values_in("QX12ZY, HAT901: $1,450.00 by gift_card_12345 on May 3rd, 2024; not 2024-05-04T06:00, not May 5")
    assert [(each.kind, each.normal) for each in found] == [
        (Kind.RESERVATION, "QX12ZY"),
        (Kind.FLIGHT, "HAT901"),
        (Kind.AMOUNT, "1450"),
        (Kind.ACCOUNT, "gift_card_12345"),
        (Kind.DATE, "2024-05-03"),
        (Kind.DATE, "2024-05-04"),
        (Kind.DATE, "05-05"),
    ]
    assert values_in("We have 3 bags and 12 seats") == ()


def test_a_literal_match_wants_the_words_as_written_and_a_normal_form_does_not() -> None:
    """Protocols, P6: literal match is the baseline."""
    (date,) = values_in("May 20, 2024")
    (iso,) = values_in("2024-05-20")
    (amount,) = values_in("$1,145")
    told = '{"date": "2024-05-20T10:00", "price": 1145}'
    assert not has_literally(told, date)
    assert has_literally(told, iso)
    assert has_literally(told, amount)
    assert not has_literally('{"price": 11450}', amount)
    assert {(Kind.DATE, "2024-05-20"), (Kind.DATE, "05-20"), (Kind.AMOUNT, "1145")} <= normal_forms(told)


def test_both_shapes_are_read_and_a_call_of_a_tool_has_no_text(flights: Path, tmp_path: Path) -> None:
    """tau-bench: the file of trajectories, and the few-shot file on which the suite was built."""
    first, second = read_trajectories(flights)
    assert [each.role for each in first.messages][:4] == [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.TOOL]
    assert (first.messages[2].text, first.reward, second.reward) == ("", 1.0, 0.0)
    shown = {"messages_display": "user: Hi\nassistant: None\ntool: {}\nassistant: Two lines:\n- one\nuser: Bye"}
    path = tmp_path / "few.jsonl"
    path.write_text(json.dumps(shown) + "\n", encoding="utf-8")
    (few,) = read_trajectories(path)
    assert [each.text for each in few.messages] == ["Hi", "", "{}", "Two lines:\n- one", "Bye"]


def test_each_object_of_a_tools_output_is_a_statement_of_its_own() -> None:
    """Protocols, P6: tool results as evidence."""
    assert list(statements(json.dumps(FARE))) == [
        "reservation id QX12ZY",
        "flight number HAT901, date 2024-05-20, price 145",
    ]
    assert list(statements("It is late. Call us.")) == ["It is late.", "Call us."]
    assert list(statements('["A1", {"b": [2]}]')) == ["A1", "2"]


def test_a_swapped_copy_has_another_value_of_the_same_kind_and_is_the_same_for_everybody(flights: Path) -> None:
    """Protocols, P6 (b): one value for another of the same type."""
    items = message_items(read_trajectories(flights))
    assert [item.content.text for item in items] == [item.content.text for item in
                                                     message_items(read_trajectories(flights))]  # fmt: skip
    (said, here, elsewhere) = [item for item in items if item.conversation == "1/0"]
    assert (said.label, here.label, elsewhere.label) == (AS_SAID, SWAPPED, SWAPPED)
    assert (here.facets["swap"], elsewhere.facets["swap"]) == (FROM_HERE, FROM_ELSEWHERE)
    for copy in (here, elsewhere):
        changed = [
            (one, other)
            for one, other in zip(said.content.values, copy.content.values, strict=True)
            if one.normal != other.normal
        ]
        assert len(changed) == 1
        assert changed[0][0].kind is changed[0][1].kind
    first = read_trajectories(flights)[0]
    told = " ".join(each.text for each in first.messages if each.is_source)
    (strange,) = {each.normal for each in elsewhere.content.values} - {each.normal for each in said.content.values}
    assert not any((kind, strange) in normal_forms(told) for kind in Kind)


def test_values_are_linked_swaps_flagged_and_failed_trajectories_have_more_that_is_unsupported(flights: Path) -> None:
    """Protocols, P6 (a), (b), (d), with the literal match in the same run."""
    figures = _figures(flights)
    normal, literal = "values in normal form", "literal match"
    assert figures[normal, "values linked to a turn", ""] == 5 / 6
    assert figures[literal, "values linked to a turn", ""] == 4 / 6
    assert figures[literal, "values linked to a turn", "date"] == 0.0
    assert figures[normal, "swapped messages flagged (TPR)", FROM_ELSEWHERE] == 1.0
    assert figures[normal, "messages as said flagged (FPR)", ""] == 0.5
    assert figures[normal, "area under the curve: unsupported, for reward 0", ""] == 1.0
    assert figures[literal, "linked turn has the value literally", ""] == 1.0


def test_a_value_that_follows_by_hand_is_told_from_one_that_does_not_and_without_labels_nothing_changes(
    flights: Path,
) -> None:
    """Protocols, P6 (a): values without a source are labelled by hand, and both figures are reported."""
    said = [item for item in message_items(read_trajectories(flights)) if item.label == AS_SAID]
    (invented,) = [item for item in said if "$900" in item.content.text]
    for label, following in ((FOLLOWS, 6 / 6), (INVENTED, 5 / 6)):
        suite = taubench_suite(flights, labels={value_name(invented, 0): label})
        report = report_of(run_suite(suite, Settings()), date="2026-01-02", upheld="0")
        figures = {(arm.run.arm, each.name, each.group): each.value for arm in report.arms for each in arm.measures}
        normal = "values in normal form"
        assert figures[normal, "values linked, or following from what was told", "by hand"] == following
        assert figures[normal, "values unsupported that are wrong or invented", "by hand"] == (label == INVENTED)
        assert figures[normal, "values linked to a turn", ""] == 5 / 6
        hand = "values by hand, those that follow left out"
        expected = 1.0 if label == INVENTED else 0.5
        assert figures[normal, "area under the curve: unsupported, for reward 0", hand] == expected
    assert not any(group.startswith("by hand") for _, _, group in _figures(flights))


def test_the_values_labelled_by_hand_are_those_that_no_source_has(shared: Path) -> None:
    """Protocols, P6 (a): in trial 0, 42 values are in no source in any way to write them."""
    path = shared / "data" / "tau_bench" / "gpt-4o-airline-trial0.json"
    if not path.exists():
        pytest.skip("tau-bench is not here")
    items = [item for item in message_items(read_trajectories(path)) if item.label == AS_SAID]
    arm, found = SearchArm(is_normal=True), set[str]()
    for item in items:
        values = arm.begun([item], None)(item).value["values"]
        found |= {value_name(item, place) for place, (_, state, _) in enumerate(values) if state == "unsupported"}
    labels = hand_labels(TAU_BENCH)
    assert len(found) == 42
    assert set(labels) == found
    assert set(labels.values()) == {FOLLOWS, WRONG, INVENTED}


def test_the_verifier_links_a_value_to_the_turn_that_grounds_the_claim_around_it(tmp_path: Path) -> None:
    """Protocols, P6 (a): through the engine, not by a search."""
    path = tmp_path / "plain.json"
    tree = [_trajectory(1, 1.0, _said("user", "Hello."), _said("tool", "The fare of flight HAT901 is $145."),
                        _said("assistant", "The fare of flight HAT901 is $145."))]  # fmt: skip
    path.write_text(json.dumps(tree), encoding="utf-8")
    run = run_suite(taubench_suite(path), Settings())
    (_, outcome) = run.arms[0].outcomes[0]
    assert outcome.value == {
        "flagged": False, "unsupported": 0,
        "values": [["flight number", "linked", "T2"], ["amount", "linked", "T2"]],
    }  # fmt: skip


def test_a_file_that_is_neither_shape_is_named(tmp_path: Path) -> None:
    """Our promise: bad input is a typed error that names the file."""
    for name, text in (("a.json", '{"x": 1}'), ("b.json", "[]"), ("c.jsonl", "{}"), ("d.json", '[{"traj": [1]}]')):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        with pytest.raises(MalformedInput, match=name):
            read_trajectories(path)


def test_the_first_few_shot_conversations_run(shared: Path) -> None:
    """Protocols, P6: nineteen conversations of the airline, on which the suite was built."""
    path = shared / "data" / "tau_bench" / "MockAirlineDomainEnv-few_shot.jsonl"
    if not path.exists():
        pytest.skip("tau-bench is not here")
    suite = taubench_suite(path)
    assert "19 trajectories" in suite.data
    run = run_suite(suite, Settings(limit=9))
    assert all(len(arm.outcomes) == 9 for arm in run.arms)
