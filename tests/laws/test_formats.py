"""Laws of the competition formats: what is written reads back, and no text is read by chance."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.errors import LimitExceeded, MalformedInput
from upheld.logic.argumentation import reference
from upheld.logic.argumentation.formats.edits import edits_from
from upheld.logic.argumentation.formats.reading import READERS, Form, form_of, framework_from, text_of
from upheld.logic.argumentation.formats.solving import Answer, answers_along
from upheld.logic.argumentation.formats.tasks import TASKS, Problem, Task
from upheld.logic.argumentation.framework import Framework, framework_of
from upheld.logic.argumentation.semantics.dynamic import edited
from upheld.logic.argumentation.semantics.names import Semantics

WORDS = st.from_regex(r"[A-Za-z0-9_]{1,4}", fullmatch=True)
FORMS = st.sampled_from(Form)


@st.composite
def named(draw: st.DrawFn, names: st.SearchStrategy[str] = WORDS) -> Framework[str]:
    """Any framework without supports."""
    arguments = draw(st.lists(names, max_size=6, unique=True))
    if not arguments:
        return framework_of(arguments)
    pairs = st.tuples(st.sampled_from(arguments), st.sampled_from(arguments))
    return framework_of(arguments, draw(st.frozensets(pairs, max_size=12)))


@given(named(), st.sampled_from([Form.APX, Form.TGF]))
def test_what_is_written_reads_back_as_the_same_framework(framework: Framework[str], form: Form) -> None:
    """ICCMA 2015 to 2021, the input formats: order of arguments included."""
    text = text_of(framework, form)
    assert framework_from(text, name=f"talk.{form}") == framework
    if framework.arguments:
        assert framework_from(text) == framework
    assert text_of(framework_from(text, form=form), form) == text


@given(named(st.text(min_size=1, max_size=3)))
def test_numbers_stand_for_names_in_their_order(framework: Framework[str]) -> None:
    """ICCMA 2023, the input format: af knows numbers alone, so names become their places; or it is refused."""
    number = {name: str(place) for place, name in enumerate(framework.arguments, start=1)}
    attacks = {(number[attacker], number[target]) for attacker, target in framework.attacks}
    try:
        text = text_of(framework, Form.AF)
    except MalformedInput:
        assert any(len(name.splitlines()) > 1 or name != name.strip() for name in framework.arguments)
        return
    renamed = framework_of(number.values(), attacks)
    assert framework_from(text, form=Form.AF) == renamed
    assert form_of(text) is Form.AF
    assert framework_from(text_of(renamed, Form.AF)) == renamed


@given(named(st.text(min_size=1, max_size=3)), st.sampled_from([Form.APX, Form.TGF]))
def test_a_name_is_kept_or_refused_and_never_changed(framework: Framework[str], form: Form) -> None:
    """Our promise: whatever the names, no text reads back as another framework."""
    try:
        text = text_of(framework, form)
    except MalformedInput:
        return
    assert framework_from(text, form=form) == framework


LINES = st.lists(
    st.sampled_from(["p af 2", "1 2", "2 1", "#", "# note", "arg(a).", "att(a,a).", "a", "a a", "", "%", "p", "1 2 3"]),
    max_size=5,
)


@given(st.one_of(st.text(max_size=20), LINES.map("\n".join)), FORMS)
def test_any_text_is_read_or_refused_with_its_place(text: str, form: Form) -> None:
    """Our promise: a stranger's text ends in a framework or in a deliberate error, and what is read writes back."""
    try:
        framework = READERS[form](text, source="talk")
    except (MalformedInput, LimitExceeded) as error:
        refusal = str(error)
    else:
        refusal = ""
        assert framework_from(text_of(framework, form), form=form) == framework
    assert refusal.startswith("talk") or not refusal


