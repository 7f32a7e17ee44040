"""The JSON of a reply, told from everything else."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import BudgetSpent, MalformedInput, ModelFailure, UnknownReference, UnusableReply
from upheld.speech.models.reply import Finish, Reply, Usage
from upheld.speech.models.request import Request, Role, Shape
from upheld.speech.models.structured import ask_for, is_echo, object_in
from upheld.testing.language_model_contract import SCHEMA, asked
from upheld.testing.scripted_model import Line, ScriptedModel

SHAPE = Shape(name="answer", schema={**SCHEMA, "title": "Answer"})
REQUEST = asked("When?", shape=SHAPE)
GOOD = {"answer": "at 9:40"}


def answer_of(tree: object) -> str:
    """Read the one field, as a room would."""
    if not isinstance(tree, dict) or not isinstance(tree.get("answer"), str):  # pyright: ignore[reportUnknownMemberType]
        raise MalformedInput("must be a text", key="answer")
    return tree["answer"]  # pyright: ignore[reportUnknownVariableType]


def complaint_about(text: str) -> str:
    """Give what is said about a text that cannot be used."""
    with pytest.raises(UnusableReply) as caught:
        object_in(text, SHAPE)
    assert caught.value.reply == text
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "at 9:40"}',
        '  \n{"answer": "at 9:40"}\n',
        '```json\n{"answer": "at 9:40"}\n```',
        'Sure! ```\n{"answer": "at 9:40"}\n``` Anything else?',
        'The set {a, b} was asked about; so {"answer": "at 9:40"}.',
        '<think>{"answer": "no, that is wrong"} "</think>{"answer": "at 9:40"}',
        'It\'s "so {": {"answer": "at 9:40"}'.replace('"so {"', "so"),
        '{"answer": "at 9:40"} and once more {"answer": "at 9:40"}',
    ],
)
def test_an_object_is_found_among_words_and_fences(text: str) -> None:
    """Our promise: what many servers put around the JSON does not cost a second call."""
    assert object_in(text, SHAPE) == GOOD


@pytest.mark.parametrize("inside", ["}", "{", '\\"', "\\\\", "```", '\\"}{\\"', "é\u2028🚆"])
def test_braces_and_quotes_in_a_text_are_a_part_of_it(inside: str) -> None:
    """Our promise: a text is not looked into for the end of the object."""
    assert object_in(f'so: {{"answer": "{inside}"}}!') == json.loads(f'{{"answer": "{inside}"}}')


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no JSON object"),
        ("I cannot answer that.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ('"answer"', "no JSON object"),
        ('{"answer": "a"} {"answer": "b"}', "several different"),
        ('{"answer": "a", "answer": "b"}', "twice"),
        ('{"answer": "a",}', "broken"),
        ('{"outer": {"answer": "a"}, ', "broken"),
        ('{"answer": NaN}', "NaN"),
        ('{"a":' * 150, "broken"),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, "nested"),
        ('{"a":' + "[" * 50_000, "nested"),
    ],
    ids=lambda each: str(each)[:30],
)
def test_what_would_be_a_guess_is_refused(text: str, complaint: str) -> None:
    """Our promise: of two objects, of half an object, of a key that is there twice, nothing is taken."""
    assert complaint in complaint_about(text)


@pytest.mark.parametrize(
    "echo",
    [
        SHAPE.schema,
        {"$defs": {}, "answer": "x"},
        {"$schema": "https://json-schema.org", "type": "object"},
        {"type": "object", "properties": {"answer": {"type": "string"}}},
        {"title": "Answer", "answer": "x"},
        {"answer_schema": {"type": "object", "properties": {}}},
    ],
    ids=lambda each: str(each)[:30],
)
def test_the_schema_in_place_of_an_answer_is_called_that(echo: dict[str, Any]) -> None:
    """C-36 (graphiti #868, #912, PR #1362): the schema is no data."""
    assert "JSON Schema itself" in complaint_about(json.dumps(echo))


def test_data_about_schemas_can_be_answered() -> None:
    """C-36, the other way: a field that was asked for is no sign of an echo."""
    names = ("title", "type", "properties", "$defs")
    schema: dict[str, Any] = {"type": "object", "title": "Form", "properties": dict.fromkeys(names, True)}
    assert not is_echo({"title": "Form", "type": "x", "properties": {"a": 1}, "$defs": {}}, schema)
    assert not is_echo({"answer": "x"}, SHAPE.schema)
    assert not is_echo({"answer": "{'$defs': 1}"}, SHAPE.schema)


PROSE = st.text(st.characters(exclude_characters="{}<", codec="utf-8"), max_size=30)
TREES = st.dictionaries(
    st.text(max_size=5),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)


@given(before=PROSE, tree=TREES, after=PROSE, escaped=st.booleans())
def test_any_object_is_found_in_any_prose(before: str, tree: dict[str, Any], after: str, escaped: bool) -> None:
    """Our promise: what was written as one object comes back as it was."""
    assert object_in(before + json.dumps(tree, ensure_ascii=escaped) + after) == tree


@given(tree=TREES.filter(bool), share=st.floats(0, 1, exclude_max=True))
def test_a_part_of_an_object_is_never_an_object(tree: dict[str, Any], share: float) -> None:
    """Our promise: an answer that was cut off does not pass for a shorter one."""
    whole = json.dumps(tree)
    with pytest.raises(UnusableReply):
        object_in(whole[: int(len(whole) * share)])


@given(st.text(st.sampled_from('{}"\\:,[] a1\n`'), max_size=60))
def test_no_text_is_worse_than_unusable(text: str) -> None:
    """The issue, section 6.8: control characters, markup, whatever comes: a typed failure or an object."""
    try:
        assert isinstance(object_in(text), dict)
    except UnusableReply as error:
        unusable = error
    else:
        return
    assert unusable.reply == text


@pytest.mark.parametrize("unit", ["{", "}", '"', '{"', '{"a":"', "{a}", '{"a":1}', "{[", "[{]}", "```json\n{"])
def test_a_long_reply_is_read_in_one_pass(unit: str) -> None:
    """The issue, section 6.8: bounded time. 100,000 characters of anything; quadratic work would take minutes."""
    text = (unit * 100_000)[:100_000]
    with contextlib.suppress(UnusableReply):
        assert object_in(text) == {"a": 1}


def repaired(*script: Line) -> tuple[ScriptedModel, Any]:
    """Ask a language model that answers so, and give it and the answer."""
    llm = ScriptedModel(list(script))
    return llm, ask_for(llm, REQUEST, answer_of)


def test_a_good_answer_costs_one_call() -> None:
    """Our promise: nothing is asked twice without a reason."""
    llm, answered = repaired(GOOD)
    assert (answered.value, answered.repairs) == ("at 9:40", 0)
    assert llm.asked == (REQUEST,)
    assert answered.usage == answered.reply.usage


def test_the_repair_sends_the_reply_and_the_exact_complaint() -> None:
    """The issue, section 1: one repair; and the request for it has a name of its own, so that a cache tells them."""
    llm, answered = repaired({"answer": 7}, GOOD)
    first, second = llm.asked
    assert answered.repairs == 1
    assert answered.usage.calls == 2
    assert second.messages[: len(first.messages)] == first.messages
    reply, complaint = second.messages[len(first.messages) :]
    assert (reply.role, reply.text) == (Role.ASSISTANT, '{"answer": 7}')
    assert complaint.role is Role.USER
    assert "answer: must be a text" in complaint.text
    assert second.prompt == "contract@1+repair@1"
    assert second.shape == first.shape


def test_an_empty_reply_is_not_sent_back() -> None:
    """Our promise: some providers refuse an empty message; what came is said in the complaint."""
    llm, _ = repaired("", GOOD)
    assert [message.role for message in llm.asked[1].messages] == [Role.SYSTEM, Role.USER, Role.USER]


def test_a_long_bad_reply_is_sent_back_in_part() -> None:
    """The issue, section 6.8: a reply of a million characters does not become a request of a million."""
    llm, _ = repaired("x" * 1_000_000, GOOD)
    assert sum(len(message.text) for message in llm.asked[1].messages) < 30_000


@pytest.mark.parametrize("unknown", [UnknownReference("h9"), MalformedInput("no", key="a"), UnusableReply("no")])
def test_what_the_reader_refuses_is_repaired_and_then_unusable(unknown: Exception) -> None:
    """The issue, section 1: an unknown id is a typed failure, after one repair, and says what it cost."""

    def read(tree: object) -> str:
        raise unknown

    llm = ScriptedModel([GOOD, GOOD])
    with pytest.raises(UnusableReply) as caught:
        ask_for(llm, REQUEST, read)
    assert str(unknown) in llm.asked[1].messages[-1].text
    assert str(unknown) in str(caught.value)
    assert caught.value.calls == 2
    assert caught.value.input_tokens > 0


def test_a_reply_at_the_limit_is_not_read() -> None:
    """Our promise: an answer that was cut off may look whole, and is not."""
    cut = Reply(text=json.dumps(GOOD), answered_by="x", finish=Finish.LENGTH, usage=Usage(calls=1))
    llm, answered = repaired(cut, GOOD)
    assert answered.repairs == 1
    assert "4096 tokens" in llm.asked[1].messages[-1].text


def test_a_filtered_reply_is_not_asked_for_again() -> None:
    """Our promise: the same words meet the same filter."""
    filtered = Reply(text="", answered_by="x", finish=Finish.FILTERED, usage=Usage(calls=1, input_tokens=3))
    llm = ScriptedModel([filtered])
    with pytest.raises(UnusableReply, match="filter") as caught:
        ask_for(llm, REQUEST, answer_of)
    assert (caught.value.calls, caught.value.input_tokens) == (1, 3)


def test_a_budget_that_ends_before_the_repair_says_what_was_spent() -> None:
    """The issue, section 1: stopping cleanly; the first call is not forgotten."""

    def script(request: Request) -> Line:
        return "no JSON" if request == REQUEST else BudgetSpent("spent")

    with pytest.raises(ModelFailure) as caught:
        ask_for(ScriptedModel(script), REQUEST, answer_of)
    assert isinstance(caught.value, BudgetSpent)
    assert caught.value.calls == 1


def test_an_error_of_the_reader_itself_is_not_hidden() -> None:
    """Our promise: a fault of ours is not told to the language model as if it were its own."""

    def read(tree: object) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask_for(ScriptedModel([GOOD]), REQUEST, read)
