"""Edits, by examples."""

from __future__ import annotations

import pytest

from upheld.errors import MalformedInput
from upheld.logic.argumentation.formats.edits import edits_from
from upheld.logic.argumentation.semantics.dynamic import Edit

APXM = """\
+att(a,b).
% a comment
-att( a , b ).
+arg(c).

+arg(d):att(d,a):att(b,d).
-arg(a).
"""
TGFM = "+a b\n-a b\n# a comment\n+c\n+d:d a:b d\n-a\n"
MEANT = (
    Edit(add_attacks=frozenset({("a", "b")})),
    Edit(remove_attacks=frozenset({("a", "b")})),
    Edit(add_arguments=("c",)),
    Edit(add_arguments=("d",), add_attacks=frozenset({("d", "a"), ("b", "d")})),
    Edit(remove_arguments=frozenset({"a"})),
)


@pytest.mark.parametrize(("text", "numbers"), [(APXM, (1, 3, 4, 6, 7)), (TGFM, (1, 2, 4, 5, 6))])
def test_edits_are_read_in_both_formats_of_the_dynamic_track(text: str, numbers: tuple[int, ...]) -> None:
    """ICCMA 2019, dynamic track: apxm and tgfm."""
    lines = edits_from(text)
    assert tuple(line.edit for line in lines) == MEANT
    assert tuple(line.number for line in lines) == numbers


def test_a_blank_may_follow_the_sign() -> None:
    """Our promise: a framework of numbers is edited as it is written."""
    assert [line.edit for line in edits_from("+ 1 2\n- 1 2\n+ 3")] == [
        Edit(add_attacks=frozenset({("1", "2")})),
        Edit(remove_attacks=frozenset({("1", "2")})),
        Edit(add_arguments=("3",)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "att(a,b).",
        "+att(a,b)",
        "+att(a).",
        "+arg(a,b).",
        "+",
        "+a b c",
        "*a b",
        "-arg(a):att(a,b).",
        "+att(a,b):att(b,a).",
        "+arg(a):arg(b).",
        "+arg(a):att(b,c).",
        "+c:a b",
        "+att(a,b). +att(b,a).",
        "+arg(ä).",
    ],
)
def test_what_is_no_edit_is_refused_with_its_line(text: str) -> None:
    """Our promise: file and line are named; nothing of a line is dropped."""
    with pytest.raises(MalformedInput, match=r"^e\.apxm:2: no edit: "):
        edits_from(f"\n{text}", source="e.apxm")
