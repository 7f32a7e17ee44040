"""What a question says about time. The day of asking is Thursday, 1 June 2023."""

from __future__ import annotations

from datetime import date

import pytest

from upheld.speech.retrieval.dates import Order, Period, date_of, timing_of

NOW = date(2023, 6, 1)


def days(first: str, last: str) -> Period:
    """Give a period from two ISO days, either of them empty."""
    return Period(first=date.fromisoformat(first) if first else None, last=date.fromisoformat(last) if last else None)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What happened on 2023-05-07?", "2023-05-07", "2023-05-07"),
        ("What happened on 2023/5/7?", "2023-05-07", "2023-05-07"),
        ("Who called on 7 May 2023?", "2023-05-07", "2023-05-07"),
        ("Who called on May 7th, 2023?", "2023-05-07", "2023-05-07"),
        ("Who called on the 7th of May?", "2023-05-07", "2023-05-07"),
        ("What was said on 24 December?", "2022-12-24", "2022-12-24"),
        ("What did she do in May 2022?", "2022-05-01", "2022-05-31"),
        ("What did she do in December?", "2022-12-01", "2022-12-31"),
        ("What did she do last March?", "2023-03-01", "2023-03-31"),
        ("Where did they go in 2021?", "2021-01-01", "2021-12-31"),
        ("What did we decide last week?", "2023-05-22", "2023-05-28"),
        ("What did we decide this week?", "2023-05-29", "2023-06-04"),
        ("What did we decide last month?", "2023-05-01", "2023-05-31"),
        ("What did we decide last year?", "2022-01-01", "2022-12-31"),
        ("What was agreed yesterday?", "2023-05-31", "2023-05-31"),
        ("What was agreed today?", "2023-06-01", "2023-06-01"),
        ("What was agreed on Monday?", "2023-05-29", "2023-05-29"),
        ("What was agreed last Thursday?", "2023-05-25", "2023-05-25"),
        ("What was agreed three days ago?", "2023-05-29", "2023-05-29"),
        ("What was agreed two weeks ago?", "2023-05-15", "2023-05-21"),
        ("What was agreed a couple of days ago?", "2023-05-30", "2023-05-30"),
        ("What changed before June 2023?", "", "2023-05-31"),
        ("What changed before 7 May?", "", "2023-05-06"),
        ("What changed since 7 May?", "2023-05-07", ""),
        ("What changed since March?", "2023-03-01", ""),
        ("What changed after March?", "2023-04-01", ""),
    ],
)
def test_a_named_time_is_read(question: str, first: str, last: str) -> None:
    """Our promise (issue, section 4): date-aware."""
    assert timing_of(question, now=NOW).period == days(first, last)


@pytest.mark.parametrize(
    "question",
    [
        "May we ship it?",
        "What are the 12 steps?",
        "Who may march first?",
        "What happened on 2023-02-31?",
        "Which order is 20230507?",
    ],
)
def test_what_is_no_date_is_not_read(question: str) -> None:
    """Our promise: a rule that is not sure says nothing."""
    assert timing_of(question, now=NOW).period is None


@pytest.mark.parametrize("year", [1, 1900, 2199, 9999])
@pytest.mark.parametrize(
    "question", ["999 years ago?", "Last week?", "Last year?", "Before yesterday?", "After today?"]
)
def test_no_time_of_asking_is_an_exception(question: str, year: int) -> None:
    """Our promise (issue, 6.8): bad input has a bounded, quiet end."""
    period = timing_of(question, now=date(year, 1, 1)).period
    assert (period is None) == (year in {1, 9999})


@pytest.mark.parametrize("question", ["What was said last week?", "And in May?", "On 7 May?", "Two days ago?"])
def test_a_relative_time_needs_a_day_of_asking(question: str) -> None:
    """Our promise: nobody's clock is read."""
    assert timing_of(question, now=None).period is None


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("What was the first estimate?", Order.OLDEST),
        ("What did she originally want?", Order.OLDEST),
        ("What is the current value?", Order.NEWEST),
        ("What is the latest count?", Order.NEWEST),
        ("Where does she live now?", Order.NEWEST),
        ("What did we decide last week?", None),
        ("What is the limit?", None),
    ],
)
def test_first_and_latest_are_told_from_a_period(question: str, order: Order | None) -> None:
    """Our promise (issue, section 4): "last week" is a week, "the last" an order."""
    assert timing_of(question, now=NOW).order is order


def test_the_day_of_a_time_is_its_first_ten_characters() -> None:
    """Our promise: times as sources write them, or nothing."""
    assert date_of("2023-05-07T10:00:00+02:00") == date(2023, 5, 7)
    assert [date_of(at) for at in ("", "yesterday", "7 May 2023", "2023-13-01")] == [None] * 4
