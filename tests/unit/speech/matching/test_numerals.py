"""Numbers of several words, in frames and as values: one size, however it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.speech.matching.entities import ValueKind, entities, is_same
from upheld.speech.matching.tokens import frame, numeral

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def written(number: int, joint: str = "-") -> str:
    """Write a number in words, as a schoolbook does."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, unit = divmod(number, 10)
        return f"{_TENS[tens]}{joint}{_SMALL[unit]}" if unit else _TENS[tens]
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{_SMALL[hundreds]} hundred" + (f" and {written(rest, joint)}" if rest else "")
    thousands, rest = divmod(number, 1000)
    between = " and " if rest < 100 else " "
    return f"{written(thousands, joint)} thousand" + (f"{between}{written(rest, joint)}" if rest else "")


@given(st.integers(2, 999_999), st.sampled_from("- "))
def test_a_number_in_words_is_the_number_in_digits(number: int, joint: str) -> None:
    """Our promise: a true paraphrase of a figure is no contradiction."""
    text = f"The fee was {written(number, joint)} euros."
    assert frame(text).numbers == frame(f"The fee was {number} euros.").numbers
    (said,) = entities(text)
    (told,) = entities(f"The fee was {number} euros.")
    assert (said.kind, said.value) == (told.kind, told.value) == (ValueKind.MONEY, f"{number} euro")
    assert is_same(said, told)


@given(st.integers(2, 99_999), st.integers(2, 99_999))
def test_two_numbers_in_words_are_one_only_if_they_are(one: int, other: int) -> None:
    """A false "grounded" is the worst outcome: sixty-five is not five."""
    (first,), (second,) = (entities(f"We counted {written(each)} boxes.") for each in (one, other))
    assert is_same(first, second) == (one == other)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3 million users", {"3000000"}),
        ("1.5 million users", {"1500000"}),
        ("a hundred users", {"100"}),
        ("a thousand and one users", {"1001"}),
        ("nineteen hundred users", {"1900"}),
        ("twenty two-bedroom flats", {"20", "2"}),
        ("two million", {"2000000"}),
        ("three hundred and fifty thousand", {"350000"}),
    ],
)
def test_what_people_write_is_read(text: str, numbers: set[str]) -> None:
    """Words of size, with figures and with articles."""
    assert frame(text).numbers == numbers


def test_what_is_no_number_is_none() -> None:
    """Nothing is guessed."""
    assert numeral("hello world") is None
    assert numeral("1.2345 thousand") is None
