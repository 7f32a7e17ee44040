"""The text of the competitions: what is read, what is refused and where, and how supports are said by attacks."""

from __future__ import annotations

import pytest

from upheld.errors import MalformedInput
from upheld.logic.argumentation.formats.apx import read_apx, write_apx
from upheld.logic.argumentation.formats.flattening import flattened
from upheld.logic.argumentation.framework import framework_of

TEXT = """arg(b).
arg(a1).
arg(C_2).
att(b,a1).
att(a1,a1).
att(C_2,b).
"""


def test_text_is_read_and_written_back_unchanged() -> None:
    """ICCMA, format apx: order of arguments kept, attacks sorted by it."""
    framework = read_apx(TEXT)
    assert framework == framework_of(["b", "a1", "C_2"], [("b", "a1"), ("a1", "a1"), ("C_2", "b")])
    assert write_apx(framework) == TEXT


def test_white_space_comments_and_order_do_not_matter() -> None:
    """ICCMA, format apx: statements are facts of a logic program."""
    text = "att( a , b ). arg(a).arg(b) .\n\n% nothing\n  att(a,b). % again\n"
    assert read_apx(text) == framework_of("ab", [("a", "b")])
    assert read_apx("") == framework_of("")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("arg(a).\narg(b)", "duel.apx:2: no statement: 'arg\\(b\\)'"),
        ("arg(a). nonsense", "duel.apx:1: no statement: 'nonsense'"),
        ("arg(a-1).", "duel.apx:1: no statement"),
        ("arg(a).\n\narg(a).", "duel.apx:3: a is declared twice"),
        ("arg(a).\natt(a,b).", "duel.apx:2: b is attacked or attacks, but is no argument"),
    ],
)
def test_what_means_nothing_is_refused_with_its_place(text: str, complaint: str) -> None:
    """Our promise: file and line, so that a person can mend it."""
    with pytest.raises(MalformedInput, match=complaint):
        read_apx(text, source="duel.apx")


def test_a_name_that_apx_cannot_carry_is_refused() -> None:
    """Our promise: never written so that it reads back as something else."""
    with pytest.raises(MalformedInput, match="'h 1' is no name in apx"):
        write_apx(framework_of(["h 1"]))


def test_supports_are_refused_and_the_message_says_what_keeps() -> None:
    """``formats/flattening.py``: the format has no supports, and dropping them would change the answer."""
    supported = framework_of("pc", [], {"c": [["p"]]})
    with pytest.raises(MalformedInput, match="flatten the framework first, which keeps its grounded labelling"):
        write_apx(supported)


def test_supports_are_said_by_attacks_on_marked_arguments() -> None:
    """``formats/flattening.py``: the translation in full, for one argument with two alternatives."""
    flat = flattened(framework_of("pqc", [("c", "q")], {"c": [["p"], ["q"]], "p": [[]]}))
    assert write_apx(flat).splitlines() == [
        "arg(p).",
        "arg(q).",
        "arg(c).",
        "arg(_aux_lacks_c).",
        "arg(_aux_no_p).",
        "arg(_aux_no_q).",
        "arg(_aux_way_0_c).",
        "arg(_aux_way_1_c).",
        "att(p,_aux_no_p).",
        "att(q,_aux_no_q).",
        "att(c,q).",
        "att(_aux_lacks_c,c).",
        "att(_aux_no_p,_aux_way_0_c).",
        "att(_aux_no_q,_aux_way_1_c).",
        "att(_aux_way_0_c,_aux_lacks_c).",
        "att(_aux_way_1_c,_aux_lacks_c).",
    ]


def test_a_name_that_looks_auxiliary_is_refused() -> None:
    """Our promise: an auxiliary argument is never mistaken for one that somebody put forward."""
    with pytest.raises(MalformedInput, match="_aux_no_p: the beginning '_aux_' is kept"):
        flattened(framework_of(["_aux_no_p"]))
