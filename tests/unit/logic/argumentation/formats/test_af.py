"""The format af, by examples."""

from __future__ import annotations

import pytest

from upheld.errors import LimitExceeded, MalformedInput
from upheld.logic.argumentation.formats.af import read_af, write_af
from upheld.logic.argumentation.framework import framework_of

RULES = "p af 5\n# this is a comment\n1 2\n2 4\n4 5\n5 4\n5 5\n"


def test_a_framework_is_read_as_the_rules_of_the_competition_show_it() -> None:
    """ICCMA 2023, input format: a header, comments, a pair of numbers a line."""
    attacks = {("1", "2"), ("2", "4"), ("4", "5"), ("5", "4"), ("5", "5")}
    assert read_af(RULES) == framework_of("12345", attacks)


def test_comments_may_stand_before_the_header_and_an_argument_without_attacks_is_there() -> None:
    """ICCMA 2023, input format: the header counts the arguments."""
    assert read_af("# two\n\np af 2\n").arguments == ("1", "2")
    assert read_af("p af 0").arguments == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "t.af: no header"),
        ("1 2\np af 2", "t.af:1: expected 'p af' and the number of arguments, not '1 2'"),
        ("p cnf 2 3", "t.af:1: expected 'p af'"),
        ("p af -2", "t.af:1: expected 'p af'"),
        ("p af ٣", "t.af:1: expected 'p af'"),
        ("p af 2\n1 2 # why", "t.af:2: no attack: '1 2 # why'"),
        ("p af 2\n\n1", "t.af:3: no attack: '1'"),
        ("p af 2\n1 3", "t.af:2: 3 is no argument"),
        ("p af 2\n0 1", "t.af:2: 0 is no argument"),
        ("p af 2\n01 1", "t.af:2: 01 is no argument"),
        ("p af 2\np af 2", "t.af:2: no attack: 'p af 2'"),
    ],
)
def test_what_means_nothing_is_refused_with_its_line(text: str, complaint: str) -> None:
    """Our promise: file and line are named."""
    with pytest.raises(MalformedInput) as refused:
        read_af(text, source="t.af")
    assert str(refused.value).startswith(complaint)


@pytest.mark.parametrize("count", ["10000001", "9" * 5000])
def test_a_header_that_asks_for_the_memory_of_the_machine_is_refused(count: str) -> None:
    """Our promise: over a stated limit is refused, before anything is made."""
    with pytest.raises(LimitExceeded, match="at most 10000000 arguments"):
        read_af(f"p af {count}")


def test_names_that_are_no_numbers_stay_readable_in_comments() -> None:
    """Our promise: an answer in numbers can be read back into names."""
    text = write_af(framework_of(["o9", "h2"], [("o9", "h2")]))
    assert text == "p af 2\n# 1 o9\n# 2 h2\n1 2\n"
    assert write_af(framework_of("12", [("2", "1")])) == "p af 2\n2 1\n"


def test_supports_are_refused() -> None:
    """``formats/flattening.py``: dropping them would change the answer."""
    with pytest.raises(MalformedInput, match="af has no supports"):
        write_af(framework_of("pc", [], {"c": [["p"]]}))
    with pytest.raises(MalformedInput, match="af has no supports"):
        write_af(framework_of("c", [], {"c": []}))


@pytest.mark.parametrize("name", ["a\nb", " a", "a\u2028b"])
def test_a_name_that_a_comment_would_not_keep_is_refused(name: str) -> None:
    """Our promise: a comment says the name in full."""
    with pytest.raises(MalformedInput, match="does not fit on a line of its own"):
        write_af(framework_of([name]))
