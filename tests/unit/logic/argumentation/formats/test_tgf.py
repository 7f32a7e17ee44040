"""The format tgf, by examples."""

from __future__ import annotations

import pytest

from upheld.errors import MalformedInput
from upheld.logic.argumentation.formats.tgf import read_tgf, write_tgf
from upheld.logic.argumentation.framework import framework_of


def test_arguments_stand_before_the_mark_and_attacks_after_it() -> None:
    """ICCMA 2015, input format tgf."""
    framework = framework_of(["a1", "a2"], [("a1", "a2"), ("a2", "a1")])
    assert read_tgf("a1\na2\n#\na2 a1\na1 a2\n") == framework
    assert write_tgf(framework) == "a1\na2\n#\na1 a2\na2 a1\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a\nb", "t.tgf: no # between arguments and attacks"),
        ("a\n#\n#\n", "t.tgf:3: a second #"),
        ("a First\n#\n", "t.tgf:1: no argument: 'a First'"),
        ("# a\n#\n", "t.tgf:1: no argument: '# a'"),
        ("a\na\n#", "t.tgf:2: a is declared twice"),
        ("a\n#\na", "t.tgf:3: no attack: 'a'"),
        ("a\n#\na a because", "t.tgf:3: no attack: 'a a because'"),
        ("a\n#\na b", "t.tgf:3: b is attacked or attacks, but is no argument"),
    ],
)
def test_what_means_nothing_is_refused_with_its_line(text: str, complaint: str) -> None:
    """Our promise: file and line are named."""
    with pytest.raises(MalformedInput) as refused:
        read_tgf(text, source="t.tgf")
    assert str(refused.value) == complaint


@pytest.mark.parametrize("name", ["", "h 1", "#", "#1", "a\nb"])
def test_a_name_that_tgf_cannot_carry_is_refused(name: str) -> None:
    """Our promise: never written so that it reads back as something else."""
    with pytest.raises(MalformedInput, match="is no name in tgf"):
        write_tgf(framework_of([name]))
