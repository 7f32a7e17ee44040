"""Laws of held streams, whichever way a stream is cut into events, and forms that other servers give them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.conversation.guard.policy import Action, GuardPolicy
from upheld.conversation.guard.verdict import GuardVerdict
from upheld.faces.proxy.apis.chat import ChatCompletions
from upheld.faces.proxy.apis.dialect import Refusal, StreamReader, heard_in_reply, words_of
from upheld.faces.proxy.apis.messages import Messages
from upheld.faces.proxy.apis.responses import Responses
from upheld.faces.proxy.events import Event, event_of, object_of
from upheld.faces.proxy.holding import held
from upheld.speech.matching.clauses import sentences

NAMES = ("type", "choices", "delta", "index", "content", "tool_calls", "function", "message", "response", "item")
"""Keys of events."""

FALSE = "Wrong"
"""Stands for all that does not stand."""


@dataclass(slots=True)
class Watched:
    """A stream that was held: what left, what was checked, and how each answer ended."""

    events: list[Event] = field(default_factory=list[Event])
    checked: list[str] = field(default_factory=list[str])
    ended: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])


def watched(reader: StreamReader, events: Sequence[Event]) -> Watched:
    """Hold a stream in which a sentence with ``FALSE`` in it does not stand."""
    seen = Watched()

    async def source() -> AsyncGenerator[Event]:
        for event in events:
            yield event

    async def check(text: str) -> GuardVerdict:
        seen.checked.append(text)
        return GuardVerdict(reply=text, action=Action.BLOCK if FALSE in text else Action.PASS)

    async def passed(event: Event, lane: int, verdict: GuardVerdict) -> Event:
        seen.ended.append(("passed", lane))
        return reader.marked(event, {"action": "pass"})

    async def failed(lane: int, verdict: GuardVerdict, is_empty: bool) -> Sequence[Event]:
        seen.ended.append(("failed", lane))
        ends = reader.stopped(lane, Refusal(notice="No.", mark={"action": "block"}))
        return [reader.sent(each) for each in ends]

    async def run() -> None:
        settle = (passed, failed)
        async for event in held(source(), reader, check=check, policy=GuardPolicy(), settle=settle, count=reader.lanes):
            seen.events.append(event)

    asyncio.run(run())
    return seen


def chunk(delta: dict[str, Any], finish: str | None = None, index: int = 0, **more: Any) -> Event:
    """A chunk of a chat."""
    return event_of({"id": "c", "choices": [{"index": index, "delta": delta, "finish_reason": finish}], **more})


def named(kind: str, **fields: Any) -> Event:
    """An event of the other interfaces."""
    return event_of({"type": kind, **fields}, name=kind)


def chat_of(pieces: Sequence[str]) -> list[Event]:
    """A chat whose text comes in these pieces, each with its role, as some servers do."""
    spoken = [chunk({"role": "assistant", "content": piece}) for piece in pieces]
    return [*spoken, chunk({}, "stop"), Event(data="[DONE]")]


def message_of(pieces: Sequence[str]) -> list[Event]:
    """A message whose text comes in these pieces."""
    spoken = [named("content_block_delta", index=0, delta={"type": "text_delta", "text": piece}) for piece in pieces]
    return [
        named("message_start", message={"id": "m", "role": "assistant", "content": [], "usage": {"output_tokens": 1}}),
        named("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        *spoken,
        named("content_block_stop", index=0),
        named("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 5}),
        named("message_stop"),
    ]


def response_of(pieces: Sequence[str]) -> list[Event]:
    """A response whose text comes in these pieces."""
    where = {"item_id": "i", "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "text": "".join(pieces)}
    item = {"id": "i", "type": "message", "role": "assistant", "content": [part]}
    events = [
        named("response.created", response={"id": "r", "output": []}),
        named("response.output_item.added", output_index=0, item={**item, "content": []}),
        named("response.content_part.added", **where, part={**part, "text": ""}),
        *(named("response.output_text.delta", **where, delta=piece) for piece in pieces),
        named("response.output_text.done", **where, text=part["text"]),
        named("response.content_part.done", **where, part=part),
        named("response.output_item.done", output_index=0, item=item),
        named("response.completed", response={"id": "r", "output": [item]}),
    ]
    return [event_of({**each.tree, "sequence_number": n}, name=each.name) for n, each in enumerate(events)]


INTERFACES = {
    "chat": (ChatCompletions(), chat_of),
    "messages": (Messages(), message_of),
    "responses": (Responses(), response_of),
}

texts = st.lists(
    st.sampled_from(["It rains. ", "Wrong again. ", "Is it?\n", "Yes! ", "No stop", " — and 3.5 more", "\n\n", "ü…"]),
    max_size=8,
).map("".join)


def cut(text: str, places: Sequence[int]) -> list[str]:
    """Cut a text at places, each taken round its length."""
    at = sorted({place % (len(text) + 1) for place in places} | {0, len(text)})
    return [text[start:end] for start, end in pairwise(at)]


@pytest.mark.parametrize("interface", INTERFACES)
@settings(max_examples=50, deadline=None)
@given(text=texts, places=st.lists(st.integers(0, 200), max_size=20))
def test_what_leaves_is_the_text_up_to_the_first_sentence_that_fails(
    interface: str, text: str, places: list[int]
) -> None:
    """A law, however the text is cut: a prefix leaves, made of whole sentences, of which none fails, and no more."""
    dialect, stream_of = INTERFACES[interface]
    reader = dialect.reader({})
    seen = watched(reader, stream_of(cut(text, places)))
    units = [text[start:end] for start, end in pairwise(_begins(text))]
    stands: list[str] = []
    for unit in units:
        if FALSE in unit:
            break
        stands.append(unit)
    left = "".join(stands)
    assert words_of(heard_in_reply(reader.reply(0))) == (left if left.strip() else "")
    assert seen.ended == [("passed" if FALSE not in text else "failed", 0)]
    assert FALSE not in "".join(each.data for each in seen.events)
    assert sum("upheld" in each.data for each in seen.events) == 1


def _begins(text: str) -> list[int]:
    found = [start for start, _ in sentences(text)]
    return [0, *found[1:], len(text)]


@pytest.mark.parametrize("interface", INTERFACES)
@settings(max_examples=30, deadline=None)
@given(pieces=st.lists(st.sampled_from(["It rains. ", "Yes! ", "so "]), max_size=6))
def test_a_stream_that_stands_keeps_every_event_that_is_no_text(interface: str, pieces: list[str]) -> None:
    """A law: order, names and data of everything else are as they came, but for the mark and the numbers."""
    dialect, stream_of = INTERFACES[interface]
    came = stream_of(pieces)
    seen = watched(dialect.reader({}), came)

    def others(events: Sequence[Event]) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for each in events:
            tree = each.tree
            kind = str(tree.get("type", ""))
            if tree and (kind.endswith("_text.delta") or kind == "content_block_delta"):
                continue
            if tree.get("choices") and not tree["choices"][0]["finish_reason"]:
                continue
            response = tree.get("response", {})
            response.pop("upheld", None)
            bare = {key: value for key, value in tree.items() if key not in {"upheld", "sequence_number", "object"}}
            for choice in bare.get("choices", []):
                choice.pop("logprobs", None)
            found.append((each.name, json.dumps(bare, sort_keys=True) if tree else each.data))
        return found

    assert others(seen.events) == others(came)


def test_text_and_the_end_in_one_chunk_and_costs_beside_them() -> None:
    """Other servers: content, reason of the end and costs may come in a single chunk."""
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    reader = ChatCompletions().reader({})
    seen = watched(reader, [chunk({"role": "assistant", "content": "It rains."}, "length", usage=usage)])
    assert words_of(heard_in_reply(reader.reply(0))) == "It rains."
    last = seen.events[-1].tree
    assert (last["choices"][0]["finish_reason"], last["usage"], last["upheld"]) == ("length", usage, {"action": "pass"})


def test_a_call_waits_for_the_text_before_it_and_goes_with_it() -> None:
    """C-41: deltas of calls leave after the text before them was checked, and not at all after one that fails."""
    call = {"tool_calls": [{"index": 0, "id": "t", "function": {"name": "ship", "arguments": "{}"}}]}
    for words, leaves in (("It rains", True), ("Wrong", False)):
        reader = ChatCompletions().reader({})
        seen = watched(reader, [chunk({"role": "assistant", "content": words}), chunk(call), chunk({}, "tool_calls")])
        assert seen.checked == [words]
        assert any("tool_calls" in each.data and "ship" in each.data for each in seen.events) is leaves
        calls = [each.text for each in heard_in_reply(reader.reply(0)) if each.text.startswith("{")]
        assert calls == (['{"name": "ship", "arguments": {}}'] if leaves else [])


def test_thoughts_pass_and_are_no_words_of_the_answer() -> None:
    """Our promise: what a language model thinks is never a ground, and is not held against the record."""
    reader = Messages().reader({})
    events = message_of(["It rains."])
    thought = named("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": "Wrong?"})
    seen = watched(reader, [*events[:2], thought, *events[2:]])
    assert seen.checked == ["It rains."]
    assert thought in seen.events


def test_citations_follow_the_text_that_they_are_of() -> None:
    """Our promise: a citation cuts no sentence, and does not leave before it was checked."""
    reader = Messages().reader({})
    events = message_of(["It rai", "ns."])
    citation = named("content_block_delta", index=0, delta={"type": "citations_delta", "citation": {"title": "a"}})
    seen = watched(reader, [*events[:3], citation, *events[3:]])
    assert seen.checked == ["It rains."]
    kinds = [each.tree.get("delta", {}).get("type") for each in seen.events]
    assert kinds.index("citations_delta") == kinds.index("text_delta") + 1
    failing = watched(Messages().reader({}), [*events[:2], *message_of(["Wrong."])[2:3], citation, *events[4:]])
    assert citation not in failing.events


def test_a_ping_does_not_wait() -> None:
    """Our promise: what keeps a connection open goes out at once, and cuts no sentence."""
    events = message_of(["It rai", "ns."])
    seen = watched(Messages().reader({}), [*events[:3], named("ping"), *events[3:]])
    names = [each.name for each in seen.events]
    assert names.index("ping") < names.index("content_block_delta")
    assert seen.checked == ["It rains."]


@given(st.binary(max_size=40) | st.text(max_size=40))
def test_what_is_no_object_is_read_as_an_empty_one(content: bytes | str) -> None:
    """A law: a body or an event may be anything, and nothing is raised."""
    assert isinstance(object_of(content), dict)
    if isinstance(content, str):
        event = Event(data=content)
        for dialect, _ in INTERFACES.values():
            assert dialect.reader({}).read(event)
    assert object_of("[" * 100_000) == {}


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "type",
                        "choices",
                        "delta",
                        "index",
                        "content",
                        "tool_calls",
                        "function",
                        "message",
                        "response",
                        "item",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_a_damaged_event_stops_no_stream(tree: Any) -> None:
    """A law: whatever an upstream sends as an event is passed or held, and raises nothing."""
    kinds = ("content_block_delta", "content_block_start", "response.output_text.delta", "response.output_item.added")
    fields = cast("dict[str, Any]", tree if isinstance(tree, dict) else {"choices": tree})
    for dialect, _ in INTERFACES.values():
        for event in (event_of(fields), *(event_of({**fields, "type": kind}, name=kind) for kind in kinds)):
            reader = dialect.reader({})
            for piece in reader.read(event):
                reader.sent(piece.event)
            reader.reply(0)
