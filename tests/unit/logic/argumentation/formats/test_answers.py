"""Answers as the competitions write them."""

from __future__ import annotations

from typing import Any

import pytest

from upheld.errors import MalformedInput, RepeatedIdentity, UnknownReference
from upheld.logic.argumentation.formats.answers import Style, lines_of, style_of
from upheld.logic.argumentation.formats.edits import edits_from
from upheld.logic.argumentation.formats.reading import Form
from upheld.logic.argumentation.formats.solving import Answer, answer, answers_along
from upheld.logic.argumentation.formats.tasks import task_named
from upheld.logic.argumentation.framework import framework_of

DUEL = framework_of("abc", [("a", "b"), ("b", "a"), ("b", "c")])
SELF = framework_of("a", [("a", "a")])
EMPTY: Any = framework_of("")


@pytest.mark.parametrize(
    ("task", "argument", "witness", "brackets"),
    [
        ("DC-CO", "b", ("YES", "w b"), ("YES",)),
        ("DC-GR", "a", ("NO",), ("NO",)),
        ("DS-PR", "a", ("NO", "w b"), ("NO",)),
        ("DS-GR", "a", ("NO", "w"), ("NO",)),
        ("SE-GR", "", ("w",), ("[]",)),
        ("EE-PR", "", ("w a c", "w b"), ("[[a,c],[b]]",)),
        ("EE-CO", "", ("w", "w a c", "w b"), ("[[],[a,c],[b]]",)),
        ("CE-CO", "", ("3",), ("3",)),
    ],
)
def test_an_answer_has_the_form_of_its_time(
    task: str, argument: str, witness: tuple[str, ...], brackets: tuple[str, ...]
) -> None:
    """ICCMA 2023, output format: a certificate after YES for DC and after NO for DS; before it, brackets."""
    found = answer(task_named(task), DUEL, argument)
    assert lines_of(found, Style.WITNESS) == witness
    assert lines_of(found, Style.BRACKETS) == brackets


def test_where_there_is_no_extension_the_answer_is_no_and_every_argument_is_in_all_of_them() -> None:
    """ICCMA 2023: SE-ST is NO where there is none; DS-ST is YES, and nothing can show it."""
    assert lines_of(answer(task_named("SE-ST"), SELF), Style.WITNESS) == ("NO",)
    assert lines_of(answer(task_named("SE-ST"), SELF), Style.BRACKETS) == ("NO",)
    assert lines_of(answer(task_named("EE-ST"), SELF), Style.BRACKETS) == ("[]",)
    assert lines_of(answer(task_named("EE-ST"), SELF), Style.WITNESS) == ("NO",)
    assert lines_of(answer(task_named("DS-ST"), SELF, "a"), Style.WITNESS) == ("YES",)
    assert lines_of(answer(task_named("SE-ST"), EMPTY), Style.WITNESS) == ("w",)


def test_what_is_not_proved_has_no_words_but_the_sets_that_were_found() -> None:
    """Our promise: no YES, NO or number without a proof."""
    for name in ("DC-PR", "DS-PR", "CE-PR", "SE-ST", "EE-PR"):
        unproved = Answer(task=task_named(name), is_proved=False)
        assert lines_of(unproved, Style.WITNESS) == ()
    best = Answer(task=task_named("SE-PR"), is_proved=False, sets=(("a",),))
    assert lines_of(best, Style.WITNESS) == ("w a",)


def test_a_yes_whose_witness_could_not_be_proved_is_no_answer_in_the_style_that_wants_one() -> None:
    """ICCMA 2023, output format: the certificate is part of the answer. Before it, YES is all that was asked."""
    bare = Answer(task=task_named("DC-SST"), is_proved=True, is_yes=True)
    assert lines_of(bare, Style.WITNESS) == ()
    assert lines_of(bare, Style.BRACKETS) == ("YES",)
    assert lines_of(Answer(task=task_named("DS-PR"), is_proved=True, is_yes=True), Style.WITNESS) == ("YES",)


def test_the_style_goes_by_the_format_of_the_framework() -> None:
    """ICCMA 2023 took af alone, those before it apx and tgf."""
    assert [style_of(form) for form in Form] == [Style.WITNESS, Style.BRACKETS, Style.BRACKETS]


def test_a_task_about_an_argument_wants_one_and_the_others_want_none() -> None:
    """Our promise: a question that means nothing is refused."""
    with pytest.raises(MalformedInput, match="DC-CO is about an argument: name one"):
        answer(task_named("DC-CO"), DUEL)
    with pytest.raises(MalformedInput, match="SE-PR is about no argument: name none"):
        answer(task_named("SE-PR"), DUEL, "a")
    with pytest.raises(UnknownReference):
        answer(task_named("DC-CO"), DUEL, "z")


@pytest.mark.parametrize("task", ["SE-PR", "CE-PR"])
def test_an_edit_that_fails_keeps_what_was_answered(task: str) -> None:
    """Our promise: the error comes in place of the answer that could not be given."""
    for text, error in (("-a c", UnknownReference), ("+a", RepeatedIdentity), ("+a z", UnknownReference)):
        answers = answers_along(task_named(task), DUEL, [line.edit for line in edits_from(text)])
        assert next(answers).is_proved
        with pytest.raises(error):
            next(answers)
