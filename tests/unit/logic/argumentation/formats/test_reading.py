"""Which format a text is of."""

from __future__ import annotations

import pytest

from upheld.errors import MalformedInput
from upheld.logic.argumentation.formats.reading import Form, form_of, framework_from


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("p af 2\n1 2", Form.AF),
        ("# what this is\n#\np af 2", Form.TGF),
        ("# what this is\n\np af 2", Form.AF),
        ("% what this is\narg(a).", Form.APX),
        ("  arg(a). att(a,a).", Form.APX),
        ("a\n#", Form.TGF),
        ("#", Form.TGF),
    ],
)
def test_the_first_line_that_says_something_tells_the_format(text: str, form: Form) -> None:
    """Our promise: a file from a pipe has no suffix."""
    assert form_of(text) is form


def test_the_suffix_goes_before_the_text() -> None:
    """Our promise: a file of the wrong format is refused as what it says it is."""
    assert form_of("p af 2", name="talk.APX") is Form.APX
    with pytest.raises(MalformedInput, match=r"talk\.apx:1: no statement"):
        framework_from("p af 2", name="talk.apx")
    assert framework_from("p af 2", name="talk.apx", form=Form.AF).arguments == ("1", "2")


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n"])
def test_a_text_that_says_nothing_is_refused(text: str) -> None:
    """Our promise: an empty file is no framework of no arguments."""
    with pytest.raises(MalformedInput, match="no framework in it; formats: af, apx, tgf"):
        framework_from(text, name="talk")
