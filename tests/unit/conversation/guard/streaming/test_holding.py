"""Sentences found in a text that arrives in pieces."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from upheld.conversation.guard.streaming.holding import SentenceCutter

TEXTS = st.lists(
    st.sampled_from(
        [
            "One two. ",
            "It is 3.5 km! ",
            "e.g. this, ",
            "He said \u201cno.\u201d ",
            "Why?\n\n",
            "1. ",
            "\n",
            "  ",
            "a",
            ".",
            "!?",
            "Dr. No",
        ]
    ),
    max_size=14,
).map("".join)


def cut(text: str, places: list[int]) -> list[str]:
    """Cut a text at some places; empty pieces included."""
    marks = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(marks)]


def units(pieces: list[str]) -> list[str]:
    """Give what a cutter makes of pieces."""
    cutter = SentenceCutter()
    found = [unit for piece in pieces for unit in cutter.feed(piece)]
    rest = cutter.rest()
    return [*found, rest] if rest else found


@given(text=TEXTS, places=st.lists(st.integers(0, 200), max_size=12))
@example(text="It costs 3.5 euros. Yes.", places=[11, 12, 18])
@example(text="One.\n\n\nTwo.", places=[5, 6])
def test_where_a_text_is_cut_does_not_depend_on_the_pieces(text: str, places: list[int]) -> None:
    """Issue, section 3: sentence boundaries are found incrementally, the same for any cutting, and nothing is lost."""
    found = units(cut(text, places))
    assert found == units([text])
    assert found == units(list(text))
    assert "".join(found) == text


def test_a_sentence_is_over_when_the_next_one_begins() -> None:
    """Our promise (SentenceCutter)."""
    cutter = SentenceCutter()
    assert cutter.feed("It costs 3.") == []
    assert cutter.feed("50 euros. ") == []
    assert cutter.feed("N") == ["It costs 3.50 euros. "]
    assert cutter.length == 1
    assert (cutter.rest(), cutter.rest()) == ("N", "")
