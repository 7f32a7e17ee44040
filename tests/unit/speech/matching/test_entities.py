"""Values in texts: what they are, what they are values of, and which a text sets aside."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.speech.matching.entities import ValueKind, affirmed, entities, is_put_aside, is_same


def shown(text: str) -> list[tuple[str, str, str]]:
    """Give kind, key and value of each value."""
    return [(entity.kind.name, entity.key, entity.value) for entity in entities(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Two lamps, to 14 Quay Street, Galway.", [("COUNT", "lamp", "2"), ("ADDRESS", "", "14 quay street")]),
        ("Order 20418, flight SK4812", [("CODE", "order", "20418"), ("CODE", "flight", "sk4812")]),
        ("Serial number KX-88213", [("CODE", "serial", "kx88213")]),
        ("at 15:30 or 3:30 pm", [("TIME", "", "3:30"), ("TIME", "", "3:30")]),
        ("on 12 May, May 12th, 2031-05-12", [("DATE", "", "05-12")] * 3),
        ("on Tuesday in room 12", [("WEEKDAY", "", "tuesday"), ("LABEL", "room", "12")]),
        ("1,200 euros, \u20ac40", [("MONEY", "", "1200 euro"), ("MONEY", "", "40 euro")]),
        ("two large pizzas", [("COUNT", "pizza", "2")]),
        ("make it three", [("NUMBER", "", "3")]),
        ("my number is 555 0142", [("PHONE", "", "5550142")]),
        ("lines 555 0142", [("NUMBER", "", "555"), ("NUMBER", "", "142")]),
        ("write to vera.k@quillmail.example.", [("EMAIL", "", "vera.k@quillmail.example")]),
        ("my name is Bob", [("NAME", "", "bob")]),
        ("412 tests were skipped and 1 passed", [("COUNT", "test", "412"), ("NUMBER", "", "1")]),
        ("It may march on.", []),
    ],
)
def test_a_value_is_read_with_what_it_is_a_value_of(text: str, found: list[tuple[str, str, str]]) -> None:
    """Our promise: values are compared within one sort, in one normal form."""
    assert shown(text) == found


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("not 14:00 but 15:30", ["3:30"]),
        ("from 5 Elm Court to 18 Park Crescent", ["18 park crescent"]),
        ("three lamps instead of two", ["3"]),
        ("Two of the three lamps", ["2"]),
        ("the old address was 9 Hill Road", []),
        ("three nights from 8 July", ["3", "07-08"]),
    ],
)
def test_a_value_that_a_text_sets_aside_is_not_put_forward(text: str, left: list[str]) -> None:
    """Our promise: "not A but B" says B."""
    assert [entity.value for entity in affirmed(text)] == left


def test_a_time_is_not_that_of_the_other_half_of_the_day() -> None:
    """Our promise: "3 am" is not "3 pm", while "3:00" may be either."""
    morning, afternoon, either, late = (entities(text)[0] for text in ("3 am", "3 pm", "3:00", "15:00"))
    assert not is_same(morning, afternoon)
    assert not is_same(morning, late)
    assert is_same(afternoon, late)
    assert is_same(either, morning)
    assert is_same(either, late)


@given(st.text(alphabet="0123456789 abcXYZ.,:-/@$#'\n", max_size=200))
def test_values_lie_in_the_text_and_do_not_overlap(text: str) -> None:
    """Our promise: a written-out correction changes the place of the value and nothing else."""
    found = entities(text)
    assert all(0 <= one.span[0] <= one.figure[0] <= one.figure[1] <= one.span[1] <= len(text) for one in found)
    assert all(one.span[1] <= other.span[0] for one, other in pairwise(found))
    assert {is_put_aside(text, entity) for entity in found} <= {True, False}


@pytest.mark.parametrize("run", ["1 " * 9_000, "a@" * 9_000, "12 A" * 5_000, "not " * 5_000 + "3 lamps"])
def test_a_long_run_is_no_burden(run: str) -> None:
    """Our promise: the cost is linear in the text; a pattern that tries every split would not end here."""
    assert all(entity.kind in ValueKind for entity in entities(run))
