"""Laws of the forms of other programs: what is written in one reads back as the same conversation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.errors import LimitExceeded, MalformedInput
from upheld.speech.formats.exports.dialogue import Dialogue, Said, transcript_of
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.plain.calls import tool_call_of, tool_call_text
from upheld.speech.formats.reading import parse_transcript
from upheld.speech.formats.registry import NAMES as FORMS
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writing import write_transcript

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=20).filter(str.strip)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.dictionaries(WORDS, VALUES, max_size=3)
TOOLS = st.sampled_from(["search", "book_table", "tool"])
KINDS = st.sampled_from(["system", "user", "assistant", "call", "result"])
KEYS = (
    "role", "content", "type", "messages", "mapping", "from", "value", "parts", "data", "text", "id", "post",
    "run_type", "history", "traj", "events", "observations", "resourceSpans", "chat_messages", "contents",
)  # fmt: skip
NAMES = st.sampled_from(["Maren", "user", "Jörg Ö."])


@st.composite
def said(draw: st.DrawFn, names: st.SearchStrategy[str]) -> Transcript:
    """A conversation of people, an assistant and tools that answer its calls in their order."""
    dialogue = Dialogue(Tally())
    waiting: list[str] = []
    for kind in draw(st.lists(KINDS, min_size=1, max_size=8)):
        if kind == "call":
            waiting.append(draw(TOOLS))
            dialogue.call(waiting[-1], draw(ARGUMENTS))
        elif kind == "result" and waiting:
            dialogue.result(draw(WORDS), tool=waiting.pop(0))
        elif kind == "user":
            dialogue.say(draw(names), draw(WORDS), role="user")
        elif kind != "result":
            dialogue.say(kind, draw(WORDS), role=kind)
    if not dialogue.said:
        dialogue.said.append(Said(speaker="user", role="user", text="Hello."))
    return transcript_of(dialogue.said, "talk")


def heard(transcript: Transcript) -> list[tuple[str, str, str]]:
    """Give speaker, kind and text of each turn."""
    kinds = {agent.id: agent.kind.value for agent in transcript.agents}
    return [(turn.speaker, kinds[turn.speaker], turn.text) for turn in transcript.turns]


@given(said(NAMES))
def test_what_is_written_for_openai_is_the_same_conversation(transcript: Transcript) -> None:
    """Our promise (docs/reference/formats.md): speakers by name, words, calls and results."""
    text = write_transcript(transcript, form="openai")
    assert heard(parse_transcript(text, source="talk.json", form="openai")) == heard(transcript)


@given(said(st.just("user")))
def test_what_is_written_for_anthropic_is_the_same_conversation(transcript: Transcript) -> None:
    """Our promise: all but the names of people."""
    text = write_transcript(transcript, form="anthropic")
    assert heard(parse_transcript(text, source="talk.json", form="anthropic")) == heard(transcript)


@given(said(st.just("user")))
def test_what_is_written_as_sharegpt_is_the_same_conversation(transcript: Transcript) -> None:
    """Our promise: all but names, where tools answer in the order in which they were called."""
    text = write_transcript(transcript, form="sharegpt")
    assert heard(parse_transcript(text, source="talk.json")) == heard(transcript)


@given(TOOLS, ARGUMENTS)
def test_a_call_reads_back(name: str, arguments: dict[str, object]) -> None:
    """Our promise: name and arguments are kept."""
    assert tool_call_of(tool_call_text(name, arguments)) == (name, arguments)


@given(st.text(max_size=30) | VALUES.map(json.dumps))
def test_no_other_text_is_a_call(text: str) -> None:
    """Our promise: a call is what was written as one, to the letter."""
    call = tool_call_of(text)
    assert call is None or tool_call_text(*call) == text


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=max(1, settings().max_examples // 4))
@given(st.text(max_size=40) | VALUES.map(json.dumps) | st.lists(VALUES, max_size=4).map(json.dumps))
def test_any_text_is_read_or_refused(form: str, text: str) -> None:
    """Our promise: a stranger's text ends in a conversation or in a deliberate error."""
    try:
        assert parse_transcript(text, source="talk", form=form).turns
    except (MalformedInput, LimitExceeded):
        return


@given(VALUES | st.lists(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4), max_size=3))
def test_any_json_without_a_form_is_read_or_refused(tree: object) -> None:
    """Our promise: looking for the form of a file never fails by itself."""
    try:
        parse_transcript(json.dumps(tree), source="talk.json")
    except (MalformedInput, LimitExceeded):
        return


def test_a_name_that_a_form_cannot_hold_is_lost_and_nothing_else() -> None:
    """Our promise (docs/reference/formats.md): what a form cannot hold is said."""
    transcript = transcript_of([Said(speaker="Maren", role="user", text="Hi.")], "talk")
    text = write_transcript(transcript, form="anthropic")
    assert heard(parse_transcript(text, source=str(Path("t.json")), form="anthropic")) == [("user", "person", "Hi.")]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", ['{"":null}', "{}", "[]", "null", "[[]]", '[{"":{}}]', '{"messages":null}', "0"])
def test_a_form_that_was_named_for_another_file_refuses_it(form: str, text: str) -> None:
    """Found by chance once: a name that the reader took to be there was not."""
    with pytest.raises(MalformedInput):
        parse_transcript(text, source="talk", form=form)