@pytest.mark.parametrize("read", [framework_from, edits_from], ids=["framework", "edits"])
@given(text=st.text(max_size=40))
def test_any_text_without_a_format_is_read_or_refused(read: Callable[[str], object], text: str) -> None:
    """Our promise: nothing but a deliberate error."""
    try:
        read(text)
    except (MalformedInput, LimitExceeded):
        return


SETS: dict[Semantics, Callable[[Framework[str]], frozenset[frozenset[str]]]] = {
    Semantics.COMPLETE: reference.complete_extensions,
    Semantics.GROUNDED: lambda framework: frozenset({reference.grounded_extension(framework)}),
    Semantics.PREFERRED: reference.preferred_extensions,
    Semantics.STABLE: reference.stable_extensions,
    Semantics.SEMI_STABLE: reference.semi_stable_extensions,
    Semantics.STAGE: reference.stage_extensions,
    Semantics.IDEAL: lambda framework: frozenset({reference.ideal_extension(framework)}),
}
LETTERS = st.sampled_from("abcde")


def is_right(found: Answer, framework: Framework[str], argument: str) -> bool:
    """The answer held against the definitions; the certificate too."""
    there = SETS[found.task.semantics](framework)
    given = frozenset(map(frozenset, found.sets))
    match found.task.problem:
        case Problem.CREDULOUS:
            holding = {each for each in there if argument in each}
            return found.is_yes == bool(holding) and given <= holding and len(given) == bool(holding)
        case Problem.SCEPTICAL:
            lacking = {each for each in there if argument not in each}
            return found.is_yes == (not lacking) and given <= lacking and len(given) == bool(lacking)
        case Problem.SOME:
            return given <= there and len(given) == bool(there)
        case Problem.EVERY:
            return given == there and len(found.sets) == len(there)
        case Problem.COUNT:
            return found.count == len(there)


@pytest.mark.parametrize("task", TASKS.values(), ids=str)
@settings(max_examples=max(1, settings().max_examples // 8))
@given(framework=named(LETTERS), data=st.data())
def test_every_task_is_answered_as_its_definition_says_before_and_after_edits(
    task: Task, framework: Framework[str], data: st.DataObject
) -> None:
    """ICCMA, the tasks; against the enumeration of all sets, certificates included, along a file of edits."""
    argument = data.draw(st.sampled_from(framework.arguments), "argument") if framework.arguments else ""
    if task.needs_argument and not argument:
        return
    asked = argument if task.needs_argument else ""
    frameworks, lines = [framework], list[str]()
    for _ in range(data.draw(st.integers(0, 3), "edits")):
        line = data.draw(edits_of(frameworks[-1], argument), "edit")
        frameworks.append(edited(frameworks[-1], edits_from(line)[0].edit))
        lines.append(line)
    edits = [line.edit for line in edits_from("\n".join(lines))]
    answers = list(answers_along(task, framework, edits, asked, conflict_budget=None))
    assert len(answers) == len(frameworks)
    for found, current in zip(answers, frameworks, strict=True):
        assert found.is_proved
        assert is_right(found, current, argument)


def edits_of(framework: Framework[str], kept: str) -> st.SearchStrategy[str]:
    """A line of edit that the framework can take, and that leaves the argument ``kept``."""
    fresh = next(letter for letter in "abcdefgh" if letter not in framework.arguments)
    choices = [st.just(f"+arg({fresh}).")]
    if framework.arguments:
        old = st.sampled_from(framework.arguments)
        choices += [
            st.builds("+att({},{}).".format, old, old),
            st.builds("+arg({0}):att({0},{1}):att({2},{0}).".format, st.just(fresh), old, old),
        ]
    removable = [name for name in framework.arguments if name != kept]
    if removable:
        choices.append(st.builds("-arg({}).".format, st.sampled_from(removable)))
    if framework.attacks:
        choices.append(st.sampled_from([f"-{attacker} {target}" for attacker, target in sorted(framework.attacks)]))
    return st.one_of(choices)
