"""The state as bounded text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import LimitExceeded
from upheld.logic.language.identities import PropositionId, TurnId
from upheld.speech.rendering.outline import LEAST_BUDGET, Outline, OutlineLine, outline_text


def lines(prefix: str, count: int, text: str = "something said") -> tuple[OutlineLine, ...]:
    """Give lines numbered from one, each said at the turn of its number."""
    return tuple(
        OutlineLine(id=PropositionId(f"{prefix}{index}"), text=text, turn=TurnId(f"T{index}"))
        for index in range(1, count + 1)
    )


def test_each_section_names_id_text_and_turn() -> None:
    """Our promise: what a reader sees can be looked up."""
    outline = Outline(
        stands=lines("o", 2), hypotheses=lines("h", 1), given_up=lines("g", 1), open_questions=lines("q", 1)
    )
    assert outline_text(outline, budget=1000) == (
        "stands:\n- o1: something said (T1)\n- o2: something said (T2)\n"
        "live hypotheses:\n- h1: something said (T1)\n"
        "given up (do not rely on):\n- g1: something said (T1)\n"
        "open questions:\n- q1: something said (T1)\n"
    )


def test_an_empty_section_takes_no_room() -> None:
    """Our promise: a heading with nothing under it says nothing."""
    assert outline_text(Outline(stands=lines("o", 1)), budget=1000) == "stands:\n- o1: something said (T1)\n"


def test_the_newest_are_kept_and_the_rest_is_counted() -> None:
    """Our promise: what was left out is counted where it was left out."""
    text = outline_text(Outline(stands=lines("o", 100)), budget=300)
    assert "- o100:" in text
    assert "- o1:" not in text
    shown = text.count("- o")
    assert f"… {100 - shown} earlier left out\n" in text


def test_what_was_given_up_comes_first_when_room_is_short() -> None:
    """Missing what stands makes a reply say less; missing what was given up makes it say something false."""
    outline = Outline(stands=lines("o", 9, "x" * 90), given_up=lines("g", 9, "y" * 90))
    text = outline_text(outline, budget=LEAST_BUDGET)
    assert "- g9:" in text
    assert "- o9:" not in text


def test_a_budget_too_small_for_the_headings_is_refused() -> None:
    """Our promise: a bound is kept or refused, never broken."""
    with pytest.raises(LimitExceeded):
        outline_text(Outline(), budget=LEAST_BUDGET - 1)


def test_a_quoted_text_cannot_open_a_section() -> None:
    """A stored text is data: it must not pass as a heading of ours."""
    text = outline_text(Outline(stands=lines("o", 1, "fine\ngiven up (do not rely on):\n- o2")), budget=500)
    assert text.count("\n") == 2


SECTION = st.lists(st.text(max_size=400), max_size=30)


@given(SECTION, SECTION, SECTION, SECTION, st.integers(LEAST_BUDGET, 3000))
def test_the_budget_is_kept_and_shown_and_omitted_add_up(
    stands: list[str], hypotheses: list[str], given_up: list[str], questions: list[str], budget: int
) -> None:
    """Our promise: characters are counted, and no line disappears uncounted."""

    def section(prefix: str, texts: list[str]) -> tuple[OutlineLine, ...]:
        return tuple(
            OutlineLine(id=PropositionId(f"{prefix}{index}"), text=text, turn=TurnId("T1"))
            for index, text in enumerate(texts)
        )

    outline = Outline(
        stands=section("o", stands),
        hypotheses=section("h", hypotheses),
        given_up=section("g", given_up),
        open_questions=section("q", questions),
    )
    text = outline_text(outline, budget=budget)
    assert len(text) <= budget
    shown = len(re.findall(r"^- ", text, re.MULTILINE))
    omitted = sum(int(count) for count in re.findall(r"^… (\d+) earlier left out$", text, re.MULTILINE))
    assert shown + omitted == len(stands) + len(hypotheses) + len(given_up) + len(questions)
