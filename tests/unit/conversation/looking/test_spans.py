"""Where a claim's words are in a turn."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from upheld.conversation.looking.spans import span_of

TEXT = "We looked twice. The  soil of the LEFT bed is dry, I think. Rain will come on Friday!"


def shown(words: str, text: str = TEXT) -> str | None:
    """Give the part of the text that a span names."""
    span = span_of(words, text)
    return None if span is None else text[span[0] : span[1]]


def test_words_are_found_as_they_are() -> None:
    """Our promise: the first step, an exact look."""
    assert shown("Rain will come on Friday!") == "Rain will come on Friday!"


def test_case_spacing_and_a_full_stop_do_not_matter() -> None:
    """Our promise: the second step."""
    assert shown("the soil of the left bed is dry.") == "The  soil of the LEFT bed is dry"


def test_a_sentence_that_says_most_of_it_is_shown() -> None:
    """Our promise: the third step, by the terms that both have."""
    assert shown("On Friday rain comes.") == "Rain will come on Friday!"


def test_nothing_is_shown_when_it_is_not_sure() -> None:
    """Our promise: a wrong mark is worse than none."""
    assert shown("The gate is open.") is None
    assert shown("The pump is off today.", "Today the pump was off. Off was the pump, today.") is None
    assert shown("", TEXT) is None
    assert shown("Rain.", "") is None
    assert shown("He did it.", "They were here.") is None


def test_words_are_not_found_inside_other_words() -> None:
    """Our promise: 'it is on' is not in 'it is online' but for an exact look at a whole claim."""
    assert shown("IT IS ON", "Now it is online.") is None


@given(st.text(max_size=40), st.text(max_size=80))
def test_a_span_lies_in_the_text(words: str, text: str) -> None:
    """Our promise, for any words."""
    span = span_of(words, text)
    assert span is None or 0 <= span[0] < span[1] <= len(text)
