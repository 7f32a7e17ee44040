"""Forms of other programs, as their own readers need them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from upheld.speech.formats.exports.dialogue import Dialogue, transcript_of
from upheld.speech.formats.exports.tally import Tally
from upheld.speech.formats.transcript import Transcript
from upheld.speech.formats.writing import write_transcript


@pytest.fixture
def parcel() -> Transcript:
    """A call with words before it, its result, a result that nobody asked for twice, and a reply."""
    dialogue = Dialogue(Tally())
    dialogue.say("Maren", "Weigh the parcel.", role="user", at="2026-01-01T10:00:00+01:00")
    dialogue.say("assistant", "I do.", role="assistant")
    dialogue.call("scale", {"unit": "kg"}, at="2026-01-01T09:00:01Z")
    dialogue.result("3 kg", tool="scale", at="2026-01-01T09:00:02Z")
    dialogue.result("ten", tool="clock")
    dialogue.result("eleven", tool="clock")
    dialogue.say("Ada", "Three kilos.", role="assistant", at="2026-01-01T09:00:05Z")
    return transcript_of(dialogue.said, "parcel")


def items_of(transcript: Transcript) -> list[dict[str, Any]]:
    """Give the items of a request of Responses."""
    return json.loads(write_transcript(transcript, form="responses"))["input"]


def events_of(transcript: Transcript) -> list[dict[str, Any]]:
    """Give the events of a run."""
    return [json.loads(line) for line in write_transcript(transcript, form="ag-ui").splitlines()]


def span_of(transcript: Transcript) -> tuple[dict[str, Any], dict[str, str]]:
    """Give the span of a trace, and its attributes by name."""
    tree = json.loads(write_transcript(transcript, form="otlp"))
    span = tree["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    return span, {each["key"]: each["value"]["stringValue"] for each in span["attributes"]}


def test_what_the_assistant_said_is_an_item_of_a_reply_and_all_else_one_of_a_request(parcel: Transcript) -> None:
    """OpenAI API reference, Responses: ``output_text`` is of assistants only, with an id, a status and annotations."""
    user, assistant = items_of(parcel)[:2]
    assert user["content"] == [{"type": "input_text", "text": "Weigh the parcel."}]
    assert assistant["content"] == [{"type": "output_text", "text": "I do.", "annotations": []}]
    assert (assistant["id"], assistant["status"]) == ("msg_2", "completed")


def test_a_call_of_responses_and_its_output_share_an_id_and_arguments_are_text(parcel: Transcript) -> None:
    """OpenAI API reference, Responses: ``function_call`` and ``function_call_output``."""
    call, output = items_of(parcel)[2:4]
    assert call == {"type": "function_call", "call_id": "call_1", "name": "scale", "arguments": '{"unit": "kg"}'}
    assert output == {"type": "function_call_output", "call_id": "call_1", "output": "3 kg"}


def test_a_run_begins_and_ends_and_closes_whatever_it_opened(parcel: Transcript) -> None:
    """AG-UI, Runs and Steps, Text Messages, Tool Calls: nothing stays open, and nothing comes before or after."""
    events = events_of(parcel)
    kinds = [event["type"] for event in events]
    assert (kinds[0], kinds[-1]) == ("RUN_STARTED", "RUN_FINISHED")
    assert events[0]["threadId"] == events[-1]["threadId"] == "parcel"
    opened: set[str] = set()
    for event in events[1:-1]:
        id = event.get("toolCallId") or event["messageId"]
        if event["type"].endswith("_START"):
            opened.add(id)
        elif event["type"].endswith("_END"):
            opened.remove(id)
        elif event["type"] != "TOOL_CALL_RESULT":
            assert id in opened
    assert not opened


def test_a_message_of_ag_ui_has_its_role_its_name_and_its_moment(parcel: Transcript) -> None:
    """AG-UI, Text Messages: people's words are text messages too; SDKs count times in milliseconds."""
    started = events_of(parcel)[1]
    assert (started["role"], started["name"], started["timestamp"]) == ("user", "Maren", 1767258000000)


def test_a_call_of_ag_ui_hangs_on_the_words_before_it(parcel: Transcript) -> None:
    """AG-UI, Tool Calls: ``parentMessageId`` is the message that carries the call."""
    call = next(event for event in events_of(parcel) if event["type"] == "TOOL_CALL_START")
    assert call["parentMessageId"] == "msg_2"


def test_results_that_nobody_asked_for_are_not_taken_for_one(parcel: Transcript) -> None:
    """Our promise: each has an id of its own, since a form may know a result by that alone."""
    results = [event["toolCallId"] for event in events_of(parcel) if event["type"] == "TOOL_CALL_RESULT"]
    assert results == ["call_1", "call_2", "call_3"]


def test_a_span_holds_what_was_asked_and_what_was_replied(parcel: Transcript) -> None:
    """OpenTelemetry GenAI conventions 1.37, ``gen-ai-input-messages.json`` and ``gen-ai-output-messages.json``."""
    _, attributes = span_of(parcel)
    asked = json.loads(attributes["gen_ai.input.messages"])
    assert [message["role"] for message in asked] == ["user", "assistant", "tool"]
    assert [part["type"] for part in asked[1]["parts"]] == ["text", "tool_call"]
    assert asked[2]["parts"][0]["response"] == "3 kg"
    assert json.loads(attributes["gen_ai.output.messages"]) == [
        {"role": "assistant", "name": "Ada", "parts": [{"type": "text", "content": "Three kilos."}],
         "finish_reason": "stop"}
    ]  # fmt: skip
    assert attributes["gen_ai.conversation.id"] == "parcel"


def test_a_span_begins_with_the_last_words_before_the_reply_and_ends_with_the_reply(parcel: Transcript) -> None:
    """opentelemetry-proto 1.5, ``trace.proto``: nanoseconds, in JSON as text, and ids in hexadecimal digits."""
    span, _ = span_of(parcel)
    assert (span["startTimeUnixNano"], span["endTimeUnixNano"]) == ("1767258002000000000", "1767258005000000000")
    assert (len(bytes.fromhex(span["traceId"])), len(bytes.fromhex(span["spanId"]))) == (16, 8)


def test_a_conversation_that_waits_for_a_reply_has_none_in_its_span(parcel: Transcript) -> None:
    """Our promise: nothing is called a reply that the assistant did not say last."""
    waiting = transcript_of([], "parcel")
    assert "gen_ai.output.messages" not in span_of(waiting)[1]
    last = Transcript(id="parcel", agents=parcel.agents, turns=parcel.turns[:1])
    assert set(span_of(last)[1]) == {"gen_ai.operation.name", "gen_ai.conversation.id", "gen_ai.input.messages"}


def test_two_conversations_have_two_traces(parcel: Transcript) -> None:
    """Our promise: those that are sent to one place together stay apart."""
    shorter = Transcript(id="parcel", agents=parcel.agents, turns=parcel.turns[:-1])
    assert span_of(parcel)[0]["traceId"] != span_of(shorter)[0]["traceId"]
