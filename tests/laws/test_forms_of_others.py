"""Laws of the forms of other programs: what is written in one reads back as the same conversation."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.errors import LimitExceeded, MalformedInput
from upheld.speech.formats.exports.dialogue import Dialogue, Said, transcript_of
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.exports.values import milliseconds_of, time_of
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
ROLES = st.sampled_from(["system", "developer", "user", "assistant", "call", "result"])
WRITTEN = ("openai", "responses", "anthropic", "sharegpt", "ag-ui", "otlp")
KEYS = (
    "role", "content", "type", "messages", "mapping", "from", "value", "parts", "data", "text", "id", "post",
    "run_type", "history", "traj", "events", "observations", "resourceSpans", "chat_messages", "contents",
)  # fmt: skip
NAMES = st.sampled_from(["Maren", "user", "Jörg Ö."])
MOMENTS = st.datetimes(
    datetime(1974, 1, 1), datetime(2500, 1, 1), timezones=st.sampled_from([UTC, timezone(timedelta(hours=-3.5))])
)
TIMES = st.just("") | st.sampled_from(["noon", "2026-01-01", "2026-01-01T10:00"]) | MOMENTS.map(datetime.isoformat)


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


@st.composite
def anything_said(draw: st.DrawFn, assistants: st.SearchStrategy[str]) -> Transcript:
    """Any order of words, calls and results, also of results that nobody asked for, some with times."""
    dialogue = Dialogue(Tally())
    for kind in draw(st.lists(ROLES, min_size=1, max_size=8)):
        at = draw(TIMES)
        if kind == "call":
            dialogue.call(draw(TOOLS), draw(ARGUMENTS), speaker=draw(assistants), at=at)
        elif kind == "result":
            dialogue.result(draw(WORDS), tool=draw(TOOLS), at=at)
        else:
            names = {"user": NAMES, "assistant": assistants}.get(kind, st.just(kind))
            dialogue.say(draw(names), draw(WORDS), role=kind, at=at)
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


@given(said(st.just("user")))
def test_what_is_written_as_responses_is_the_same_conversation(transcript: Transcript) -> None:
    """Our promise (docs/how-to/read-an-export.md): all but the names of people; and its shape tells the form."""
    text = write_transcript(transcript, form="responses")
    assert heard(parse_transcript(text, source="talk.json")) == heard(transcript)


@given(said(NAMES))
def test_what_is_written_as_ag_ui_is_the_same_conversation(transcript: Transcript) -> None:
    """Our promise: speakers by name, words, calls and results, and the thread is the conversation."""
    again = parse_transcript(write_transcript(transcript, form="ag-ui"), source="talk.jsonl")
    assert (again.id, heard(again)) == (transcript.id, heard(transcript))


@given(anything_said(st.sampled_from(["assistant", "Ada", "Bo"])))
def test_what_is_written_as_otlp_is_the_same_conversation(transcript: Transcript) -> None:
    """Our promise: speakers by name, assistants and tools too, in any order of calls and results."""
    again = parse_transcript(write_transcript(transcript, form="otlp"), source="talk.json")
    assert (again.id, heard(again)) == (transcript.id, heard(transcript))


@pytest.mark.parametrize("form", [form for form in WRITTEN if form != "sharegpt"])
@given(anything_said(st.sampled_from(["assistant", "Ada", "Bo"])))
def test_roles_and_words_are_kept_in_their_order_whatever_was_said(form: str, transcript: Transcript) -> None:
    """Our promise: who spoke as what, and the words, also where a form has no names."""
    again = parse_transcript(write_transcript(transcript, form=form), source="talk", form=form)
    assert [said[1:] for said in heard(again)] == [said[1:] for said in heard(transcript)]


@given(anything_said(st.just("assistant")))
def test_a_result_that_nobody_asked_for_keeps_its_tool_in_responses(transcript: Transcript) -> None:
    """Our promise: it bears the name of its tool, since no call tells it."""
    again = parse_transcript(write_transcript(transcript, form="responses"), source="talk.json", form="responses")
    tools = [[said for said in heard(each) if said[1] == "tool"] for each in (again, transcript)]
    assert tools[0] == tools[1]


@pytest.mark.parametrize("form", WRITTEN)
@given(anything_said(st.just("assistant")))
def test_the_same_conversation_is_written_in_the_same_way(form: str, transcript: Transcript) -> None:
    """Our promise: ids are counted or drawn from the words, and no clock is asked."""
    assert write_transcript(transcript, form=form) == write_transcript(transcript, form=form)


@given(anything_said(st.just("assistant")))
def test_events_of_ag_ui_keep_the_moment_of_a_turn_and_invent_none(transcript: Transcript) -> None:
    """Our promise: times of turns to the millisecond where they tell a moment, and nothing where they do not."""
    again = parse_transcript(write_transcript(transcript, form="ag-ui"), source="talk.jsonl")
    for turn, read in zip(transcript.turns, again.turns, strict=True):
        assert milliseconds_of(read.at) == milliseconds_of(turn.at)
        assert bool(read.at) == (milliseconds_of(turn.at) is not None)


@given(anything_said(st.just("assistant")))
def test_a_span_has_times_only_of_turns_that_have_one(transcript: Transcript) -> None:
    """Our promise: the call begins and ends at times that were told, and in that order."""
    span = json.loads(write_transcript(transcript, form="otlp"))["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    told = {at for turn in transcript.turns if (at := milliseconds_of(turn.at)) is not None}
    found = [int(span[name]) // 10**6 for name in ("startTimeUnixNano", "endTimeUnixNano") if name in span]
    assert set(found) <= told
    assert bool(found) == bool(told)
    assert found == sorted(found)


@given(MOMENTS)
def test_a_moment_in_milliseconds_reads_as_the_same_moment(moment: datetime) -> None:
    """Our promise: writing and reading times are inverse, to the millisecond."""
    number = milliseconds_of(moment.isoformat())
    assert number is not None
    read = datetime.fromisoformat(time_of(number))
    assert timedelta() <= moment - read < timedelta(milliseconds=1)


@pytest.mark.parametrize("at", ["", "noon", "2026-01-01", "2026-01-01T10:00", "1970-01-02T00:00Z", "2600-01-01T00:00Z"])
def test_a_time_that_no_number_could_tell_is_left_out(at: str) -> None:
    """Our promise: no offset is assumed, and no number is written that would be read in another unit."""
    assert milliseconds_of(at) is None


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
